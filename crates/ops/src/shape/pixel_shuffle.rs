//! `aten.pixel_shuffle` and `pixel_unshuffle`: channels to blocks of pixels, and back.

use pteron_tensor::Shape;

use super::strided::{self, Axis, Walk, Walks};
use crate::args::{Args, Described};
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("aten.pixel_shuffle.default", strided::plan::<Shuffle>, strided::reference::<Shuffle>)
        .portable("aten::pixel_shuffle.out"),
    OpDef::tensor("aten.pixel_unshuffle.default", strided::plan::<Unshuffle>, strided::reference::<Unshuffle>)
        .portable("aten::pixel_unshuffle.out"),
];

struct Shuffle;
struct Unshuffle;

/// Each r² channels become blocks of r × r pixels of one channel.
impl Walks for Shuffle {
    fn walk<T: Described>(cx: &Args<'_, T>, input: &Shape) -> Result<Walk> {
        let (batch, [channels, height, width], factor) = parts(cx, input)?;
        if !channels.is_multiple_of(factor * factor) {
            return Err(OpError::Shape(format!(
                "{channels} channels do not make blocks of {factor} × {factor} pixels"
            )));
        }
        let plane = height * width;
        let sizes = [channels / (factor * factor), height * factor, width * factor];
        let axes = [
            (batch.iter().product(), channels * plane),
            (channels / (factor * factor), factor * factor * plane),
            (height, width),
            (factor, factor * plane),
            (width, 1),
            (factor, plane),
        ];
        walk(batch, sizes, axes)
    }
}

/// Each block of r × r pixels becomes r² channels.
impl Walks for Unshuffle {
    fn walk<T: Described>(cx: &Args<'_, T>, input: &Shape) -> Result<Walk> {
        let (batch, [channels, height, width], factor) = parts(cx, input)?;
        if !height.is_multiple_of(factor) || !width.is_multiple_of(factor) {
            return Err(OpError::Shape(format!("{input} is not made of blocks of {factor} × {factor} pixels")));
        }
        let sizes = [channels * factor * factor, height / factor, width / factor];
        let axes = [
            (batch.iter().product(), channels * height * width),
            (channels, height * width),
            (factor, width),
            (factor, 1),
            (height / factor, factor * width),
            (width / factor, factor),
        ];
        walk(batch, sizes, axes)
    }
}

/// The leading sizes, then channels, height and width, and the factor.
fn parts<'a, T: Described>(cx: &Args<'_, T>, input: &'a Shape) -> Result<(&'a [usize], [usize; 3], usize)> {
    let factor = cx.int(1)?;
    // The square of a factor this large is no number of channels.
    let valid = usize::try_from(factor).ok().filter(|&factor| factor > 0 && factor < 1 << 16);
    match (input.dims(), valid) {
        ([batch @ .., channels, height, width], Some(factor)) => Ok((batch, [*channels, *height, *width], factor)),
        _ => Err(OpError::Shape(format!("pixels of {input} cannot be shuffled by {factor}"))),
    }
}

fn walk(batch: &[usize], sizes: [usize; 3], axes: [(usize, usize); 6]) -> Result<Walk> {
    let shape = Shape::new(&[batch, &sizes].concat())?;
    Ok(Walk::over(shape, axes.map(|(size, step)| Axis { size, step: step.cast_signed() })))
}
