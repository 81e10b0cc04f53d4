//! Convolutions.

pub(crate) mod convolution;
mod geometry;
