//! The data of a Vulkan or WebGPU delegate: a `VH00` header, a `VK00` graph and, in older files, constants.

use std::fmt;

use planus::{ReadAsRoot, Vector};
use pteron_tensor::{DType, Shape};

use crate::dtype::graph_type;
use crate::error::{At, Error, Result, identifier, index, number, slice};
use crate::frame::Frame;
use crate::generated::graph as raw;
use crate::list::{Ids, List};
use crate::value::{numel, too_large};

type Tables<'a, T> = Vector<'a, planus::Result<T>>;

/// A view of a delegate's graph: nothing is copied, and every access is checked.
///
/// As with [`Program`](crate::Program), a caller that expands lists should bound the total, say by a multiple of
/// [`flatbuffer_len`](Delegate::flatbuffer_len).
#[derive(Clone, Copy)]
pub struct Delegate<'a> {
    flatbuffer: &'a [u8],
    inline: &'a [u8],
    graph: raw::VkGraphRef<'a>,
    version: &'a str,
    nodes: Tables<'a, raw::OperatorCallRef<'a>>,
    values: Tables<'a, raw::VkValueRef<'a>>,
    constants: Tables<'a, raw::VkBytesRef<'a>>,
}

impl<'a> Delegate<'a> {
    /// Whether these bytes say that they are such a graph.
    pub fn is(blob: &[u8]) -> bool {
        number(blob, 4) == Some(*b"VH00")
    }

