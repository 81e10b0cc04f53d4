//! The data of an XNNPACK delegate: an `XH00` header, an `XN01` graph and, in older files, constants.
//!
//! The oldest files have no header: they are the flatbuffer itself, and constants lie in it.

use std::fmt;

use planus::{ReadAsRoot, Vector};

pub use crate::delegate::ConstantRef;
use crate::error::{At, Error, Result, identifier, index, number, slice};
use crate::frame::Frame;
use crate::generated::xnnpack as raw;
use crate::list::Ids;

mod few;
mod node;
mod read;
#[cfg(test)]
pub(crate) mod samples;
mod tensor;
#[cfg(test)]
mod tests;

pub use few::Few;
pub use node::{
    BinaryFunction, Convolution, ConvolutionKind, Flags, Node, Operation, OutputRange, Padding, UnaryFunction,
};
pub use node::{Pooling, PoolingKind};
pub use tensor::{Datatype, Quantization, Scales, Tensor};

type Tables<'a, T> = Vector<'a, planus::Result<T>>;

const WHAT: &str = "XNNPACK graph";

/// A view of an XNNPACK delegate's graph: nothing is copied, and every access is checked.
///
/// Argument `k` of a call is the tensor whose [`argument`](Tensor::argument) is `k`; an argument that the graph does not
/// use has no tensor. As with [`Program`](crate::Program), a caller that expands lists should bound the total, say by a
/// multiple of [`flatbuffer_len`](Graph::flatbuffer_len).
#[derive(Clone, Copy)]
pub struct Graph<'a> {
    flatbuffer: &'a [u8],
    inline: &'a [u8],
    graph: raw::GraphRef<'a>,
    version: &'a str,
    arguments: u32,
    nodes: Tables<'a, raw::NodeRef<'a>>,
    values: Tables<'a, raw::ValueRef<'a>>,
    constants: Constants<'a>,
}

/// The list of constants that a graph has.
#[derive(Clone, Copy)]
enum Constants<'a> {
    /// Bytes in the flatbuffer.
    Buffers(Tables<'a, raw::BufferRef<'a>>),
    /// Ranges of the bytes behind it, and names.
    Places(Tables<'a, raw::ConstantRef<'a>>),
}

impl<'a> Graph<'a> {
    /// Whether these bytes say that they are such a graph.
    pub fn is(blob: &[u8]) -> bool {
        matches!(number(blob, 4).as_ref(), Some(b"XH00" | b"XN00" | b"XN01"))
    }

    /// Opens the data of a delegate.
    pub fn parse(blob: &'a [u8]) -> Result<Graph<'a>> {
        let Frame { flatbuffer, inline } = match number(blob, 4).as_ref() {
            Some(b"XN00" | b"XN01") => Frame { flatbuffer: blob, inline: &[] },
            _ => Frame::parse(blob, b"XH00", WHAT)?,
        };
        if number(flatbuffer, 4) != Some(*b"XN00") {
            identifier(flatbuffer, b"XN01", WHAT)?;
        }
        let at = || WHAT.to_string();
        let graph = raw::GraphRef::read_as_root(flatbuffer).at(at)?;
        let constants = match graph.constant_buffers().at(at)? {
            Some(buffers) if !buffers.is_empty() => Constants::Buffers(buffers),
            _ => Constants::Places(graph.constants().at(at)?.unwrap_or_else(Vector::new_empty)),
        };
        Ok(Graph {
            flatbuffer,
            inline,
            graph,
            version: graph.version().at(at)?.unwrap_or_default(),
            arguments: graph.external_count().at(at)?,
            nodes: graph.nodes().at(at)?.unwrap_or_else(Vector::new_empty),
            values: graph.values().at(at)?.unwrap_or_else(Vector::new_empty),
            constants,
        })
    }

    /// The version that the graph's schema has by its own account: `0`.
    pub fn version(&self) -> &'a str {
        self.version
    }

