//! `aten::index_put`: values for the elements that indices name.

use pteron_tensor::HostTensor;

use super::index_tensor::Indexed;
use super::put::{Values, put};
use super::take::Range;
use crate::broadcast;
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;

pub(crate) const OPS: &[OpDef] =
    &[OpDef::host("aten::index_put.out", reference), OpDef::host("aten::index_put_", reference)];

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (target, values) = (cx.tensor(0)?, cx.tensor(2)?);
    let indexed = Indexed::<HostTensor>::new(cx, target.shape())?;
    let offsets = indexed.offsets()?;
    let take = indexed.take(1, Range { limit: target.numel(), from_end: false })?;
    if take.shape.broadcast(values.shape()) != Some(take.shape) {
        return Err(OpError::Shape(format!("values of {} do not fit {}", values.shape(), take.shape)));
    }
    let add = !cx.is_null(3) && cx.bool(3)?;
    let steps = broadcast::strides(values.shape(), &take.shape);
    let from = (0..take.shape.numel()).map(|element| {
        let (mut at, mut rest) = (0, element);
        for (dim, &size) in take.shape.iter().enumerate().rev() {
            at += rest % size * steps[dim];
            rest /= size;
        }
        at
    });
    let values = Values { tensor: values, places: from.collect() };
    put(cx, &target, take.places(&offsets).collect(), &values, add)
}
