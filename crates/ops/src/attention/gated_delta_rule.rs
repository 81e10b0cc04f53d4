//! `llama.gated_delta_rule`: attention without a cache of keys, by a state `[row, column]` of each head that every token
//! changes. Its name before the decay could be one number for all rows was `channelwise_gated_delta_rule`.
//!
//! For a token the state decays, predicts a value for the key, learns the part of the token's value that it missed, as far
//! as `beta` says, and is read by the query.

use pteron_tensor::{DType, HostTensor};

use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::gated_delta_rule;
use crate::plan::{PlanContext, word};

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("llama.channelwise_gated_delta_rule.default", plan, reference)
        .portable("llama::channelwise_gated_delta_rule.out")
        .accuracy(Accuracy::Accumulated),
    OpDef::tensor("llama.gated_delta_rule.default", plan, reference)
        .portable("llama::gated_delta_rule.out")
        .accuracy(Accuracy::Accumulated),
];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let sizes = Sizes::read(cx)?;
    let (query, key, value) = (cx.tensor(0)?, cx.tensor(1)?, cx.tensor(2)?);
    let (decay, beta, initial) = (cx.tensor(3)?, cx.tensor(4)?, cx.tensor(5)?);
    let output = cx.output_at(0, query.shape.with(3, sizes.columns)?)?;
    let state = cx.output_at(1, initial.shape)?;
    let params = gated_delta_rule::Params {
        count: word(sizes.heads * sizes.columns),
        tokens: word(sizes.tokens),
        rows: word(sizes.rows),
        columns: word(sizes.columns),
        queries: word(sizes.queries),
        decays: word(sizes.decays),
    };
    let bind = gated_delta_rule::Bind { query, key, value, decay, beta, initial, output, state, params };
    cx.dispatch(bind, gated_delta_rule::Variant {}).threads(sizes.heads * sizes.columns)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let sizes = Sizes::read(cx)?;
    let (shape, state_shape) = (*cx.tensor(0)?.shape(), *cx.tensor(5)?.shape());
    let floats = |index: usize| cx.tensor(index).map(|tensor| tensor.to_f64s());
    let (query, key, value) = (floats(0)?, floats(1)?, floats(2)?);
    let (decay, beta, mut state) = (floats(3)?, floats(4)?, floats(5)?);
    let Sizes { heads, queries, tokens, rows, columns, decays } = sizes;
    let shape = shape.with(3, columns)?;
    let mut output = vec![0.0; shape.numel()];
    for head in 0..heads {
        let state = &mut state[head * rows * columns..][..rows * columns];
        for token in head * tokens..(head + 1) * tokens {
            cx.clock().count(rows * columns * (queries + 2))?;
            let (key, value) = (&key[token * rows..][..rows], &value[token * columns..][..columns]);
            for (row, state) in state.chunks_exact_mut(columns.max(1)).enumerate() {
                state.iter_mut().for_each(|state| *state *= decay[token * decays + row % decays]);
            }
            for column in 0..columns {
                let predicted: f64 = (0..rows).map(|row| state[row * columns + column] * key[row]).sum();
                let missed = (value[column] - predicted) * beta[token];
                (0..rows).for_each(|row| state[row * columns + column] += key[row] * missed);
            }
            for number in 0..queries {
                let at = (head * queries + number) * tokens + token % tokens;
                let query = &query[at * rows..][..rows];
                for column in 0..columns {
                    output[at * columns + column] =
                        (0..rows).map(|row| state[row * columns + column] * query[row]).sum();
                }
            }
        }
    }
    cx.set_f64s(shape, output)?;
    cx.set(1, HostTensor::from_f64s(cx.output_type(1)?, state_shape, state)?)
}

/// The sizes of a call, checked against each other.
struct Sizes {
    /// Heads of keys in all batches.
    heads: usize,
    /// Heads of queries that read the state of one.
    queries: usize,
    tokens: usize,
    /// Sizes of a state: of a key, and of a value.
    rows: usize,
    columns: usize,
    /// Decays of a token: one for each row, or one for all.
    decays: usize,
}

impl Sizes {
    fn read<T: Described>(cx: &Args<'_, T>) -> Result<Sizes> {
        for index in 0..6 {
            let dtype = cx.tensor(index)?.dtype();
            if dtype != DType::F32 {
                return Err(OpError::DType { dtype, what: "the gated delta rule, which takes f32".to_owned() });
            }
        }
        let tensors = (0..6).map(|index| cx.tensor(index)).collect::<Result<Vec<_>>>()?;
        let wrong = || {
            let shapes: Vec<_> = tensors.iter().map(|tensor| tensor.shape().to_string()).collect();
            OpError::Shape(format!("{} are no sizes of the gated delta rule", shapes.join(", ")))
        };
        let [query, key, value, decay, beta, initial] = &tensors[..] else { return Err(wrong()) };
        let (&[batch, query_heads, tokens, rows], &[.., columns]) = (&**query.shape(), &**value.shape()) else {
            return Err(wrong());
        };
        let &[_, heads, ..] = &**key.shape() else { return Err(wrong()) };
        let decays = match decay.shape().rank() {
            3 => 1,
            _ => rows,
        };
        let of_token = [batch, heads, tokens];
        let fits = heads > 0
            && query_heads % heads == 0
            && key.shape().dims() == [batch, heads, tokens, rows]
            && value.shape().dims() == [batch, heads, tokens, columns]
            && (decay.shape().dims() == of_token || decay.shape().dims() == [batch, heads, tokens, rows])
            && beta.shape().dims() == of_token
            && initial.shape().dims() == [batch, heads, rows, columns];
        match fits {
            true => Ok(Sizes { heads: batch * heads, queries: query_heads / heads, tokens, rows, columns, decays }),
            false => Err(wrong()),
        }
    }
}
