//! Operators outside delegates, which run on the host.

use pteron_ops::args::Arg;
use pteron_ops::{Args, Body, Eval, OpDef};
use pteron_tensor::{DType, HostTensor};

use super::delegates::host_tensor;
use super::{Method, Slot};
use crate::error::{Error, NodeError, Result};
use crate::graph::ProgramValue;
use crate::value::Value;

impl Method {
    /// Runs a portable operator on the host.
    pub(super) fn kernel(&mut self, op: &'static OpDef, args: &[u32], outputs: &[u32]) -> Result<()> {
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
        let evaluated = Eval::run_seeded(op, values, &[], &types, self.seed).map_err(located)?;
        if op.is_random() {
            // Far from the seeds that a generator passes through by itself.
            self.seed = self.seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        }
        for (&id, result) in outputs.iter().zip(evaluated.outputs) {
            self.values[id as usize] = Slot::Value(Value::Tensor(result));
        }
        for (index, tensor) in evaluated.mutated {
            if let Some(&id) = args.get(index) {
                self.values[id as usize] = Slot::Value(Value::Tensor(tensor));
            }
        }
        Ok(())
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
