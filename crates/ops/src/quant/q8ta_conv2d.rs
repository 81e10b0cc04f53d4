//! Convolutions of images of 8-bit integers: `et_vk.q8ta_conv2d`, `_pw` (1×1), `_dw` (one channel per group) and
//! `_transposed`.
//!
//! Products of integers are added exactly. The sums of weights in the program are not read: padding stands for 0, so
//! the part of a kernel that meets it is skipped, zero point and all.

use pteron_tensor::{DType, HostTensor, Shape};

use super::q8ta::{Bias, Finish, check_byte, check_columns, check_lengths};
use super::weight::floats;
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::q8ta_conv2d;
use crate::plan::{PlanContext, Tensor, word};

const DEPTHWISE: &str = "et_vk.q8ta_conv2d_dw.default";
const TRANSPOSED: &str = "et_vk.q8ta_conv2d_transposed.default";

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("et_vk.q8ta_conv2d.default", plan, reference).accuracy(Accuracy::Step),
    OpDef::tensor(DEPTHWISE, plan, reference).accuracy(Accuracy::Step),
    OpDef::tensor("et_vk.q8ta_conv2d_pw.default", plan, reference).accuracy(Accuracy::Step),
    OpDef::tensor(TRANSPOSED, plan, reference).accuracy(Accuracy::Step),
];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    Conv::read(cx, cx.name(), cx.output_type(0)?)?.plan(cx)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let conv = Conv::read(cx, cx.name(), cx.output_type(0)?)?;
    conv.evaluate(cx)
}

/// The tensors and sizes of a convolution, checked against each other. Pairs are height and width.
pub(super) struct Conv<T> {
    input: T,
    weight: T,
    scales: T,
    bias: Option<T>,
    finish: Finish,
    output: Shape,
    transposed: bool,
    batch: usize,
    in_channels: usize,
    out_channels: usize,
    group_inputs: usize,
    group_outputs: usize,
    in_size: [usize; 2],
    out_size: [usize; 2],
    kernel: [usize; 2],
    stride: [usize; 2],
    padding: [usize; 2],
    dilation: [usize; 2],
    /// Distance in the weight from one output channel to the next.
    weight_row: usize,
    /// Distance in the weight from one tap of the kernel to the next; the inputs of a group lie side by side.
    weight_tap: usize,
}

/// What a convolution is, apart from its tensors. Pairs are height and width.
pub(super) struct Geometry {
    pub(super) kind: Kind,
    pub(super) kernel: [usize; 2],
    pub(super) stride: [usize; 2],
    /// Before and after the image.
    pub(super) padding: [[usize; 2]; 2],
    pub(super) dilation: [usize; 2],
    /// What a transposed one has more at the end.
    pub(super) extra: [usize; 2],
    pub(super) groups: usize,
}

/// A kind of convolution, by its weight.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Output channels, each a row of taps with the input channels of a group side by side.
    Plain,
    /// Taps of all output channels; a group has one input channel.
    Depthwise,
    /// Transposed; the weight as in a plain one.
    Transposed,
}

impl Conv<Tensor> {
    /// Dispatches the convolution.
    pub(super) fn plan(self, cx: &mut PlanContext<'_>) -> Result<()> {
        let output = cx.output(self.output)?;
        let pair = |values: [usize; 2]| values.map(word);
        let [low, high] = self.finish.bounds();
        let params = q8ta_conv2d::Params {
            in_size: pair(self.in_size),
            out_size: pair(self.out_size),
            kernel: pair(self.kernel),
            stride: pair(self.stride),
            padding: pair(self.padding),
            dilation: pair(self.dilation),
            count: word(output.numel()),
            in_channels: word(self.in_channels),
            out_channels: word(self.out_channels),
            group_inputs: word(self.group_inputs),
            group_outputs: word(self.group_outputs),
            weight_row: word(self.weight_row),
            weight_tap: word(self.weight_tap),
            input_zero: self.finish.input_zero,
            input_scale: self.finish.input_scale,
            inverse_scale: self.finish.inverse_scale,
            zero: self.finish.zero,
            least: self.finish.least,
            low,
            high,
        };
        let (scales, bias) = (self.scales, self.bias.unwrap_or(self.scales));
        let variant = q8ta_conv2d::Variant {
            s: scales.dtype.try_into()?,
            bias: self.bias.map_or(q8ta_conv2d::Bias::None, |bias| match bias.dtype {
                DType::I32 => q8ta_conv2d::Bias::Integer,
                _ => q8ta_conv2d::Bias::Float,
            }),
            transposed: self.transposed,
            planes: self.out_size.iter().product::<usize>() % 4 == 0,
        };
        cx.dispatch(q8ta_conv2d::Bind { input: self.input, weight: self.weight, scales, bias, output, params }, variant)
            .threads(output.numel().div_ceil(4))
    }
}

