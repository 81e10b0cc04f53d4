//! `et_vk.sdpa`: attention over given keys and values, with a mask that is added to the scores.

use pteron_tensor::Shape;

use super::flash::{self, Attention, Strides, Tensors, Vectors};
use crate::args::{Args, Described};
use crate::broadcast;
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::plan::PlanContext;
use crate::sym::IntArg;

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("et_vk.sdpa.default", plan, reference).accuracy(Accuracy::Accumulated)];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let (shape, attention) = read(cx)?;
    let tensors = Tensors { query: cx.tensor(0)?, key: cx.tensor(1)?, value: cx.tensor(2)?, mask: cx.opt_tensor(3)? };
    let output = cx.output(shape)?;
    flash::plan(cx, &attention, tensors, output)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (shape, attention) = read(cx)?;
    let tensors = Tensors {
        query: cx.tensor(0)?.to_f64s(),
        key: cx.tensor(1)?.to_f64s(),
        value: cx.tensor(2)?.to_f64s(),
        mask: cx.opt_tensor(3)?.map(|mask| mask.to_f64s()),
    };
    let output = flash::reference(&attention, tensors, cx)?;
    cx.set_f64s(shape, output)
}

/// The output's shape and the attention, from the arguments. Batch and heads broadcast as in a product of matrices.
fn read<T: Described>(cx: &Args<'_, T>) -> Result<(Shape, Attention)> {
    let (query, key, value, mask) = (cx.tensor(0)?, cx.tensor(1)?, cx.tensor(2)?, cx.opt_tensor(3)?);
    let (query, key, value) = (matrices(query.shape())?, matrices(key.shape())?, matrices(value.shape())?);
    let rank = [&query, &key, &value].iter().map(|shape| shape.given).max().unwrap_or(2);
    let [query, key, value] = [query, key, value].map(|shape| shape.sizes);
    let (&[.., rows, depth], &[.., keys, key_depth], &[.., value_keys, width]) = (&*query, &*key, &*value) else {
        return Err(OpError::Shape("attention takes matrices".to_owned()));
    };
    if depth != key_depth || keys != value_keys {
        return Err(OpError::Shape(format!("queries {query}, keys {key} and values {value} do not fit together")));
    }
    let outer = |shape: &Shape| Shape::new(&shape[..2]);
    let mut batch = broadcast::shape_of(&outer(&query)?, &outer(&key)?)?;
    batch = broadcast::shape_of(&batch, &outer(&value)?)?;
    let mut mask_strides = [0; 4];
    if let Some(mask) = mask {
        let scores = Shape::new(&[batch[0], batch[1], rows, keys])?;
        let mask = mask.shape();
        if mask.rank() > rank || scores.broadcast(mask) != Some(scores) {
            return Err(OpError::Shape(format!("a mask of {mask} does not fit scores of {scores}")));
        }
        mask_strides = strides(mask, &scores);
    }
    let repeated = |shape: &Shape| -> Result<Vectors> {
        let [batch, head, row, _] = strides(shape, &Shape::new(&[batch[0], batch[1], shape[2], shape[3]])?);
        Ok(Vectors { batch, head, row, first: 0 })
    };
    let output = Shape::new(&[batch[0], batch[1], rows, width])?;
    let attention = Attention {
        batch: batch[0],
        heads: batch[1],
        group: 1,
        rows,
        keys,
        bucket: keys,
        depth,
        width,
        start: IntArg::Known(0),
        causal: false,
        zeros: false,
        scale: flash::scale(cx.opt_float(4)?, depth),
        query: repeated(&query)?,
        key: repeated(&key)?,
        value: repeated(&value)?,
        mask: mask_strides,
        output: repeated(&output)?,
    };
    Ok((Shape::new(&output[4 - rank..])?, attention))
}

/// A shape of matrices as batch, heads, rows and columns, and the rank that it came with.
struct Matrices {
    sizes: Shape,
    given: usize,
}

fn matrices(shape: &Shape) -> Result<Matrices> {
    let given = shape.rank();
    if !(2..=4).contains(&given) {
        return Err(OpError::Shape(format!("attention over {shape}: only ranks 2 to 4 are supported")));
    }
    let mut sizes = [1; 4];
    sizes[4 - given..].copy_from_slice(shape);
    Ok(Matrices { sizes: Shape::new(&sizes)?, given })
}

/// The distance in `operand` for a step in each of the four dimensions of `shape`. Rows that are one long stay rows.
fn strides(operand: &Shape, shape: &Shape) -> Strides {
    let strides = broadcast::strides(operand, shape);
    [strides[0], strides[1], strides[2], strides[3]]
}
