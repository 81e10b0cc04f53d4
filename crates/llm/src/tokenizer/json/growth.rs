//! How much text the steps of a file may make of a text.

use crate::error::{Error, Result};

/// Bytes that a step may make of one. The longest compatible form of a character has eleven for one.
const MOST: usize = 16;

/// Bytes that it may make of any text, so that short ones can get a prefix.
const SPARE: usize = 256;

/// An error where a text of this many bytes became, or would become, too much.
pub(super) fn check(before: usize, after: usize) -> Result<()> {
    if after > most(before) {
        return Err(Error::Tokenizer(format!("its steps make {after} bytes of a text that has {before}")));
    }
    Ok(())
}

/// The bytes that may be made of so many.
pub(super) fn most(before: usize) -> usize {
    before.saturating_mul(MOST).saturating_add(SPARE)
}
