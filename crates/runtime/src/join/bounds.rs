//! Between which numbers the elements of 64-bit integers lie. A device computes them with 32 bits, which gives the same
//! where all of them fit.

use std::collections::HashMap;

use pteron_tensor::{DType, HostTensor};

use super::access::{Facts, tensor};
use crate::data::DataFiles;
use crate::error::Result;
use crate::graph::{Graph, MethodGraph, ProgramValue, Role, Step, TensorValue, Value};

/// Bytes of a constant up to which its elements are looked at.
const LOOKED_AT: u64 = 1 << 20;

/// The least and the greatest number that elements may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    low: i64,
    high: i64,
}

const INT32: Bounds = Bounds { low: i32::MIN as i64, high: i32::MAX as i64 };

impl Bounds {
    fn of(values: impl IntoIterator<Item = i64>) -> Option<Bounds> {
        let mut values = values.into_iter();
        let first = values.next()?;
        Some(values.fold(Bounds { low: first, high: first }, |bounds, value| bounds.with(value)))
    }

    fn with(self, value: i64) -> Bounds {
        Bounds { low: self.low.min(value), high: self.high.max(value) }
    }

    fn union(self, other: Bounds) -> Bounds {
        self.with(other.low).with(other.high)
    }

    /// What a function that is monotonous in each argument makes of both.
    fn combined(self, other: Bounds, f: impl Fn(i64, i64) -> Option<i64>) -> Option<Bounds> {
        let corners = [(self.low, other.low), (self.low, other.high), (self.high, other.low), (self.high, other.high)];
        Bounds::of(corners.into_iter().map(|(a, b)| f(a, b)).collect::<Option<Vec<_>>>()?)
    }

    fn times(self, count: usize) -> Option<Bounds> {
        let count = i64::try_from(count).ok()?;
        // An empty sum is zero.
        Some(self.combined(Bounds { low: 0, high: count }, i64::checked_mul)?.with(0))
    }

    fn fits_32_bits(self) -> bool {
        INT32.low <= self.low && self.high <= INT32.high
    }
}

/// What is known of the integers of a method.
#[derive(Debug)]
pub(super) struct IntegerBounds {
    /// By value id, for tensors of 32-bit and 64-bit integers.
    known: Vec<Option<Bounds>>,
    /// Of the constants of each delegate.
    constants: Vec<Vec<Option<Bounds>>>,
}

impl IntegerBounds {
    /// Follows the steps of a method. Constants are read.
    pub(super) async fn of(method: &MethodGraph, facts: &Facts, files: &DataFiles) -> Result<IntegerBounds> {
        let mut constants = Vec::with_capacity(method.delegates.len());
        for graph in &method.delegates {
            constants.push(of_constants(graph, files).await?);
        }
        let mut bounds = IntegerBounds { known: vec![None; method.values.len()], constants };
        for (id, value) in (0u32..).zip(&method.values) {
            let ProgramValue::Tensor(tensor) = value else { continue };
            let bytes = tensor.shape.numel() as u64 * tensor.dtype.size() as u64;
            let Some(data) = tensor.data.as_ref().filter(|_| tensor.dtype == DType::I64 && bytes <= LOOKED_AT) else {
                continue;
            };
            if facts.is_constant(method, id) {
                let elements = HostTensor::with_shape(DType::I64, tensor.shape, files.load(data, bytes).await?)?;
                bounds.known[id as usize] = Bounds::of(elements.to_i64s()).or(Some(Bounds { low: 0, high: 0 }));
            }
        }
        for step in &method.steps {
            let outputs: &[u32] = match step {
                Step::Kernel { outputs, .. } | Step::Delegate { outputs, .. } => outputs,
                Step::Move { to, .. } | Step::View { to, .. } => std::slice::from_ref(to),
                Step::JumpFalse { .. } | Step::Free { .. } => &[],
            };
            for (number, &id) in outputs.iter().enumerate() {
                if facts.writers[id as usize] == 1 && !facts.persistent.contains(&id) {
                    let found = bounds.of_output(method, facts, step, number);
                    let is_narrow = tensor(&method.values, id).is_some_and(|tensor| tensor.dtype == DType::I32);
                    // What does not fit wraps around.
                    bounds.known[id as usize] = found.filter(|found| !is_narrow || found.fits_32_bits());
                }
            }
        }
        Ok(bounds)
    }

