//! `pteron.rope_attention`: `et_vk.apply_rotary_emb` and the `sdpa_with_kv_cache` that alone reads what it turned.
//!
//! [`RopeAttention`] declares its arguments; those of `sdpa_with_kv_cache` come first, and the bounds of the tables' rows are
//! as `slice_copy` takes them. One launch turns the queries, and writes turned keys and values into their caches; where a step has one query per head,
//! it is the launch that attends.

use pteron_tensor::{HostTensor, Shape};

use super::apply_rotary_emb::{Style, Turn, same_types};
use super::flash::{self, Attention, Tensors};
use super::sdpa_with_kv_cache as cached;
use super::unturned::{self, Partial, Unturned, Way};
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::fused::arguments::{RopeAttention, RopeAttentionPositions};
use crate::kernels::rotary_cache;
use crate::plan::{PlanContext, Tensor, word};
use crate::sym::{IntArg, RowRange, Scalar};

pub(crate) const OPS: &[OpDef] =
    &[OpDef::fused(RopeAttention::NAME, plan, reference).accuracy(Accuracy::Accumulated).writes(&[3, 4])];

const AT: RopeAttentionPositions = RopeAttentionPositions::AT;
// `sdpa_with_kv_cache` reads its own arguments, where they stand for it.
const _: () = assert!(AT.start == 5 && AT.length == 6 && AT.mask == 7);
const _: () = assert!(AT.dropout == 8 && AT.causal == 9 && AT.scale == 10);

/// A step, as the arguments say.
pub(crate) struct Step {
    query: Tensor,
    key: Tensor,
    value: Tensor,
    caches: [Tensor; 2],
    cos: Tensor,
    sin: Tensor,
    range: RowRange,
    attention: Attention,
    turn: Turn,
    first: Scalar,
}

impl Step {
    pub(crate) fn read(cx: &mut PlanContext<'_>) -> Result<Step> {
        let (query, key, value) = (cx.tensor(AT.query)?, cx.tensor(AT.key)?, cx.tensor(AT.value)?);
        let caches = [cx.tensor_mut(AT.key_cache)?, cx.tensor_mut(AT.value_cache)?];
        let (cos, sin) = (cx.tensor(AT.cos)?, cx.tensor(AT.sin)?);
        let (range, attention) = cached::read(cx)?;
        let (turn, first) = read(cx)?;
        cx.check_rows(range)?;
        Ok(Step { query, key, value, caches, cos, sin, range, attention, turn, first })
    }

    /// How the launch that attends turns and writes too, where it can.
    fn way(&self, cx: &PlanContext<'_>) -> Option<Way> {
        let plain = self.turn.head_step == 0 && self.turn.width == self.attention.depth;
        let way = unturned::way(cx.caps(), &self.attention, self.turn.row_step, !cx.is_null(AT.mask));
        way.filter(|_| plain)
    }

    fn unturned(&self) -> Unturned {
        let &Step { query, key, value, cos, sin, first, .. } = self;
        Unturned { query, key, value, cos, sin, row_step: self.turn.row_step, first }
    }

    /// Plans the step in at least two parts of its keys and no more than `most`, which it does not bring together, where that can
    /// be.
    pub(crate) fn attend_in_parts(&self, cx: &mut PlanContext<'_>, most: usize) -> Result<Option<Partial>> {
        let Some(Way::ByRow(lanes)) = self.way(cx) else { return Ok(None) };
        unturned::plan_in_parts(cx, &self.attention, self.unturned(), self.caches, lanes, most)
    }

    /// Plans the step into `output`, which is like the queries.
    pub(crate) fn attend(self, cx: &mut PlanContext<'_>, output: Tensor) -> Result<()> {
        if let Some(way) = self.way(cx) {
            return unturned::plan(cx, way, &self.attention, self.unturned(), self.caches, output);
        }
        let Step { query, key, value, caches: [key_cache, value_cache], cos, sin, range, attention, turn, first } =
            self;
        let query_out = cx.scratch(query.dtype, query.shape)?;
        let params = rotary_cache::Params {
            queries: word(query.numel() / 2),
            keys: word(key.numel() / 2),
            rows: word(turn.rows),
        };
        let overrides = rotary_cache::Overrides {
            query_heads: word(query.shape[2]),
            key_heads: word(key.shape[2]),
            pairs: word(turn.width / 2),
            context: word(range.limit),
            row_step: word(turn.row_step),
            head_step: word(turn.head_step),
            ..Default::default()
        };
        let call = rotary_cache::Call { first, start: Scalar::Int(range.start) };
        let variant = rotary_cache::Variant { t: query.dtype.try_into()?, f: cos.dtype.try_into()? };
        let bind = rotary_cache::Bind { query, key, value, cos, sin, query_out, key_cache, value_cache, params, call };
        cx.dispatch(bind, variant)
            .overrides(overrides)
            .traffic(2 * (query.bytes() + key.bytes() + value.bytes()))
            .threads(query.numel() / 2 + key.numel())?;
        let tensors = Tensors { query: query_out, key: key_cache, value: value_cache, mask: cx.opt_tensor(AT.mask)? };
        flash::plan(cx, &attention, tensors, output)
    }
}

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let step = Step::read(cx)?;
    let output = cx.output(step.query.shape)?;
    step.attend(cx, output)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let shape = *cx.tensor(AT.query)?.shape();
    let output = attended(cx)?;
    cx.set_f64s(shape, output)
}

/// Sets the caches, and gives the output.
pub(crate) fn attended(cx: &mut Eval<'_>) -> Result<Vec<f64>> {
    let (turn, first) = read(cx)?;
    let first = usize::try_from(first.eval(cx.syms())?).unwrap_or(0);
    let (cos, sin) = (cx.tensor(AT.cos)?.to_f64s(), cx.tensor(AT.sin)?.to_f64s());
    let turned =
        |input: HostTensor| HostTensor::from_f64s(input.dtype(), *input.shape(), turn.apply(&input, &cos, &sin, first));
    let (query, key) = (turned(cx.tensor(AT.query)?)?, turned(cx.tensor(AT.key)?)?);
    cached::attend(cx, &query, &key)
}

/// The turn, and the first row of the tables that counts.
fn read<T: Described>(cx: &Args<'_, T>) -> Result<(Turn, Scalar)> {
    let (query, key) = (cx.tensor(AT.query)?, cx.tensor(AT.key)?);
    let (cos, sin) = (cx.tensor(AT.cos)?, cx.tensor(AT.sin)?);
    same_types(&query, &key, &cos, &sin)?;
    if cos.shape() != sin.shape() {
        return Err(OpError::Shape(format!("tables of {} and {} are unlike", cos.shape(), sin.shape())));
    }
    let (angles, first) =
        if cx.is_null(AT.first_row) { (*cos.shape(), Scalar::Int(IntArg::Known(0))) } else { sliced(cx, cos.shape())? };
    let turn = Turn::new(Style::Interleaved, [query.shape(), key.shape()], [&angles, &angles], IntArg::Known(0))?;
    Ok((turn, first))
}

/// The shape of the rows of a table that count, and the first of them. Only their number shapes the plan.
fn sliced<T: Described>(cx: &Args<'_, T>, table: &Shape) -> Result<(Shape, Scalar)> {
    let size = *table.first().ok_or_else(|| OpError::Shape("a rotary table has no rows".to_owned()))?;
    let (start, end) = (cx.int_arg(AT.first_row)?, cx.int_arg(AT.end_row)?);
    let rows = cx.slice_length(start, end, 1, size)?;
    Ok((table.with(0, rows)?, Scalar::SliceStart { start, size }))
}
