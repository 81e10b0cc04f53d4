//! A copy that walks its input with one step per axis: most operators of this family.

use pteron_tensor::{DType, HostTensor, Shape};

use crate::args::{Args, Described};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::strided_copy;
use crate::plan::{PlanContext, Tensor, is_byte, word};
use crate::sym::{IntArg, Scalar};

/// The most axes that the kernel walks. Every dimension of the largest rank may split in two: see `repeat`.
const MAX_AXES: usize = 16;

/// An operator that is one walk.
pub(super) trait Walks {
    /// The walk over the first argument, which has this shape.
    fn walk<T: Described>(cx: &Args<'_, T>, input: &Shape) -> Result<Walk>;
}

/// Which input element each output element takes.
pub(super) struct Walk {
    /// The output's shape.
    shape: Shape,
    /// The output's elements in row-major order, as the axes of the walk. Their sizes multiply to those of the shape.
    axes: Vec<Axis>,
    /// The input element of the first output element.
    offset: usize,
    /// A start that is only known at the call, and the distance that one of it moves.
    start: Option<(Scalar, usize)>,
}

/// One axis of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Axis {
    /// How many steps it takes.
    pub(super) size: usize,
    /// The distance in the input from one to the next.
    pub(super) step: isize,
}

impl Walk {
    /// A walk whose axes are the output's dimensions.
    pub(super) fn new(shape: Shape, steps: impl IntoIterator<Item = isize>) -> Walk {
        Walk::over(shape, shape.iter().zip(steps).map(|(&size, step)| Axis { size, step }))
    }

    /// A walk whose axes split or join the output's dimensions.
    pub(super) fn over(shape: Shape, axes: impl IntoIterator<Item = Axis>) -> Walk {
        Walk { shape, axes: joined(axes), offset: 0, start: None }
    }

    /// The same walk, begun at another element.
    pub(super) fn from(self, offset: usize) -> Walk {
        Walk { offset, ..self }
    }

    /// The same walk, begun `start · step` elements further in each call.
    pub(super) fn starting(self, start: Scalar, step: usize) -> Walk {
        Walk { start: Some((start, step)), ..self }
    }

    /// Whether it takes every element of `input` in order. Then it begins at the first, whatever the start says.
    fn is_identity(&self, input: &Shape) -> bool {
        let in_order = matches!(self.axes[..], [] | [Axis { step: 1, .. }]);
        self.shape.numel() == input.numel() && (self.shape.numel() == 0 || in_order)
    }

    /// Whether it takes neighbours in order, from an element that is known.
    fn is_part(&self) -> bool {
        let in_order = matches!(self.axes[..], [] | [Axis { step: 1, .. }]);
        self.start.is_none() && self.shape.numel() > 0 && in_order
    }

    /// The input element of each output element.
    fn places(&self, syms: &[i64]) -> Result<impl Iterator<Item = Option<usize>>> {
        let start = match self.start {
            Some((scalar, step)) => usize::try_from(scalar.eval(syms)?).unwrap_or(0) * step,
            None => 0,
        };
        let first = (self.offset + start).cast_signed();
        Ok((0..self.shape.numel()).map(move |element| {
            let (mut place, mut rest) = (first, element);
            for axis in self.axes.iter().rev() {
                place += (rest % axis.size).cast_signed() * axis.step;
                rest /= axis.size;
            }
            usize::try_from(place).ok()
        }))
    }

    /// Whether every group of four output elements is four neighbours of the input that begin at a multiple of four.
    fn is_wide(&self) -> bool {
        let fours = |value: usize| value.is_multiple_of(4);
        let Some((last, outer)) = self.axes.split_last() else { return false };
        last.step == 1
            && fours(last.size)
            && outer.iter().all(|axis| fours(axis.step.unsigned_abs()))
            && fours(self.offset)
            && self.start.is_none_or(|(_, step)| fours(step))
    }
}

/// The steps of a shape's own row-major order.
pub(super) fn steps(shape: &Shape) -> Vec<isize> {
    shape.strides()[..shape.rank()].iter().map(|&stride| stride.cast_signed()).collect()
}

