//! Element-by-element operators. They are rows of a table: name, WGSL expression, Rust closures.

pub(crate) mod binary;
pub(crate) mod rows;
