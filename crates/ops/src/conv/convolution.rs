//! `aten::convolution.out`: a convolution over any number of spatial dimensions, plain, grouped, dilated or transposed.

use pteron_tensor::Shape;

use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;

pub(crate) const OPS: &[OpDef] = &[OpDef::host("aten::convolution.out", reference).accuracy(Accuracy::Accumulated)];

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (input, weight, bias) = (cx.tensor(0)?, cx.tensor(1)?, cx.opt_tensor(2)?);
    let conv = Convolution::new(cx, input.shape(), weight.shape())?;
    if let Some(bias) = &bias
        && **bias.shape() != [conv.out_channels]
    {
        return Err(OpError::Shape(format!("a bias of {} does not fit {} channels", bias.shape(), conv.out_channels)));
    }
    let (x, w) = (input.to_f64s(), weight.to_f64s());
    let bias = bias.map(|bias| bias.to_f64s());
    let values = conv.run(&x, &w, bias.as_deref());
    cx.set_f64s(conv.output, values)
}

struct Convolution {
    batch: usize,
    in_channels: usize,
    out_channels: usize,
    groups: usize,
    transposed: bool,
    input: Vec<usize>,
    kernel: Vec<usize>,
    result: Vec<usize>,
    stride: Vec<usize>,
    padding: Vec<usize>,
    dilation: Vec<usize>,
    output: Shape,
}

impl Convolution {
    fn new(cx: &Eval<'_>, input: &Shape, weight: &Shape) -> Result<Convolution> {
        let wrong = |what: &str| OpError::Shape(format!("convolution of {input} with {weight}: {what}"));
        let (&[batch, in_channels, ref sizes @ ..], &[weight_0, weight_1, ref kernel @ ..]) = (&**input, &**weight)
        else {
            return Err(wrong("ranks below 3"));
        };
        if sizes.is_empty() || sizes.len() != kernel.len() || kernel.contains(&0) {
            return Err(wrong("input and kernel differ in rank, or the kernel is empty"));
        }
        let list = |index: usize, least: i64| -> Result<Vec<usize>> {
            let mut values = cx.ints(index)?;
            if values.len() == 1 {
                values = vec![values[0]; sizes.len()];
            }
            if values.len() != sizes.len() || values.iter().any(|&value| value < least || value > 1 << 30) {
                return Err(wrong("stride, padding or dilation out of range"));
            }
            values.into_iter().map(|value| usize::try_from(value).map_err(|_| wrong("size out of range"))).collect()
        };
        let (stride, padding, dilation) = (list(3, 1)?, list(4, 0)?, list(5, 1)?);
        let transposed = cx.bool(6)?;
        let extra = list(7, 0)?;
        let groups = usize::try_from(cx.int(8)?).ok().filter(|&groups| groups > 0).ok_or_else(|| wrong("no groups"))?;
        let (out_channels, expected_in) = if transposed {
            (weight_1.saturating_mul(groups), weight_0)
        } else {
            (weight_0, weight_1.saturating_mul(groups))
        };
        if expected_in != in_channels || out_channels % groups != 0 || in_channels % groups != 0 {
            return Err(wrong("channels and groups do not agree"));
        }
        let mut result = Vec::new();
        for d in 0..sizes.len() {
            let reach = dilation[d] * (kernel[d] - 1);
            let size = if transposed {
                (sizes[d].checked_sub(1).ok_or_else(|| wrong("empty input"))? * stride[d] + reach + 1 + extra[d])
                    .checked_sub(2 * padding[d])
            } else {
                (sizes[d] + 2 * padding[d]).checked_sub(reach + 1).map(|room| room / stride[d] + 1)
            };
            result.push(size.ok_or_else(|| wrong("the kernel is larger than the padded input"))?);
        }
        let mut output = vec![batch, out_channels];
        output.extend(&result);
        Ok(Convolution {
            batch,
            in_channels,
            out_channels,
            groups,
            transposed,
            input: sizes.to_vec(),
            kernel: kernel.to_vec(),
            result,
            stride,
            padding,
            dilation,
            output: Shape::new(&output)?,
        })
    }

    fn run(&self, x: &[f64], w: &[f64], bias: Option<&[f64]>) -> Vec<f64> {
        let (in_group, out_group) = (self.in_channels / self.groups, self.out_channels / self.groups);
        let (area, taps, places) =
            (self.input.iter().product::<usize>(), self.kernel.iter().product::<usize>(), self.result.iter().product());
        let mut values = Vec::with_capacity(self.output.numel());
        for n in 0..self.batch {
            for oc in 0..self.out_channels {
                let group = oc / out_group;
                for place in 0..places {
                    let mut sum = bias.map_or(0.0, |bias| bias[oc]);
                    for tap in 0..taps {
                        let Some(source) = self.source(place, tap) else { continue };
                        for ic in 0..in_group {
                            let channel = group * in_group + ic;
                            let weight = if self.transposed {
                                (channel * out_group + oc % out_group) * taps + tap
                            } else {
                                (oc * in_group + ic) * taps + tap
                            };
                            sum += x[(n * self.in_channels + channel) * area + source] * w[weight];
                        }
                    }
                    values.push(sum);
                }
            }
        }
        values
    }

    /// The input element that a kernel tap meets at an output place, where it is not padding.
    fn source(&self, mut place: usize, mut tap: usize) -> Option<usize> {
        let (mut source, mut step) = (0, 1);
        for d in (0..self.input.len()).rev() {
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
}
