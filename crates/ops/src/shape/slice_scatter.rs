//! `aten::slice_scatter` and `aten::select_scatter`: a tensor with one slice of it replaced.

use pteron_tensor::Shape;

use super::select_copy::named;
use super::slice_copy::sliced;
use super::strided::Walk;
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::index::put::{Values, put};

pub(crate) const OPS: &[OpDef] =
    &[OpDef::host("aten::select_scatter.out", select), OpDef::host("aten::slice_scatter.out", slice)];

fn select(cx: &mut Eval<'_>) -> Result<()> {
    let shape = *cx.tensor(0)?.shape();
    let walk = named(cx, &shape, 2)?;
    replace(cx, &walk)
}

fn slice(cx: &mut Eval<'_>) -> Result<()> {
    let shape = *cx.tensor(0)?.shape();
    let walk = sliced(cx, &shape, 2)?;
    replace(cx, &walk)
}

fn replace(cx: &mut Eval<'_>, walk: &Walk) -> Result<()> {
    let (target, source) = (cx.tensor(0)?, cx.tensor(1)?);
    let shape: &Shape = walk.shape();
    if source.shape() != shape {
        return Err(OpError::Shape(format!("{} does not replace a slice of {shape}", source.shape())));
    }
    let places = walk.places(cx.syms())?.collect();
    let values = Values { tensor: source, places: (0..shape.numel()).collect() };
    put(cx, &target, places, &values, false)
}
