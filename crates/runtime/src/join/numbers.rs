//! Which numbers of a method are integers, and which are the same. A program declares some as integers that hold floats.

use std::collections::{HashMap, HashSet};

use pteron_ops::args::Arg;
use pteron_ops::{Args, Body, Number};
use pteron_tensor::HostTensor;

use super::access::tensor;
use crate::graph::{MethodGraph, ProgramValue, Step};

/// Numbers that are integers, whoever writes them.
pub(super) fn integers(method: &MethodGraph, writers: &[usize]) -> HashSet<u32> {
    let declared = |id: u32| matches!(method.values[id as usize], ProgramValue::Int(_));
    let mut known: HashSet<u32> =
        (0u32..).zip(writers).filter(|(_, writers)| **writers == 0).map(|(id, _)| id).collect();
    known.retain(|&id| declared(id));
    loop {
        let before = known.len();
        let mut proven = vec![0; method.values.len()];
        for step in &method.steps {
            let given: &[u32] = match step {
                Step::Delegate { numbers, .. } => numbers,
                Step::Move { from, to } if known.contains(from) => std::slice::from_ref(to),
                Step::Kernel { op, args, outputs } if gives_integer(method, &known, op.name, args) => outputs,
                _ => &[],
            };
            given.iter().for_each(|&id| proven[id as usize] += 1);
        }
        let all = (0u32..).zip(writers.iter().zip(&proven)).filter(|(_, (writers, proven))| writers == proven);
        known.extend(all.map(|(id, _)| id).filter(|&id| declared(id)));
        if known.len() == before {
            return known;
        }
    }
}

/// For integers that are read from the same element of the same tensor, the first of them. Where the host decides what runs,
/// the first may not be there.
pub(super) fn twins(method: &MethodGraph, writers: &[usize]) -> HashMap<u32, u32> {
    let (mut elements, mut first, mut twins) = (HashMap::new(), HashMap::new(), HashMap::new());
    if method.steps.iter().any(|step| matches!(step, Step::JumpFalse { .. })) {
        return twins;
    }
    let number = |id: &u32| match method.values[*id as usize] {
        ProgramValue::Int(value) if writers[*id as usize] == 0 => Some(value),
        _ => None,
    };
    for step in &method.steps {
        let Step::Kernel { op, args, outputs } = step else { continue };
        let (&[from, ref rest @ ..], &[to]) = (&args[..], &outputs[..]) else { continue };
        if writers[to as usize] != 1 {
            continue;
        }
        match (op.portable, rest) {
            (Some("aten::select_copy.int_out"), [dim, index, ..]) if writers[from as usize] == 0 => {
                elements.insert(to, (from, number(dim), number(index)));
            }
            (Some("aten::_local_scalar_dense"), _) => {
                if let Some(&(tensor, Some(dim), Some(index))) = elements.get(&from) {
                    twins.insert(to, *first.entry((tensor, dim, index)).or_insert(to));
                }
            }
            _ => {}
        }
    }
    twins
}

/// Elements of a tensor up to which it is made to compute an integer from its sizes.
const MADE: usize = 1 << 20;

/// The integers that a method computes where the shapes of all tensors are largest and their elements 0, as far as they
/// follow from that.
pub(super) fn largest(method: &MethodGraph) -> HashMap<u32, i64> {
    let mut known = HashMap::new();
    for step in &method.steps {
        let Step::Kernel { op, args, outputs } = step else { continue };
        let (Body::Number(compute), &[output]) = (op.body, &outputs[..]) else { continue };
        let argument = |id: &u32| match &method.values[*id as usize] {
            ProgramValue::Tensor(tensor) if tensor.shape.numel() <= MADE => {
                Some(Arg::Tensor(HostTensor::zeros(tensor.dtype, tensor.shape)))
            }
            ProgramValue::Int(value) => Some(Arg::Int(known.get(id).copied().unwrap_or(*value))),
            _ => None,
        };
        let arguments: Option<Vec<_>> = args.iter().map(argument).collect();
        match arguments.map(|arguments| compute(&Args::new(arguments, &[]))) {
            Some(Ok(Number::Int(value))) => known.insert(output, value),
            _ => known.remove(&output),
        };
    }
    known
}

/// Whether an operator gives an integer for these arguments.
fn gives_integer(method: &MethodGraph, known: &HashSet<u32>, name: &str, args: &[u32]) -> bool {
    let whole = |id: &u32| known.contains(id);
    match name {
        "aten::sym_size.int" | "aten::sym_numel" | "aten::sym_stride.int" => true,
        "aten::_local_scalar_dense" => {
            let integers = |id: &u32| {
                tensor(&method.values, *id)
                    .is_some_and(|tensor| !tensor.dtype.is_float() && tensor.dtype != pteron_tensor::DType::Bool)
            };
            args.first().is_some_and(integers)
        }
        _ => match name.strip_prefix("executorch_prim::") {
            Some("ceil.Scalar" | "round.Scalar" | "trunc.Scalar" | "sym_int.Scalar") => true,
            Some(
                "add.Scalar" | "floordiv.Scalar" | "mod.Scalar" | "mod.int" | "mul.Scalar" | "neg.Scalar"
                | "sub.Scalar" | "sym_max.Scalar" | "sym_min.Scalar",
            ) => args.iter().all(whole),
            Some("sym_ite.Scalar") => args.iter().skip(1).all(whole),
            _ => false,
        },
    }
}