    /// The bounds of a value's elements, or of the number that it is.
    fn of_value(&self, method: &MethodGraph, facts: &Facts, id: u32) -> Option<Bounds> {
        match &method.values[id as usize] {
            ProgramValue::Tensor(tensor) => match tensor.dtype {
                DType::I32 => self.known[id as usize].or(Some(INT32)),
                DType::I64 => self.known[id as usize],
                dtype => of_type(dtype),
            },
            &ProgramValue::Int(value) if facts.writers[id as usize] == 0 => Bounds::of([value]),
            &ProgramValue::Bool(value) => Bounds::of([i64::from(value)]),
            ProgramValue::Tensors(items) => {
                // Items are tensors; a damaged list may hold itself.
                let bounds = items.iter().map(|item| {
                    let id = (*item).filter(|&id| tensor(&method.values, id).is_some())?;
                    self.of_value(method, facts, id)
                });
                bounds.collect::<Option<Vec<_>>>()?.into_iter().reduce(Bounds::union)
            }
            _ => None,
        }
    }

    /// The bounds of an output that is of 64-bit integers, where they follow from those of the arguments.
    fn of_output(&self, method: &MethodGraph, facts: &Facts, step: &Step, output: usize) -> Option<Bounds> {
        let (op, args, outputs) = match step {
            Step::Kernel { op, args, outputs } => (op, args, outputs),
            Step::Move { from, .. } | Step::View { from, .. } => return self.of_value(method, facts, *from),
            Step::Delegate { index, inputs, .. } => {
                // A delegate computes with 32 bits.
                let given = |number: usize| self.of_value(method, facts, *inputs.get(number)?);
                let graph = method.delegates.get(*index);
                let found = graph.and_then(|graph| self.of_graph(graph, &self.constants[*index], given, output));
                return found.filter(|bounds| bounds.fits_32_bits()).or(Some(INT32));
            }
            Step::JumpFalse { .. } | Step::Free { .. } => return None,
        };
        let operand = |&id: &u32| Operand {
            bounds: self.of_value(method, facts, id),
            numel: tensor(&method.values, id).map(|tensor| tensor.shape.numel()),
            literal: match &method.values[id as usize] {
                ProgramValue::Null => Literal::Null,
                ProgramValue::Bool(value) => Literal::Bool(*value),
                ProgramValue::Int(value) => Literal::Int(*value),
                _ => Literal::Other,
            },
        };
        let operands: Vec<_> = args.iter().map(operand).collect();
        let numel = outputs.first().and_then(|&id| Some(tensor(&method.values, id)?.shape.numel()));
        of_operator(op.name, output, &operands, numel)
    }

    /// The bounds of a delegate's output, where they follow from its constants and from those of its inputs.
    fn of_graph(
        &self,
        graph: &Graph,
        constants: &[Option<Bounds>],
        given: impl Fn(usize) -> Option<Bounds>,
        output: usize,
    ) -> Option<Bounds> {
        let wanted = *graph.outputs.get(output)?;
        if graph.nodes.iter().any(|node| !node.op.is_pure()) {
            return None;
        }
        let mut known: HashMap<u32, Bounds> = HashMap::new();
        for (number, &id) in graph.inputs.iter().enumerate() {
            known.extend(given(number).map(|bounds| (id, bounds)));
        }
        let bounds_of = |known: &HashMap<u32, Bounds>, id: u32| match &graph.values[id as usize] {
            Value::Tensor(TensorValue { role: Role::Constant(constant), .. }) => constants.get(*constant).copied()?,
            Value::Tensor(tensor) if tensor.dtype == DType::I32 => known.get(&id).copied().or(Some(INT32)),
            Value::Tensor(tensor) => of_type(tensor.dtype),
            Value::Int(value) => Bounds::of([*value]),
            Value::Bool(value) => Bounds::of([i64::from(*value)]),
            _ => None,
        };
        for node in &graph.nodes {
            let operand = |&id: &u32| Operand {
                bounds: bounds_of(&known, id),
                numel: match &graph.values[id as usize] {
                    Value::Tensor(tensor) => Some(tensor.shape.numel()),
                    _ => None,
                },
                literal: match &graph.values[id as usize] {
                    Value::Null => Literal::Null,
                    Value::Bool(value) => Literal::Bool(*value),
                    Value::Int(value) => Literal::Int(*value),
                    _ => Literal::Other,
                },
            };
            let operands: Vec<_> = node.args.iter().map(operand).collect();
            for (number, &id) in node.outputs.iter().enumerate() {
                let found = of_operator(node.op.name, number, &operands, None);
                // What does not fit wraps around.
                known.extend(found.filter(|bounds| bounds.fits_32_bits()).map(|bounds| (id, bounds)));
            }
        }
        bounds_of(&known, wanted)
    }

