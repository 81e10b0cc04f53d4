//! Normalization over the last dimensions.

pub(crate) mod rms_norm;
