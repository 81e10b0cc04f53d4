//! Lists that are short by the format's rules.

use std::fmt;
use std::ops::Deref;

use planus::Vector;

use crate::error::{Error, Result};

/// At most six numbers: sizes, one for each dimension, or ids. XNNPACK knows no tensor of higher rank.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Few {
    items: [u32; Few::MOST],
    len: usize,
}

impl Few {
    /// How many numbers there can be.
    pub const MOST: usize = 6;

    /// The numbers of a list in the file.
    pub(crate) fn read(list: Option<Vector<'_, u32>>, what: &'static str, at: impl FnOnce() -> String) -> Result<Few> {
        let list = list.unwrap_or_else(Vector::new_empty);
        if list.len() > Few::MOST {
            let reason = format!("{what} has {} numbers, and {} is the most", list.len(), Few::MOST);
            return Err(Error::Invalid { at: at(), reason });
        }
        Ok(list.iter().collect())
    }
}

/// Takes the first six numbers.
impl FromIterator<u32> for Few {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Few {
        let mut few = Few::default();
        for (item, number) in few.items.iter_mut().zip(numbers) {
            *item = number;
            few.len = few.len.saturating_add(1);
        }
        few
    }
}

impl Deref for Few {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        self.items.get(..self.len).unwrap_or_default()
    }
}

impl fmt::Debug for Few {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
