//! Operators outside delegates, which run on the host.

use pteron_ops::args::Arg;
use pteron_ops::{Args, Body, Eval, OpDef, OpError};
use pteron_tensor::{DType, HostTensor, Shape, ShapeError};

use super::delegates::{PendingCommands, host_tensor};
use super::{Method, Slot};
use crate::error::{Error, NodeError, Result};
use crate::graph::ProgramValue;
use crate::value::Value;

impl Method {
    /// Runs a portable operator on the host.
    pub(super) fn kernel(
        &mut self,
        op: &'static OpDef,
        args: &[u32],
        outputs: &[u32],
        commands: &mut PendingCommands,
    ) -> Result<()> {
        let argument = |&id: &u32| match &self.values[id as usize] {
            // No element is looked at.
            Slot::Value(Value::Device(tensor)) | Slot::Borrowed { tensor, .. } if op.reads_shapes_only() => {
                Ok(Arg::Tensor(HostTensor::zeros(tensor.program, tensor.shape)))
            }
            _ => self.argument(id),
        };
        let values = args.iter().map(argument).collect::<Result<Vec<_>>>()?;
        let types: Vec<_> = outputs
            .iter()
            .map(|&id| match &self.graph.values[id as usize] {
                ProgramValue::Tensor(tensor) => tensor.dtype,
                _ => DType::I64,
            })
            .collect();
        let located = |source| {
            let describe = |&id: &u32| match &self.values[id as usize] {
                Slot::Value(value) => value.described().map(|(dtype, shape)| format!("{dtype}{shape}")),
                _ => None,
            };
            let (at, op) = (format!("method {}", self.graph.name), op.portable.unwrap_or(op.name).to_owned());
            Error::Node(Box::new(NodeError { at, op, inputs: args.iter().filter_map(describe).collect(), source }))
        };
        if let Body::Number(compute) = op.body {
            let number = compute(&Args::new(values, &[])).map_err(located)?;
            for &id in outputs {
                self.values[id as usize] = Slot::Value(Value::of_number(number));
            }
            return Ok(());
        }
        // What an operator makes follows from numbers that a call may compute, so it is held to what is left.
        let left = self.limits.host_bytes.saturating_sub(commands.host_bytes);
        let clock = commands.deadline.clock();
        let evaluate = || Eval::run_within(op, values, &[], &types, self.seed, &clock);
        let evaluated = Shape::at_most(left / 8, evaluate).map_err(|source| match &source {
            OpError::BadShape(ShapeError::TooLarge(sizes)) => {
                let elements = sizes.iter().fold(8, |product: u64, &size| product.saturating_mul(size.max(1)));
                let refused = self.limits.check_host(op.name, commands.host_bytes.saturating_add(elements));
                refused.err().unwrap_or_else(|| located(source))
            }
            OpError::Time => commands.deadline.error(),
            _ => located(source),
        })?;
        if op.is_random() {
            // Far from the seeds that a generator passes through by itself.
            self.seed = self.seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        }
        for (&id, result) in outputs.iter().zip(evaluated.outputs) {
            self.replace(id, Slot::Value(Value::Tensor(result)), commands);
        }
        for (index, tensor) in evaluated.mutated {
            if let Some(&id) = args.get(index) {
                self.replace(id, Slot::Value(Value::Tensor(tensor)), commands);
            }
        }
        self.limits.check_host(&self.graph.name, commands.host_bytes)
    }

    /// Gives a value something else to hold, and counts what the host holds by that.
    pub(super) fn replace(&mut self, id: u32, new: Slot, commands: &mut PendingCommands) {
        let bytes = |slot: &Slot| match slot {
            Slot::Value(Value::Tensor(tensor)) => tensor.bytes().len() as u64,
            _ => 0,
        };
        let old = std::mem::replace(&mut self.values[id as usize], new);
        let more = commands.host_bytes.saturating_add(bytes(&self.values[id as usize]));
        commands.host_bytes = more.saturating_sub(bytes(&old));
    }

