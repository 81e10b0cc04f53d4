//! `et_vk.q4gsw_requant`: float weights to the 4-bit codes of `linear_q4gsw`, with scales that stay.

use pteron_tensor::{DType, HostTensor, Shape};

use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::q4gsw_requant;
use crate::plan::{PlanContext, word};
use crate::quant::blocks::to_step;
use crate::quant::weight::floats;

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("et_vk.q4gsw_requant.default", plan, reference).accuracy(Accuracy::Exact)];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let (latent, scales) = (cx.tensor(0)?, cx.tensor(1)?);
    let Sizes { columns, group_size, scale_stride, output } = Sizes::read(cx, cx.output_type(0)?)?;
    let output = cx.output(output)?;
    let params = q4gsw_requant::Params {
        bytes: word(output.numel()),
        row_bytes: word(columns.div_ceil(2)),
        columns: word(columns),
        group_size: word(group_size),
        scale_stride: word(scale_stride),
    };
    let variant = q4gsw_requant::Variant { t: latent.dtype.try_into()? };
    cx.dispatch(q4gsw_requant::Bind { latent, scales, output, params }, variant).threads(output.numel().div_ceil(4))
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (latent, scales) = (cx.tensor(0)?, cx.tensor(1)?);
    let Sizes { columns, group_size, scale_stride, output } = Sizes::read(cx, cx.output_type(0)?)?;
    let (latent, scales) = (floats(&latent), floats(&scales));
    let mut bytes = Vec::with_capacity(output.numel());
    for (row, values) in latent.chunks(columns.max(1)).enumerate() {
        let code = |column: usize, value: f32| {
            let scale = scales[column / group_size * scale_stride + row];
            let step = if scale == 0.0 { 0 } else { to_step((value / scale).round_ties_even(), [-8, 7]) };
            u8::try_from(step + 8).unwrap_or(8)
        };
        for (pair, values) in values.chunks(2).enumerate() {
            let low = code(pair * 2, values[0]);
            let high = values.get(1).map_or(0, |&value| code(pair * 2 + 1, value));
            bytes.push(low | high << 4);
        }
    }
    cx.set(0, HostTensor::with_shape(DType::U8, output, bytes)?)
}

struct Sizes {
    columns: usize,
    group_size: usize,
    scale_stride: usize,
    output: Shape,
}

impl Sizes {
    fn read<T: Described>(cx: &Args<'_, T>, output: DType) -> Result<Sizes> {
        let (latent, scales, group_size) = (cx.tensor(0)?, cx.tensor(1)?, cx.int(2)?);
        for dtype in [latent.dtype(), scales.dtype()] {
            if !dtype.is_float() || dtype != latent.dtype() {
                return Err(OpError::DType { dtype, what: "weights to quantize".to_owned() });
            }
        }
        if output != DType::U8 {
            return Err(OpError::DType { dtype: output, what: "packed codes".to_owned() });
        }
        let wrong = || {
            let shapes = (latent.shape(), scales.shape());
            OpError::Shape(format!("scales of {} do not fit {} in groups of {group_size}", shapes.1, shapes.0))
        };
        let (&[rows, columns], &[groups, scale_stride]) = (&**latent.shape(), &**scales.shape()) else {
            return Err(wrong());
        };
        let group_size = usize::try_from(group_size).ok().filter(|&size| size > 0).ok_or_else(wrong)?;
        if groups.saturating_mul(group_size) < columns || scale_stride < rows {
            return Err(wrong());
        }
        Ok(Sizes { columns, group_size, scale_stride, output: Shape::new(&[rows, columns.div_ceil(2)])? })
    }
}
