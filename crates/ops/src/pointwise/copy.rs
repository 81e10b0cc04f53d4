//! Copies of a tensor, and conversions from one element type to another. A copy of the same type is a view.
//!
//! Memory is always in the order of the dimensions, so the dimension orders of a program change nothing here.

use pteron_tensor::{DType, HostTensor, Shape};

use super::elementwise;
use super::number::Operand;
use crate::broadcast;
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::convert;
use crate::plan::{PlanContext, Tensor, word};

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("aten._to_copy.default", plan, reference).portable("aten::_to_copy.out"),
    OpDef::tensor("aten.alias_copy.default", plan, reference).portable("aten::alias_copy.out"),
    OpDef::tensor("aten.clone.default", plan, reference).portable("aten::clone.out"),
    OpDef::tensor("aten.copy.default", plan_into, reference_into).portable("aten::copy.out"),
    OpDef::tensor("aten.copy_.default", plan_into, reference_into).portable("aten::copy_"),
    OpDef::tensor("aten.detach_copy.default", plan, reference).portable("aten::detach_copy.out"),
    OpDef::tensor("aten.fill.Tensor", plan_fill, reference_fill).portable("aten::fill.Tensor_out"),
    OpDef::tensor("aten.lift_fresh_copy.default", plan, reference).portable("aten::lift_fresh_copy.out"),
    OpDef::tensor("dim_order_ops._clone_dim_order.default", plan, reference)
        .portable("dim_order_ops::_clone_dim_order.out"),
    OpDef::tensor("dim_order_ops._to_dim_order_copy.default", plan, reference)
        .portable("dim_order_ops::_to_dim_order_copy.out"),
    OpDef::tensor("et_copy._d2h_copy.default", plan, reference).portable("et_copy::_d2h_copy.out"),
    OpDef::tensor("et_copy._h2d_copy.default", plan, reference).portable("et_copy::_h2d_copy.out"),
];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    copy(cx, input)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    cx.set(0, convert(&input, cx.output_type(0)?))
}

/// `aten.copy` and `aten.copy_`: the second tensor in the shape and type of the first.
fn plan_into(cx: &mut PlanContext<'_>) -> Result<()> {
    let (target, source) = (cx.tensor(0)?, cx.tensor(1)?);
    plan_repeated(cx, &target.shape, source)
}

fn reference_into(cx: &mut Eval<'_>) -> Result<()> {
    let (target, source) = (cx.tensor(0)?, cx.tensor(1)?);
    repeat(cx, target.shape(), &source)
}

/// `aten.fill.Tensor`: one number, which a tensor holds, in the shape of the first.
fn plan_fill(cx: &mut PlanContext<'_>) -> Result<()> {
    let (target, number) = (cx.tensor(0)?, cx.tensor(1)?);
    check_number(&number.shape)?;
    plan_repeated(cx, &target.shape, Tensor { shape: Shape::SCALAR, ..number })
}

fn reference_fill(cx: &mut Eval<'_>) -> Result<()> {
    let (target, number) = (cx.tensor(0)?, cx.tensor(1)?);
    check_number(number.shape())?;
    repeat(cx, target.shape(), &number.reshape(Shape::SCALAR)?)
}

fn check_number(shape: &Shape) -> Result<()> {
    if shape.numel() == 1 { Ok(()) } else { Err(OpError::Shape(format!("{shape} is not one number to fill with"))) }
}

fn plan_repeated(cx: &mut PlanContext<'_>, shape: &Shape, source: Tensor) -> Result<()> {
    if *shape == source.shape {
        return copy(cx, source);
    }
    check_fit(shape, &source.shape)?;
    let source = Operand::Tensor(source).place(cx, cx.output_type(0)?)?;
    let output = cx.output(*shape)?;
    elementwise::dispatch_repeated(cx, source, output)
}

fn repeat(cx: &mut Eval<'_>, shape: &Shape, source: &HostTensor) -> Result<()> {
    check_fit(shape, source.shape())?;
    let source = convert(source, cx.output_type(0)?);
    let size = source.dtype().size();
    let places = broadcast::expand((0..source.numel()).collect(), source.shape(), shape);
    let bytes: Vec<u8> = places.iter().flat_map(|at| &source.bytes()[at * size..][..size]).copied().collect();
    cx.set(0, HostTensor::with_shape(source.dtype(), *shape, bytes)?)
}

fn check_fit(target: &Shape, source: &Shape) -> Result<()> {
    if target.broadcast(source) == Some(*target) {
        return Ok(());
    }
    Err(OpError::Shape(format!("{source} cannot be copied into {target}")))
}

fn copy(cx: &mut PlanContext<'_>, input: Tensor) -> Result<()> {
    if cx.output_type(0)? == input.dtype {
        return cx.alias(0, input, input.shape);
    }
    let output = cx.output(input.shape)?;
    dispatch(cx, input, output)
}

/// Dispatches a conversion between two tensors of as many elements.
pub(crate) fn dispatch(cx: &mut PlanContext<'_>, input: Tensor, output: Tensor) -> Result<()> {
    let params = convert::Params {
        numel: word(output.numel()),
        signed: u32::from(input.dtype == DType::I8),
        truth: u32::from(output.dtype == DType::Bool),
    };
    let variant = convert::Variant { from: input.dtype.try_into()?, to: output.dtype.try_into()? };
    cx.dispatch(convert::Bind { input, output, params }, variant).threads(output.numel().div_ceil(4))
}

/// A conversion as kernels do it: floats become integers towards zero, saturate at 32 bits (64 for a 64-bit result), and
/// then lose the bits that a smaller type does not have; NaN becomes 0, or true.
pub(crate) fn convert(input: &HostTensor, dtype: DType) -> HostTensor {
    match dtype {
        DType::U8 | DType::I8 if input.dtype().is_float() => input.cast(DType::I32).cast(dtype),
        _ => input.cast(dtype),
    }
}