impl Conv<HostTensor> {
    /// The convolution in plain Rust.
    pub(super) fn evaluate(&self, cx: &mut Eval<'_>) -> Result<()> {
        let (x, w): (&[i8], &[i8]) = (self.input.as_slice()?, self.weight.as_slice()?);
        let (scales, bias) = (floats(&self.scales), Bias::of(self.bias.as_ref()));
        let [out_height, out_width] = self.out_size;
        let mut values = Vec::with_capacity(self.output.numel());
        for plane in 0..self.batch * self.out_channels {
            let (image, channel) = (plane / self.out_channels, plane % self.out_channels);
            for place in 0..out_height * out_width {
                cx.clock().count(self.kernel[0] * self.kernel[1] * self.group_inputs)?;
                let sum = self.sum(x, w, image, channel, [place / out_width, place % out_width]);
                values.push(self.finish.of(sum, scales[channel], &bias, channel, DType::I8));
            }
        }
        cx.set(0, HostTensor::from_f64s(DType::I8, self.output, values)?)
    }
}

/// Two sizes for height and width; one stands for both.
pub(super) fn pair<T: Described>(cx: &Args<'_, T>, index: usize, least: usize) -> Result<[usize; 2]> {
    let values = cx.ints(index)?;
    let list: Vec<usize> = values.iter().filter_map(|&value| usize::try_from(value).ok()).collect();
    match list[..] {
        [y, x] if y.min(x) >= least && y.max(x) < LIMIT => Ok([y, x]),
        [both] if both >= least && both < LIMIT => Ok([both, both]),
        _ => Err(OpError::Shape(format!("{values:?} are no size, stride, padding or dilation of a convolution"))),
    }
}

/// Sizes, strides, paddings and dilations are smaller.
pub(super) const LIMIT: usize = 1 << 24;

impl<T: Described> Conv<T> {
    fn read(cx: &Args<'_, T>, name: &str, output: DType) -> Result<Conv<T>> {
        let (input, weight, scales, bias) = (cx.tensor(0)?, cx.tensor(3)?, cx.tensor(5)?, cx.opt_tensor(8)?);
        if output != DType::I8 {
            return Err(OpError::DType { dtype: output, what: format!("the output of {name}") });
        }
        let kind = match name {
            TRANSPOSED => Kind::Transposed,
            DEPTHWISE => Kind::Depthwise,
            _ => Kind::Plain,
        };
        let (kernel, stride, padding) = (pair(cx, 9, 1)?, pair(cx, 10, 1)?, pair(cx, 11, 0)?);
        let shift = usize::from(kind == Kind::Transposed);
        let extra = if kind == Kind::Transposed { pair(cx, 12, 0)? } else { [0, 0] };
        let dilation = pair(cx, 12 + shift, 1)?;
        let groups = usize::try_from(cx.int(13 + shift)?).unwrap_or(0);
        let finish = Finish::to_byte(cx, [6, 7], 14 + shift)?;
        check_columns(&scales, bias.as_ref())?;
        let geometry = Geometry { kind, kernel, stride, padding: [padding; 2], dilation, extra, groups };
        Conv::new([input, weight, scales], bias, &geometry, finish)
    }

