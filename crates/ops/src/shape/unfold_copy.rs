//! `aten.unfold_copy`: windows that slide along a dimension, their elements in a new last one.

use pteron_tensor::Shape;

use super::strided::{self, Walk, Walks};
use crate::args::{Args, Described, dim_of};
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("aten.unfold_copy.default", strided::plan::<Unfold>, strided::reference::<Unfold>)
        .portable("aten::unfold_copy.out")];

struct Unfold;

impl Walks for Unfold {
    fn walk<T: Described>(cx: &Args<'_, T>, input: &Shape) -> Result<Walk> {
        let dim = dim_of(input, cx.int(1)?)?;
        let (size, step) = (cx.int(2)?, cx.int(3)?);
        // A scalar counts as one element along its only dimension.
        let length = input.get(dim).copied().unwrap_or(1);
        let unit = strided::steps(input).get(dim).copied().unwrap_or(1);
        let window = usize::try_from(size).ok().filter(|&window| window <= length);
        let stride = usize::try_from(step).ok().filter(|&stride| stride > 0);
        let (Some(window), Some(stride)) = (window, stride) else {
            return Err(OpError::Shape(format!("{length} elements do not unfold to windows of {size} by {step}")));
        };
        let (mut sizes, mut steps) = (input.to_vec(), strided::steps(input));
        if let (Some(size), Some(step)) = (sizes.get_mut(dim), steps.get_mut(dim)) {
            *size = (length - window) / stride + 1;
            // With one window, its step is never taken.
            *step *= stride.min(length.max(1)).cast_signed();
        }
        sizes.push(window);
        steps.push(unit);
        Ok(Walk::new(Shape::new(&sizes)?, steps))
    }
}
