//! Reductions over dimensions.

pub(crate) mod allclose;
pub(crate) mod any;
pub(crate) mod best;
pub(crate) mod distance;
pub(crate) mod fold;
pub(crate) mod median;
pub(crate) mod scan;
pub(crate) mod softmax;
pub(crate) mod sort;
pub(crate) mod variance;
pub(crate) mod walk;
