//! `aten.index.Tensor`: indices for some dimensions, broadcast together.
//!
//! One tensor of indices is a look-up. Several are first added up to the places of elements, in scratch memory.

use pteron_tensor::{HostTensor, Shape};

use super::index_offsets::accumulate;
use super::take::{self, Axis, Range, Take};
use crate::args::{Args, Described};
use crate::broadcast;
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::plan::PlanContext;

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("aten.index.Tensor", plan, reference).portable("aten::index.Tensor_out")];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let indexed = Indexed::new(cx, &input.shape)?;
    for (indices, looked) in &indexed.looked_up {
        looked.range.check(cx, *indices)?;
    }
    if let [(indices, looked)] = indexed.looked_up[..] {
        return take::plan(cx, input, indices, &indexed.take(looked.stride, looked.range)?);
    }
    let offsets = accumulate(cx, indexed.places, &indexed.looked_up)?;
    take::plan(cx, input, offsets, &indexed.take(1, Range { limit: input.numel(), from_end: false })?)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let indexed = Indexed::<HostTensor>::new(cx, input.shape())?;
    let offsets = indexed.offsets()?;
    let take = indexed.take(1, Range { limit: input.numel(), from_end: false })?;
    take::evaluate(cx, &input, &offsets, &take)
}

/// A dimension that is looked up.
#[derive(Clone, Copy, Debug)]
pub(super) struct LookedUp {
    /// The distance in the input that one of an index moves.
    pub(super) stride: usize,
    /// What an index may be.
    pub(super) range: Range,
}

/// How a tensor is indexed.
pub(super) struct Indexed<T> {
    /// The indices, broadcast together: one place of the result each.
    pub(super) places: Shape,
    /// Each tensor of indices and the dimension that it is for.
    pub(super) looked_up: Vec<(T, LookedUp)>,
    /// The dimensions that are looked up, in order.
    pub(super) dims: Vec<usize>,
    /// Dimensions that are kept, before and after the places in the result: size and step.
    pub(super) kept: [Vec<(usize, usize)>; 2],
}

impl<T: Described> Indexed<T> {
    /// Reads the list of optional indices of argument 1.
    pub(super) fn new(cx: &Args<'_, T>, input: &Shape) -> Result<Indexed<T>> {
        let list = cx.opt_tensors(1)?;
        if list.len() > input.rank() {
            return Err(OpError::Shape(format!("{} indices are too many for {input}", list.len())));
        }
        let strides = input.strides();
        let (mut places, mut looked_up, mut dims) = (Shape::SCALAR, Vec::new(), Vec::new());
        for (dim, indices) in list.into_iter().enumerate() {
            let Some(indices) = indices else { continue };
            places = broadcast::shape_of(&places, indices.shape())?;
            let range = Range { limit: input[dim], from_end: true };
            looked_up.push((indices, LookedUp { stride: strides[dim], range }));
            dims.push(dim);
        }
        let (Some(&first), Some(&last)) = (dims.first(), dims.last()) else {
            return Err(OpError::Shape("there is no index".to_owned()));
        };
        // Neighbours are replaced where they are; what is looked up here and there goes to the front.
        let together = last - first + 1 == dims.len();
        let kept = |d: &usize| !dims.contains(d);
        let before = (0..if together { first } else { 0 }).map(|d| (input[d], strides[d])).collect();
        let after = (if together { last } else { 0 }..input.rank()).filter(kept);
        let after = after.map(|d| (input[d], strides[d])).collect();
        Ok(Indexed { places, looked_up, dims, kept: [before, after] })
    }

    /// The look-up with one tensor of indices in the shape of the places, or one that is alone.
    pub(super) fn take(&self, stride: usize, range: Range) -> Result<Take> {
        let kept = |part: &[(usize, usize)]| {
            part.iter().map(|&(size, step)| Axis { size, step, index_step: 0 }).collect::<Vec<_>>()
        };
        let strides = self.places.strides();
        let places = self.places.iter().zip(strides).map(|(&size, index_step)| Axis { size, step: 0, index_step });
        let axes = [kept(&self.kept[0]), places.collect(), kept(&self.kept[1])].concat();
        Ok(Take { shape: Shape::from_sizes(axes.iter().map(|axis| axis.size as u64))?, axes, stride, range })
    }
}

impl Indexed<HostTensor> {
    /// For each place, the first element that the indices name.
    pub(super) fn offsets(&self) -> Result<Vec<usize>> {
        let mut offsets = vec![0; self.places.numel()];
        for (indices, looked) in &self.looked_up {
            let resolved = looked.range.resolve(indices)?;
            let steps = broadcast::strides(indices.shape(), &self.places);
            for (place, offset) in offsets.iter_mut().enumerate() {
                let (mut at, mut rest) = (0, place);
                for (dim, &size) in self.places.iter().enumerate().rev() {
                    at += rest % size * steps[dim];
                    rest /= size;
                }
                *offset += resolved[at] * looked.stride;
            }
        }
        Ok(offsets)
    }
}
