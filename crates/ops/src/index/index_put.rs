//! `aten.index_put`: values for the elements that indices name.

use pteron_tensor::Shape;

use super::index_offsets::accumulate;
use super::index_tensor::{Indexed, LookedUp, without_masks};
use super::put::{self, Axis, Puts, Values};
use super::take::Range;
use crate::args::{Args, Described};
use crate::broadcast;
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::plan::{PlanContext, Tensor};
use crate::pointwise::elementwise;

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("aten.index_put.default", plan, reference).portable("aten::index_put.out"),
    OpDef::tensor("aten.index_put_.default", plan, reference).portable("aten::index_put_"),
];

/// How the target is indexed, the shape of what the indices name, and whether values are added. Arguments: target, indices,
/// values, accumulate.
fn read<T: Described>(cx: &Args<'_, T>, indices: Vec<Option<T>>) -> Result<(Indexed<T>, Shape, bool)> {
    let (target, values) = (cx.tensor(0)?, cx.tensor(2)?);
    let indexed = Indexed::new(indices, target.shape())?;
    let shape = indexed.take(1, Range { limit: target.shape().numel(), from_end: false })?.shape;
    if shape.broadcast(values.shape()) != Some(shape) {
        return Err(OpError::Shape(format!("values of {} do not fit {shape}", values.shape())));
    }
    Ok((indexed, shape, !cx.is_null(3) && cx.bool(3)?))
}

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let (target, values) = (cx.tensor(0)?, cx.tensor(2)?);
    let (indexed, shape, add) = read(cx, cx.opt_tensors(1)?)?;
    for (indices, looked) in &indexed.looked_up {
        looked.range.check(cx, *indices)?;
    }
    let first = indexed.kept[0].len();
    let places = first..first + indexed.places.rank();
    let own_steps = broadcast::strides(&values.shape, &shape);
    let (values, steps, value_step) = match joint_step(&shape[places.clone()], &own_steps[places.clone()]) {
        Some(step) => (values, own_steps, step),
        // Values that repeat in some dimensions of the places and not in others are written out.
        None => {
            let repeated = cx.scratch(values.dtype, shape)?;
            elementwise::dispatch_repeated(cx, values, repeated)?;
            (repeated, shape.strides(), shape[places.end..].iter().product())
        }
    };
    let mut axes: Vec<_> = target.shape.iter().map(|&size| Axis { size, limit: size, ..Axis::default() }).collect();
    let kept = (0..first).chain(places.end..shape.rank());
    for (axis, dim) in (0..axes.len()).filter(|dim| !indexed.dims.contains(dim)).zip(kept) {
        axes[axis].value_step = steps[dim];
    }
    let mut limit = 1;
    for &dim in indexed.dims.iter().rev() {
        axes[dim].slot_step = limit;
        limit *= target.shape[dim];
    }
    let (indices, range) = slots(cx, &indexed, &axes, limit)?;
    let puts = Puts { axes, count: indexed.places.numel(), index_step: 1, value_step, range };
    put::plan(cx, [target, indices, values], &puts, add)
}

/// The slot that each place names: its index where there is one tensor of them, else their sum in scratch memory.
fn slots(cx: &mut PlanContext<'_>, indexed: &Indexed<Tensor>, axes: &[Axis], limit: usize) -> Result<(Tensor, Range)> {
    if let [(indices, looked)] = indexed.looked_up[..] {
        return Ok((indices, looked.range));
    }
    let looked_up = indexed.looked_up.iter().zip(&indexed.dims);
    let compact = looked_up
        .map(|(&(indices, looked), &dim)| (indices, LookedUp { stride: axes[dim].slot_step, range: looked.range }));
    let slots = accumulate(cx, indexed.places, &compact.collect::<Vec<_>>())?;
    Ok((slots, Range { limit, from_end: false }))
}

/// The step that walks dimensions of these sizes and steps in order, where there is one.
fn joint_step(sizes: &[usize], steps: &[usize]) -> Option<usize> {
    let mut joint = None;
    for (&size, &step) in sizes.iter().zip(steps).rev().filter(|(size, _)| **size != 1) {
        joint = match joint {
            None => Some((step, step * size)),
            Some((first, next)) if next == step => Some((first, step * size)),
            Some(_) => return None,
        };
    }
    Some(joint.map_or(0, |(first, _)| first))
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (target, values) = (cx.tensor(0)?, cx.tensor(2)?);
    let (indexed, shape, add) = read(cx, without_masks(cx.opt_tensors(1)?, target.shape())?)?;
    let offsets = indexed.offsets()?;
    let take = indexed.take(1, Range { limit: target.numel(), from_end: false })?;
    let from = broadcast::expand((0..values.numel()).collect(), values.shape(), &shape);
    let values = Values { tensor: values, places: from };
    put::evaluate(cx, &target, take.places(&offsets).collect(), &values, add)
}

#[cfg(test)]
mod tests {
    use super::joint_step;

    #[test]
    fn dimensions_that_continue_each_other_have_one_step() {
        assert_eq!(joint_step(&[2, 3], &[12, 4]), Some(4));
        assert_eq!(joint_step(&[2, 1, 3], &[0, 9, 0]), Some(0));
        assert_eq!(joint_step(&[2, 3], &[0, 4]), None);
        assert_eq!(joint_step(&[], &[]), Some(0));
    }
}