/// The axes without those of size 1, and with neighbours that walk on where the other ends joined.
fn joined(axes: impl IntoIterator<Item = Axis>) -> Vec<Axis> {
    let mut joined: Vec<Axis> = Vec::new();
    for axis in axes.into_iter().filter(|axis| axis.size != 1) {
        match joined.last_mut() {
            Some(outer) if axis.size.cast_signed().checked_mul(axis.step) == Some(outer.step) => {
                *outer = Axis { size: outer.size * axis.size, step: axis.step };
            }
            _ => joined.push(axis),
        }
    }
    joined
}

/// The plan of an operator that is one walk.
pub(super) fn plan<W: Walks>(cx: &mut PlanContext<'_>) -> Result<()> {
    plan_walk(cx, |cx, input| W::walk(cx, input))
}

/// Apart from [`plan`], which has code for each operator.
fn plan_walk(cx: &mut PlanContext<'_>, walk: fn(&Args<'_, Tensor>, &Shape) -> Result<Walk>) -> Result<()> {
    let input = cx.tensor(0)?;
    let walk = walk(cx, &input.shape)?;
    plan_output(cx, 0, input, &walk)
}

/// The reference of an operator that is one walk.
pub(super) fn reference<W: Walks>(cx: &mut Eval<'_>) -> Result<()> {
    evaluate_walk(cx, |cx, input| W::walk(cx, input))
}

/// Apart from [`reference`], which has code for each operator.
fn evaluate_walk(cx: &mut Eval<'_>, walk: fn(&Args<'_, HostTensor>, &Shape) -> Result<Walk>) -> Result<()> {
    let input = cx.tensor(0)?;
    let walk = walk(cx, input.shape())?;
    evaluate_output(cx, 0, &input, &walk)
}

/// Plans one output as a walk: a view where it takes elements in order, all of them or those of a part that can be bound.
pub(super) fn plan_output(cx: &mut PlanContext<'_>, index: usize, input: Tensor, walk: &Walk) -> Result<()> {
    check_types(input.dtype, cx.output_type(index)?)?;
    if walk.is_identity(&input.shape) {
        return cx.alias(index, input, walk.shape);
    }
    if walk.is_part() && cx.part(index, input, walk.shape, walk.offset)? {
        return Ok(());
    }
    let output = cx.output_at(index, walk.shape)?;
    if output.numel() == 0 {
        return Ok(());
    }
    if walk.axes.len() > MAX_AXES {
        return Err(OpError::Limit(format!("a copy walks {} axes; kernels walk {MAX_AXES}", walk.axes.len())));
    }
    let wide = walk.is_wide();
    let unit = if wide { 4 } else { 1 };
    let signed = |step: isize| {
        let step = step / unit;
        i32::try_from(step).map_err(|_| OpError::Limit(format!("a step of {step} elements does not fit 32 bits")))
    };
    let (mut sizes, mut steps) = ([[0; 4]; MAX_AXES / 4], [[0; 4]; MAX_AXES / 4]);
    for (i, axis) in walk.axes.iter().enumerate() {
        let last = i + 1 == walk.axes.len();
        sizes[i / 4][i % 4] = word(if wide && last { axis.size / 4 } else { axis.size });
        steps[i / 4][i % 4] = if wide && last { 1 } else { signed(axis.step)? };
    }
    let (start, start_step) = walk.start.unwrap_or((Scalar::Int(IntArg::Known(0)), 0));
    let params = strided_copy::Params {
        sizes,
        steps,
        axes: word(walk.axes.len()),
        count: word(output.numel() / unit.unsigned_abs()),
        offset: signed(walk.offset.cast_signed())?,
        start_step: signed(start_step.cast_signed())?,
    };
    let threads = if wide || is_byte(output.dtype) { output.numel().div_ceil(4) } else { output.numel() };
    let variant = strided_copy::Variant { t: output.dtype.try_into()?, wide };
    cx.dispatch(strided_copy::Bind { input, output, params, call: strided_copy::Call { start } }, variant)
        .traffic(2 * output.bytes())
        .threads(threads)
}

