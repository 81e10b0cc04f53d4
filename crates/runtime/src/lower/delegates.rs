//! The kinds of delegates that run here, told apart by their data: each becomes a graph.

use pteron_ops::Caps;
use pteron_pte::delegate::Delegate;
use pteron_pte::xnnpack as xnn;

use super::calls::Orders;
use super::data::NamedData;
use super::{vulkan, xnnpack};
use crate::error::{Result, Unsupported, UnsupportedNode};
use crate::graph::Graph;
use crate::limits::Limits;

/// What a delegate's data is.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// A graph of the Vulkan backend, which its WebGPU backend shares.
    Vulkan,
    /// A graph of the XNNPACK backend.
    Xnnpack,
}

impl Kind {
    fn of(blob: &[u8]) -> Option<Kind> {
        let vulkan = Delegate::is(blob).then_some(Kind::Vulkan);
        vulkan.or_else(|| xnn::Graph::is(blob).then_some(Kind::Xnnpack))
    }
}

/// Lowers a delegate's data. `backend` is the program's name for its kind, `name` says where it is, for errors, and `orders`
/// in which orders its arguments have their dimensions in memory.
pub(super) fn graph(
    blob: &[u8],
    backend: &str,
    name: String,
    orders: &Orders<'_>,
    named: &NamedData<'_>,
    caps: &Caps,
    limits: &Limits,
) -> Result<Graph> {
    let check = |nodes: usize, values: usize| {
        limits.check_nodes(&name, nodes as u64)?;
        limits.check_values(&name, values as u64)
    };
    match Kind::of(blob) {
        Some(Kind::Vulkan) => {
            let delegate = Delegate::parse(blob)?;
            check(delegate.nodes().len(), delegate.values())?;
            vulkan::graph(&delegate, name, named, caps)
        }
        Some(Kind::Xnnpack) => {
            let delegate = xnn::Graph::parse(blob)?;
            check(delegate.nodes().len(), delegate.tensors())?;
            xnnpack::graph(&delegate, name, orders, named, caps)
        }
        None => {
            let reason = "the backend's data is no graph for Vulkan, WebGPU or XNNPACK".to_owned();
            Err(Unsupported { nodes: vec![UnsupportedNode { at: name, op: backend.to_owned(), reason }] }.into())
        }
    }
}
