//! The plan of a graph for one set of input shapes: its launches, and the memory of every tensor. It names no GPU object.
//!
//! Shapes determine a plan, and so do the quantities that operators have observed of symbolic integers. Everything else
//! about symbolic integers is evaluated with each call: see [`GraphPlan::symbols_for`].

mod cache;
pub(crate) mod call;
mod carried;
mod joined;
mod largest;
mod memory;
mod planner;

use pteron_ops::plan::{Dispatch, NegativeIndices};
use pteron_ops::sym::{IntArg, Observation, RowRange, Scalar, SymExpr, SymId};
use pteron_ops::{Caps, OpError};
use pteron_tensor::{DType, Shape};

pub(crate) use self::cache::PlanCache;
pub(crate) use self::largest::{plan_largest, try_largest};
pub(crate) use self::memory::{Memory, MemoryPlan, Operand, buffer_bytes};
use crate::error::{Error, Result};
use crate::graph::{Carried, Graph, Node, Role, Value};
use crate::limits::total;

/// Reads an element of a graph input on the host: input number, element.
pub(crate) type Elements<'a> = dyn Fn(usize, usize) -> Result<i64> + 'a;

/// A graph planned for one set of input shapes.
#[derive(Debug)]
pub(crate) struct GraphPlan {
    pub(crate) inputs: Vec<PlannedInput>,
    /// Type and shape of every tensor, by value id.
    tensors: Vec<Option<PlannedTensor>>,
    /// Launches in order.
    pub(crate) dispatches: Vec<PlannedDispatch>,
    pub(crate) memory: MemoryPlan,
    /// What the graph gives, in the order of its outputs.
    pub(crate) outputs: Vec<PlannedOutput>,
    /// Outputs in the memory of the inputs that the next call takes them as.
    pub(crate) carried: Vec<Carried>,
    /// State values, and what each takes over when the graph has run.
    pub(crate) updates: Vec<(u32, PlannedOutput)>,
    /// Indices that each call must keep within limits.
    pub(crate) checks: Vec<PlannedCheck>,
    /// Ranges of rows that each call must satisfy, with the node that asks for it.
    ranges: Vec<(usize, RowRange)>,
    symbols: Vec<PlannedSymbol>,
    observed: Vec<(Observation, i64)>,
}

/// An input of a plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlannedInput {
    pub(crate) shape: Shape,
    /// Whether a launch reads it or a result is a view of it. Others are only numbers for the host.
    pub(crate) is_read: bool,
    /// Whether its memory holds something else after the call.
    pub(crate) is_overwritten: bool,
}

/// A tensor's type, shape and the value whose memory it uses.
#[derive(Clone, Copy, Debug)]
struct PlannedTensor {
    dtype: DType,
    shape: Shape,
    /// The value that owns the memory: itself unless it is a view.
    root: u32,
    /// The first byte of that memory, for a part of it.
    offset: u64,
    /// The view that shows a part alone, itself or what it is a view of.
    part: Option<u32>,
}

impl PlannedTensor {
    /// All of a value's memory.
    fn new(dtype: DType, shape: Shape, root: u32) -> PlannedTensor {
        PlannedTensor { dtype, shape, root, offset: 0, part: None }
    }

    /// Bytes of its elements.
    fn bytes(&self) -> u64 {
        self.shape.numel() as u64 * self.dtype.size() as u64
    }
}

/// A tensor that a call leaves behind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlannedOutput {
    pub(crate) memory: Memory,
    pub(crate) dtype: DType,
    pub(crate) shape: Shape,
}

impl PlannedOutput {
    /// Bytes of its elements.
    pub(crate) fn bytes(&self) -> u64 {
        self.shape.numel() as u64 * self.dtype.size() as u64
    }
}

/// A launch, the node that it belongs to, and what it binds.
#[derive(Debug)]
pub(crate) struct PlannedDispatch {
    pub(crate) node: usize,
    pub(crate) dispatch: Dispatch,
    /// In the order of the kernel's storage bindings.
    pub(crate) operands: Vec<Operand>,
}

/// Indices that must be less than a limit.
#[derive(Debug)]
pub(crate) struct PlannedCheck {
    pub(crate) node: usize,
    /// The input of the graph that holds the indices, where one does.
    pub(crate) input: Option<usize>,
    pub(crate) limit: u64,
    pub(crate) negative: NegativeIndices,
}