    /// Bytes of the flatbuffer: what a caller can measure its work by.
    pub fn flatbuffer_len(&self) -> usize {
        self.flatbuffer.len()
    }

    /// How many tensors there are.
    pub fn tensors(&self) -> usize {
        self.values.len()
    }

    /// The tensor with this id.
    pub fn tensor(&self, id: u32) -> Result<Tensor<'a>> {
        let at = || tensor_place(id);
        let Some(value) = usize::try_from(id).ok().and_then(|id| self.values.get(id)) else {
            let (index, count) = (i64::from(id), self.values.len() as u64);
            return Err(Error::Index { at: WHAT.into(), what: "tensor", index, count });
        };
        let value = match value.and_then(|value| value.value()) {
            Err(planus::Error { error_kind: planus::errors::ErrorKind::UnknownUnionTag { tag }, .. }) => {
                return Err(Error::Code { at: at(), what: "kind of value", code: i64::from(tag) });
            }
            other => other.at(at)?.ok_or_else(|| Error::Missing { at: at(), what: "its kind" })?,
        };
        tensor::read(id, value, self.constants(), self.arguments)
    }

    /// The nodes in the order they run, each with its tensors checked.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = Result<Node>> + use<'a> {
        let tensors = self.values.len();
        self.nodes.iter().enumerate().map(move |(position, node)| read::node(node, position, tensors))
    }

    /// How many arguments a call has, by the graph's account; inputs come first.
    pub fn arguments(&self) -> u32 {
        self.arguments
    }

    /// The tensors that a call gives, in no particular order.
    pub fn inputs(&self) -> Result<Ids<'a>> {
        let at = || format!("{WHAT}, inputs");
        Ids::check(self.graph.input_ids().at(at)?, self.values.len(), at)
    }

    /// The tensors that a call gets, in no particular order.
    pub fn outputs(&self) -> Result<Ids<'a>> {
        let at = || format!("{WHAT}, outputs");
        Ids::check(self.graph.output_ids().at(at)?, self.values.len(), at)
    }

    /// How many constants there are. The first stands for none, and has no bytes.
    pub fn constants(&self) -> usize {
        match self.constants {
            Constants::Buffers(buffers) => buffers.len(),
            Constants::Places(places) => places.len(),
        }
    }

    /// Where a constant's bytes are. Named ones are in the program's named data or in a `.ptd` file.
    pub fn constant(&self, id: u32) -> Result<ConstantRef<'a>> {
        let at = || format!("{WHAT}, constant {id}");
        let position = index(i64::from(id), self.constants(), "constant", || WHAT.into())?;
        let position = usize::try_from(position).unwrap_or(usize::MAX);
        let absent = || Error::Missing { at: at(), what: "its entry" };
        let place = match self.constants {
            Constants::Buffers(buffers) => {
                let buffer = buffers.get(position).ok_or_else(absent)?.at(at)?;
                return Ok(ConstantRef::Inline(buffer.storage().at(at)?.unwrap_or_default()));
            }
            Constants::Places(places) => places.get(position).ok_or_else(absent)?.at(at)?,
        };
        let length = place.size().at(at)?;
        match (place.named_key().at(at)?, place.offset().at(at)?) {
            (None | Some(""), u64::MAX) => Err(Error::Missing { at: at(), what: "the name of its data" }),
            (None | Some(""), offset) => slice(self.inline, offset, length, at).map(ConstantRef::Inline),
            (Some(key), _) => Ok(ConstantRef::Named { key, length }),
        }
    }
}

impl fmt::Debug for Graph<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Graph")
            .field("version", &self.version)
            .field("arguments", &self.arguments)
            .field("nodes", &self.nodes.len())
            .field("tensors", &self.values.len())
            .field("constants", &self.constants())
            .finish_non_exhaustive()
    }
}

fn tensor_place(id: u32) -> String {
    format!("{WHAT}, tensor {id}")
}
