//! Products of matrices.

pub(crate) mod dense;
pub(crate) mod epilogue;
pub(crate) mod hadamard;
pub(crate) mod linear;
pub(crate) mod matrices;
pub(crate) mod product;
pub(crate) mod row_norm;
pub(crate) mod tiling;
