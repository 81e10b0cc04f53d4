//! Element-by-element operators. Most are rows of a table: names, WGSL expression, Rust closures.

pub(crate) mod activation;
pub(crate) mod chain;
pub(crate) mod clamp_tensor;
pub(crate) mod complex;
pub(crate) mod copy;
pub(crate) mod elementwise;
pub(crate) mod fill;
pub(crate) mod glu;
pub(crate) mod number;
pub(crate) mod round_decimals;
mod rows;
pub(crate) mod where_self;

pub use rows::Expression;
