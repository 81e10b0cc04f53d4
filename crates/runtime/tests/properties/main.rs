//! The GPU against the reference engine, over random shapes and values.

mod attention;
mod conv;
mod embedding;
mod index;
mod matmul;
mod pointwise;
mod shape;
mod support;
