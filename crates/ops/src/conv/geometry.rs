//! What a convolution reads where: its sizes and the way from a place of the result to an element of the input.

use pteron_tensor::Shape;

use crate::args::{Args, Described};
use crate::error::{OpError, Result};
use crate::kernels::types;
use crate::plan::word;

/// The sizes of a convolution. Spatial sizes are (depth, height, width), with leading ones where it has fewer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Geometry {
    pub(super) batch: usize,
    pub(super) groups: usize,
    /// Input channels of a group.
    pub(super) in_group: usize,
    /// Output channels of a group.
    pub(super) out_group: usize,
    pub(super) transposed: bool,
    pub(super) input: [usize; 3],
    pub(super) kernel: [usize; 3],
    pub(super) result: [usize; 3],
    pub(super) stride: [usize; 3],
    pub(super) padding: [usize; 3],
    pub(super) dilation: [usize; 3],
    /// The shape of the result.
    pub(super) output: Shape,
}

/// How the elements of a weight lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WeightForm {
    /// As programs have it: output channels, input channels of a group, taps; both channels swapped where it is transposed.
    Plain,
    /// As tiles read it: output channels, taps, input channels of a group filled up to a multiple of four.
    Arranged { in_group: usize },
}

/// Groups with fewer output channels than this leave most of a tile empty.
const TILED_CHANNELS: usize = 8;

/// No padded size reaches this: kernels find positions in 32-bit arithmetic.
const LIMIT: usize = 1 << 30;

impl Geometry {
    /// Reads `input, weight, bias?, stride, padding, dilation, transposed, output_padding, groups`.
    pub(super) fn new<T: Described>(cx: &Args<'_, T>, form: WeightForm) -> Result<Geometry> {
        let (input, weight) = (cx.tensor(0)?, cx.tensor(1)?);
        let (input, weight) = (*input.shape(), *weight.shape());
        let wrong = |what: &str| OpError::Shape(format!("convolution of {input} with {weight}: {what}"));
        let &[batch, in_channels, ref sizes @ ..] = &*input else { return Err(wrong("ranks below 3")) };
        let (weight_0, weight_1, kernel) = match (form, &*weight) {
            (WeightForm::Plain, &[first, second, ref kernel @ ..]) => (first, second, kernel),
            (WeightForm::Arranged { .. }, &[first, ref kernel @ .., last]) => (first, last, kernel),
            _ => return Err(wrong("ranks below 3")),
        };
        let rank = sizes.len();
        if rank != kernel.len() || kernel.contains(&0) {
            return Err(wrong("input and kernel differ in rank, or the kernel is empty"));
        }
        if !(1..=3).contains(&rank) {
            return Err(OpError::Unsupported(format!("a convolution over {rank} dimensions")));
        }
        let list = |index: usize, least: usize| -> Result<[usize; 3]> {
            let values = cx.ints(index)?;
            let mut spatial = [least; 3];
            for (d, slot) in spatial[3 - rank..].iter_mut().enumerate() {
                let value = if values.len() == 1 { values.first() } else { values.get(d) };
                let size = value.and_then(|&value| usize::try_from(value).ok());
                *slot = size
                    .filter(|&size| (least..LIMIT).contains(&size))
                    .ok_or_else(|| wrong("stride, padding or dilation out of range"))?;
            }
            Ok(spatial)
        };
        let (stride, padding, dilation) = (list(3, 1)?, list(4, 0)?, list(5, 1)?);
        let (transposed, extra) = (cx.bool(6)?, list(7, 0)?);
        let groups = usize::try_from(cx.int(8)?).ok().filter(|&groups| groups > 0).ok_or_else(|| wrong("no groups"))?;
        let (out_channels, fits) = match form {
            WeightForm::Plain if transposed => (weight_1.saturating_mul(groups), weight_0 == in_channels),
            WeightForm::Plain => (weight_0, weight_1.saturating_mul(groups) == in_channels),
            WeightForm::Arranged { in_group } => {
                let fits = in_group.saturating_mul(groups) == in_channels && weight_1 == in_group.next_multiple_of(4);
                (weight_0, fits)
            }
        };
        if !fits || out_channels % groups != 0 || in_channels % groups != 0 {
            return Err(wrong("channels and groups do not agree"));
        }
        let (input, kernel) = (spatial(sizes), spatial(kernel));
        let mut result = [1; 3];
        for d in 0..3 {
            let reach = dilation[d].saturating_mul(kernel[d] - 1).saturating_add(1);
            let (room, size) = if transposed {
                let steps = input[d].checked_sub(1).ok_or_else(|| wrong("the input is empty"))?;
                let room = steps.saturating_mul(stride[d]).saturating_add(reach).saturating_add(extra[d]);
                (room, room.checked_sub(2 * padding[d]))
            } else {
                let room = input[d].saturating_add(2 * padding[d]);
                (room, room.checked_sub(reach).map(|room| room / stride[d] + 1))
            };
            if room >= LIMIT || reach >= LIMIT {
                return Err(wrong("sizes out of range"));
            }
            result[d] = size.ok_or_else(|| wrong("the kernel is larger than the padded input"))?;
        }
        let output: Vec<_> = [batch, out_channels].into_iter().chain(result[3 - rank..].iter().copied()).collect();
        Ok(Geometry {
            batch,
            groups,
            in_group: in_channels / groups,
            out_group: out_channels / groups,
            transposed,
            input,
            kernel,
            result,
            stride,
            padding,
            dilation,
            output: Shape::new(&output)?,
        })
    }

