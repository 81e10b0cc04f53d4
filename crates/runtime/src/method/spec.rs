//! What a method takes and gives, and whether inputs fit.

use std::sync::Arc;

use pteron_pte::{self as pte, Dynamism};
use pteron_tensor::{DType, Shape};

use super::Method;
use crate::device::Kind;
use crate::engine::wgpu::OVERWRITTEN;
use crate::error::{Error, Result};
use crate::graph::{MethodGraph, ProgramTensor, ProgramValue, Step};
use crate::lower::reads_and_writes;
use crate::types;
use crate::value::Value;

/// What a method takes or gives at one position.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Spec {
    /// A tensor.
    Tensor {
        /// The element type.
        dtype: DType,
        /// The sizes, or their upper bounds.
        shape: Shape,
        /// Whether the sizes may be smaller.
        dynamic: bool,
    },
    /// Something else, as a word.
    Other(&'static str),
}

/// What a method takes and gives.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MethodSignature {
    /// What it takes, in order.
    pub inputs: Vec<Spec>,
    /// What it gives, in order.
    pub outputs: Vec<Spec>,
}

impl MethodSignature {
    pub(crate) fn of(method: &pte::Method<'_>) -> Result<MethodSignature> {
        let specs = |ids: pte::Ids<'_>| -> Result<Vec<Spec>> {
            ids.iter().map(|id| Ok(Spec::of(&method.value(id)?)?)).collect()
        };
        Ok(MethodSignature { inputs: specs(method.inputs()?)?, outputs: specs(method.outputs()?)? })
    }
}

impl Spec {
    fn of(value: &pte::Value<'_>) -> Result<Spec, pte::Error> {
        Ok(match value {
            pte::Value::Tensor(tensor) => Spec::Tensor {
                dtype: tensor.dtype()?,
                shape: tensor.shape()?,
                dynamic: tensor.dynamism()? != Dynamism::Static,
            },
            pte::Value::Null => Spec::Other("null"),
            pte::Value::Int(_) => Spec::Other("int"),
            pte::Value::Double(_) => Spec::Other("float"),
            pte::Value::Bool(_) => Spec::Other("bool"),
            pte::Value::String(_) => Spec::Other("string"),
            _ => Spec::Other("list"),
        })
    }
}

impl MethodGraph {
    /// Whether anything may depend on a number.
    fn reads(&self, id: u32) -> bool {
        let listed = |value: &ProgramValue| matches!(value, ProgramValue::Ints(ids) if ids.contains(&id));
        let read = |step: &Step| reads_and_writes(step, &self.values).0.contains(&id);
        self.outputs.contains(&id) || self.steps.iter().any(read) || self.values.iter().any(listed)
    }

    /// What the method takes.
    pub fn inputs(&self) -> Vec<Spec> {
        self.inputs.iter().map(|&id| spec(&self.values[id as usize])).collect()
    }

    /// What the method gives.
    pub fn outputs(&self) -> Vec<Spec> {
        self.outputs.iter().map(|&id| spec(&self.values[id as usize])).collect()
    }
}

fn spec(value: &ProgramValue) -> Spec {
    match value {
        ProgramValue::Tensor(tensor) => {
            Spec::Tensor { dtype: tensor.dtype, shape: tensor.shape, dynamic: tensor.dynamism != Dynamism::Static }
        }
        ProgramValue::Null => Spec::Other("null"),
        ProgramValue::Int(_) => Spec::Other("int"),
        ProgramValue::Double(_) => Spec::Other("float"),
        ProgramValue::Bool(_) => Spec::Other("bool"),
        ProgramValue::Str(_) => Spec::Other("string"),
        _ => Spec::Other("list"),
    }
}

impl Method {
    /// Checks that every output that is wanted is there and a tensor.
    pub(super) fn check_wanted(&self, wanted: &[usize]) -> Result<()> {
        let (name, count) = (&self.graph.name, self.graph.outputs.len());
        for &output in wanted {
            let refuse = |what: &str| Err(Error::NotFound(format!("output {output} of {name} is wanted, and {what}")));
            match self.graph.outputs.get(output).map(|&id| &self.graph.values[id as usize]) {
                None => return refuse(&format!("it has {count}")),
                Some(ProgramValue::Tensor(_)) => {}
                Some(_) => return refuse("is no tensor"),
            }
        }
        Ok(())
    }

    /// Checks that inputs are as many as the method takes, and each of a type and shape that it takes.
    pub(super) fn check_inputs(&self, inputs: &[Value]) -> Result<()> {
        let expected = &self.graph.inputs;
        if inputs.len() != expected.len() {
            let (name, takes) = (&self.graph.name, expected.len());
            return Err(Error::Misuse(format!("{name} takes {takes} inputs, and {} were given", inputs.len())));
        }
        for (index, (&id, input)) in expected.iter().zip(inputs).enumerate() {
            if let Value::Device(tensor) = input {
                if tensor.is_overwritten() {
                    return Err(Error::input(index, OVERWRITTEN));
                }
                if !matches!(&self.device.0, Kind::Gpu(gpu) if Arc::ptr_eq(gpu, &tensor.gpu)) {
                    return Err(Error::input(index, "it lives on another device"));
                }
            }
            if let (ProgramValue::Tensor(declared), Some((dtype, shape))) =
                (&self.graph.values[id as usize], input.described())
            {
                check_tensor(index, declared, dtype, &shape)?;
            } else if !input.fits(&self.graph.values[id as usize]) {
                return Err(Error::input(index, format!("a {} was given, which it does not take", input.kind())));
            } else if let Some(exported) = input.other_than(&self.graph.values[id as usize])
                && !self.graph.reads(id)
            {
                // The exporter makes numbers part of the program, unless it is told that they vary.
                let what = format!("it is {exported} in this program, which was exported for that alone");
                return Err(Error::input(index, format!("{what}; export it again with another, or with a tensor")));
            }
        }
        Ok(())
    }
}

impl ProgramTensor {
    /// Whether it may have these sizes.
    pub(crate) fn takes(&self, shape: &Shape) -> bool {
        let same_rank = shape.rank() == self.shape.rank();
        match self.dynamism {
            Dynamism::Static => *shape == self.shape,
            Dynamism::UpperBound => same_rank && shape.iter().zip(self.shape.iter()).all(|(a, b)| a <= b),
            Dynamism::Unbound => same_rank,
        }
    }
}

fn check_tensor(index: usize, declared: &ProgramTensor, dtype: DType, shape: &Shape) -> Result<()> {
    if !declared.takes(shape) {
        let bound = if declared.dynamism == Dynamism::Static { "" } else { "at most " };
        return Err(Error::input(
            index,
            format!("its shape is {shape}, and the method takes {bound}{}", declared.shape),
        ));
    }
    if types::may_be_given(dtype, declared.dtype) { Ok(()) } else { Err(Error::types(index, dtype, declared.dtype)) }
}
