//! The GPU against the reference engine, over random shapes and values.

mod attention;
mod bytes;
mod chain;
mod conv;
mod curves;
mod embedding;
mod fused;
mod host;
#[cfg(feature = "fault-injection")]
mod hostile;
mod index;
mod llama;
mod matmul;
mod matrix;
#[cfg(feature = "fault-injection")]
mod neighbours;
mod norm;
mod numbers;
mod operators;
mod parts;
mod pointwise;
mod pool;
mod quant;
mod recurrent;
mod reduce;
mod sampling;
mod shape;
mod support;
mod training;
