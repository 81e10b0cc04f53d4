//! Values by the ids that a file has for them, which are never taken on trust.

use crate::error::{Error, Result};

/// Things that ids count.
pub(super) trait ById {
    type Item;

    /// What an id stands for; nothing where it stands for nothing.
    fn by_id(&self, id: u32) -> Option<&Self::Item>;

    /// What an id stands for; nothing where it stands for nothing.
    fn by_id_mut(&mut self, id: u32) -> Option<&mut Self::Item>;
}

impl<T> ById for [T] {
    type Item = T;

    fn by_id(&self, id: u32) -> Option<&T> {
        self.get(usize::try_from(id).ok()?)
    }

    fn by_id_mut(&mut self, id: u32) -> Option<&mut T> {
        self.get_mut(usize::try_from(id).ok()?)
    }
}

/// The id of what is added next to so many things.
pub(super) fn next_id(count: usize) -> Result<u32> {
    u32::try_from(count).map_err(|_| Error::Program("too many values".to_owned()))
}
