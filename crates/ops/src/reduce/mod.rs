//! Reductions over dimensions.

pub(crate) mod fold;
pub(crate) mod lines;
pub(crate) mod portable;
pub(crate) mod softmax;
pub(crate) mod walk;
