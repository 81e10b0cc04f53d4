//! `pteron.attention`: softmax(query · keyᵀ · scale + mask) · value for each of several heads.
//!
//! [`Attention`](crate::fused::arguments::Attention) declares its arguments.

use pteron_tensor::Shape;

use super::flash::{self, Attention, Strides, Tensors, Vectors};
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::fused::arguments::{Attention as Arguments, AttentionPositions};
use crate::plan::PlanContext;
use crate::sym::IntArg;

pub(crate) const OPS: &[OpDef] = &[OpDef::fused(Arguments::NAME, plan, reference).accuracy(Accuracy::Accumulated)];

const AT: AttentionPositions = AttentionPositions::AT;

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let (shape, attention) = read(cx)?;
    let tensors = Tensors {
        query: cx.tensor(AT.query)?,
        key: cx.tensor(AT.key)?,
        value: cx.tensor(AT.value)?,
        mask: cx.opt_tensor(AT.mask)?,
    };
    let output = cx.output(shape)?;
    flash::plan(cx, &attention, tensors, output)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (shape, attention) = read(cx)?;
    let tensors = Tensors {
        query: cx.tensor(AT.query)?.to_f64s(),
        key: cx.tensor(AT.key)?.to_f64s(),
        value: cx.tensor(AT.value)?.to_f64s(),
        mask: cx.opt_tensor(AT.mask)?.map(|mask| mask.to_f64s()),
    };
    let output = flash::reference(&attention, tensors, cx)?;
    cx.set_f64s(shape, output)
}

/// The output's shape and the attention, from the arguments.
fn read<T: Described>(cx: &Args<'_, T>) -> Result<(Shape, Attention)> {
    let counts: Vec<_> = cx.ints(AT.heads)?.into_iter().filter_map(|count| usize::try_from(count).ok()).collect();
    let &[batch, heads] = &counts[..] else {
        return Err(OpError::Shape(format!("{counts:?} are no batches and heads")));
    };
    let all = batch * heads;
    let given = cx.ints(AT.order)?;
    let order = |number: usize| match given.get(number) {
        Some(0) => Ok(Order::HeadsOfRows),
        Some(1) => Ok(Order::RowsOutside),
        Some(2) => Ok(Order::RowsOfHeads),
        _ => Err(OpError::Unsupported("an order of batches, rows and heads other than 0, 1 or 2".to_owned())),
    };
    let places = cx.ints(AT.places)?;
    let vectors = |at: usize, number: usize| -> Result<Held> {
        let tensor = cx.tensor(at)?;
        let shape = tensor.shape();
        let wrong = || OpError::Shape(format!("{shape} does not hold vectors of {all} heads"));
        if tensor.dtype() != cx.tensor(AT.query)?.dtype() {
            return Err(wrong());
        }
        if let Some(place) = places.chunks(PLACE).nth(number) {
            return Held::placed(place, [batch, heads]).filter(|held| held.end <= shape.numel()).ok_or_else(wrong);
        }
        let size = shape.last().copied().unwrap_or(0);
        let count = shape.numel().checked_div(all * size).ok_or_else(wrong)?;
        if count * all * size != shape.numel() {
            return Err(wrong());
        }
        Ok(Held { size, count, vectors: order(number)?.vectors([batch, heads, count], size), end: shape.numel() })
    };
    let (query, key, value) = (vectors(AT.query, 0)?, vectors(AT.key, 1)?, vectors(AT.value, 2)?);
    if query.size != key.size || key.count != value.count {
        return Err(OpError::Shape("queries, keys and values do not fit together".to_owned()));
    }
    let (rows, keys, width) = (query.count, key.count, value.size);
    let output = order(3)?;
    let mask = match cx.opt_tensor(AT.mask)? {
        Some(mask) if mask.dtype() != cx.tensor(AT.query)?.dtype() => {
            return Err(OpError::DType { dtype: mask.dtype(), what: "a mask of other vectors".to_owned() });
        }
        Some(mask) => mask_strides(mask.shape(), [batch, heads, rows, keys])?,
        None => [0; 4],
    };
    let attention = Attention {
        batch,
        heads,
        group: 1,
        rows,
        keys,
        bucket: keys,
        depth: query.size,
        width,
        start: IntArg::Known(0),
        causal: false,
        zeros: cx.bool(AT.zeros)?,
        scale: cx.float(AT.scale)?,
        query: query.vectors,
        key: key.vectors,
        value: value.vectors,
        mask,
        output: output.vectors([batch, heads, rows], width),
    };
    let shape = match output {
        Order::HeadsOfRows => vec![all, rows, width],
        Order::RowsOutside => vec![rows, all, width],
        Order::RowsOfHeads => vec![batch, rows, heads, width],
    };
    Ok((Shape::new(&shape)?, attention))
}

