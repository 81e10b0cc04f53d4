//! Convolutions.

pub(crate) mod convolution;
pub(crate) mod convolution_backward;
pub(crate) mod geometry;
