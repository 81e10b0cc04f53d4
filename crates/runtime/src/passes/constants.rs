//! Constants of a graph that passes read and add.

use std::collections::HashMap;

use bytes::Bytes;
use pteron_tensor::{DType, HostTensor};

use super::uses::{constant, tensor};
use crate::data::DataFiles;
use crate::error::Result;
use crate::graph::{Constant, DataRef, Graph, Role, TensorValue, Value};
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
