//! `aten.index.Tensor`: indices for some dimensions, broadcast together.
//!
//! One tensor of indices is a look-up. Several are first added up to the places of elements, in scratch memory. A mask is as
//! many tensors of indices as it has dimensions; how many there are depends on its contents, so the host alone takes masks.

use pteron_tensor::{DType, HostTensor, Shape};

use super::index_offsets::accumulate;
use super::take::{self, Axis, Range, Take, check_type};
use crate::args::Described;
use crate::broadcast;
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::plan::PlanContext;

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("aten.index.Tensor", plan, reference).portable("aten::index.Tensor_out")];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let indexed = Indexed::new(cx.opt_tensors(1)?, &input.shape)?;
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
    let indexed = Indexed::new(without_masks(cx.opt_tensors(1)?, input.shape())?, input.shape())?;
    let offsets = indexed.offsets()?;
    let take = indexed.take(1, Range { limit: input.numel(), from_end: false })?;
    take::evaluate(cx, &input, &offsets, &take)
}

/// The indices for each dimension, with those of its true elements in the place of each mask.
pub(super) fn without_masks(list: Vec<Option<HostTensor>>, input: &Shape) -> Result<Vec<Option<HostTensor>>> {
    let mut indices = Vec::with_capacity(list.len());
    for item in list {
        let Some(mask) = item.as_ref().filter(|tensor| matches!(tensor.dtype(), DType::Bool | DType::U8)) else {
            indices.push(item);
            continue;
        };
        let (first, sizes) = (indices.len(), mask.shape());
        if sizes.rank() == 0 || input.get(first..first + sizes.rank()) != Some(&sizes[..]) {
            return Err(OpError::Shape(format!("a mask of {sizes} does not fit {input} at dimension {first}")));
        }
        let chosen: Vec<_> = (0..).zip(mask.to_i64s()).filter(|(_, value)| *value != 0).map(|(at, _)| at).collect();
        for (&size, stride) in sizes.iter().zip(sizes.strides()) {
            let coordinates: Vec<_> = chosen.iter().map(|&at: &usize| (at / stride % size) as i64).collect();
            indices.push(Some(HostTensor::from_slice(&coordinates, &[chosen.len()])?));
        }
    }
    Ok(indices)
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
    /// From the indices for each dimension, of which some have none.
    pub(super) fn new(list: Vec<Option<T>>, input: &Shape) -> Result<Indexed<T>> {
        if list.len() > input.rank() {
            return Err(OpError::Shape(format!("{} indices are too many for {input}", list.len())));
        }
        let strides = input.strides();
        let (mut places, mut looked_up, mut dims) = (Shape::SCALAR, Vec::new(), Vec::new());
        for (dim, indices) in list.into_iter().enumerate() {
            let Some(indices) = indices else { continue };
            check_type(indices.dtype())?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Arg;

    fn index(input: &HostTensor, indices: Vec<Arg<HostTensor>>) -> Result<HostTensor> {
        let args = vec![Arg::Tensor(input.clone()), Arg::List(indices)];
        Ok(Eval::run(&OPS[0], args, &[], &[input.dtype()])?.outputs[0].clone())
    }

    #[test]
    fn masks_are_the_indices_of_what_is_true() {
        let input = HostTensor::from_slice(&[0i32, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], &[2, 3, 2]).unwrap();
        let rows = HostTensor::from_bools(&[true, false, true, false, false, true], &[2, 3]).unwrap();
        let chosen = index(&input, vec![Arg::Tensor(rows)]).unwrap();
        assert_eq!((chosen.shape().dims(), chosen.to_i64s()), (&[3, 2][..], vec![0, 1, 4, 5, 10, 11]));
        let middle = HostTensor::from_bools(&[false, true, true], &[3]).unwrap();
        let last = HostTensor::from_slice(&[1i64], &[1]).unwrap();
        let chosen = index(&input, vec![Arg::Null, Arg::Tensor(middle), Arg::Tensor(last)]).unwrap();
        assert_eq!((chosen.shape().dims(), chosen.to_i64s()), (&[2, 2][..], vec![3, 5, 9, 11]));
        let none = HostTensor::from_bools(&[false, false], &[2]).unwrap();
        assert_eq!(index(&input, vec![Arg::Tensor(none)]).unwrap().shape().dims(), [0, 3, 2]);
    }

    #[test]
    fn masks_have_the_sizes_of_what_they_choose_from() {
        let input = HostTensor::from_slice(&[0i32, 1, 2, 3], &[2, 2]).unwrap();
        for (mask, dims) in [(vec![true; 3], vec![3]), (vec![true; 8], vec![2, 2, 2]), (vec![true], vec![])] {
            let mask = HostTensor::from_bools(&mask, &dims).unwrap();
            assert!(index(&input, vec![Arg::Tensor(mask)]).is_err(), "{dims:?}");
        }
    }
}
