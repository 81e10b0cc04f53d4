//! `aten.repeat`: the whole tensor several times along each dimension, and along new ones in front.

use pteron_tensor::Shape;

use super::strided::{self, Axis, Walk, Walks};
use crate::args::{Args, Described};
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("aten.repeat.default", strided::plan::<Repeat>, strided::reference::<Repeat>)
        .portable("aten::repeat.out")];

struct Repeat;

impl Walks for Repeat {
    fn walk<T: Described>(cx: &Args<'_, T>, input: &Shape) -> Result<Walk> {
        let repeats = cx.ints(1)?;
        let wrong = || OpError::Shape(format!("{input} cannot be repeated {repeats:?} times"));
        let counts = repeats.iter().map(|&count| usize::try_from(count).map_err(|_| wrong()));
        let counts = counts.collect::<Result<Vec<_>>>()?;
        let added = counts.len().checked_sub(input.rank()).ok_or_else(wrong)?;
        let own = std::iter::repeat_n(1, added).chain(input.iter().copied());
        let sizes = own.zip(&counts).map(|(size, &count)| (size as u64).saturating_mul(count as u64));
        let shape = Shape::from_sizes(sizes)?;

        let own = std::iter::repeat_n((1, 0), added).chain(input.iter().copied().zip(strided::steps(input)));
        let axes =
            own.zip(counts).flat_map(|((size, step), count)| [Axis { size: count, step: 0 }, Axis { size, step }]);
        Ok(Walk::over(shape, axes))
    }
}