/// The distances in a mask that broadcasts to these sizes.
fn mask_strides(mask: &Shape, sizes: [usize; 4]) -> Result<Strides> {
    let wrong = || OpError::Shape(format!("a mask of {mask} does not fit scores of {sizes:?}"));
    let missing = sizes.len().checked_sub(mask.rank()).ok_or_else(wrong)?;
    let mut distances = [0; 4];
    for ((&size, &stride), (distance, &wanted)) in
        mask.iter().zip(&mask.strides()).zip(distances.iter_mut().zip(&sizes).skip(missing))
    {
        match size {
            1 => {}
            _ if size == wanted => *distance = stride,
            _ => return Err(wrong()),
        }
    }
    Ok(distances)
}

/// In which order a tensor has batches, heads and rows.
enum Order {
    /// Batches of heads of rows.
    HeadsOfRows,
    /// Rows of batches of heads.
    RowsOutside,
    /// Batches of rows of heads.
    RowsOfHeads,
}

impl Order {
    fn vectors(&self, [batch, heads, rows]: [usize; 3], size: usize) -> Vectors {
        let (batch, head, row) = match self {
            Order::HeadsOfRows => (heads * rows * size, rows * size, size),
            Order::RowsOutside => (heads * size, size, batch * heads * size),
            Order::RowsOfHeads => (rows * heads * size, size, heads * size),
        };
        Vectors { batch, head, row, first: 0 }
    }
}

/// Numbers that tell where a tensor has the vectors of all heads.
const PLACE: usize = 6;

/// The vectors of all heads in a tensor.
struct Held {
    size: usize,
    /// Vectors of a head.
    count: usize,
    vectors: Vectors,
    /// Elements up to the end of the last.
    end: usize,
}

impl Held {
    /// Vectors of as many batches and heads, by the numbers of [`Arguments::places`].
    fn placed(place: &[i64], [batches, heads]: [usize; 2]) -> Option<Held> {
        let numbers = place.iter().map(|&number| usize::try_from(number).ok()).collect::<Option<Vec<_>>>()?;
        let &[size, count, batch, head, row, first] = &numbers[..] else { return None };
        let steps = [(batches, batch), (heads, head), (count, row)];
        let last = |at: usize, &(count, step): &(usize, usize)| at.checked_add((count - 1).checked_mul(step)?);
        let end = match steps.iter().any(|&(count, _)| count == 0) {
            true => 0,
            false => steps.iter().try_fold(first, last)?.checked_add(size)?,
        };
        Some(Held { size, count, vectors: Vectors { batch, head, row, first }, end })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_within_a_tensor_end_where_the_last_one_does() {
        // Keys of two heads beside queries and values: rows of 3 · 2 · 4 elements.
        let held = Held::placed(&[4, 5, 120, 4, 24, 8], [1, 2]).unwrap();
        assert_eq!((held.size, held.count, held.end), (4, 5, 8 + 4 + 4 * 24 + 4));
        assert_eq!(Held::placed(&[4, 0, 120, 4, 24, 8], [1, 2]).unwrap().end, 0);
        assert!(Held::placed(&[4, 5, 120, 4, -24, 8], [1, 2]).is_none());
        assert!(Held::placed(&[4, 5, i64::MAX, 4, 24, 8], [3, 2]).is_none());
    }
}
