//! Convolutions.

pub(crate) mod convolution;
pub(crate) mod geometry;