/// How a symbolic integer is computed under a plan, where all shapes are known.
#[derive(Clone, Copy, Debug)]
struct PlannedSymbol {
    node: usize,
    id: SymId,
    expr: SymExpr,
    /// The input of the graph that an element is read from.
    input: Option<usize>,
}

impl AsRef<GraphPlan> for GraphPlan {
    fn as_ref(&self) -> &GraphPlan {
        self
    }
}

impl GraphPlan {
    /// Plans `graph` for these input shapes.
    pub(crate) fn new(graph: &Graph, inputs: &[Shape], elements: &Elements<'_>, caps: &Caps) -> Result<GraphPlan> {
        planner::plan(graph, inputs, elements, caps)
    }

    /// Computes the symbolic integers of a call with these inputs; whether the plan holds for it. The input shapes
    /// already agree.
    pub(crate) fn symbols_for(&self, graph: &Graph, elements: &Elements<'_>, syms: &mut Vec<i64>) -> Result<bool> {
        syms.clear();
        syms.resize(graph.symbols, 0);
        for symbol in &self.symbols {
            let value = symbol.eval(graph, &self.tensors, syms, elements)?;
            syms[symbol.id.0 as usize] = value;
        }
        for &(observation, seen) in &self.observed {
            if observation.eval(syms)? != seen {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Bytes of all tensors but constants and views, which an engine that reuses no memory takes.
    pub(crate) fn tensor_bytes(&self, graph: &Graph) -> u64 {
        let tensors = (0u32..).zip(&self.tensors).zip(&graph.values).filter_map(|((id, planned), value)| match value {
            Value::Tensor(tensor) if !matches!(tensor.role, Role::Constant(_)) => {
                planned.filter(|planned| planned.root == id)
            }
            _ => None,
        });
        total(tensors.map(|tensor| tensor.bytes()))
    }

    /// The inputs whose elements are read as symbolic integers.
    pub(crate) fn symbolic_inputs(&self) -> impl Iterator<Item = usize> {
        self.symbols.iter().filter_map(|symbol| match symbol.expr {
            SymExpr::Element(_) => symbol.input,
            _ => None,
        })
    }

    /// Checks what operators ask of a call's symbolic integers.
    pub(crate) fn check_symbols(&self, graph: &Graph, syms: &[i64]) -> Result<()> {
        for &(node, range) in &self.ranges {
            range.eval(syms).map_err(|source| self.node_error(graph, node, source))?;
        }
        Ok(())
    }

    /// Checks that the values which launches read with each call fit.
    pub(crate) fn check_per_call_values(&self, graph: &Graph, syms: &[i64]) -> Result<()> {
        for planned in &self.dispatches {
            for (_, scalar) in &planned.dispatch.call {
                scalar.eval(syms).map_err(|source| self.node_error(graph, planned.node, source))?;
            }
        }
        Ok(())
    }

    /// An operator's error, with the number of its node and the shapes of its tensors.
    pub(crate) fn node_error(&self, graph: &Graph, node: usize, source: OpError) -> Error {
        node_error(graph, &self.tensors, &graph.nodes[node], source)
    }

    /// Whether any launch reads values that change from call to call.
    pub(crate) fn has_per_call_values(&self) -> bool {
        let varies = |scalar: &Scalar| {
            !matches!(scalar, Scalar::Int(IntArg::Known(_)) | Scalar::SliceStart { start: IntArg::Known(_), .. })
        };
        self.dispatches.iter().any(|planned| planned.dispatch.call.iter().any(|(_, scalar)| varies(scalar)))
    }
}

impl PlannedSymbol {
    fn eval(
        self,
        graph: &Graph,
        tensors: &[Option<PlannedTensor>],
        syms: &[i64],
        elements: &Elements<'_>,
    ) -> Result<i64> {
        if let (SymExpr::Element(element), Some(input)) = (self.expr, self.input) {
            return elements(input, element);
        }
        let no_input = |_| Err(OpError::Unsupported("the element of a tensor that is no input".to_owned()));
        self.expr.eval(syms, no_input).map_err(|source| node_error(graph, tensors, &graph.nodes[self.node], source))
    }
}

/// An operator's error, with the number of its node and the shapes of its tensors.
fn node_error(graph: &Graph, tensors: &[Option<PlannedTensor>], node: &Node, source: OpError) -> Error {
    let described = |id: u32| {
        let tensor = tensors.get(id as usize).copied().flatten()?;
        Some((tensor.dtype, tensor.shape))
    };
    graph.error(node, source, described)
}