    /// Says what keeps an operator from being computed with 32 bits where the program has 64.
    pub(super) fn check(&self, method: &MethodGraph, facts: &Facts, step: &Step) -> Result<(), String> {
        let Step::Kernel { op, args, outputs } = step else { return Ok(()) };
        let name = base_name(op.name);
        let is_wide = |id: u32| tensor(&method.values, id).is_some_and(|tensor| tensor.dtype == DType::I64);
        let fits = |id: u32| self.of_value(method, facts, id).is_some_and(Bounds::fits_32_bits);
        let refuse = || Err("its 64-bit integers may not fit the 32 bits of a device".to_owned());
        let mut any = outputs.iter().any(|&id| is_wide(id));
        for (index, &id) in args.iter().enumerate() {
            let items: Vec<u32> = match &method.values[id as usize] {
                ProgramValue::Tensors(items) => items.iter().copied().flatten().collect(),
                _ => vec![id],
            };
            for item in items.into_iter().filter(|&item| is_wide(item)) {
                any = true;
                // An index that does not fit is out of range anyway.
                if !is_index(name, index) && !fits(item) {
                    return refuse();
                }
            }
        }
        let numbers = |&id: &u32| !matches!(method.values[id as usize], ProgramValue::Int(_)) || fits(id);
        if any && !keeps_elements(name) && !args.iter().all(numbers) {
            return refuse();
        }
        for (number, &id) in outputs.iter().enumerate() {
            let computed = || self.of_output(method, facts, step, number).is_some_and(Bounds::fits_32_bits);
            if is_wide(id) && !computed() {
                return refuse();
            }
        }
        Ok(())
    }
}

/// The bounds of every number that a type of few bits holds.
fn of_type(dtype: DType) -> Option<Bounds> {
    let (low, high) = match dtype {
        DType::Bool => (0, 1),
        DType::U8 => (0, 255),
        DType::I8 => (-128, 127),
        _ => return None,
    };
    Some(Bounds { low, high })
}

/// The bounds of each constant of a graph that is of integers.
async fn of_constants(graph: &Graph, files: &DataFiles) -> Result<Vec<Option<Bounds>>> {
    let mut bounds = Vec::with_capacity(graph.constants.len());
    for constant in &graph.constants {
        let bytes = constant.shape.numel() as u64 * constant.stored.size() as u64;
        bounds.push(if constant.dtype == DType::I32 && bytes <= LOOKED_AT {
            let elements = files.load(&constant.data, bytes).await?;
            Bounds::of(HostTensor::with_shape(constant.stored, constant.shape, elements)?.to_i64s())
        } else {
            None
        });
    }
    Ok(bounds)
}

/// An argument of an operator.
struct Operand {
    bounds: Option<Bounds>,
    numel: Option<usize>,
    literal: Literal,
}

#[derive(Clone, Copy)]
enum Literal {
    Null,
    Bool(bool),
    Int(i64),
    Other,
}

