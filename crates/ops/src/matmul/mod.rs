//! Products of matrices.

pub(crate) mod linear;
