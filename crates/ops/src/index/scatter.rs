//! `aten.scatter` and `aten.scatter_add`: values put along one dimension where a tensor of indices says.

use pteron_tensor::{HostTensor, Shape};

use super::gather::gathered;
use super::put::{self, Axis, Puts, Values};
use super::take::Range;
use crate::args::{Args, Described, dim_of};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::plan::{PlanContext, Tensor};
use crate::pointwise::fill;
use crate::pointwise::number::Number;

const ADD: &str = "aten.scatter_add.default";

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("aten.scatter.src", plan, reference).portable("aten::scatter.src_out"),
    OpDef::tensor("aten.scatter.value", plan_value, reference_value).portable("aten::scatter.value_out"),
    OpDef::tensor(ADD, plan, reference).portable("aten::scatter_add.out").accuracy(Accuracy::Accumulated),
];

/// Refuses a source without a value for each index. Arguments: target, dim, indices, source.
pub(super) fn check_source<T: Described>(cx: &Args<'_, T>) -> Result<()> {
    let (indices, source) = (cx.tensor(2)?, cx.tensor(3)?);
    let (indices, source) = (indices.shape(), source.shape());
    let larger = indices.iter().zip(source.iter()).any(|(index, size)| index > size);
    if indices.numel() > 0 && (indices.rank() != source.rank() || larger) {
        return Err(OpError::Shape(format!("{source} has no value for each index of {indices}")));
    }
    Ok(())
}

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    check_source(cx)?;
    let source = cx.tensor(3)?;
    plan_put(cx, source, source.shape.strides().as_slice())
}

fn plan_value(cx: &mut PlanContext<'_>) -> Result<()> {
    let number = Number::read(cx, 3)?;
    let filled = cx.scratch(cx.tensor(0)?.dtype, Shape::SCALAR)?;
    fill::dispatch(cx, filled, number, Number::Int(0), None)?;
    plan_put(cx, filled, &[])
}

/// Plans values that lie by these steps; none is always the same value.
fn plan_put(cx: &mut PlanContext<'_>, values: Tensor, steps: &[usize]) -> Result<()> {
    let (target, indices) = (cx.tensor(0)?, cx.tensor(2)?);
    let dim = cx.int(1)?;
    let range: Range = gathered(&target.shape, dim, &indices.shape)?.range;
    range.check(cx, indices)?;
    let dim = dim_of(&target.shape, dim)?;
    let (index_steps, step) = (indices.shape.strides(), |d: usize| steps.get(d).copied().unwrap_or(0));
    let axes = target.shape.iter().enumerate().map(|(d, &size)| match d == dim {
        true => Axis { size, slot_step: 1, limit: size, ..Axis::default() },
        false => {
            let limit = indices.shape.get(d).copied().unwrap_or(1);
            Axis { size, slot_step: 0, index_step: index_steps[d], value_step: step(d), limit }
        }
    });
    let puts = Puts {
        axes: axes.collect(),
        count: indices.shape.get(dim).copied().unwrap_or(1),
        index_step: index_steps[dim],
        value_step: step(dim),
        range,
    };
    put::plan(cx, [target, indices, values], &puts, cx.name() == ADD)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    check_source(cx)?;
    let (indices, source) = (cx.tensor(2)?, cx.tensor(3)?);
    let values = Values { places: source_places(&indices, &source).collect(), tensor: source };
    put_along(cx, &indices, &values, cx.name() == ADD)
}

/// Where the value for each index lies in its source, which may be larger than the indices.
pub(super) fn source_places(indices: &HostTensor, source: &HostTensor) -> impl Iterator<Item = usize> {
    let (sizes, strides) = (*indices.shape(), source.shape().strides());
    (0..sizes.numel()).map(move |element| {
        let (mut at, mut rest) = (0, element);
        for (dim, &size) in sizes.iter().enumerate().rev() {
            at += rest % size * strides[dim];
            rest /= size;
        }
        at
    })
}

fn reference_value(cx: &mut Eval<'_>) -> Result<()> {
    let (dtype, indices) = (cx.tensor(0)?.dtype(), cx.tensor(2)?);
    let tensor = match Number::read(cx, 3)? {
        Number::Int(value) => HostTensor::from_i64s(dtype, Shape::SCALAR, [value])?,
        Number::Float(value) => HostTensor::from_f64s(dtype, Shape::SCALAR, [value])?,
    };
    let values = Values { tensor, places: vec![0; indices.numel()] };
    put_along(cx, &indices, &values, false)
}

fn put_along(cx: &mut Eval<'_>, indices: &HostTensor, values: &Values, add: bool) -> Result<()> {
    let target = cx.tensor(0)?;
    let along = gathered(target.shape(), cx.int(1)?, indices.shape())?;
    let resolved = along.range.resolve(indices)?;
    put::evaluate(cx, &target, along.places(&resolved).collect(), values, add)
}
