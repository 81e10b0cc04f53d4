//! `aten.bucketize`: between which boundaries of a sorted list a number lies.

use pteron_tensor::{DType, HostTensor};

use crate::args::{Args, Described};
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::bucketize;
use crate::plan::{PlanContext, is_byte, word};
use crate::pointwise::number::Operand;
use crate::reduce::walk::flag;

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("aten.bucketize.Tensor", plan, reference).portable("aten::bucketize.Tensor_out"),
    OpDef::tensor("aten.bucketize.Scalar", plan, reference).portable("aten::bucketize.Scalar_out"),
];

/// The numbers, the boundaries, whether a boundary belongs to what is below it, and the type that they are compared in.
fn read<T: Described>(cx: &Args<'_, T>, output: DType) -> Result<(Operand<T>, T, bool, DType)> {
    let (input, boundaries) = (Operand::read(cx, 0)?, cx.tensor(1)?);
    if boundaries.shape().rank() != 1 || !matches!(output, DType::I32 | DType::I64) {
        return Err(OpError::Shape(format!("boundaries of {} for numbers of {output}", boundaries.shape())));
    }
    let types = [input.dtype(), Some(boundaries.dtype())].into_iter().flatten();
    let fraction = matches!(&input, Operand::Number(number) if !number.is_whole());
    let compared = match types.max() {
        Some(dtype) if dtype.is_float() => dtype,
        _ if fraction => DType::F32,
        Some(dtype) if is_byte(dtype) => DType::I32,
        Some(dtype) => dtype,
        None => DType::I64,
    };
    Ok((input, boundaries, flag(cx, 3)?, compared))
}

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let (input, boundaries, right, compared) = read(cx, cx.output_type(0)?)?;
    let input = input.place(cx, compared)?;
    let boundaries = Operand::Tensor(boundaries).place(cx, compared)?;
    let output = cx.output(input.shape)?;
    let params = bucketize::Params {
        numel: word(output.numel()),
        count: word(boundaries.numel()),
        right: u32::from(right),
        reverse: 0,
    };
    let variant = bucketize::Variant { t: compared.try_into()? };
    cx.dispatch(bucketize::Bind { input, boundaries, output, params }, variant).threads(output.numel())
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (input, boundaries, right, compared) = read::<HostTensor>(cx, cx.output_type(0)?)?;
    let shape = input.shape();
    let places: Vec<i64> = if compared.is_float() {
        let boundaries = boundaries.cast(compared).to_f64s();
        let below = |x: f64| boundaries.partition_point(|&b| x.is_nan() || if right { b <= x } else { b < x }) as i64;
        input.floats(compared, &shape).into_iter().map(below).collect()
    } else {
        let boundaries = boundaries.to_i64s();
        let below = |x: i64| boundaries.partition_point(|&b| if right { b <= x } else { b < x }) as i64;
        input.ints(compared, &shape).into_iter().map(below).collect()
    };
    cx.set(0, HostTensor::from_i64s(cx.output_type(0)?, shape, places)?)
}
