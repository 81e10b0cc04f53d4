//! `pteron.attention`: softmax(query · keyᵀ · scale) · value for each of several heads.
//!
//! [`Attention`](crate::fused::arguments::Attention) declares its arguments.

use pteron_tensor::Shape;

use super::flash::{self, Attention, Strides, Tensors};
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::fused::arguments::{Attention as Arguments, AttentionPositions};
use crate::plan::PlanContext;
use crate::sym::IntArg;

pub(crate) const OPS: &[OpDef] = &[OpDef::tensor(Arguments::NAME, plan, reference).accuracy(Accuracy::Accumulated)];

const AT: AttentionPositions = AttentionPositions::AT;

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let (shape, attention) = read(cx)?;
    let tensors =
        Tensors { query: cx.tensor(AT.query)?, key: cx.tensor(AT.key)?, value: cx.tensor(AT.value)?, mask: None };
    let output = cx.output(shape)?;
    flash::plan(cx, &attention, tensors, output)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (shape, attention) = read(cx)?;
    let tensors = Tensors {
        query: cx.tensor(AT.query)?.to_f64s(),
        key: cx.tensor(AT.key)?.to_f64s(),
        value: cx.tensor(AT.value)?.to_f64s(),
        mask: None,
    };
    let output = flash::reference(&attention, tensors, cx)?;
    cx.set_f64s(shape, output)
}

/// The output's shape and the attention, from the arguments.
fn read<T: Described>(cx: &Args<'_, T>) -> Result<(Shape, Attention)> {
    let heads = cx.ints(AT.heads)?.first().and_then(|&heads| usize::try_from(heads).ok()).unwrap_or(0);
    let rows_first = cx.ints(AT.rows_first)?;
    let order = |number: usize| match rows_first.get(number) {
        Some(0) => Ok(Order::HeadsFirst),
        Some(1) => Ok(Order::RowsFirst),
        _ => Err(OpError::Unsupported("an order of rows and heads other than 0 or 1".to_owned())),
    };
    let vectors = |at: usize, number: usize| -> Result<Vectors> {
        let tensor = cx.tensor(at)?;
        let shape = tensor.shape();
        let size = shape.last().copied().unwrap_or(0);
        let wrong = || OpError::Shape(format!("{shape} does not hold vectors of {heads} heads"));
        let count = shape.numel().checked_div(heads * size).ok_or_else(wrong)?;
        if count * heads * size != shape.numel() || tensor.dtype() != cx.tensor(AT.query)?.dtype() {
            return Err(wrong());
        }
        Ok(Vectors { size, count, strides: order(number)?.strides(heads, count, size) })
    };
    let (query, key, value) = (vectors(AT.query, 0)?, vectors(AT.key, 1)?, vectors(AT.value, 2)?);
    if query.size != key.size || key.count != value.count {
        return Err(OpError::Shape("queries, keys and values do not fit together".to_owned()));
    }
    let (rows, keys, width) = (query.count, key.count, value.size);
    let output = order(3)?;
    let attention = Attention {
        batch: 1,
        heads,
        group: 1,
        rows,
        keys,
        bucket: keys,
        depth: query.size,
        width,
        start: IntArg::Known(0),
        causal: false,
        scale: cx.float(AT.scale)?,
        query: query.strides,
        key: key.strides,
        value: value.strides,
        mask: [0; 4],
        output: output.strides(heads, rows, width),
    };
    let shape = match output {
        Order::HeadsFirst => [heads, rows, width],
        Order::RowsFirst => [rows, heads, width],
    };
    Ok((Shape::new(&shape)?, attention))
}

/// What is outside in a tensor.
enum Order {
    HeadsFirst,
    RowsFirst,
}

impl Order {
    fn strides(&self, heads: usize, rows: usize, size: usize) -> Strides {
        match self {
            Order::HeadsFirst => [0, rows * size, size, 1],
            Order::RowsFirst => [0, size, heads * size, 1],
        }
    }
}

/// The vectors of all heads in a tensor.
struct Vectors {
    size: usize,
    /// Vectors of a head.
    count: usize,
    strides: Strides,
}
