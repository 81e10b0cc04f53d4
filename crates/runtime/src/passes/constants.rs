//! Constants of a graph that passes read and add.

use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;
use pteron_tensor::{DType, HostTensor};

use super::uses::{constant, push, tensor};
use crate::data::DataFiles;
use crate::error::Result;
use crate::graph::{Constant, DataRef, Graph, Joined, Role, TensorValue, Value};
use crate::types;

/// Elements of constants as the device has them, by value.
pub(super) type Known = HashMap<u32, HostTensor>;

/// Adds those of `ids` that are constants and not known yet.
pub(super) async fn load(known: &mut Known, graph: &Graph, files: &DataFiles, ids: &[u32]) -> Result<()> {
    for &id in ids {
        let (Some(tensor), Some(number), false) = (tensor(graph, id), constant(graph, id), known.contains_key(&id))
        else {
            continue;
        };
        let constant = &graph.constants[number];
        let stored = files.load(&constant.data, tensor.shape.numel() as u64 * constant.stored.size() as u64).await?;
        let bytes = types::constant_to_device(&stored, constant.stored, constant.dtype)?;
        known.insert(id, HostTensor::with_shape(tensor.dtype, tensor.shape, bytes)?);
    }
    Ok(())
}

/// The values of a graph that are constants of one element.
pub(super) fn scalars(graph: &Graph) -> Vec<u32> {
    let is_scalar = |id: &u32| tensor(graph, *id).is_some_and(|tensor| tensor.shape.numel() == 1);
    (0..).take(graph.values.len()).filter(|id| constant(graph, *id).is_some() && is_scalar(id)).collect()
}

/// Keeps constants of one element in memory, where passes see the numbers that they are.
pub(super) fn keep_scalars(graph: &mut Graph, known: &Known) {
    for id in scalars(graph) {
        if let (Some(number), Some(value)) = (constant(graph, id), known.get(&id)) {
            let data = DataRef::Bytes(Bytes::copy_from_slice(value.bytes()));
            let constant = &mut graph.constants[number];
            (constant.data, constant.stored) = (data, constant.dtype);
        }
    }
}

/// The number that a constant of one 32-bit float is, where it is in memory.
pub(super) fn scalar(graph: &Graph, id: u32) -> Option<f64> {
    let constant = &graph.constants[constant(graph, id)?];
    let DataRef::Bytes(bytes) = &constant.data else { return None };
    let float = (constant.stored, constant.dtype) == (DType::F32, DType::F32) && constant.shape.numel() == 1;
    let bytes = bytes.get(..4)?.try_into().ok()?;
    float.then(|| f32::from_ne_bytes(bytes).into())
}

/// Adds a constant. The value that it gives is in no graph yet.
pub(super) fn add(graph: &mut Graph, elements: &HostTensor) -> Value {
    let (dtype, shape) = (elements.dtype(), *elements.shape());
    let data = DataRef::Bytes(Bytes::copy_from_slice(elements.bytes()));
    graph.constants.push(Constant { data, stored: dtype, dtype, shape });
    Value::Tensor(TensorValue { dtype, shape, role: Role::Constant(graph.constants.len() - 1) })
}

/// The constants that values are, where all of them are such.
pub(super) fn all(graph: &Graph, ids: impl Iterator<Item = u32>) -> Option<Vec<Constant>> {
    ids.map(|id| Some(graph.constants[constant(graph, id)?].clone())).collect()
}

/// A constant made of others that follow each other along a dimension, where they have one type and the same sizes but for that.
pub(super) fn side_by_side(graph: &mut Graph, constants: &[Constant], dim: usize) -> Option<u32> {
    let first = constants.first()?;
    let length = constants.iter().map(|constant| constant.shape.get(dim)).sum::<Option<usize>>()?;
    let alike = |constant: &Constant| {
        let shape = constant.shape.with(dim, length).ok();
        shape.is_some() && shape == first.shape.with(dim, length).ok() && constant.kind() == first.kind()
    };
    if !constants.iter().all(alike) {
        return None;
    }
    // Along the first dimension they simply follow each other; along another, row by row.
    let rows = first.shape[..dim].iter().product::<usize>() as u64;
    let part = |constant: &Constant| {
        let bytes = constant.shape.numel() as u64 * constant.stored.size() as u64;
        (constant.data.clone(), bytes.checked_div(rows).unwrap_or(0))
    };
    let (shape, parts) = (first.shape.with(dim, length).ok()?, constants.iter().map(part).collect());
    let joined = Constant { data: DataRef::Joined(Arc::new(Joined { rows, parts })), shape, ..first.clone() };
    let tensor = TensorValue { dtype: joined.dtype, shape, role: Role::Constant(graph.constants.len()) };
    graph.constants.push(joined);
    Some(push(graph, Value::Tensor(tensor)))
}
