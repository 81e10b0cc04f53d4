//! `sdpa_with_kv_cache`: writes new keys and values into their caches, then attends over what the caches hold.
//!
//! The position travels with the call. Only the context length, rounded up, shapes the plan.

use pteron_tensor::HostTensor;

use super::flash::{self, Attention, Tensors, Vectors};
use super::update_cache;
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::plan::PlanContext;
use crate::sym::{IntArg, RowRange};

pub(crate) const OPS: &[OpDef] = &[OpDef::tensor("sdpa_with_kv_cache.default", plan, reference)
    .portable("llama::sdpa_with_kv_cache.out")
    .accuracy(Accuracy::Accumulated)
    .writes(&[3, 4])];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let (query, key, value) = (cx.tensor(0)?, cx.tensor(1)?, cx.tensor(2)?);
    let (key_cache, value_cache) = (cx.tensor_mut(3)?, cx.tensor_mut(4)?);
    let (range, attention) = read(cx)?;
    cx.check_rows(range)?;
    let output = cx.output(query.shape)?;
    update_cache::write(cx, key, key_cache, range)?;
    update_cache::write(cx, value, value_cache, range)?;
    let tensors = Tensors { query, key: key_cache, value: value_cache, mask: cx.opt_tensor(7)? };
    flash::plan(cx, &attention, tensors, output)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (query, key) = (cx.tensor(0)?, cx.tensor(1)?);
    let output = attend(cx, &query, &key)?;
    cx.set_f64s(*query.shape(), output)
}

/// Sets the caches for these queries and keys, and gives the output; everything else is as the arguments say.
pub(super) fn attend(cx: &mut Eval<'_>, query: &HostTensor, key: &HostTensor) -> Result<Vec<f64>> {
    let (range, attention) = read(cx)?;
    let start = range.eval(cx.syms())?;
    let key_cache = update_cache::written(key, &cx.tensor(3)?, start)?;
    let value_cache = update_cache::written(&cx.tensor(2)?, &cx.tensor(4)?, start)?;
    let tensors = Tensors {
        query: query.to_f64s(),
        key: key_cache.to_f64s(),
        value: value_cache.to_f64s(),
        mask: cx.opt_tensor(7)?.map(|mask| mask.to_f64s()),
    };
    let output = flash::reference(&attention, tensors, cx)?;
    cx.mutate(3, key_cache)?;
    cx.mutate(4, value_cache)?;
    Ok(output)
}

/// The rows that are written and the attention, from the arguments.
///
/// Argument 6, the sequence length, is not read: the exporter's fusion sets it to 1 whatever the query's is.
pub(super) fn read<T: Described>(cx: &Args<'_, T>) -> Result<(RowRange, Attention)> {
    let (query, key, value) = (cx.tensor(0)?, cx.tensor(1)?, cx.tensor(2)?);
    let (key_cache, value_cache) = (cx.tensor(3)?, cx.tensor(4)?);
    let range = update_cache::rows(cx, &key, &key_cache, 5)?;
    update_cache::rows(cx, &value, &value_cache, 5)?;
    if key.shape() != value.shape() || query.shape().get(1) != Some(&range.rows) {
        return Err(OpError::Shape(format!(
            "queries {}, keys {} and values {} do not fit together",
            query.shape(),
            key.shape(),
            value.shape()
        )));
    }
    let attention = attention(cx, [&query, &key_cache, &value_cache], range, [7, 8, 9, 10])?;
    Ok((range, attention))
}