    fn argument(&self, id: u32) -> Result<Arg<HostTensor>> {
        let items = |ids: &[u32]| ids.iter().map(|&id| self.argument(id)).collect::<Result<Vec<_>>>();
        Ok(match &self.graph.values[id as usize] {
            ProgramValue::Ints(ids) => Arg::List(items(ids)?),
            ProgramValue::Doubles(values) => Arg::List(values.iter().map(|&value| Arg::Double(value)).collect()),
            ProgramValue::Bools(values) => Arg::List(values.iter().map(|&value| Arg::Bool(value)).collect()),
            ProgramValue::Tensors(ids) => {
                let item = |id: &Option<u32>| id.map_or(Ok(Arg::Null), |id| self.argument(id));
                Arg::List(ids.iter().map(item).collect::<Result<_>>()?)
            }
            _ => match &self.values[id as usize] {
                Slot::Value(Value::Tensor(tensor)) => Arg::Tensor(tensor.clone()),
                Slot::Value(Value::Int(value)) => Arg::Int(*value),
                Slot::Value(Value::Double(value)) => Arg::Double(*value),
                Slot::Value(Value::Bool(value)) => Arg::Bool(*value),
                Slot::Value(Value::Str(text)) => Arg::Str(text.clone()),
                Slot::Value(Value::Null) => Arg::Null,
                slot @ Slot::Empty => host_tensor(slot, &self.graph.values[id as usize]).map_or(Arg::Null, Arg::Tensor),
                Slot::Value(Value::Device(_)) | Slot::Borrowed { .. } => {
                    return Err(Error::Program(format!("value {id} is not on the host")));
                }
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use pteron_ops::catalogue;
    use pteron_pte::Dynamism;
    use pteron_tensor::Shape;

    use super::*;
    use crate::device::Device;
    use crate::graph::{MethodGraph, ProgramTensor, Step};
    use crate::limits::{Limit, Limits};
    use crate::testing;

    /// A program that fills tensors of a size that it is given, one after the other.
    fn fill(times: u32) -> Method {
        let (shape, dynamism) = (Shape::new(&[1]).unwrap(), Dynamism::Unbound);
        let tensor = ProgramTensor { dtype: DType::F32, shape, dynamism, data: None, order: None, allocation: None };
        let mut values = vec![ProgramValue::Int(0), ProgramValue::Ints(vec![0]), ProgramValue::Double(1.5)];
        let op = catalogue::lookup_portable("aten::full.out").unwrap();
        let outputs: Vec<u32> = (3..3 + times).collect();
        values.extend(outputs.iter().map(|_| ProgramValue::Tensor(tensor.clone())));
        let step = |&output: &u32| Step::Kernel { op, args: vec![1, 2], outputs: vec![output] };
        let steps = outputs.iter().map(step).collect();
        let name = "fill".to_owned();
        let graph = MethodGraph { name, values, inputs: vec![0], outputs, steps, ..MethodGraph::default() };
        let limits = Limits::default().with_host_bytes(1 << 20);
        crate::block_on(testing::load_with(&Device::cpu(), Device::cpu().caps(), graph, limits)).unwrap()
    }

    #[test]
    fn sizes_that_a_call_computes_are_held_to_the_limit() {
        fill(1).run(&[Value::Int(1000)]).unwrap();
        for size in [1 << 18, 1 << 40, i64::MAX / 16] {
            let error = fill(1).run(&[Value::Int(size)]).unwrap_err();
            assert!(matches!(error, Error::Limit { limit: Limit::HostBytes, .. }), "{error}");
        }
        // Each of them fits, and all of them do not.
        let error = fill(20).run(&[Value::Int(16 << 10)]).unwrap_err();
        assert!(matches!(error, Error::Limit { limit: Limit::HostBytes, .. }), "{error}");
        fill(10).run(&[Value::Int(16 << 10)]).unwrap();
    }
}
