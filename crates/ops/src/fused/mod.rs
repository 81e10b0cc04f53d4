//! Operators that no program names: what passes over a graph put in the place of several others.

pub(crate) mod arguments;
pub(crate) mod convolution;
mod halves;
pub(crate) mod linear;
pub(crate) mod linear_norm;
#[cfg_attr(target_arch = "wasm32", expect(dead_code, reason = "pages leave out the pass that makes it"))]
pub(crate) mod q4_attention;
mod q4_block;
mod q4_few;
pub(crate) mod q4_linear;
mod q4_matrix;
pub(crate) mod q4_mlp;
mod q4_row;
mod q4_row_of_parts;
#[cfg_attr(target_arch = "wasm32", expect(dead_code, reason = "pages leave out the pass that makes it"))]
pub(crate) mod turn;
pub(crate) mod two_layers;