/// Attention of new queries over the rows that caches hold. Mask, dropout, whether it is causal and the scale are at these
/// arguments.
pub(super) fn attention<T: Described>(
    cx: &Args<'_, T>,
    [query, key_cache, value_cache]: [&T; 3],
    range: RowRange,
    [mask, dropout, causal, scale]: [usize; 4],
) -> Result<Attention> {
    let (&[batch, rows, heads, depth], &[cache_batch, context, kv_heads, key_depth]) =
        (&**query.shape(), &**key_cache.shape())
    else {
        return Err(OpError::Shape(format!("queries {} and caches {} have rank 4", query.shape(), key_cache.shape())));
    };
    let fits = batch == cache_batch
        && depth == key_depth
        && heads.checked_rem(kv_heads).map_or(heads == 0, |rest| rest == 0)
        && key_cache.shape() == value_cache.shape();
    if !fits {
        return Err(OpError::Shape(format!(
            "queries {} and caches {}, {} do not fit together",
            query.shape(),
            key_cache.shape(),
            value_cache.shape()
        )));
    }
    if cx.opt_float(dropout)?.is_some_and(|probability| probability != 0.0) {
        return Err(OpError::Unsupported("dropout in attention".to_owned()));
    }
    let causal = !cx.is_null(causal) && cx.bool(causal)?;
    let masked = match cx.opt_tensor(mask)? {
        None => false,
        Some(_) if causal => return Err(OpError::Unsupported("attention both causal and masked".to_owned())),
        Some(mask) if **mask.shape() == [rows, context] => true,
        Some(mask) => {
            return Err(OpError::Shape(format!(
                "a mask of {} does not fit {rows} queries over a cache of {context} rows",
                mask.shape()
            )));
        }
    };
    let layout = |rows: usize, heads: usize| {
        let (batch, row) = (rows * heads * depth, heads * depth);
        Vectors { batch, head: depth, row, first: 0 }
    };
    // A mask says itself which rows of the cache count: all of them are looked at.
    let (start, keys) = if masked { (IntArg::Known(0), context) } else { (range.start, rows) };
    let bucket = if masked { context } else { cx.bucket(range)? };
    Ok(Attention {
        batch,
        heads,
        group: heads.checked_div(kv_heads).unwrap_or(1).max(1),
        rows,
        keys,
        bucket,
        depth,
        width: depth,
        start,
        causal,
        zeros: false,
        scale: flash::scale(cx.opt_float(scale)?, depth),
        query: layout(rows, heads),
        key: layout(context, kv_heads),
        value: layout(context, kv_heads),
        mask: [0, 0, context, 1],
        output: layout(rows, heads),
    })
}

#[cfg(test)]
mod tests {
    use pteron_tensor::{DType, Shape};

    use super::*;
    use crate::args::Arg;
    use crate::caps::{Caps, SubgroupSizes};
    use crate::plan::{OpPlan, Place, Sharing, Tensor};
    use crate::sym::SymId;

    fn planned(rows: usize, context: usize, size: usize, start: i64) -> OpPlan {
        planned_for(&Caps::webgpu_minimum(), rows, context, size, start)
    }

    fn planned_for(caps: &Caps, rows: usize, context: usize, size: usize, start: i64) -> OpPlan {
        let tensor = |id: u32, dims: [usize; 4]| {
            let shape = Shape::new(&dims).unwrap();
            Arg::Tensor(Tensor { place: Place::Value(id), dtype: DType::F32, shape, window: None })
        };
        let args = vec![
            tensor(0, [1, rows, 8, size]),
            tensor(1, [1, rows, 2, size]),
            tensor(2, [1, rows, 2, size]),
            tensor(3, [1, context, 2, size]),
            tensor(4, [1, context, 2, size]),
            Arg::Sym(SymId(0)),
            Arg::Int(1),
            Arg::Null,
            Arg::Int(0),
            Arg::Bool(true),
            Arg::Null,
        ];
        PlanContext::run(&OPS[0], args, &[start], &[DType::F32], caps, 0, Sharing::default()).unwrap()
    }

    #[test]
    fn a_plan_serves_many_positions() {
        let plan = planned(1, 2048, 64, 130);
        let holds =
            |start: i64| plan.observed.iter().all(|(observation, seen)| observation.eval(&[start]) == Ok(*seen));
        assert!((128..256).all(holds));
        assert!(!holds(127) && !holds(256));
        assert_eq!(plan.ranges.len(), 1);
        assert_eq!(plan.mutated, [Place::Value(3), Place::Value(4)]);
    }

    #[test]
    fn the_smallest_device_takes_every_size() {
        for size in [1, 64, 96, 256, 300, 512] {
            for rows in [1, 8, 9, 512] {
                let launches = planned(rows, 4096, size, 3000).dispatches.len();
                assert_eq!(launches, if rows <= 8 { 4 } else { 3 }, "{rows} rows of {size}");
            }
        }
        assert_eq!(planned(1, 4096, 64, 0).dispatches.len(), 3, "a short context needs no second launch");
    }

    #[test]
    fn matrix_units_take_many_queries_of_64_elements() {
        let least = Caps::webgpu_minimum();
        let caps = Caps {
            f16: true,
            subgroups: Some(SubgroupSizes { min: 32, max: 32 }),
            matrix: true,
            max_workgroup_bytes: 48 << 10,
            ..least
        };
        let kernel = |caps: &Caps, rows: usize, size: usize| {
            planned_for(caps, rows, 2048, size, 0).dispatches.last().map(|dispatch| dispatch.kernel.name)
        };
        assert_eq!(kernel(&caps, 512, 64), Some("attention_matrix"));
        assert_eq!(kernel(&caps, 512, 80), Some("attention_tiled"));
        assert_eq!(kernel(&caps, 1, 64), Some("attention_split"));
        let small = Caps { max_workgroup_bytes: 32 << 10, ..caps };
        assert_eq!(kernel(&small, 512, 64), Some("attention_tiled"));
    }
}
