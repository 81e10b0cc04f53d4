//! `et_vk.linear_q4gsw_backward`: the gradient of a layer's input through its frozen 4-bit weight.

use pteron_tensor::{HostTensor, Shape};

use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::linear_q4gsw_backward::{self, Load};
use crate::plan::{PlanContext, word};
use crate::quant::weight::{Code, Weight, floats};

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("et_vk.linear_q4gsw_backward.default", plan, reference).accuracy(Accuracy::Accumulated)];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let (gradient, weight, scales) = (cx.tensor(0)?, cx.tensor(1)?, cx.tensor(2)?);
    let Sizes { weight: sizes, rows, output } = Sizes::read(cx)?;
    let output = cx.output(output)?;
    let params = linear_q4gsw_backward::Params {
        rows: word(rows),
        columns: word(sizes.depth),
        depth: word(sizes.columns),
        row_bytes: word(sizes.row_bytes),
        group_size: word(sizes.group_size),
        scale_stride: word(sizes.scale_stride),
    };
    let tiles = |size: usize| (size as u64).div_ceil(64);
    let load = if sizes.row_bytes % 4 == 0 { Load::Word } else { Load::Any };
    let variant = linear_q4gsw_backward::Variant { t: output.dtype.try_into()?, load };
    let grid = [tiles(sizes.depth), tiles(rows), 1];
    cx.dispatch(linear_q4gsw_backward::Bind { gradient, weight, scales, output, params }, variant).groups(grid)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (gradient, weight, scales) = (cx.tensor(0)?, cx.tensor(1)?, cx.tensor(2)?);
    let Sizes { weight: sizes, rows, output } = Sizes::read(cx)?;
    let (gradient, scales) = (floats(&gradient), floats(&scales));
    let mut dequantized = vec![0.0; sizes.depth];
    let mut sums = vec![0.0; output.numel()];
    for column in 0..sizes.columns {
        sizes.dequantize(weight.bytes(), &scales, column, &mut dequantized);
        cx.clock().count(rows * sizes.depth)?;
        for row in 0..rows {
            let slope = f64::from(gradient[row * sizes.columns + column]);
            let sums = &mut sums[row * sizes.depth..][..sizes.depth];
            sums.iter_mut().zip(&dequantized).for_each(|(sum, &weight)| *sum += slope * f64::from(weight));
        }
    }
    let result = HostTensor::from_f64s(cx.output_type(0)?, output, sums)?;
    cx.set(0, result)
}

struct Sizes {
    weight: Weight,
    rows: usize,
    output: Shape,
}

impl Sizes {
    fn read<T: Described>(cx: &Args<'_, T>) -> Result<Sizes> {
        let (gradient, weight, scales) = (cx.tensor(0)?, cx.tensor(1)?, cx.tensor(2)?);
        let depth = weight.shape().last().map_or(0, |bytes| bytes * 2);
        let sizes = Weight::new(Code::LowNibbleFirst, &weight, &scales, Some(cx.int(3)?), depth)?;
        if gradient.dtype() != scales.dtype() || !gradient.dtype().is_float() {
            return Err(OpError::DType { dtype: gradient.dtype(), what: "a gradient".to_owned() });
        }
        match gradient.shape().split_last() {
            Some((&columns, outer)) if columns == sizes.columns => {
                let output = gradient.shape().with(gradient.shape().rank() - 1, depth)?;
                Ok(Sizes { weight: sizes, rows: outer.iter().product(), output })
            }
            _ => Err(OpError::Shape(format!(
                "a gradient of {} does not fit a weight of {}",
                gradient.shape(),
                weight.shape()
            ))),
        }
    }
}