/// One output as a walk, in plain Rust.
pub(super) fn evaluate_output(cx: &mut Eval<'_>, index: usize, input: &HostTensor, walk: &Walk) -> Result<()> {
    check_types(input.dtype(), cx.output_type(index)?)?;
    let size = input.dtype().size();
    let mut bytes = Vec::with_capacity(walk.shape.numel() * size);
    for place in walk.places(cx.syms())? {
        let element = place.and_then(|place| input.bytes().get(place * size..(place + 1) * size));
        bytes.extend_from_slice(element.ok_or_else(|| OpError::Shape("a copy leaves its input".to_owned()))?);
    }
    cx.set(index, HostTensor::with_shape(input.dtype(), walk.shape, bytes)?)
}

/// Copies keep the element type.
pub(super) fn check_types(input: DType, output: DType) -> Result<()> {
    if input == output {
        return Ok(());
    }
    Err(OpError::DType { dtype: input, what: format!("a copy into {output}") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Arg;
    use crate::caps::Caps;
    use crate::catalogue;
    use crate::plan::{Output, Place, Sharing};

    /// The launches of a copy, and whether it is a view, where views may show parts.
    fn planned(op: &str, sizes: &[usize], numbers: &[i64], parts: bool) -> (usize, bool) {
        let shape = Shape::new(sizes).unwrap();
        let tensor = Tensor { place: Place::Value(0), dtype: DType::F32, shape, window: None };
        let args = [Arg::Tensor(tensor)].into_iter().chain(numbers.iter().map(|&number| Arg::Int(number))).collect();
        let op = catalogue::lookup(op).unwrap();
        let sharing = Sharing { parts, ..Sharing::default() };
        let plan = PlanContext::run(op, args, &[], &[DType::F32], &Caps::webgpu_minimum(), 0, sharing).unwrap();
        (plan.dispatches.len(), matches!(plan.outputs[0], Some(Output::Alias(_))))
    }

    #[test]
    fn copies_of_everything_are_views() {
        // The last token of one, as a decoder takes it, and of several.
        assert_eq!(planned("aten.select_copy.int", &[1, 1, 576], &[1, -1], false), (0, true));
        assert_eq!(planned("aten.select_copy.int", &[1, 5, 576], &[1, -1], false), (1, false));
        assert_eq!(planned("aten.slice_copy.Tensor", &[4, 6], &[1, 0, i64::MAX, 1], false), (0, true));
        assert_eq!(planned("aten.slice_copy.Tensor", &[4, 6], &[1, 1, i64::MAX, 1], false), (1, false));
    }

    #[test]
    fn copies_of_neighbours_are_views_where_a_binding_may_begin() {
        assert_eq!(planned("aten.select_copy.int", &[3, 2, 64], &[0, 1], true), (0, true));
        assert_eq!(planned("aten.slice_copy.Tensor", &[1, 8, 64], &[1, 2, 5, 1], true), (0, true));
        assert_eq!(planned("aten.select_copy.int", &[3, 2, 24], &[0, 0], true), (0, true));
        assert_eq!(planned("aten.select_copy.int", &[3, 2, 24], &[0, 1], true), (1, false));
        assert_eq!(planned("aten.slice_copy.Tensor", &[2, 8, 64], &[1, 2, 5, 1], true), (1, false));
        assert_eq!(planned("aten.slice_copy.Tensor", &[8, 64], &[0, 0, 8, 2], true), (1, false));
    }

    #[test]
    fn neighbours_that_continue_each_other_are_one_axis() {
        let axes = |pairs: &[(usize, isize)]| joined(pairs.iter().map(|&(size, step)| Axis { size, step }));
        assert_eq!(axes(&[(2, 12), (1, 7), (3, 4), (4, 1)]), [Axis { size: 24, step: 1 }]);
        assert_eq!(axes(&[(3, 4), (2, 12), (4, 1)]).len(), 3);
        // Reversed in both dimensions is reversed as a whole.
        assert_eq!(axes(&[(3, -4), (4, -1)]), [Axis { size: 12, step: -1 }]);
        assert_eq!(axes(&[(3, 0), (4, 0)]), [Axis { size: 12, step: 0 }]);
        assert_eq!(axes(&[]), []);
    }
}
