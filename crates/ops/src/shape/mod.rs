//! Operators that move elements and compute nothing.
//!
//! Everything that is a walk over the input with one step per output dimension goes through [`strided_copy`].

pub(crate) mod copy;
pub(crate) mod permute_copy;
pub(crate) mod prepack;
pub(crate) mod select_copy;
pub(crate) mod slice_copy;
mod strided;
pub(crate) mod view_copy;
