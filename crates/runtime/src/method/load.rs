//! Loading a method: everything is checked, then constants go to the device.

use std::collections::HashSet;
use std::sync::Arc;

use pteron_ops::Caps;
use pteron_tensor::{HostTensor, MAX_RANK};

use super::condition::Validity;
use super::{CallCounts, Delegate, Method};
use crate::data::DataFiles;
use crate::device::{Device, Kind};
use crate::engine::reference::ReferenceDelegate;
use crate::engine::wgpu::{GpuDelegate, Room, SharedConstants};
use crate::error::Result;
use crate::graph::{MethodGraph, ProgramTensor, ProgramValue};
use crate::limits::Limits;
use crate::options::MethodOptions;
use crate::plan::plan_largest;
use crate::progress::{LoadProgress, OnProgress};
use crate::types;

impl Method {
    pub(crate) async fn load(
        shared: &SharedConstants,
        device: Device,
        caps: Caps,
        graph: MethodGraph,
        files: &DataFiles,
        limits: Limits,
        progress: &OnProgress,
    ) -> Result<Method> {
        // Everything that can be refused is refused before anything is allocated.
        let largest = plan_largest(&graph, &caps)?;
        graph.check_limits(&limits, !device.is_cpu(), &largest)?;
        let room = Arc::new(Room::new(limits, &graph));
        let (memory, index_limits) = (graph.memory_of(&largest), graph.index_limits_of(&largest));
        let mut initial = vec![None; graph.values.len()];
        for (slot, value) in initial.iter_mut().zip(&graph.values) {
            if let ProgramValue::Tensor(ProgramTensor { dtype, shape, data: Some(data), order, .. }) = value {
                let bytes = files.load(data, shape.numel() as u64 * dtype.size() as u64).await?;
                let stored = HostTensor::with_shape(*dtype, *shape, bytes)?;
                *slot = Some(match order {
                    Some(order) => in_order(&stored, order)?,
                    None => stored,
                });
            }
        }
        let mut delegates = Vec::with_capacity(graph.delegates.len());
        let (mut constant_bytes, mut counted) = (0, HashSet::new());
        let every_constant = graph.delegates.iter().flat_map(|delegate| &delegate.constants);
        let of = every_constant.map(|constant| constant.shape.numel() as u64 * constant.stored.size() as u64).sum();
        let mut bytes = 0;
        for (number, (delegate, largest)) in graph.delegates.iter().zip(largest).enumerate() {
            delegates.push(match &device.0 {
                Kind::Reference => {
                    let mut constants = Vec::with_capacity(delegate.constants.len());
                    for constant in &delegate.constants {
                        let stored = constant.shape.numel() as u64 * constant.stored.size() as u64;
                        let bytes = files.load(&constant.data, stored).await?;
                        let bytes = types::constant_to_device(&bytes, constant.stored, constant.dtype)?;
                        constants.push(HostTensor::with_shape(constant.dtype, constant.shape, bytes)?);
                    }
                    let mut loaded = ReferenceDelegate::new(caps.clone(), delegate, constants, limits)?;
                    largest.into_iter().for_each(|plan| loaded.prepare(delegate, plan));
                    Delegate::Reference(loaded)
                }
                Kind::Gpu(gpu) => {
                    let sent = |sent| {
                        bytes += sent;
                        progress.tell(LoadProgress::Upload { bytes, of });
                    };
                    let constants = shared.load(gpu, &delegate.constants, files, sent).await?;
                    progress.tell(LoadProgress::Compile { graphs: number, of: graph.delegates.len() });
                    let new = constants.iter().filter(|&buffer| counted.insert(buffer.clone()));
                    constant_bytes += new.map(|buffer| buffer.size()).sum::<u64>();
                    let mut loaded = GpuDelegate::new(gpu.clone(), caps.clone(), delegate, constants, room.clone());
                    if let Some(largest) = largest {
                        #[cfg(not(target_arch = "wasm32"))]
                        gpu.compile_ahead(largest.dispatches.iter().map(|planned| &planned.dispatch)).await;
                        // A plan that only fails at the largest shapes fails at the call that needs them.
                        let (prepared, outcome) = gpu.watch(|| loaded.prepare(delegate, largest));
                        if let Err(error) = prepared {
                            tracing::debug!(%error, "not prepared at the largest shapes");
                        }
                        outcome.check().await?;
                    }
                    gpu.check()?;
                    Delegate::Gpu(Box::new(loaded))
                }
            });
        }
        let submits_early = graph.submits_early();
        let has_state = graph.has_state();
        // What is on a GPU does not depend on files any more.
        let reads_files = device.is_cpu() || initial.iter().any(Option::is_some);
        let files = if reads_files { files.clone() } else { DataFiles::default() };
        let (graph, values, identity) = (Arc::new(graph), Vec::new(), Arc::new(()));
        let mut method = Method {
            device,
            graph,
            delegates,
            values,
            initial,
            files,
            counts: CallCounts::default(),
            #[cfg(not(target_arch = "wasm32"))]
            submit_times: Vec::new(),
            constant_bytes,
            memory,
            index_limits,
            submits_early,
            series: None,
            kept_results: None,
            seed: 0,
            limits,
            options: MethodOptions::default(),
            has_state,
            validity: Validity::new(),
            identity,
        };
        method.values = method.first_values();
        Ok(method)
    }
}

/// The elements of a tensor in the order of its dimensions, from memory that holds them in another: `order` names the
/// dimensions from outermost to innermost.
fn in_order(stored: &HostTensor, order: &[u8]) -> Result<HostTensor> {
    let (shape, size) = (stored.shape(), stored.dtype().size());
    let mut steps = [0; MAX_RANK];
    let mut step = size;
    for &dim in order.iter().rev() {
        steps[usize::from(dim)] = step;
        step *= shape[usize::from(dim)];
    }
    let strides = shape.strides();
    let mut ordered = Vec::with_capacity(stored.bytes().len());
    for element in 0..shape.numel() {
        let coordinates = shape.iter().zip(strides).map(|(size, stride)| element / stride % size);
        let start: usize = coordinates.zip(steps).map(|(coordinate, step)| coordinate * step).sum();
        ordered.extend_from_slice(&stored.bytes()[start..start + size]);
    }
    Ok(HostTensor::with_shape(stored.dtype(), *shape, ordered)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_in_another_order_is_put_in_order() {
        // Two images of three channels and one row of two, with the channels innermost.
        let stored = HostTensor::from_slice(&(0..12).collect::<Vec<i32>>(), &[2, 3, 1, 2]).unwrap();
        let ordered = in_order(&stored, &[0, 2, 3, 1]).unwrap();
        assert_eq!(ordered.as_slice::<i32>().unwrap(), [0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11]);
    }
}
