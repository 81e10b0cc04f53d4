//! `aten.any`: whether some element is not zero.

use pteron_tensor::{DType, HostTensor};

use super::walk::Reduction;
use crate::args::{Args, Described};
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::any;
use crate::plan::{PlanContext, word};

const ALL: &str = "aten.any.default";

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor(ALL, plan, reference).portable("aten::any.all_out"),
    OpDef::tensor("aten.any.dim", plan, reference).portable("aten::any.out"),
    OpDef::tensor("aten.any.dims", plan, reference).portable("aten::any.dims_out"),
];

fn read<T: Described>(name: &str, cx: &Args<'_, T>, output: DType) -> Result<(T, Reduction)> {
    let input = cx.tensor(0)?;
    if !matches!(output, DType::Bool | DType::U8) {
        return Err(OpError::DType { dtype: output, what: "a truth value".to_owned() });
    }
    let reduction = match name {
        ALL => Reduction::new(input.shape(), &[], false)?,
        _ => Reduction::read(cx, input.shape())?,
    };
    Ok((input, reduction))
}

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let (input, reduction) = read(cx.name(), cx, cx.output_type(0)?)?;
    let output = cx.output(reduction.output)?;
    let params = any::Params {
        kept: reduction.kept.meta(),
        reduced: reduction.reduced.meta(),
        outputs: word(output.numel()),
        count: word(reduction.reduced.count),
    };
    let variant = any::Variant { t: input.dtype.try_into()? };
    let overrides = any::Overrides { wg_size: if reduction.reduced.count > 512 { 256 } else { 64 } };
    cx.dispatch(any::Bind { input, output, params }, variant).overrides(overrides).rows(output.numel().div_ceil(4))
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (input, reduction) = read(cx.name(), cx, cx.output_type(0)?)?;
    let found = reduction.map(&input.to_f64s(), |terms| terms.fold(0, |found, x| found | i64::from(x != 0.0)));
    cx.set(0, HostTensor::from_i64s(DType::Bool, reduction.output, found)?)
}
