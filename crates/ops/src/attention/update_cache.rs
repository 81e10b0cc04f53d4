//! `update_cache`: writes rows into a cache, from a row on that may be known only at the call.

use pteron_tensor::{DType, HostTensor, Shape};

use crate::args::{Args, Described};
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::cache_write;
use crate::plan::{PlanContext, Tensor, word};
use crate::sym::{RowRange, Scalar};

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("update_cache.default", plan, reference).portable("llama::update_cache.out").writes(&[1])];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let (value, cache) = (cx.tensor(0)?, cx.tensor_mut(1)?);
    let range = rows(cx, &value, &cache, 2)?;
    cx.check_rows(range)?;
    // Nobody reads what the operator returns.
    cx.output(Shape::new(&[1])?)?;
    write(cx, value, cache, range)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (value, cache) = (cx.tensor(0)?, cx.tensor(1)?);
    let start = rows(cx, &value, &cache, 2)?.eval(cx.syms())?;
    cx.mutate(1, written(&value, &cache, start)?)?;
    cx.set(0, HostTensor::zeros(DType::F32, Shape::new(&[1])?))
}

/// The rows of a cache that `value` goes to, from the argument `start` on. Everything but the rows agrees.
pub(super) fn rows<T: Described>(cx: &Args<'_, T>, value: &T, cache: &T, start: usize) -> Result<RowRange> {
    let (from, to) = (value.shape(), cache.shape());
    if from.rank() < 2 || from.rank() != to.rank() || from.with(1, to[1])? != *to {
        return Err(OpError::Shape(format!("rows of {from} do not fit a cache of {to}")));
    }
    if value.dtype() != cache.dtype() {
        return Err(OpError::DType { dtype: value.dtype(), what: format!("a cache of {}", cache.dtype()) });
    }
    Ok(RowRange { what: "the cache", start: cx.int_arg(start)?, rows: from[1], limit: to[1] })
}

/// Plans the write of `value` into its rows of `cache`.
pub(super) fn write(cx: &mut PlanContext<'_>, value: Tensor, cache: Tensor, range: RowRange) -> Result<()> {
    let row: usize = cache.shape[2..].iter().product();
    let params = cache_write::Params {
        count: word(value.numel()),
        row: word(row),
        value_rows: word(range.rows * row),
        cache_rows: word(range.limit * row),
    };
    let call = cache_write::Call { start: Scalar::Int(range.start) };
    let variant = cache_write::Variant { t: cache.dtype.try_into()? };
    cx.dispatch(cache_write::Bind { value, cache, params, call }, variant)
        .traffic(2 * value.bytes())
        .threads(value.numel())
}

/// The cache with `value` written from row `start` on.
pub(super) fn written(value: &HostTensor, cache: &HostTensor, start: usize) -> Result<HostTensor> {
    let row = cache.shape()[2..].iter().product::<usize>() * cache.dtype().size();
    let (value_rows, cache_rows) = (value.shape()[1] * row, cache.shape()[1] * row);
    let mut bytes = cache.bytes().to_vec();
    if value_rows > 0 {
        for (from, to) in value.bytes().chunks(value_rows).zip(bytes.chunks_mut(cache_rows)) {
            to[start * row..][..value_rows].copy_from_slice(from);
        }
    }
    Ok(HostTensor::with_shape(cache.dtype(), *cache.shape(), bytes)?)
}
