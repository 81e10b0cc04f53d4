//! Normalization: by statistics of rows, or by given ones.

pub(crate) mod batch_norm;
pub(crate) mod rms_norm;
pub(crate) mod rows;
