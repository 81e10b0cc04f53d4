//! Convolutions.

pub(crate) mod convolution;