/// The bounds of an operator's output, where they follow from its arguments. `numel` counts the elements of its first.
fn of_operator(name: &str, output: usize, args: &[Operand], numel: Option<usize>) -> Option<Bounds> {
    let bounds = |index: usize| args.get(index)?.bounds;
    let elements = |index: usize| args.get(index)?.numel;
    let literal = |index: usize| args.get(index).map_or(Literal::Null, |operand| operand.literal);
    let two = |f: fn(i64, i64) -> Option<i64>| bounds(0)?.combined(bounds(1)?, f);
    let alpha = || match literal(2) {
        Literal::Int(1) | Literal::Null => Some(()),
        _ => None,
    };
    // The host says so where integers are divided by zero.
    let divisor = || bounds(1).filter(|divisor| divisor.low > 0 || divisor.high < 0);
    match (base_name(name), output) {
        (name, 0) if keeps_elements(name) => bounds(0),
        ("cat" | "stack", 0) | ("unbind_copy", _) => bounds(0),
        ("sort" | "topk", 0) => bounds(0),
        ("tril" | "triu", 0) => Some(bounds(0)?.with(0)),
        ("copy" | "copy_", 0) => bounds(1),
        ("select_scatter" | "slice_scatter", 0) => Some(bounds(0)?.union(bounds(1)?)),
        ("index_put" | "index_put_", 0) if matches!(literal(3), Literal::Bool(false) | Literal::Null) => {
            Some(bounds(0)?.union(bounds(2)?))
        }
        ("neg", 0) => {
            let all = bounds(0)?;
            Some(Bounds { low: all.high.checked_neg()?, high: all.low.checked_neg()? })
        }
        ("abs", 0) => {
            let all = bounds(0)?;
            Some(Bounds { low: 0, high: all.low.checked_abs()?.max(all.high.checked_abs()?) })
        }
        ("sign", 0) => {
            let all = bounds(0)?;
            Some(Bounds { low: all.low.signum(), high: all.high.signum() })
        }
        ("bitwise_not", 0) => {
            let all = bounds(0)?;
            Some(Bounds { low: !all.high, high: !all.low })
        }
        ("relu", 0) => bounds(0)?.combined(Bounds { low: 0, high: 0 }, |value, zero| Some(value.max(zero))),
        ("constant_pad_nd" | "masked_fill", 0) => Some(bounds(0)?.union(bounds(2)?)),
        ("split_copy" | "split_with_sizes_copy", _) => bounds(0),
        ("where", 0) => Some(bounds(1)?.union(bounds(2)?)),
        ("full" | "full_like" | "fill", 0) => bounds(1),
        ("scalar_tensor", 0) => bounds(0),
        ("zeros" | "zeros_like", 0) => Bounds::of([0]),
        ("ones" | "ones_like", 0) => Bounds::of([1]),
        ("arange", 0) if args.len() > 3 => Some(bounds(0)?.union(bounds(1)?)),
        ("arange", 0) => Some(bounds(0)?.with(0)),
        ("add", 0) => alpha().and_then(|()| two(i64::checked_add)),
        ("sub", 0) => alpha().and_then(|()| two(i64::checked_sub)),
        ("mul", 0) => two(i64::checked_mul),
        ("minimum", 0) => two(|a, b| Some(a.min(b))),
        ("maximum", 0) => two(|a, b| Some(a.max(b))),
        ("clamp", 0) => {
            let mut all = bounds(0)?;
            // Where the least is above the most, it is the most that counts.
            if !matches!(literal(1), Literal::Null) {
                all = all.combined(bounds(1)?, |value, least| Some(value.max(least)))?;
            }
            if !matches!(literal(2), Literal::Null) {
                all = all.combined(bounds(2)?, |value, most| Some(value.min(most)))?;
            }
            Some(all)
        }
        ("fmod", 0) => divisor().map(|_| bounds(0).map(|all| all.with(0)))?,
        ("remainder", 0) => Some(divisor()?.with(0)),
        // A quotient is no larger than what is divided, but may have the other sign.
        ("div" | "floor_divide", 0) => {
            divisor()?;
            bounds(0)?.combined(Bounds { low: -1, high: 1 }, i64::checked_mul)
        }
        ("bitwise_and" | "bitwise_or" | "bitwise_xor", 0) => {
            // What 32 bits hold has the sign in all bits above these.
            let fits = |index| bounds(index).is_some_and(Bounds::fits_32_bits);
            (fits(0) && fits(1)).then_some(INT32)
        }
        ("bucketize", 0) => Some(Bounds { low: 0, high: i64::try_from(elements(1)?).ok()? }),
        ("sum", 0) => bounds(0)?.times(elements(0)?.div_ceil(numel?.max(1))),
        ("cumsum", 0) => bounds(0)?.times(elements(0)?),
        ("argmax" | "argmin", 0)
        | ("max" | "min" | "topk" | "sort", 1)
        | ("max_pool2d_with_indices" | "max_pool3d_with_indices", 1)
        | ("adaptive_max_pool2d" | "adaptive_max_pool3d", 1) => {
            Some(Bounds { low: 0, high: i64::try_from(elements(0)?).ok()? })
        }
        _ => None,
    }
}

