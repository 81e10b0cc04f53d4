//! Planes of height and width, and the windows that slide over them.

use pteron_tensor::{DType, Shape};

use crate::args::{Args, Described};
use crate::error::{OpError, Result};

/// The planes of a tensor: its last two dimensions, as often as the others say.
#[derive(Clone, Copy)]
pub(super) struct Planes {
    pub(super) count: usize,
    pub(super) height: usize,
    pub(super) width: usize,
}

impl Planes {
    /// The planes of an image, or of a batch of them.
    pub(super) fn of(shape: &Shape) -> Result<Planes> {
        match **shape {
            [channels, height, width] => Ok(Planes { count: channels, height, width }),
            [batch, channels, height, width] => Ok(Planes { count: batch * channels, height, width }),
            _ => Err(OpError::Shape(format!("{shape} is no image: it needs rank 3 or 4"))),
        }
    }

    /// The elements of one plane.
    pub(super) fn area(&self) -> usize {
        self.height * self.width
    }
}

/// `shape` with other planes.
pub(super) fn with_planes(shape: &Shape, height: usize, width: usize) -> Result<Shape> {
    let rank = shape.rank();
    Ok(shape.with(rank - 2, height)?.with(rank - 1, width)?)
}

/// A window that slides over a line.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) size: usize,
    pub(super) stride: usize,
    pub(super) padding: usize,
    pub(super) dilation: usize,
}

/// A number for each side of a window; one number stands for all, none for `default`.
pub(super) fn sides<T: Described, const N: usize>(
    cx: &Args<'_, T>,
    index: usize,
    default: [usize; N],
) -> Result<[usize; N]> {
    let values = cx.opt_ints(index)?.unwrap_or_default();
    let wrong = || OpError::Shape(format!("argument {index} is {values:?}, expected one size or {N}"));
    let size = |value: i64| usize::try_from(value).ok().filter(|&size| size <= 1 << 28).ok_or_else(wrong);
    let all = match values[..] {
        [] => return Ok(default),
        [all] => vec![size(all)?; N],
        _ => values.iter().map(|&value| size(value)).collect::<Result<Vec<_>>>()?,
    };
    all.try_into().map_err(|_| wrong())
}

/// Reads `kernel_size`, `stride` and `padding` from arguments 1 to 3, `dilation` from another, for each side.
pub(super) fn windows<T: Described, const N: usize>(cx: &Args<'_, T>, dilation: Option<usize>) -> Result<[Window; N]> {
    let sizes = sides(cx, 1, [0; N])?;
    let (strides, paddings) = (sides(cx, 2, sizes)?, sides(cx, 3, [0; N])?);
    let dilations = dilation.map_or(Ok([1; N]), |index| sides(cx, index, [1; N]))?;
    let windows: [Window; N] = std::array::from_fn(|i| Window {
        size: sizes[i],
        stride: strides[i],
        padding: paddings[i],
        dilation: dilations[i],
    });
    for window in &windows {
        let Window { size, stride, padding, dilation } = *window;
        if size == 0 || stride == 0 || dilation == 0 || padding > window.reach() / 2 {
            return Err(OpError::Shape(format!(
                "a window of {size} by steps of {stride}, dilation {dilation} and padding {padding} is not defined"
            )));
        }
    }
    Ok(windows)
}

impl Window {
    /// The window that covers one element at a time.
    pub(super) const POINT: Window = Window { size: 1, stride: 1, padding: 0, dilation: 1 };

    /// The length from the first element to the last.
    fn reach(&self) -> usize {
        (self.size - 1).saturating_mul(self.dilation).saturating_add(1)
    }

    /// The number of windows on a line of `length`. With `ceil` the last may overlap the end, if it begins before it.
    pub(super) fn positions(&self, length: usize, ceil: bool) -> Result<usize> {
        let padded = length + 2 * self.padding;
        let Some(room) = (padded + if ceil { self.stride - 1 } else { 0 }).checked_sub(self.reach()) else {
            return Err(OpError::Shape(format!("a window of {} does not fit a line of {padded}", self.reach())));
        };
        let positions = room / self.stride + 1;
        let last_is_outside = ceil && (positions - 1) * self.stride >= length + self.padding;
        Ok(positions - usize::from(last_is_outside))
    }

    /// The size of the window at `position` on a line of `length`, up to the end of the padding.
    pub(super) fn padded_size(&self, position: usize, length: usize) -> usize {
        self.size.min((length + 2 * self.padding).saturating_sub(position * self.stride))
    }

    /// The elements of a line of `length` that the window at `position` covers.
    pub(super) fn elements(self, position: usize, length: usize) -> impl Iterator<Item = usize> + Clone {
        let (start, Window { size, padding, dilation, .. }) = (position * self.stride, self);
        // What lies in the padding is left out without a look at each: a window may have many times what a line has.
        let first = padding.saturating_sub(start).div_ceil(dilation);
        let end = (length + padding).saturating_sub(start).div_ceil(dilation).min(size);
        (first..end).map(move |i| start + i * dilation - padding)
    }
}

/// Refuses planes without elements, which no window covers.
pub(super) fn check_planes(shape: &Shape, planes: &Planes) -> Result<()> {
    if planes.area() == 0 { Err(OpError::Shape(format!("{shape} has empty planes"))) } else { Ok(()) }
}

/// How an operator rounds coordinates between pixels: to single precision, but for tensors of doubles.
pub(super) fn rounding(dtype: DType) -> fn(f64) -> f64 {
    #[expect(clippy::cast_possible_truncation, reason = "this is the rounding")]
    if dtype == DType::F64 { |x| x } else { |x| f64::from(x as f32) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_window_begins_inside() {
        let window = Window { size: 2, stride: 2, padding: 1, dilation: 1 };
        // Windows begin at −1, 1, 3 and 5: the last begins in the padding after 5 elements.
        assert_eq!(window.positions(5, false).unwrap(), 3);
        assert_eq!(window.positions(5, true).unwrap(), 3);
        assert_eq!(window.positions(6, true).unwrap(), 4);
        assert!(Window { size: 9, ..window }.positions(5, false).is_err());
    }

    #[test]
    fn windows_cover_what_lies_within_the_line() {
        for (size, padding, dilation) in [(3, 1, 1), (3, 2, 2), (5, 2, 1), (2, 0, 3), (4, 4, 3)] {
            let window = Window { size, stride: 2, padding, dilation };
            for (length, position) in (1..9).flat_map(|length| (0..6).map(move |position| (length, position))) {
                let places = (0..size).map(|i| position * 2 + i * dilation);
                let within = places.filter(|&at| at >= padding && at < padding + length).map(|at| at - padding);
                let expected: Vec<_> = within.collect();
                assert_eq!(
                    window.elements(position, length).collect::<Vec<_>>(),
                    expected,
                    "{size} {length} {position}"
                );
            }
        }
    }

    #[test]
    fn padding_of_many_times_the_line_takes_no_time() {
        let window = Window { size: 1 << 28, stride: 1, padding: 1 << 27, dilation: 1 };
        assert!((0..1 << 20).all(|position| window.elements(position, 1 << 20).next() == Some(0)));
    }
}
