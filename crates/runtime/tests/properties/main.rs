//! The GPU against the reference engine, over random shapes and values.

mod attention;
mod embedding;
mod pointwise;
mod quant;
mod shape;
mod support;
mod training;
