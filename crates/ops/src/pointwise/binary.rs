//! Operators of two tensors that broadcast against each other: the rows of [`BINARY`].

use pteron_tensor::{DType, HostTensor, Shape};

use super::rows::{BINARY, BinaryRow};
use crate::broadcast;
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::binary;
use crate::plan::{Plan, lanes, word};

pub(crate) const OPS: &[OpDef] = &{
    let mut ops = [const { OpDef::tensor("", plan, reference) }; BINARY.len()];
    let mut i = 0;
    while i < BINARY.len() {
        ops[i] =
            OpDef::tensor(BINARY[i].name, plan, reference).portable(BINARY[i].portable).accuracy(Accuracy::Rounded);
        i += 1;
    }
    ops
};

fn plan(cx: &mut Plan<'_>) -> Result<()> {
    let row = row(cx.name())?;
    let (a, b) = (cx.tensor(0)?, cx.tensor(1)?);
    let shape = broadcast::shape_of(&a.shape, &b.shape)?;
    let alpha = if cx.is_null(2) { 1.0 } else { cx.float(2)? };
    let output = cx.output(shape)?;
    for (name, operand) in [("the first operand", &a), ("the second operand", &b)] {
        if operand.dtype != output.dtype {
            return Err(OpError::DType { dtype: operand.dtype, what: format!("{name} of a {} result", output.dtype) });
        }
    }
    let flat = [&a, &b].into_iter().all(|x| x.numel() == 1 || x.shape.numel() == shape.numel());
    let steps = |x: &Shape| {
        if flat { lanes([u32::from(x.numel() != 1)]) } else { lanes(broadcast::strides(x, &shape).map(word)) }
    };
    #[expect(clippy::cast_possible_truncation, reason = "the exporter narrows numbers to the type of the operands")]
    let params = binary::Params {
        out: output.meta(),
        a_steps: steps(&a.shape),
        b_steps: steps(&b.shape),
        alpha: alpha as f32,
        alpha_int: alpha as i32,
    };
    cx.dispatch(binary::Bind { a, b, output, params })
        .ty("T", output.dtype)
        .flag("FLAT", flat)
        .axis("EXPRESSION", row.variant)
        .threads(output.numel())
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let row = row(cx.name())?;
    let (a, b) = (cx.tensor(0)?, cx.tensor(1)?);
    let shape = broadcast::shape_of(a.shape(), b.shape())?;
    let dtype = cx.output_type(0)?;
    let result = if a.dtype().is_float() || b.dtype().is_float() {
        let alpha = if cx.is_null(2) { 1.0 } else { cx.float(2)? };
        let values = zip(&shape, (a.shape(), &a.to_f64s()), (b.shape(), &b.to_f64s()), |a, b| (row.float)(a, b, alpha));
        HostTensor::from_f64s(dtype, shape, values)?
    } else {
        let alpha = cx.int_or(2, 1)?;
        let values = zip(&shape, (a.shape(), &a.to_i64s()), (b.shape(), &b.to_i64s()), |a, b| (row.int)(a, b, alpha));
        HostTensor::from_i64s(if dtype == DType::Bool { DType::I64 } else { dtype }, shape, values)?
    };
    cx.set(0, result)
}

fn row(name: &str) -> Result<&'static BinaryRow> {
    BINARY
        .iter()
        .find(|row| row.name == name)
        .ok_or_else(|| OpError::Unsupported(format!("{name} is no pointwise operator")))
}

/// `f` of each pair of elements of two operands broadcast to `shape`.
fn zip<T: Copy>(shape: &Shape, a: (&Shape, &[T]), b: (&Shape, &[T]), f: impl Fn(T, T) -> T) -> Vec<T> {
    let (a_steps, b_steps) = (broadcast::strides(a.0, shape), broadcast::strides(b.0, shape));
    let mut result = Vec::with_capacity(shape.numel());
    for index in 0..shape.numel() {
        let (mut a_index, mut b_index, mut rest) = (0, 0, index);
        for (dim, &size) in shape.iter().enumerate().rev() {
            a_index += rest % size * a_steps[dim];
            b_index += rest % size * b_steps[dim];
            rest /= size;
        }
        result.push(f(a.1[a_index], b.1[b_index]));
    }
    result
}