    /// Opens the data of a delegate.
    pub fn parse(blob: &'a [u8]) -> Result<Delegate<'a>> {
        let Frame { flatbuffer, inline } = Frame::parse(blob, b"VH00", "delegate graph")?;
        identifier(flatbuffer, b"VK00", "delegate graph")?;
        let at = || "delegate graph".to_string();
        let graph = raw::VkGraphRef::read_as_root(flatbuffer).at(at)?;
        Ok(Delegate {
            flatbuffer,
            inline,
            graph,
            version: graph.version().at(at)?.unwrap_or_default(),
            nodes: graph.chain().at(at)?.unwrap_or_else(Vector::new_empty),
            values: graph.values().at(at)?.unwrap_or_else(Vector::new_empty),
            constants: graph.constants().at(at)?.unwrap_or_else(Vector::new_empty),
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

    /// How many values there are.
    pub fn values(&self) -> usize {
        self.values.len()
    }

    /// The value with this id.
    pub fn value(&self, id: u32) -> Result<GraphValue<'a>> {
        let at = || value_place(id);
        let Some(value) = usize::try_from(id).ok().and_then(|id| self.values.get(id)) else {
            let (index, count) = (i64::from(id), self.values.len() as u64);
            return Err(Error::Index { at: "delegate graph".into(), what: "value", index, count });
        };
        let value = match value.and_then(|value| value.value()) {
            Err(planus::Error { error_kind: planus::errors::ErrorKind::UnknownUnionTag { tag }, .. }) => {
                return Ok(GraphValue::Unknown(tag));
            }
            other => other.at(at)?,
        };
        let Some(value) = value else { return Ok(GraphValue::Unknown(0)) };
        Ok(match value {
            raw::GraphTypesRef::Null(_) => GraphValue::Null,
            raw::GraphTypesRef::Int(value) => GraphValue::Int(value.int_val().at(at)?),
            raw::GraphTypesRef::Double(value) => GraphValue::Double(value.double_val().at(at)?),
            raw::GraphTypesRef::Bool(value) => GraphValue::Bool(value.bool_val().at(at)?),
            raw::GraphTypesRef::VkTensor(tensor) => GraphValue::Tensor(self.tensor(id, tensor)?),
            raw::GraphTypesRef::IntList(list) => GraphValue::IntList(List::new(list.items().at(at)?)),
            raw::GraphTypesRef::DoubleList(list) => GraphValue::DoubleList(List::new(list.items().at(at)?)),
            raw::GraphTypesRef::BoolList(list) => GraphValue::BoolList(List::new(list.items().at(at)?)),
            raw::GraphTypesRef::ValueList(list) => {
                GraphValue::ValueList(Ids::check(list.items().at(at)?, self.values.len(), at)?)
            }
            raw::GraphTypesRef::String(value) => {
                let text = value.string_val().at(at)?;
                GraphValue::String(text.ok_or_else(|| Error::Missing { at: at(), what: "its text" })?)
            }
            raw::GraphTypesRef::SymInt(value) => GraphValue::SymInt(value.value().at(at)?),
        })
    }

    fn tensor(&self, id: u32, tensor: raw::VkTensorRef<'a>) -> Result<GraphTensor<'a>> {
        let at = || value_place(id);
        let constant = match tensor.constant_id().at(at)? {
            ..0 => None,
            constant => Some(index(i64::from(constant), self.constants.len(), "constant", at)?),
        };
        Ok(GraphTensor {
            id,
            datatype: tensor.datatype().at(at)?,
            staging: tensor.staging_datatype().at(at)?,
            dims: List::new(tensor.dims().at(at)?),
            constant,
            mem_obj_id: tensor.mem_obj_id().at(at)?,
            storage_type: tensor.storage_type().at(at)?,
            memory_layout: tensor.memory_layout().at(at)?,
        })
    }

    /// The nodes in the order they run, each with its arguments checked.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = Result<Node<'a>>> + use<'a> {
        let values = self.values.len();
        self.nodes.iter().enumerate().map(move |(position, node)| {
            let at = || format!("delegate graph, node {position}");
            let node = node.at(at)?;
            let name = node.name().at(at)?.ok_or_else(|| Error::Missing { at: at(), what: "its name" })?;
            let args = Ids::check(node.args().at(at)?, values, at)?;
            Ok(Node { id: node.node_id().at(at)?, name, args })
        })
    }

    /// The values that a call gives, in order.
    pub fn inputs(&self) -> Result<Ids<'a>> {
        let at = || "delegate graph, inputs".to_string();
        Ids::check(self.graph.input_ids().at(at)?, self.values.len(), at)
    }

    /// The values that a call gets, in order.
    pub fn outputs(&self) -> Result<Ids<'a>> {
        let at = || "delegate graph, outputs".to_string();
        Ids::check(self.graph.output_ids().at(at)?, self.values.len(), at)
    }

    /// How many constants there are.
    pub fn constants(&self) -> usize {
        self.constants.len()
    }

    /// Where a constant's bytes are. Named ones are in the program's named data or in a `.ptd` file.
    pub fn constant(&self, id: i32) -> Result<ConstantRef<'a>> {
        let at = || format!("delegate graph, constant {id}");
        let Some(constant) = usize::try_from(id).ok().and_then(|id| self.constants.get(id)) else {
            let (index, count) = (i64::from(id), self.constants.len() as u64);
            return Err(Error::Index { at: "delegate graph".into(), what: "constant", index, count });
        };
        let constant = constant.at(at)?;
        let (offset, length) = (constant.offset().at(at)?, constant.length().at(at)?);
        if offset != u64::MAX {
            return slice(self.inline, offset, length, at).map(ConstantRef::Inline);
        }
        match constant.named_key().at(at)? {
            None | Some("") => Err(Error::Missing { at: at(), what: "the name of its data" }),
            Some(key) => Ok(ConstantRef::Named { key, length }),
        }
    }
}

impl fmt::Debug for Delegate<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Delegate")
            .field("version", &self.version)
            .field("nodes", &self.nodes.len())
            .field("values", &self.values.len())
            .field("constants", &self.constants.len())
            .finish_non_exhaustive()
    }
}

fn value_place(id: u32) -> String {
    format!("delegate graph, value {id}")
}

/// One operator call of the graph.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Node<'a> {
    /// The number the exporter gave it; not its position.
    pub id: u32,
    /// The operator: `aten.add.Tensor`.
    pub name: &'a str,
    /// The arguments by the operator's schema, and then the output.
    pub args: Ids<'a>,
}