/// The word of an operator's name that says what it computes: `add` of `aten.add.Tensor`.
fn base_name(name: &str) -> &str {
    name.split('.').nth(1).unwrap_or(name)
}

/// Whether every element of the first result is one of the first argument's, whatever numbers come after that.
fn keeps_elements(name: &str) -> bool {
    matches!(
        name,
        "_clone_dim_order"
            | "_to_copy"
            | "_to_dim_order_copy"
            | "alias_copy"
            | "amax"
            | "amin"
            | "as_strided_copy"
            | "clone"
            | "detach_copy"
            | "diagonal_copy"
            | "expand_copy"
            | "flip"
            | "gather"
            | "index"
            | "index_select"
            | "lift_fresh_copy"
            | "max"
            | "min"
            | "narrow_copy"
            | "permute_copy"
            | "prepack"
            | "repeat"
            | "roll"
            | "select_copy"
            | "slice_copy"
            | "split_copy"
            | "split_with_sizes_copy"
            | "squeeze_copy"
            | "t_copy"
            | "transpose_copy"
            | "unfold_copy"
            | "unsqueeze_copy"
            | "view_copy"
    )
}

/// Whether an argument holds indices, which are checked.
fn is_index(name: &str, argument: usize) -> bool {
    matches!(
        (name, argument),
        ("embedding" | "index" | "index_put" | "index_put_", 1)
            | ("embedding_byte" | "embedding_4bit" | "embedding_2bit", 5)
            | ("gather" | "index_select" | "scatter" | "scatter_add", 2)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_follow_arithmetic_and_end_where_64_bits_do() {
        let [few, signed] = [Bounds { low: 0, high: 9 }, Bounds { low: -3, high: 2 }];
        assert_eq!(few.combined(signed, i64::checked_mul), Some(Bounds { low: -27, high: 18 }));
        assert_eq!(few.combined(signed, i64::checked_sub), Some(Bounds { low: -2, high: 12 }));
        assert_eq!(few.times(4), Some(Bounds { low: 0, high: 36 }));
        let most = Bounds { low: 0, high: i64::MAX };
        assert_eq!(most.combined(few, i64::checked_add), None);
        assert!(INT32.fits_32_bits() && !INT32.with(INT32.high + 1).fits_32_bits());
    }

    /// The bounds of an operator's result, by those of its arguments. None stands for an argument that is left out.
    fn of(name: &str, args: &[Option<Bounds>]) -> Option<Bounds> {
        let operand = |&bounds: &Option<Bounds>| Operand {
            bounds,
            numel: None,
            literal: bounds.map_or(Literal::Null, |_| Literal::Other),
        };
        of_operator(name, 0, &args.iter().map(operand).collect::<Vec<_>>(), None)
    }

    #[test]
    fn a_clamp_goes_beyond_what_it_is_given() {
        let (few, least, most) = (Bounds { low: 0, high: 3 }, Bounds::of([5]), Bounds::of([-7]));
        assert_eq!(of("aten.clamp.default", &[Some(few), least, None]), least);
        assert_eq!(of("aten.clamp.default", &[Some(few), None, most]), most);
        assert_eq!(of("aten.clamp.default", &[Some(few), least, most]), most);
        assert_eq!(of("aten.clamp.default", &[Some(few), Bounds::of([1]), Bounds::of([2])]), Bounds::of([1, 2]));
        assert_eq!(of("aten.clamp.default", &[None, least, most]), None);
    }

    #[test]
    fn signs_bits_and_fillings_are_bounded() {
        let some = Some(Bounds { low: -4, high: 9 });
        assert_eq!(of("aten.sign.default", &[some]), Bounds::of([-1, 1]));
        assert_eq!(of("aten.sign.default", &[Bounds::of([2, 9])]), Bounds::of([1]));
        assert_eq!(of("aten.bitwise_not.default", &[some]), Bounds::of([-10, 3]));
        assert_eq!(of("aten.relu.default", &[some]), Bounds::of([0, 9]));
        assert_eq!(of("aten.masked_fill.Scalar", &[some, Bounds::of([0, 1]), Bounds::of([-99])]), Bounds::of([-99, 9]));
    }
}
