//! `aten::scatter` and `aten::scatter_add`: values put along one dimension where a tensor of indices says.

use pteron_tensor::{HostTensor, Shape};

use super::gather::gathered;
use super::put::{Values, put};
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;

pub(crate) const OPS: &[OpDef] = &[
    OpDef::host("aten::scatter.src_out", |cx| scatter(cx, false)),
    OpDef::host("aten::scatter.value_out", value),
    OpDef::host("aten::scatter_add.out", |cx| scatter(cx, true)),
];

fn scatter(cx: &mut Eval<'_>, add: bool) -> Result<()> {
    let (indices, source) = (cx.tensor(2)?, cx.tensor(3)?);
    let larger = indices.shape().iter().zip(source.shape().iter()).any(|(index, size)| index > size);
    if indices.numel() > 0 && (indices.shape().rank() != source.shape().rank() || larger) {
        return Err(OpError::Shape(format!("{} has no value for each index of {}", source.shape(), indices.shape())));
    }
    let strides = source.shape().strides();
    let from = (0..indices.numel()).map(|element| {
        let (mut at, mut rest) = (0, element);
        for (dim, &size) in indices.shape().iter().enumerate().rev() {
            at += rest % size * strides[dim];
            rest /= size;
        }
        at
    });
    let values = Values { places: from.collect(), tensor: source };
    put_along(cx, &indices, &values, add)
}

fn value(cx: &mut Eval<'_>) -> Result<()> {
    let (dtype, indices) = (cx.tensor(0)?.dtype(), cx.tensor(2)?);
    let tensor = match cx.int(3) {
        Ok(value) => HostTensor::from_i64s(dtype, Shape::SCALAR, [value])?,
        Err(_) => HostTensor::from_f64s(dtype, Shape::SCALAR, [cx.float(3)?])?,
    };
    let values = Values { tensor, places: vec![0; indices.numel()] };
    put_along(cx, &indices, &values, false)
}

fn put_along(cx: &mut Eval<'_>, indices: &HostTensor, values: &Values, add: bool) -> Result<()> {
    let target = cx.tensor(0)?;
    let along = gathered(target.shape(), cx.int(1)?, indices.shape())?;
    let resolved = along.range.resolve(indices)?;
    put(cx, &target, along.places(&resolved).collect(), values, add)
}
