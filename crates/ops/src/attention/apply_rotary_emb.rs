//! `et_vk.apply_rotary_emb` and its kin: turn pairs of elements by angles that grow with the position.

use pteron_tensor::{HostTensor, Shape};

use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::{rotary, rotary_pairs};
use crate::plan::{PlanContext, word};
use crate::sym::{IntArg, RowRange, Scalar};

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("et_vk.apply_rotary_emb.default", plan_interleaved, reference_interleaved)
        .accuracy(Accuracy::Rounded),
    OpDef::tensor("et_vk.apply_rotary_emb_hf.default", plan_halves, reference_halves).accuracy(Accuracy::Rounded),
    OpDef::tensor("et_vk.apply_rotary_emb_interleaved.default", plan_pairs, reference_pairs)
        .accuracy(Accuracy::Rounded),
];

/// Which elements turn together.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Elements 2i and 2i + 1, by the angle in column i of the tables.
    Interleaved,
    /// Elements i and i + R/2 of the first R, by the angles in columns i and i + R/2; the rest stays.
    Halves,
}

fn plan_interleaved(cx: &mut PlanContext<'_>) -> Result<()> {
    plan(cx, Style::Interleaved)
}

fn plan_halves(cx: &mut PlanContext<'_>) -> Result<()> {
    plan(cx, Style::Halves)
}

fn reference_interleaved(cx: &mut Eval<'_>) -> Result<()> {
    reference(cx, Style::Interleaved)
}

fn reference_halves(cx: &mut Eval<'_>) -> Result<()> {
    reference(cx, Style::Halves)
}

fn plan(cx: &mut PlanContext<'_>, style: Style) -> Result<()> {
    let (query, key, cos, sin) = (cx.tensor(0)?, cx.tensor(1)?, cx.tensor(2)?, cx.tensor(3)?);
    let turn = read(cx, style)?;
    if let Some(range) = turn.range {
        cx.check_rows(range)?;
    }
    let (query_out, key_out) = (cx.output_at(0, query.shape)?, cx.output_at(1, key.shape)?);
    let params = rotary::Params {
        queries: word(query.numel()),
        count: word(query.numel() + key.numel()),
        query_heads: word(turn.heads(&query.shape)),
        key_heads: word(turn.heads(&key.shape)),
        heads_first: u32::from(turn.order == Order::HeadsFirst),
        rows: word(turn.rows),
        width: word(turn.width),
        turned: word(turn.turned),
        row_step: word(turn.row_step),
        head_step: word(turn.head_step),
        batch_step: word(turn.batch_step),
    };
    let start = turn.range.map_or(IntArg::Known(0), |range| range.start);
    let call = rotary::Call { start: Scalar::Int(start) };
    let variant = rotary::Variant {
        t: query_out.dtype.try_into()?,
        f: cos.dtype.try_into()?,
        style: if style == Style::Halves { rotary::Style::Halves } else { rotary::Style::Interleaved },
    };
    cx.dispatch(rotary::Bind { query, key, cos, sin, query_out, key_out, params, call }, variant)
        .threads(query.numel() + key.numel())
}

fn reference(cx: &mut Eval<'_>, style: Style) -> Result<()> {
    let turn = read(cx, style)?;
    let start = turn.range.map_or(Ok(0), |range| range.eval(cx.syms()))?;
    let (cos, sin) = (cx.tensor(2)?.to_f64s(), cx.tensor(3)?.to_f64s());
    for output in 0..2 {
        let input = cx.tensor(output)?;
        let turned = turn.apply(&input, &cos, &sin, start);
        cx.set(output, HostTensor::from_f64s(cx.output_type(output)?, *input.shape(), turned)?)?;
    }
    Ok(())
}

/// The turn that the arguments ask for.
fn read<T: Described>(cx: &Args<'_, T>, style: Style) -> Result<Turn> {
    let (query, key, cos, sin) = (cx.tensor(0)?, cx.tensor(1)?, cx.tensor(2)?, cx.tensor(3)?);
    let start = if style == Style::Halves { cx.int_arg(4)? } else { IntArg::Known(0) };
    same_types(&query, &key, &cos, &sin)?;
    Turn::new(style, [query.shape(), key.shape()], [cos.shape(), sin.shape()], start)
}

/// Asks that queries and keys have one type, and both tables too.
pub(super) fn same_types<T: Described>(query: &T, key: &T, cos: &T, sin: &T) -> Result<()> {
    if query.dtype() != key.dtype() || cos.dtype() != sin.dtype() {
        return Err(OpError::DType { dtype: key.dtype(), what: "keys or a table unlike the other".to_owned() });
    }
    Ok(())
}

/// How the vectors of queries and keys lie.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// `[batch, row, head, element]`.
    RowsFirst,
    /// `[batch, head, row, element]`.
    HeadsFirst,
}

/// How queries and keys are turned.
pub(super) struct Turn {
    style: Style,
    order: Order,
    pub(super) rows: usize,
    pub(super) width: usize,
    /// Elements of each vector that turn: all, or the first ones.
    turned: usize,
    /// Distance in the tables for a step in row, head and batch.
    pub(super) row_step: usize,
    pub(super) head_step: usize,
    batch_step: usize,
    /// The rows of the tables that count, where these are longer.
    range: Option<RowRange>,
}

