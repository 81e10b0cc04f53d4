//! Quantized weights and activations.

pub(crate) mod blocks;
pub(crate) mod bytes_layers;
pub(crate) mod bytes_mean;
pub(crate) mod bytes_pointwise;
pub(crate) mod choose_qparams;
pub(crate) mod dequantize;
pub(crate) mod dynamic_rows;
pub(crate) mod embedding_q4gsw;
pub(crate) mod linear_dq8ca_q4gsw;
pub(crate) mod linear_per_channel;
pub(crate) mod linear_q4gsw;
pub(crate) mod portable;
mod q8ta;
pub(crate) mod q8ta_conv2d;
pub(crate) mod q8ta_linear;
pub(crate) mod q8ta_pointwise;
pub(crate) mod quantize;
pub(crate) mod rounding;
pub(crate) mod weight;
pub(crate) mod windows;
