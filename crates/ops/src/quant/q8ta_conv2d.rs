//! Convolutions of images of 8-bit integers: `et_vk.q8ta_conv2d`, `_pw` (1×1), `_dw` (one channel per group) and
//! `_transposed`.
//!
//! Products of integers are added exactly. The sums of weights in the program are not read: padding stands for 0, so
//! the part of a kernel that meets it is skipped, zero point and all.

use pteron_tensor::{DType, HostTensor, Shape};

use super::q8ta::{Finish, check_byte, check_columns};
use super::weight::floats;
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::q8ta_conv2d;
use crate::plan::{PlanContext, word};

const DEPTHWISE: &str = "et_vk.q8ta_conv2d_dw.default";
const TRANSPOSED: &str = "et_vk.q8ta_conv2d_transposed.default";

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("et_vk.q8ta_conv2d.default", plan, reference).accuracy(Accuracy::Step),
    OpDef::tensor(DEPTHWISE, plan, reference).accuracy(Accuracy::Step),
    OpDef::tensor("et_vk.q8ta_conv2d_pw.default", plan, reference).accuracy(Accuracy::Step),
    OpDef::tensor(TRANSPOSED, plan, reference).accuracy(Accuracy::Step),
];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let conv = Conv::read(cx, cx.name(), cx.output_type(0)?)?;
    let output = cx.output(conv.output)?;
    let pair = |values: [usize; 2]| values.map(word);
    let params = q8ta_conv2d::Params {
        in_size: pair(conv.in_size),
        out_size: pair(conv.out_size),
        kernel: pair(conv.kernel),
        stride: pair(conv.stride),
        padding: pair(conv.padding),
        dilation: pair(conv.dilation),
        count: word(output.numel()),
        in_channels: word(conv.in_channels),
        out_channels: word(conv.out_channels),
        group_inputs: word(conv.group_inputs),
        group_outputs: word(conv.group_outputs),
        weight_row: word(conv.weight_row),
        weight_tap: word(conv.weight_tap),
        input_zero: conv.finish.input_zero,
        input_scale: conv.finish.input_scale,
        inverse_scale: conv.finish.inverse_scale,
        zero: conv.finish.zero,
        least: conv.finish.least,
    };
    let (scales, bias) = (conv.scales, conv.bias.unwrap_or(conv.scales));
    let variant = q8ta_conv2d::Variant {
        s: scales.dtype.try_into()?,
        bias: conv.bias.is_some(),
        transposed: conv.transposed,
        planes: conv.out_size.iter().product::<usize>() % 4 == 0,
    };
    cx.dispatch(q8ta_conv2d::Bind { input: conv.input, weight: conv.weight, scales, bias, output, params }, variant)
        .threads(output.numel().div_ceil(4))
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let conv = Conv::read(cx, cx.name(), cx.output_type(0)?)?;
    let (x, w): (&[i8], &[i8]) = (conv.input.as_slice()?, conv.weight.as_slice()?);
    let (scales, bias) = (floats(&conv.scales), conv.bias.as_ref().map(floats));
    let [out_height, out_width] = conv.out_size;
    let mut values = Vec::with_capacity(conv.output.numel());
    for plane in 0..conv.batch * conv.out_channels {
        let (image, channel) = (plane / conv.out_channels, plane % conv.out_channels);
        let bias = bias.as_ref().map_or(0.0, |bias| bias[channel]);
        for place in 0..out_height * out_width {
            let sum = conv.sum(x, w, image, channel, [place / out_width, place % out_width]);
            values.push(conv.finish.apply(sum, scales[channel], bias, DType::I8));
        }
    }
    cx.set(0, HostTensor::from_f64s(DType::I8, conv.output, values)?)
}

/// The tensors and sizes of a convolution, checked against each other. Pairs are height and width.
struct Conv<T> {
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

impl<T: Described> Conv<T> {
    fn read(cx: &Args<'_, T>, name: &str, output: DType) -> Result<Conv<T>> {
        let (input, weight, scales, bias) = (cx.tensor(0)?, cx.tensor(3)?, cx.tensor(5)?, cx.opt_tensor(8)?);
        let wrong = |what: &str| {
            OpError::Shape(format!("{what} in a convolution of {} with {}", input.shape(), weight.shape()))
        };
        let transposed = name == TRANSPOSED;
        check_byte(&input, "the input")?;
        check_byte(&weight, "the weight")?;
        if output != DType::I8 {
            return Err(OpError::DType { dtype: output, what: format!("the output of {name}") });
        }
        let &[batch, in_channels, height, width] = &**input.shape() else {
            return Err(wrong("the input is no batch of images"));
        };
        let pair = |index: usize, least: usize| -> Result<[usize; 2]> {
            let list: Vec<usize> =
                cx.ints(index)?.into_iter().filter_map(|value| usize::try_from(value).ok()).collect();
            match list[..] {
                [y, x] if y.min(x) >= least && y.max(x) < 1 << 24 => Ok([y, x]),
                [both] if both >= least && both < 1 << 24 => Ok([both, both]),
                _ => Err(wrong("a size, stride, padding or dilation is out of range")),
            }
        };
        let (kernel, stride, padding) = (pair(9, 1)?, pair(10, 1)?, pair(11, 0)?);
        let shift = usize::from(transposed);
        let extra = if transposed { pair(12, 0)? } else { [0, 0] };
        let dilation = pair(12 + shift, 1)?;
        let groups = usize::try_from(cx.int(13 + shift)?).ok().filter(|&groups| groups > 0);
        let groups = groups.ok_or_else(|| wrong("no groups"))?;
        let finish = Finish::to_byte(cx, [6, 7], 14 + shift)?;

        let taps = kernel[0] * kernel[1];
        let group_inputs = in_channels / groups;
        let (out_channels, weight_row, weight_tap, whole) = match (name == DEPTHWISE, &**weight.shape()) {
            (true, &[rows, columns, channels]) => {
                (groups, 1, channels, [rows, columns] == kernel && channels >= groups && group_inputs == 1)
            }
            (false, &[channels, row]) => (channels, row, group_inputs, row >= taps.saturating_mul(group_inputs)),
            _ => return Err(wrong("the weight is no matrix")),
        };
        if !whole || in_channels % groups != 0 || out_channels % groups != 0 {
            return Err(wrong("channels, kernel and groups do not agree"));
        }
        check_columns(out_channels, &scales, bias.as_ref())?;

        let in_size = [height, width];
        let mut out_size = [0; 2];
        for d in 0..2 {
            let reach = dilation[d] * (kernel[d] - 1) + 1;
            let size = if transposed {
                let spread = in_size[d].checked_sub(1).map(|last| last * stride[d] + reach + extra[d]);
                spread.and_then(|spread| spread.checked_sub(2 * padding[d]))
            } else {
                (in_size[d] + 2 * padding[d]).checked_sub(reach).map(|room| room / stride[d] + 1)
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
            padding,
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