    /// Elements of one channel of the input.
    pub(super) fn area(&self) -> usize {
        self.input.iter().product()
    }

    /// Elements of the kernel between two channels.
    pub(super) fn taps(&self) -> usize {
        self.kernel.iter().product()
    }

    /// Elements of one channel of the result.
    pub(super) fn places(&self) -> usize {
        self.result.iter().product()
    }

    /// Whether each place of the result reads the one place of the input under it.
    pub(super) fn is_pointwise(&self) -> bool {
        !self.transposed && self.taps() == 1 && self.stride == [1; 3] && self.padding == [0; 3]
    }

    /// Whether each output channel reads one input channel through a kernel that the kernel for this is made for.
    pub(super) fn is_depthwise(&self) -> bool {
        let ([depth, height, width], [_, down, across]) = (self.kernel, self.stride);
        !self.transposed
            && self.in_group == 1
            && self.out_group < TILED_CHANNELS
            && (self.input[0], self.padding[0], depth) == (1, 0, 1)
            && self.area() > 0
            && height == width
            && matches!(width, 3 | 5 | 7)
            && down == across
            && matches!(down, 1 | 2)
            && self.dilation[1..] == [1, 1]
    }

    /// Whether it is computed in tiles.
    pub(super) fn is_tiled(&self) -> bool {
        self.out_group >= TILED_CHANNELS
    }

    /// Input channels of a group, filled up to a multiple of four.
    pub(super) fn padded_group(&self) -> usize {
        self.in_group.next_multiple_of(4)
    }

    /// Whether a plain weight lies as an arranged one does.
    pub(super) fn is_arranged(&self) -> bool {
        !self.transposed && self.taps() == 1 && self.padded_group() == self.in_group
    }

    /// The weight of a tap between two channels of a group.
    pub(super) fn weight(
        &self,
        form: WeightForm,
        group: usize,
        out_channel: usize,
        in_channel: usize,
        tap: usize,
    ) -> usize {
        if form != WeightForm::Plain {
            let channel = group * self.out_group + out_channel;
            return (channel * self.taps() + tap) * self.padded_group() + in_channel;
        }
        let line = if self.transposed {
            (group * self.in_group + in_channel) * self.out_group + out_channel
        } else {
            (group * self.out_group + out_channel) * self.in_group + in_channel
        };
        line * self.taps() + tap
    }

    /// The input element within a channel that a kernel tap meets at a place of the result, where it is not padding.
    pub(super) fn source(&self, mut place: usize, mut tap: usize) -> Option<usize> {
        let (mut source, mut step) = (0, 1);
        for d in (0..3).rev() {
            let (at, k) = (place % self.result[d], tap % self.kernel[d]);
            place /= self.result[d];
            tap /= self.kernel[d];
            let coordinate = if self.transposed {
                let from = (at + self.padding[d]).checked_sub(k * self.dilation[d])?;
                if from % self.stride[d] != 0 {
                    return None;
                }
                from / self.stride[d]
            } else {
                (at * self.stride[d] + k * self.dilation[d]).checked_sub(self.padding[d])?
            };
            if coordinate >= self.input[d] {
                return None;
            }
            source += coordinate * step;
            step *= self.input[d];
        }
        Some(source)
    }

    /// The geometry as kernels read it.
    pub(super) fn params(&self) -> types::Convolution {
        types::Convolution {
            input: self.input.map(word),
            batch: word(self.batch),
            kernel: self.kernel.map(word),
            groups: word(self.groups),
            result: self.result.map(word),
            in_group: word(self.in_group),
            stride: self.stride.map(word),
            out_group: word(self.out_group),
            padding: self.padding.map(word),
            padded_group: word(self.padded_group()),
            dilation: self.dilation.map(word),
        }
    }
}

