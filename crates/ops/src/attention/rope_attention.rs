//! `pteron.rope_attention`: `et_vk.apply_rotary_emb` and the `sdpa_with_kv_cache` that alone reads what it turned.
//!
//! Arguments 0 to 10 are those of `sdpa_with_kv_cache`, with queries and keys not yet turned. Then come the tables of
//! cosines and sines, and the bounds of the rows of both that count, as `slice_copy` takes them, or null for all rows.
//! One launch turns the queries, and writes turned keys and values into their caches; where a step has one query per head,
//! it is the launch that attends.

use pteron_tensor::{HostTensor, Shape};

use super::apply_rotary_emb::{Style, Turn, same_types};
use super::flash::{self, Tensors};
use super::sdpa_with_kv_cache as cached;
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::rotary_cache;
use crate::plan::{Plan, word};
use crate::sym::{IntArg, Scalar};

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("pteron.rope_attention.default", plan, reference).accuracy(Accuracy::Accumulated)];

fn plan(cx: &mut Plan<'_>) -> Result<()> {
    let (query, key, value) = (cx.tensor(0)?, cx.tensor(1)?, cx.tensor(2)?);
    let (key_cache, value_cache) = (cx.tensor_mut(3)?, cx.tensor_mut(4)?);
    let (cos, sin) = (cx.tensor(11)?, cx.tensor(12)?);
    let (range, attention) = cached::read(cx)?;
    let (turn, first) = read(cx)?;
    cx.check_rows(range)?;
    let output = cx.output(query.shape)?;
    let masked = !cx.is_null(7);
    if flash::turns_itself(&attention, masked) && turn.head_step == 0 && turn.width == attention.depth {
        let row_step = turn.row_step;
        let given = flash::Unturned { query, key, value, cos, sin, row_step, first };
        return flash::plan_turning(cx, &attention, given, [key_cache, value_cache], output);
    }
    let query_out = cx.scratch(query.dtype, query.shape)?;
    let params = rotary_cache::Params {
        queries: word(query.numel() / 2),
        keys: word(key.numel() / 2),
        query_heads: word(query.shape[2]),
        key_heads: word(key.shape[2]),
        rows: word(turn.rows),
        pairs: word(turn.width / 2),
        context: word(range.limit),
        row_step: word(turn.row_step),
        head_step: word(turn.head_step),
    };
    let call = rotary_cache::Call { first, start: Scalar::Int(range.start) };
    let variant = rotary_cache::Variant { t: query.dtype.try_into()?, f: cos.dtype.try_into()? };
    let bind = rotary_cache::Bind { query, key, value, cos, sin, query_out, key_cache, value_cache, params, call };
    cx.dispatch(bind, variant)
        .traffic(2 * (query.bytes() + key.bytes() + value.bytes()))
        .threads(query.numel() / 2 + key.numel())?;
    let tensors = Tensors { query: query_out, key: key_cache, value: value_cache, mask: cx.opt_tensor(7)? };
    flash::plan(cx, &attention, tensors, output)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (turn, first) = read(cx)?;
    let first = usize::try_from(first.eval(cx.syms())?).unwrap_or(0);
    let (cos, sin) = (cx.tensor(11)?.to_f64s(), cx.tensor(12)?.to_f64s());
    let turned =
        |input: HostTensor| HostTensor::from_f64s(input.dtype(), *input.shape(), turn.apply(&input, &cos, &sin, first));
    let (query, key) = (turned(cx.tensor(0)?)?, turned(cx.tensor(1)?)?);
    cached::attend(cx, &query, &key)
}

/// The turn, and the first row of the tables that counts.
fn read<T: Described>(cx: &Args<'_, T>) -> Result<(Turn, Scalar)> {
    let (query, key, cos, sin) = (cx.tensor(0)?, cx.tensor(1)?, cx.tensor(11)?, cx.tensor(12)?);
    same_types(&query, &key, &cos, &sin)?;
    if cos.shape() != sin.shape() {
        return Err(OpError::Shape(format!("tables of {} and {} are unlike", cos.shape(), sin.shape())));
    }
    let (angles, first) =
        if cx.is_null(13) { (*cos.shape(), Scalar::Int(IntArg::Known(0))) } else { sliced(cx, cos.shape())? };
    let turn = Turn::new(Style::Interleaved, [query.shape(), key.shape()], [&angles, &angles], IntArg::Known(0))?;
    Ok((turn, first))
}

/// The shape of the rows of a table that count, and the first of them. Only their number shapes the plan.
fn sliced<T: Described>(cx: &Args<'_, T>, table: &Shape) -> Result<(Shape, Scalar)> {
    let size = *table.first().ok_or_else(|| OpError::Shape("a rotary table has no rows".to_owned()))?;
    let (start, end) = (cx.int_arg(13)?, cx.int_arg(14)?);
    let rows = cx.slice_length(start, end, 1, size)?;
    Ok((table.with(0, rows)?, Scalar::SliceStart { start, size }))
}
