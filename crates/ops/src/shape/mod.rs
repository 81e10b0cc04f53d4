//! Operators that move elements and compute nothing.
//!
//! Everything that is a walk over the input with one step per axis goes through [`strided`]; everything that only names
//! another shape goes through [`view`].

pub(crate) mod as_strided_copy;
pub(crate) mod cat;
pub(crate) mod expand_copy;
pub(crate) mod flip;
pub(crate) mod grid_priors;
pub(crate) mod moves;
pub(crate) mod pad;
pub(crate) mod permute_copy;
pub(crate) mod pixel_shuffle;
pub(crate) mod prepack;
pub(crate) mod repeat;
pub(crate) mod select_copy;
pub(crate) mod slice_copy;
pub(crate) mod slice_scatter;
pub(crate) mod split_copy;
pub(crate) mod squeeze_copy;
mod strided;
pub(crate) mod unfold_copy;
pub(crate) mod unsqueeze_copy;
mod view;
pub(crate) mod view_copy;