    /// Checks that the tensors fit each other and the geometry.
    pub(super) fn new(
        [input, weight, scales]: [T; 3],
        bias: Option<T>,
        geometry: &Geometry,
        finish: Finish,
    ) -> Result<Conv<T>> {
        let &Geometry { kind, kernel, stride, padding, dilation, extra, groups } = geometry;
        let wrong = |what: &str| {
            OpError::Shape(format!("{what} in a convolution of {} with {}", input.shape(), weight.shape()))
        };
        let transposed = kind == Kind::Transposed;
        check_byte(&input, "the input")?;
        check_byte(&weight, "the weight")?;
        let &[batch, in_channels, height, width] = &**input.shape() else {
            return Err(wrong("the input is no batch of images"));
        };
        if groups == 0 {
            return Err(wrong("no groups"));
        }
        let taps = kernel[0] * kernel[1];
        let group_inputs = in_channels / groups;
        let (out_channels, weight_row, weight_tap, whole) = match (kind, &**weight.shape()) {
            (Kind::Depthwise, &[rows, columns, channels] | &[1, rows, columns, channels]) => {
                // Bytes of channels that the exporter pads belong to no group.
                let used = if weight.shape().rank() == 3 { groups } else { channels };
                (used, 1, channels, [rows, columns] == kernel && channels >= used && group_inputs == 1)
            }
            (Kind::Plain | Kind::Transposed, &[channels, ref row @ ..]) if !row.is_empty() => {
                let row = row.iter().product::<usize>();
                (channels, row, group_inputs, row >= taps.saturating_mul(group_inputs))
            }
            _ => return Err(wrong("the weight is no matrix")),
        };
        if !whole || in_channels % groups != 0 || out_channels % groups != 0 {
            return Err(wrong("channels, kernel and groups do not agree"));
        }
        check_lengths(out_channels, &scales, bias.as_ref())?;

        let in_size = [height, width];
        let mut out_size = [0; 2];
        for d in 0..2 {
            let reach = dilation[d] * (kernel[d] - 1) + 1;
            let around = padding[0][d] + padding[1][d];
            let size = if transposed {
                let spread = in_size[d].checked_sub(1).map(|last| last * stride[d] + reach + extra[d]);
                spread.and_then(|spread| spread.checked_sub(around))
            } else {
                (in_size[d] + around).checked_sub(reach).map(|room| room / stride[d] + 1)
            };
            out_size[d] = size.ok_or_else(|| wrong("the kernel is larger than the padded input"))?;
        }
        let output = Shape::new(&[batch, out_channels, out_size[0], out_size[1]])?;
        let group_outputs = out_channels / groups;
        Ok(Conv {
            input,
            weight,
            scales,
            bias,
            finish,
            output,
            transposed,
            batch,
            in_channels,
            out_channels,
            group_inputs,
            group_outputs,
            in_size,
            out_size,
            kernel,
            stride,
            padding: padding[0],
            dilation,
            weight_row,
            weight_tap,
        })
    }

    /// The pixel that a tap of the kernel meets at a place of the output, where it is not padding.
    fn source(&self, place: usize, tap: usize, d: usize) -> Option<usize> {
        let source = if self.transposed {
            let from = (place + self.padding[d]).checked_sub(tap * self.dilation[d])?;
            if from % self.stride[d] != 0 {
                return None;
            }
            from / self.stride[d]
        } else {
            (place * self.stride[d] + tap * self.dilation[d]).checked_sub(self.padding[d])?
        };
        (source < self.in_size[d]).then_some(source)
    }

    fn sum(&self, x: &[i8], w: &[i8], image: usize, channel: usize, place: [usize; 2]) -> i64 {
        let [height, width] = self.in_size;
        let first_input = image * self.in_channels + channel / self.group_outputs * self.group_inputs;
        let mut sum = 0;
        for tap in 0..self.kernel[0] * self.kernel[1] {
            let y = self.source(place[0], tap / self.kernel[1], 0);
            let (Some(y), Some(column)) = (y, self.source(place[1], tap % self.kernel[1], 1)) else { continue };
            for input in 0..self.group_inputs {
                let pixel = x[((first_input + input) * height + y) * width + column];
                let weight = w[channel * self.weight_row + tap * self.weight_tap + input];
                sum += i64::from(i32::from(pixel) - self.finish.input_zero) * i64::from(weight);
            }
        }
        sum
    }
}
