//! Operators that no program names: what passes over a graph put in the place of several others.

pub(crate) mod arguments;
pub(crate) mod convolution;
mod halves;
pub(crate) mod linear;
pub(crate) mod linear_norm;
mod q4_few;
pub(crate) mod q4_linear;
mod q4_matrix;
pub(crate) mod q4_mlp;
mod q4_row;
pub(crate) mod turn;
pub(crate) mod two_layers;