/// Whether a convolution with a plain weight of this shape should have an arranged one where it can.
pub fn wants_arranged(weight: &Shape, groups: usize, transposed: bool) -> bool {
    let &[first, second, ref kernel @ ..] = &**weight else { return false };
    let out_group = if transposed { second } else { first.checked_div(groups).unwrap_or(0) };
    out_group >= TILED_CHANNELS && (transposed || kernel.iter().any(|&size| size > 1))
}

/// One to three sizes as (depth, height, width).
fn spatial(sizes: &[usize]) -> [usize; 3] {
    let mut spatial = [1; 3];
    let first = spatial.len().saturating_sub(sizes.len());
    spatial[first..].copy_from_slice(sizes);
    spatial
}

#[cfg(test)]
mod tests {
    use pteron_tensor::{DType, HostTensor};

    use super::*;
    use crate::args::Arg;

    /// Stride, padding and dilation, whether it is transposed, output padding, groups.
    type Options = (i64, i64, i64, bool, i64, i64);

    fn geometry(input: &[usize], weight: &[usize], options: Options) -> Result<Geometry> {
        let tensor = |dims| Arg::Tensor(HostTensor::zeros(DType::F32, Shape::new(dims).unwrap()));
        let list = |value| Arg::List(vec![Arg::Int(value)]);
        let (stride, padding, dilation, transposed, extra, groups) = options;
        let options = [list(stride), list(padding), list(dilation), Arg::Bool(transposed), list(extra)];
        let args = [tensor(input), tensor(weight), Arg::Null].into_iter().chain(options).chain([Arg::Int(groups)]);
        Geometry::new(&Args::new(args.collect(), &[]), WeightForm::Plain)
    }

    #[test]
    fn results_have_the_sizes_of_pytorch() {
        let sizes = |input: &[usize], weight: &[usize], options| geometry(input, weight, options).unwrap().output;
        assert_eq!(*sizes(&[2, 3, 9, 8], &[5, 3, 3, 2], (2, 1, 1, false, 0, 1)), [2, 5, 5, 5]);
        assert_eq!(*sizes(&[1, 4, 10], &[6, 2, 3], (1, 0, 3, false, 0, 2)), [1, 6, 4]);
        assert_eq!(*sizes(&[1, 3, 4, 5], &[3, 2, 3, 3], (2, 1, 1, true, 1, 1)), [1, 2, 8, 10]);
        assert_eq!(*sizes(&[1, 1, 2, 3, 4], &[1, 1, 1, 1, 1], (1, 1, 1, false, 0, 1)), [1, 1, 4, 5, 6]);
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let plain = (1, 0, 1, false, 0, 1);
        let cases: &[(&[usize], &[usize], Options, &str)] = &[
            (&[3, 4], &[5, 3], plain, "a convolution over 0 dimensions"),
            (&[3], &[5, 3, 3], plain, "ranks below 3"),
            (&[1, 3, 8], &[5, 3, 3, 3], plain, "differ in rank"),
            (&[1, 3, 8], &[5, 2, 3], plain, "channels and groups do not agree"),
            (&[1, 4, 8], &[5, 2, 3], (1, 0, 1, false, 0, 2), "channels and groups do not agree"),
            (&[1, 3, 8], &[5, 3, 3], (1, 0, 1, false, 0, 0), "no groups"),
            (&[1, 3, 8], &[5, 3, 3], (0, 0, 1, false, 0, 1), "stride, padding or dilation out of range"),
            (&[1, 3, 8], &[5, 3, 3], (1, -1, 1, false, 0, 1), "stride, padding or dilation out of range"),
            (&[1, 3, 8], &[5, 3, 9], plain, "the kernel is larger than the padded input"),
            (&[1, 3, 8], &[3, 5, 3], (1, 9, 1, true, 0, 1), "the kernel is larger than the padded input"),
            (&[1, 3, 8], &[5, 3, 3], (1, (1 << 30) - 1, 1, false, 0, 1), "sizes out of range"),
            (&[1, 1, 2, 2, 2, 2], &[1, 1, 1, 1, 1, 1], plain, "a convolution over 4 dimensions"),
        ];
        for &(input, weight, options, what) in cases {
            let error = geometry(input, weight, options).unwrap_err().to_string();
            assert!(error.contains(what), "{input:?} with {weight:?}, {options:?}: {error}");
        }
    }
}