/// A value of the graph.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum GraphValue<'a> {
    /// Nothing: an optional argument that is not given.
    Null,
    /// An integer. Also where a number is meant that happens to be whole.
    Int(i64),
    /// A number. Also where an integer is meant, since equal scalars share a value.
    Double(f64),
    /// A truth value.
    Bool(bool),
    /// A tensor.
    Tensor(GraphTensor<'a>),
    /// Integers.
    IntList(List<'a, i64>),
    /// Numbers.
    DoubleList(List<'a, f64>),
    /// Truth values.
    BoolList(List<'a, bool>),
    /// Several values: outputs of one node, or sizes that mix integers and symbolic ones.
    ValueList(Ids<'a>),
    /// A text.
    String(&'a str),
    /// An integer that is known only when the graph runs; here what it was when it was exported.
    SymInt(i32),
    /// A kind of value that this version does not know, by its code; 0 is a value without a kind.
    Unknown(u8),
}

/// A tensor of the graph.
#[derive(Clone, Copy, Debug)]
pub struct GraphTensor<'a> {
    id: u32,
    datatype: i8,
    staging: i8,
    dims: List<'a, u32>,
    constant: Option<u32>,
    mem_obj_id: i32,
    storage_type: u8,
    memory_layout: u8,
}

impl<'a> GraphTensor<'a> {
    /// The element type.
    pub fn dtype(&self) -> Result<DType> {
        graph_type(self.datatype, || value_place(self.id))
    }

    /// The element type at the graph's boundary, where it is another than [`dtype`](GraphTensor::dtype) or is said.
    pub fn staging_dtype(&self) -> Result<Option<DType>> {
        match self.staging {
            127 => Ok(None),
            code => graph_type(code, || format!("{}, staging", value_place(self.id))).map(Some),
        }
    }

    /// The sizes, outermost first; the largest ones where they can change.
    pub fn dims(&self) -> impl ExactSizeIterator<Item = u32> + Clone + use<'a> {
        self.dims.iter()
    }

    /// The sizes as a shape.
    pub fn shape(&self) -> Result<Shape> {
        Shape::from_sizes(self.dims().map(u64::from))
            .map_err(|error| Error::Invalid { at: value_place(self.id), reason: error.to_string() })
    }

    /// Bytes of a tensor of these sizes.
    pub fn nbytes(&self) -> Result<u64> {
        let size = self.dtype()?.size() as u64;
        numel(self.dims().map(u64::from))
            .and_then(|numel| numel.checked_mul(size))
            .ok_or_else(|| too_large(value_place(self.id)))
    }

    /// The constant that holds its data, or its first data where the graph changes it; in range.
    pub fn constant_id(&self) -> Option<u32> {
        self.constant
    }

    /// The piece of memory that the exporter planned for it; tensors of one piece have disjoint lifetimes. Negative: a
    /// piece of its own.
    pub fn mem_obj_id(&self) -> i32 {
        self.mem_obj_id
    }

    /// The code for Vulkan's kind of storage; 255 leaves it open. It says nothing about bytes in the file.
    pub fn storage_type(&self) -> u8 {
        self.storage_type
    }

    /// The code for Vulkan's packing of texels; 255 leaves it open. It says nothing about bytes in the file.
    pub fn memory_layout(&self) -> u8 {
        self.memory_layout
    }
}

/// Where a constant's bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConstantRef<'a> {
    /// In the delegate's data.
    Inline(&'a [u8]),
    /// In data that goes by a name.
    Named {
        /// The name.
        key: &'a str,
        /// How many bytes the graph expects there.
        length: u64,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{frame, samples};

    fn with_graph<T>(change: impl FnOnce(&mut raw::VkGraph), check: impl FnOnce(Delegate<'_>) -> T) -> T {
        let mut graph = samples::graph();
        change(&mut graph);
        check(Delegate::parse(&samples::delegate(&graph, &[1; 24])).unwrap())
    }

    #[test]
    fn the_graph_comes_as_written() {
        with_graph(
            |_| {},
            |graph| {
                let nodes: Vec<_> = graph.nodes().map(|node| format!("{:?}", node.unwrap())).collect();
                assert_eq!(nodes[1], r#"Node { id: 9, name: "aten.add.Tensor", args: [0, 2, 4, 0] }"#);
                assert_eq!(format!("{:?} {:?}", graph.inputs().unwrap(), graph.outputs().unwrap()), "[0] [0]");
                let shown: Vec<_> = (3..14).map(|id| format!("{:?}", graph.value(id).unwrap())).collect();
                assert_eq!(
                    shown,
                    [
                        "Null",
                        "Int(1)",
                        "Double(-0.5)",
                        "Bool(true)",
                        "IntList([-1, 1099511627776])",
                        "DoubleList([0.25])",
                        "BoolList([false, true])",
                        "ValueList([0, 1])",
                        "String(\"relu\")",
                        "SymInt(3)",
                        "Unknown(0)",
                    ]
                );
                assert_eq!(graph.constant(0).unwrap(), ConstantRef::Inline(&[1; 16]));
                assert_eq!(graph.constant(1).unwrap(), ConstantRef::Named { key: "weight", length: 8 });
            },
        );
    }

    #[test]
    fn tensors_tell_constants_from_the_default() {
        with_graph(
            |_| {},
            |graph| {
                let tensor = |id| match graph.value(id).unwrap() {
                    GraphValue::Tensor(tensor) => tensor,
                    other => panic!("{other:?}"),
                };
                assert_eq!((tensor(0).constant_id(), tensor(1).constant_id()), (None, Some(0)));
                assert_eq!(
                    (tensor(0).dtype().unwrap(), tensor(0).staging_dtype().unwrap()),
                    (DType::F32, Some(DType::F16))
                );
                assert_eq!(tensor(1).staging_dtype().unwrap(), None);
                assert_eq!((tensor(1).nbytes().unwrap(), tensor(1).shape().unwrap().rank()), (16, 2));
                assert_eq!(
                    (tensor(0).mem_obj_id(), tensor(0).storage_type(), tensor(0).memory_layout()),
                    (-1, 255, 255)
                );
            },
        );
    }

    #[test]
    fn ids_out_of_range_are_errors() {
        with_graph(
            |graph| {
                graph.chain.as_mut().unwrap()[1].args = Some(vec![0, 14]);
                graph.input_ids = Some(vec![u32::MAX]);
                graph.output_ids = Some(vec![14]);
                let values = graph.values.as_mut().unwrap();
                let tensor = raw::VkTensor { constant_id: 2, ..Default::default() };
                values[0].value = Some(raw::GraphTypes::VkTensor(Box::new(tensor)));
                let list = raw::ValueList { items: Some(vec![-1]) };
                values[1].value = Some(raw::GraphTypes::ValueList(Box::new(list)));
            },
            |graph| {
                let error = graph.nodes().nth(1).unwrap().unwrap_err();
                let text = "delegate graph, node 1, item 1: value 14 is out of range, there are 14";
                assert_eq!(error.to_string(), text);
                assert!(graph.inputs().is_err() && graph.outputs().is_err());
                assert!(matches!(graph.value(0), Err(Error::Index { what: "constant", .. })));
                assert!(matches!(graph.value(1), Err(Error::Index { what: "value", .. })));
                assert!(matches!(graph.value(14), Err(Error::Index { .. })));
                assert!(graph.constant(-1).is_err() && graph.constant(2).is_err());
            },
        );
    }

    #[test]
    fn constants_outside_their_data_are_errors() {
        for (offset, length) in [(8, 17), (25, 0), (u64::MAX - 1, 1), (0, u64::MAX), (1, u64::MAX)] {
            with_graph(
                |graph| graph.constants.as_mut().unwrap()[0] = raw::VkBytes { offset, length, named_key: None },
                |graph| assert!(matches!(graph.constant(0), Err(Error::Bounds { .. }))),
            );
        }
        with_graph(
            |graph| graph.constants.as_mut().unwrap()[1].named_key = None,
            |graph| assert!(matches!(graph.constant(1), Err(Error::Missing { .. }))),
        );
    }

    #[test]
    fn the_header_is_checked() {
        let blob = samples::delegate(&samples::graph(), &[1; 24]);
        for (damage, wrong) in frame::damaged(&blob, b"VH01") {
            assert!(Delegate::parse(&wrong).is_err(), "{damage}");
        }
        let mut other = blob.clone();
        other[36..40].copy_from_slice(b"VK01");
        assert!(Delegate::parse(&other).is_err());
        let without = samples::delegate(&samples::graph(), &[]);
        assert!(matches!(Delegate::parse(&without).unwrap().constant(0), Err(Error::Bounds { .. })));
    }

    #[test]
    fn an_unset_data_type_is_an_error_where_it_matters() {
        with_graph(
            |graph| {
                let tensor =
                    raw::VkTensor { datatype: 127, staging_datatype: 99, constant_id: -1, ..Default::default() };
                graph.values.as_mut().unwrap()[0].value = Some(raw::GraphTypes::VkTensor(Box::new(tensor)));
            },
            |graph| {
                let GraphValue::Tensor(tensor) = graph.value(0).unwrap() else { panic!("not a tensor") };
                assert_eq!(
                    tensor.dtype().unwrap_err().to_string(),
                    "delegate graph, value 0: data type 127 is not supported"
                );
                assert!(tensor.staging_dtype().is_err() && tensor.nbytes().is_err());
            },
        );
    }
}
