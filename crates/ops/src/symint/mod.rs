//! Symbolic integers, computed on the host each call.

pub(crate) mod arithmetic;
pub(crate) mod assertions;
pub(crate) mod portable;
pub(crate) mod select_as_symint;
pub(crate) mod sym_size;
