//! `update_cache`: writes rows into a cache, from a row on that may be known only at the call; and
//! `update_cache_with_indices`, which takes the number of each row from a tensor.

use pteron_tensor::{DType, HostTensor, Shape};

use crate::args::{Args, Described};
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::{cache_put, cache_write};
use crate::plan::{PlanContext, Tensor, word};
use crate::sym::{RowRange, Scalar};

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("update_cache.default", plan, reference).portable("llama::update_cache.out").writes(&[1]),
    OpDef::tensor("update_cache_with_indices.default", plan_indexed, reference_indexed)
        .portable("llama::update_cache_with_indices.out")
        .writes(&[1]),
];

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

fn plan_indexed(cx: &mut PlanContext<'_>) -> Result<()> {
    let (value, cache, indices) = (cx.tensor(0)?, cx.tensor_mut(1)?, cx.tensor(3)?);
    check_indices(&value, &cache, &indices)?;
    cx.check_indices(indices, cache.shape[1] as u64);
    cx.output(Shape::new(&[1])?)?;
    let (row, count) = cells(&value, &cache)?;
    let params = cache_put::Params {
        count: word(count),
        row: word(row),
        value_rows: word(value.shape[1] * row),
        limit: word(cache.shape[1]),
        node: cx.node(),
    };
    let variant = cache_put::Variant { t: cache.dtype.try_into()? };
    cx.dispatch(cache_put::Bind { value, cache, indices, params }, variant).traffic(2 * value.bytes()).threads(count)
}

fn reference_indexed(cx: &mut Eval<'_>) -> Result<()> {
    let (value, cache, indices) = (cx.tensor(0)?, cx.tensor(1)?, cx.tensor(3)?);
    check_indices(&value, &cache, &indices)?;
    let row = cache.shape()[2..].iter().product::<usize>() * cache.dtype().size();
    let (batch_rows, limit) = (value.shape()[1], cache.shape()[1]);
    let mut bytes = cache.bytes().to_vec();
    for (number, index) in indices.to_i64s().into_iter().enumerate() {
        let index = usize::try_from(index).ok().filter(|&index| index < limit);
        let index = index.ok_or_else(|| OpError::Shape(format!("a row beyond the {limit} of the cache")))?;
        let target = (number / batch_rows * limit + index) * row;
        bytes[target..target + row].copy_from_slice(&value.bytes()[number * row..(number + 1) * row]);
    }
    cx.mutate(1, HostTensor::with_shape(cache.dtype(), *cache.shape(), bytes)?)?;
    cx.set(0, HostTensor::zeros(DType::F32, Shape::new(&[1])?))
}

/// Asks for a row of the cache for each row of the value. Everything but the rows agrees.
fn check_indices<T: Described>(value: &T, cache: &T, indices: &T) -> Result<()> {
    check_rows(value, cache)?;
    if **indices.shape() != value.shape()[..2] {
        return Err(OpError::Shape(format!("{} numbers do not fit the rows of {}", indices.shape(), value.shape())));
    }
    if !indices.dtype().is_integer() {
        return Err(OpError::DType { dtype: indices.dtype(), what: "numbers of rows".to_owned() });
    }
    Ok(())
}

/// Asks that everything but the number of rows agrees.
fn check_rows<T: Described>(value: &T, cache: &T) -> Result<()> {
    let (from, to) = (value.shape(), cache.shape());
    if from.rank() < 2 || from.rank() != to.rank() || from.with(1, to[1])? != *to {
        return Err(OpError::Shape(format!("rows of {from} do not fit a cache of {to}")));
    }
    if value.dtype() != cache.dtype() {
        return Err(OpError::DType { dtype: value.dtype(), what: format!("a cache of {}", cache.dtype()) });
    }
    Ok(())
}

/// The rows of a cache that `value` goes to, from the argument `start` on. Everything but the rows agrees.
pub(super) fn rows<T: Described>(cx: &Args<'_, T>, value: &T, cache: &T, start: usize) -> Result<RowRange> {
    check_rows(value, cache)?;
    let (from, to) = (value.shape(), cache.shape());
    Ok(RowRange { what: "the cache", start: cx.int_arg(start)?, rows: from[1], limit: to[1] })
}

/// Plans the write of `value` into its rows of `cache`.
pub(super) fn write(cx: &mut PlanContext<'_>, value: Tensor, cache: Tensor, range: RowRange) -> Result<()> {
    let (row, count) = cells(&value, &cache)?;
    let params = cache_write::Params {
        count: word(count),
        row: word(row),
        value_rows: word(value.shape[1] * row),
        cache_rows: word(cache.shape[1] * row),
    };
    let call = cache_write::Call { start: Scalar::Int(range.start) };
    let variant = cache_write::Variant { t: cache.dtype.try_into()? };
    cx.dispatch(cache_write::Bind { value, cache, params, call }, variant).traffic(2 * value.bytes()).threads(count)
}

/// Elements, or words of bytes, in a row of a cache and in a value, which invocations own one by one.
fn cells(value: &Tensor, cache: &Tensor) -> Result<(usize, usize)> {
    let row: usize = cache.shape[2..].iter().product();
    let per_cell = if cache.dtype.size() == 1 { 4 } else { 1 };
    if !row.is_multiple_of(per_cell) {
        return Err(OpError::Unsupported(format!("a cache of {} whose rows of {row} are no whole words", cache.dtype)));
    }
    Ok((row / per_cell, value.numel() / per_cell))
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