impl Turn {
    /// The turn of queries and keys by tables of these shapes. With halves, row `start` of the tables is the first.
    ///
    /// Vectors lie row by row; only tables `[batch, row, column]` of halves go with vectors that lie head by head. The
    /// exporter writes no axis down for them, and this is the one that `transformers` broadcasts them along.
    pub(super) fn new(style: Style, vectors: [&Shape; 2], tables: [&Shape; 2], start: IntArg) -> Result<Turn> {
        let ([query, key], [cos, sin]) = (vectors, tables);
        let wrong =
            || OpError::Shape(format!("queries {query} and keys {key} cannot be turned by tables {cos} and {sin}"));
        let order = if style == Style::Halves && cos.rank() == 3 { Order::HeadsFirst } else { Order::RowsFirst };
        let parts = |shape: &Shape| match (order, &**shape) {
            (Order::RowsFirst, &[batch, rows, heads, width]) => Some(([batch, rows, width], heads)),
            (Order::HeadsFirst, &[batch, heads, rows, width]) => Some(([batch, rows, width], heads)),
            _ => None,
        };
        let (Some((sizes, heads)), Some((key_sizes, key_heads))) = (parts(query), parts(key)) else {
            return Err(wrong());
        };
        if sizes != key_sizes || cos != sin {
            return Err(wrong());
        }
        let [batch, rows, width] = sizes;
        let still =
            Turn { style, order, rows, width, turned: width, row_step: 0, head_step: 0, batch_step: 0, range: None };
        match (style, &**cos) {
            (Style::Interleaved, &[table_rows, pairs]) if table_rows == rows && pairs * 2 == width => {
                Ok(Turn { row_step: pairs, ..still })
            }
            (Style::Interleaved, &[table_rows, table_heads, pairs])
                if (table_rows, table_heads, pairs * 2) == (rows, heads, width) && heads == key_heads =>
            {
                Ok(Turn { row_step: heads * pairs, head_step: pairs, ..still })
            }
            (Style::Halves, &[limit, turned]) if turned <= width && turned % 2 == 0 => {
                let range = RowRange { what: "the rotary tables", start, rows, limit };
                Ok(Turn { turned, row_step: turned, range: Some(range), ..still })
            }
            (Style::Halves, &[tables, limit, turned])
                if (tables == 1 || tables == batch) && turned <= width && turned % 2 == 0 =>
            {
                let range = RowRange { what: "the rotary tables", start, rows, limit };
                let batch_step = if tables == 1 { 0 } else { limit * turned };
                Ok(Turn { turned, row_step: turned, batch_step, range: Some(range), ..still })
            }
            _ => Err(wrong()),
        }
    }

    /// The heads of queries or keys.
    fn heads(&self, shape: &Shape) -> usize {
        match self.order {
            Order::RowsFirst => shape[2],
            Order::HeadsFirst => shape[1],
        }
    }

    /// Queries or keys turned by the tables, whose row `start` is the first.
    pub(super) fn apply(&self, input: &HostTensor, cos: &[f64], sin: &[f64], start: usize) -> Vec<f64> {
        let (heads, values) = (self.heads(input.shape()), input.to_f64s());
        let turned = (0..values.len()).map(|index| {
            let (vector, element) = (index / self.width, index % self.width);
            if element >= self.turned {
                return values[index];
            }
            let (row, head) = match self.order {
                Order::RowsFirst => (vector / heads % self.rows, vector % heads),
                Order::HeadsFirst => (vector % self.rows, vector / self.rows % heads),
            };
            let batch = vector / (heads * self.rows);
            let (first, distance, column) = match self.style {
                Style::Interleaved => (element % 2 == 0, 1, element / 2),
                Style::Halves => (element < self.turned / 2, self.turned / 2, element),
            };
            let angle = batch * self.batch_step + (start + row) * self.row_step + head * self.head_step + column;
            let other = if first { -values[index + distance] } else { values[index - distance] };
            values[index] * cos[angle] + other * sin[angle]
        });
        turned.collect()
    }
}

fn plan_pairs(cx: &mut PlanContext<'_>) -> Result<()> {
    let (input, angles) = (cx.tensor(0)?, cx.tensor(1)?);
    let period = period(&input.shape, &angles.shape)?;
    let output = cx.output(input.shape)?;
    let params = rotary_pairs::Params { count: word(input.numel()), period: word(period) };
    let variant = rotary_pairs::Variant { t: output.dtype.try_into()?, f: angles.dtype.try_into()? };
    cx.dispatch(rotary_pairs::Bind { input, angles, output, params }, variant).threads(input.numel())
}

fn reference_pairs(cx: &mut Eval<'_>) -> Result<()> {
    let (input, angles) = (cx.tensor(0)?, cx.tensor(1)?);
    let period = period(input.shape(), angles.shape())?;
    let angles = angles.to_f64s();
    let mut values = input.to_f64s();
    for (index, pair) in values.chunks_exact_mut(2).enumerate() {
        let at = index * 2 % period;
        let (cos, sin, real, imaginary) = (angles[at], angles[at + 1], pair[0], pair[1]);
        pair.copy_from_slice(&[real * cos - imaginary * sin, real * sin + imaginary * cos]);
    }
    cx.set_f64s(*input.shape(), values)
}

/// The number of elements of `[batch, row, element]` after which the angles repeat: all but the batch.
fn period(input: &Shape, angles: &Shape) -> Result<usize> {
    match **input {
        [_, rows, width] if width % 2 == 0 && angles.numel() == rows * width => Ok(rows * width),
        _ => Err(OpError::Shape(format!("{input} cannot be turned by angles of {angles}"))),
    }
}
