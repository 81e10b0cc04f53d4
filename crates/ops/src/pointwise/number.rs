//! Numbers that stand where a tensor could, and tensors of another type than the operator computes in.

use pteron_tensor::{DType, HostTensor, Shape};

use super::{copy, fill};
use crate::args::{Args, Described};
use crate::broadcast;
use crate::error::{OpError, Result};
use crate::plan::{PlanContext, Tensor};

/// A number of the program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Int(i64),
    Float(f64),
}

/// A tensor, or a number in its place.
#[derive(Clone, Debug)]
pub(crate) enum Operand<T> {
    Tensor(T),
    Number(Number),
}

impl Number {
    /// An argument that is a number, whole where its value is. A symbolic one is observed.
    pub(crate) fn read<T: Described>(args: &Args<'_, T>, index: usize) -> Result<Number> {
        args.int(index).map(Number::Int).or_else(|_| args.float(index).map(Number::Float))
    }

    /// An argument that is a number, or a default where it is null.
    pub(crate) fn read_or<T: Described>(args: &Args<'_, T>, index: usize, default: f64) -> Result<Number> {
        if args.is_null(index) { Ok(Number::Float(default)) } else { Number::read(args, index) }
    }

    pub(crate) fn float(self) -> f64 {
        match self {
            Number::Int(value) => value as f64,
            Number::Float(value) => value,
        }
    }

    /// The nearest integer towards zero.
    pub(crate) fn int(self) -> i64 {
        match self {
            Number::Int(value) => value,
            #[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
            Number::Float(value) => value as i64,
        }
    }

    /// Whether an integer type holds it without loss of a fraction. The bounds of an open interval count as integers.
    pub(crate) fn is_whole(self) -> bool {
        match self {
            Number::Int(_) => true,
            Number::Float(value) => value.is_infinite() || value.fract() == 0.0,
        }
    }

    /// The bits of it that a kernel computes with.
    #[expect(clippy::cast_possible_truncation, reason = "rounding to the type of a kernel is the contract")]
    pub(crate) fn f32(self) -> f32 {
        self.float() as f32
    }

    /// The nearest `i32`.
    pub(crate) fn i32(self) -> i32 {
        i32::try_from(self.int()).unwrap_or(if self.float() < 0.0 { i32::MIN } else { i32::MAX })
    }

    /// The number as a kernel that computes in `dtype` has it.
    pub(crate) fn rounded(self, dtype: DType) -> Number {
        match (self, dtype) {
            (_, DType::F16) => Number::Float(half::f16::from_f64(self.float()).to_f64()),
            (_, DType::F32) => Number::Float(f64::from(self.f32())),
            (_, DType::I32 | DType::U8 | DType::I8 | DType::Bool) => Number::Int(i64::from(self.i32())),
            _ => self,
        }
    }
}

impl<T: Described> Operand<T> {
    /// An argument that is a tensor or a number.
    pub(crate) fn read(args: &Args<'_, T>, index: usize) -> Result<Operand<T>> {
        match args.opt_tensor(index) {
            Ok(Some(tensor)) => Ok(Operand::Tensor(tensor)),
            Ok(None) => args.tensor(index).map(Operand::Tensor),
            Err(_) => Number::read(args, index).map(Operand::Number),
        }
    }

    pub(crate) fn shape(&self) -> Shape {
        match self {
            Operand::Tensor(tensor) => *tensor.shape(),
            Operand::Number(_) => Shape::SCALAR,
        }
    }

    /// The element type of a tensor.
    pub(crate) fn dtype(&self) -> Option<DType> {
        match self {
            Operand::Tensor(tensor) => Some(tensor.dtype()),
            Operand::Number(_) => None,
        }
    }

    /// Refuses floats where a result is computed in integers.
    pub(crate) fn check(&self, computed_in: DType) -> Result<()> {
        match self.dtype() {
            Some(dtype) if dtype.is_float() && !computed_in.is_float() => {
                Err(OpError::DType { dtype, what: format!("an operand of a {computed_in} result") })
            }
            _ => Ok(()),
        }
    }
}

impl Operand<Tensor> {
    /// It as a tensor of `dtype`: itself, or a converted copy that lives as long as the operator runs.
    pub(crate) fn place(&self, cx: &mut PlanContext<'_>, dtype: DType) -> Result<Tensor> {
        match *self {
            Operand::Tensor(tensor) if tensor.dtype == dtype => Ok(tensor),
            Operand::Tensor(tensor) => {
                let converted = cx.scratch(dtype, tensor.shape)?;
                copy::dispatch(cx, tensor, converted)?;
                Ok(converted)
            }
            Operand::Number(number) => {
                let filled = cx.scratch(dtype, Shape::SCALAR)?;
                fill::dispatch(cx, filled, number, Number::Int(0), None)?;
                Ok(filled)
            }
        }
    }
}

impl Operand<HostTensor> {
    /// Its elements as floats of `dtype`, repeated to `shape`.
    pub(crate) fn floats(&self, dtype: DType, shape: &Shape) -> Vec<f64> {
        let values = match self {
            Operand::Tensor(tensor) => copy::convert(tensor, dtype).to_f64s(),
            Operand::Number(number) => vec![number.float()],
        };
        broadcast::expand(values, &self.shape(), shape)
    }

    /// Its elements as integers of `dtype`, repeated to `shape`.
    pub(crate) fn ints(&self, dtype: DType, shape: &Shape) -> Vec<i64> {
        let values = match self {
            Operand::Tensor(tensor) => copy::convert(tensor, dtype).to_i64s(),
            // A fraction is as true as any other number.
            Operand::Number(number) if dtype == DType::Bool => vec![i64::from(number.float() != 0.0)],
            Operand::Number(number) => vec![number.int()],
        };
        broadcast::expand(values, &self.shape(), shape)
    }
}
