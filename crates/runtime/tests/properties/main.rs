//! The GPU against the reference engine, over random shapes and values.

mod attention;
mod embedding;
mod pointwise;
mod shape;
mod support;
