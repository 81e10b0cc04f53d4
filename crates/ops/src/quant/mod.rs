//! Quantized weights and activations.

pub(crate) mod embedding_q4gsw;
