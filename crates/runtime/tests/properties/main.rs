//! The GPU against the reference engine, over random shapes and values.

mod embedding;
mod norm;
mod pointwise;
mod pool;
mod reduce;
mod shape;
mod support;
