//! Where the bytes of constants are.

use std::collections::HashMap;

use bytes::Bytes;
use pteron_pte::Blob;
use pteron_tensor::DType;

use crate::error::{Error, Result};
use crate::graph::{Constant, DataRef};
use crate::limits::total;

/// Finds named data: which file, and where in it.
pub(crate) type NamedData<'a> = dyn Fn(&str) -> Result<Option<DataRef>> + 'a;

/// Where a blob is, as data that can be read later.
pub(super) fn data_of(blob: Blob<'_>) -> DataRef {
    match blob {
        Blob::Inline(bytes) => DataRef::Bytes(Bytes::copy_from_slice(bytes)),
        Blob::File(range) => DataRef::File(0, range),
    }
}

/// Data that is named, and at least this long.
pub(super) fn find(named: &NamedData<'_>, name: &str, bytes: u64) -> Result<DataRef> {
    let data = named(name)?.ok_or_else(|| missing(name))?;
    check_length(&data, bytes, name)?;
    Ok(data)
}

fn missing(name: &str) -> Error {
    Error::NotFound(format!("the program needs external data named {name:?}: open it together with its .ptd file"))
}

/// Refuses data that is shorter than its tensor.
pub(super) fn check_length(data: &DataRef, expected: u64, name: &str) -> Result<()> {
    let length = match data {
        DataRef::Bytes(bytes) => bytes.len() as u64,
        DataRef::File(_, range) => range.end.saturating_sub(range.start),
        DataRef::Joined(joined) => {
            joined.rows.saturating_mul(total(joined.parts.iter().map(|(_, row_bytes)| *row_bytes)))
        }
        DataRef::Permuted(permuted) => {
            let elements = permuted.sizes.iter().fold(permuted.element, |product, &size| product.saturating_mul(size));
            elements as u64
        }
        DataRef::Scaled(scaled) => {
            scaled.sizes.iter().fold(4, |product: usize, &size| product.saturating_mul(size)) as u64
        }
    };
    if length < expected {
        return Err(Error::Program(format!("data {name:?} has {length} bytes where {expected} are needed")));
    }
    Ok(())
}

/// The constants of a graph, each of them once.
#[derive(Debug, Default)]
pub(super) struct Constants {
    constants: Vec<Constant>,
    /// Constants that are the same bytes as the same type share one entry.
    known: HashMap<(DataRef, DType), usize>,
}

impl Constants {
    /// The number of a constant, which is added if it is not there.
    pub(super) fn add(&mut self, constant: Constant) -> usize {
        let key = (constant.data.clone(), constant.dtype);
        if let Some(&known) = self.known.get(&key)
            && self.constants.get(known).is_some_and(|known| known.shape.numel() == constant.shape.numel())
        {
            return known;
        }
        let number = self.constants.len();
        self.known.insert(key, number);
        self.constants.push(constant);
        number
    }

    /// All of them, by number.
    pub(super) fn into_vec(self) -> Vec<Constant> {
        self.constants
    }
}
