//! The context of a reference implementation.

use std::ops::Deref;

use pteron_tensor::{DType, HostTensor, Shape};

use crate::args::{Arg, Args};
use crate::catalogue::{OpDef, check_writes};
use crate::clock::{Clock, ENDLESS};
use crate::error::{OpError, Result};
use crate::pointwise::complex;

/// What a reference reads its arguments from and puts its results into.
#[derive(Debug)]
pub struct Eval<'a> {
    args: Args<'a, HostTensor>,
    name: &'static str,
    writes: &'static [usize],
    output_types: &'a [DType],
    outputs: Vec<Option<HostTensor>>,
    mutated: Vec<(usize, HostTensor)>,
    seed: u64,
    clock: &'a Clock,
}

/// What a reference has computed.
#[derive(Debug)]
pub struct Evaluated {
    /// One tensor per output.
    pub outputs: Vec<HostTensor>,
    /// Arguments that the operator changes in place, with their new contents.
    pub mutated: Vec<(usize, HostTensor)>,
}

/// A number that a portable operator gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer.
    Int(i64),
    /// A float.
    Double(f64),
    /// A truth value.
    Bool(bool),
}

impl Number {
    /// As a float.
    pub fn float(self) -> f64 {
        match self {
            Number::Int(value) => value as f64,
            Number::Double(value) => value,
            Number::Bool(value) => f64::from(u8::from(value)),
        }
    }

    /// As an integer, of a float the whole part.
    #[expect(clippy::cast_possible_truncation, reason = "the whole part is what is asked for")]
    pub fn int(self) -> i64 {
        match self {
            Number::Int(value) => value,
            Number::Double(value) => value as i64,
            Number::Bool(value) => i64::from(value),
        }
    }
}

impl<'a> Eval<'a> {
    /// Runs the reference of `op` on the arguments. It has one output for each of `output_types`.
    pub fn run(
        op: &OpDef,
        args: Vec<Arg<HostTensor>>,
        syms: &'a [i64],
        output_types: &'a [DType],
    ) -> Result<Evaluated> {
        Eval::run_within(op, args, syms, output_types, 0, &ENDLESS)
    }

    /// Like [`Eval::run`], with the seed of an operator that draws numbers, and until a clock ends it.
    pub fn run_within(
        op: &OpDef,
        args: Vec<Arg<HostTensor>>,
        syms: &'a [i64],
        output_types: &'a [DType],
        seed: u64,
        clock: &'a Clock,
    ) -> Result<Evaluated> {
        complex::check(op, &args, output_types)?;
        let Some(reference) = op.reference() else {
            return Err(OpError::Unsupported(format!("{} has no tensors to compute", op.name)));
        };
        let outputs = vec![None; output_types.len()];
        let args = Args::new(args, syms);
        let mutated = Vec::new();
        let mut eval = Eval { args, name: op.name, writes: op.writes, output_types, outputs, mutated, seed, clock };
        reference(&mut eval)?;
        let missing = || OpError::Unsupported("the operator has an output that it does not compute".to_owned());
        let outputs = eval.outputs.into_iter().map(|output| output.ok_or_else(missing)).collect::<Result<_>>()?;
        Ok(Evaluated { outputs, mutated: eval.mutated })
    }

    /// Replaces the contents of an argument that the operator changes in place.
    pub fn mutate(&mut self, index: usize, tensor: HostTensor) -> Result<()> {
        check_writes(self.name, self.writes, index)?;
        let old = self.args.tensor(index)?;
        if (old.dtype(), old.shape()) != (tensor.dtype(), tensor.shape()) {
            return Err(OpError::Shape(format!("argument {index} cannot become {}{}", tensor.dtype(), tensor.shape())));
        }
        self.mutated.push((index, tensor));
        Ok(())
    }

    /// What the numbers that it draws depend on.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Counts the steps of a reference that does many.
    pub(crate) fn clock(&self) -> &'a Clock {
        self.clock
    }

    /// The operator's name, by which families of operators find their row.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The element type that the program declares for an output.
    pub fn output_type(&self, output: usize) -> Result<DType> {
        let missing = || OpError::Unsupported(format!("the program has no output {output} for this operator"));
        self.output_types.get(output).copied().ok_or_else(missing)
    }

    /// Sets an output, converted to the type that the program declares.
    pub fn set(&mut self, output: usize, tensor: HostTensor) -> Result<()> {
        let dtype = self.output_type(output)?;
        self.outputs[output] = Some(tensor.cast(dtype));
        Ok(())
    }

    /// Sets the first output from floats.
    pub fn set_f64s(&mut self, shape: Shape, values: Vec<f64>) -> Result<()> {
        let dtype = self.output_type(0)?;
        self.set(0, HostTensor::from_f64s(dtype, shape, values)?)
    }
}

impl<'a> Deref for Eval<'a> {
    type Target = Args<'a, HostTensor>;

    fn deref(&self) -> &Self::Target {
        &self.args
    }
}
