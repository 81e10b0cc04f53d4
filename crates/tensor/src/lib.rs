//! Element types, shapes, host tensors and tolerances: the vocabulary that every other crate of pteron speaks.
//!
//! Nothing here knows a file format, an operator or a GPU.

#![forbid(unsafe_code)]

mod compare;
mod dtype;
mod element;
mod host;
#[cfg(feature = "ndarray")]
mod ndarray;
#[cfg(feature = "safetensors")]
mod safetensors;
mod shape;

pub use compare::{Comparison, Mismatch, Tolerance};
pub use dtype::DType;
pub use element::Element;
pub use host::{HostTensor, TensorError};
pub use shape::{Dim, MAX_RANK, Shape, ShapeError};
