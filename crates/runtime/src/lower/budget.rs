//! How much lowering may expand a file.

use crate::error::{Error, Result};

/// How much lowering may expand a flatbuffer, whose parts can refer to each other any number of times.
#[derive(Debug)]
pub(super) struct Budget(usize);

impl Budget {
    pub(super) fn new(flatbuffer: usize) -> Budget {
        Budget(flatbuffer.saturating_mul(2).saturating_add(4096))
    }

    /// Takes room for this many items.
    pub(super) fn take(&mut self, items: usize) -> Result<()> {
        self.0 = self
            .0
            .checked_sub(items)
            .ok_or_else(|| Error::Program("the program's lists expand to more than its file could hold".to_owned()))?;
        Ok(())
    }
}
