//! Operators that look elements up by index, or put them where an index says.
//!
//! All of them take an input element at a walk's place plus an index times a stride: see [`take`].

pub(crate) mod bucketize;
pub(crate) mod copy_index;
pub(crate) mod embedding;
pub(crate) mod embedding_bag;
pub(crate) mod embedding_quantized;
pub(crate) mod gather;
mod index_offsets;
pub(crate) mod index_put;
pub(crate) mod index_select;
pub(crate) mod index_tensor;
pub(crate) mod masks;
pub(crate) mod nonzero;
pub(crate) mod put;
pub(crate) mod scatter;
pub(crate) mod scatter_reduce;
mod take;
