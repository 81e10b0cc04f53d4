//! The kinds of delegates that run here, told apart by their data: each becomes a graph.

use pteron_ops::Caps;
use pteron_pte::delegate::Delegate;

use super::data::NamedData;
use super::vulkan;
use crate::error::{Result, Unsupported, UnsupportedNode};
use crate::graph::Graph;

/// What a delegate's data is.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// A graph of the Vulkan backend, which its WebGPU backend shares.
    Vulkan,
}

impl Kind {
    fn of(blob: &[u8]) -> Option<Kind> {
        Delegate::is(blob).then_some(Kind::Vulkan)
    }
}

/// Lowers a delegate's data. `backend` is the program's name for its kind, and `name` says where it is, for errors.
pub(super) fn graph(blob: &[u8], backend: &str, name: String, named: &NamedData<'_>, caps: &Caps) -> Result<Graph> {
    match Kind::of(blob) {
        Some(Kind::Vulkan) => vulkan::graph(&Delegate::parse(blob)?, name, named, caps),
        None => {
            let reason = "the backend's data is no Vulkan or WebGPU graph".to_owned();
            Err(Unsupported { nodes: vec![UnsupportedNode { at: name, op: backend.to_owned(), reason }] }.into())
        }
    }
}
