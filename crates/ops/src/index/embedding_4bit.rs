//! `quantized_decomposed.embedding_4bit`: rows of a 4-bit table, `(nibble − 8 − zero point) · scale`, with one scale and
//! zero point per group of columns. The high nibble comes first.

use pteron_tensor::{DType, Shape};

use super::take::Range;
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::embedding_4bit;
use crate::plan::{PlanContext, word};

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("quantized_decomposed.embedding_4bit.default", plan, reference)
        .portable("quantized_decomposed::embedding_4bit.out")
        .accuracy(Accuracy::Rounded),
    OpDef::tensor("quantized_decomposed.embedding_4bit.dtype", plan, reference)
        .portable("quantized_decomposed::embedding_4bit.dtype_out")
        .accuracy(Accuracy::Rounded),
];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let (weight, scales, zeros, indices) = (cx.tensor(0)?, cx.tensor(1)?, cx.opt_tensor(2)?, cx.tensor(5)?);
    let table = Table::new(cx, weight.shape, &scales, zeros.as_ref())?;
    table.range().check(cx, indices)?;
    let output = cx.output(table.output(&indices.shape)?)?;
    let params = embedding_4bit::Params {
        count: word(output.numel()),
        columns: word(table.columns),
        group_size: word(table.group_size),
        vocabulary: word(table.rows),
        node: cx.node(),
    };
    // Without zero points nothing reads what is bound in their place.
    let zero_points = zeros.unwrap_or(scales);
    let variant =
        embedding_4bit::Variant { t: output.dtype.try_into()?, s: scales.dtype.try_into()?, zero: zeros.is_some() };
    cx.dispatch(embedding_4bit::Bind { weight, scales, zero_points, indices, output, params }, variant)
        .threads(output.numel())
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (weight, scales, zeros, indices) = (cx.tensor(0)?, cx.tensor(1)?, cx.opt_tensor(2)?, cx.tensor(5)?);
    let table = Table::new(cx, *weight.shape(), &scales, zeros.as_ref())?;
    let shape = table.output(indices.shape())?;
    let (scales, zeros) = (scales.to_f64s(), zeros.map(|zeros| zeros.to_f64s()));
    let mut values = Vec::with_capacity(shape.numel());
    for row in table.range().resolve(&indices)? {
        for element in row * table.columns..(row + 1) * table.columns {
            let byte = weight.bytes()[element / 2];
            let nibble = if element % 2 == 0 { byte >> 4 } else { byte & 15 };
            let group = element / table.group_size;
            let zero = zeros.as_ref().map_or(0.0, |zeros| zeros[group]);
            values.push((f64::from(nibble) - 8.0 - zero) * scales[group]);
        }
    }
    cx.set_f64s(shape, values)
}

/// The sizes of a 4-bit table, checked against each other.
struct Table {
    rows: usize,
    columns: usize,
    group_size: usize,
}

impl Table {
    fn new<T: Described>(cx: &Args<'_, T>, weight: Shape, scales: &T, zeros: Option<&T>) -> Result<Table> {
        let (least, most) = (cx.int(3)?, cx.int(4)?);
        if (least, most) != (-8, 7) {
            return Err(OpError::Unsupported(format!("4-bit weights from {least} to {most}; they must be −8 to 7")));
        }
        let dtype = cx.tensor(0)?.dtype();
        if dtype != DType::U8 {
            return Err(OpError::DType { dtype, what: "packed 4-bit weights".to_owned() });
        }
        let wrong = || OpError::Shape(format!("scales of {} do not fit a packed table of {weight}", scales.shape()));
        let (&[rows, row_bytes], &[scale_rows, ref groups @ ..]) = (weight.dims(), scales.shape().dims()) else {
            return Err(wrong());
        };
        let columns = row_bytes * 2;
        let groups = match groups {
            [] => 1,
            &[groups] if groups > 0 && columns.is_multiple_of(groups) => groups,
            _ => return Err(wrong()),
        };
        if scale_rows != rows || !scales.dtype().is_float() {
            return Err(wrong());
        }
        if let Some(zeros) = zeros
            && (zeros.dtype() != scales.dtype() || zeros.shape().numel() != rows * groups)
        {
            return Err(OpError::Shape(format!(
                "zero points {}{} do not fit scales {}{}",
                zeros.dtype(),
                zeros.shape(),
                scales.dtype(),
                scales.shape()
            )));
        }
        Ok(Table { rows, columns, group_size: (columns / groups).max(1) })
    }

    fn range(&self) -> Range {
        Range { limit: self.rows, from_end: false }
    }

    /// One row for each index.
    fn output(&self, indices: &Shape) -> Result<Shape> {
        Ok(Shape::new(&[indices.dims(), &[self.columns]].concat())?)
    }
}
