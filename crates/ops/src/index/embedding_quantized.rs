//! `quantized_decomposed.embedding_byte`, `embedding_4bit` and `embedding_2bit`: rows of a table of small integers,
//! `(code − zero point) · scale`, with one scale and zero point per group of columns.
//!
//! Bytes are signed or not by their type. Of shorter codes several lie in a byte, and 0 stands for the least number: two of
//! 4 bits with the high one first, four of 2 bits with the low one first.

use pteron_tensor::{DType, Shape};

use super::take::Range;
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::embedding_quantized;
use crate::plan::{PlanContext, Tensor, word};
use crate::quant::windows::window_rows;

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("quantized_decomposed.embedding_2bit.default", plan, reference)
        .portable("quantized_decomposed::embedding_2bit.out")
        .accuracy(Accuracy::Rounded),
    OpDef::tensor("quantized_decomposed.embedding_2bit.dtype", plan, reference)
        .portable("quantized_decomposed::embedding_2bit.dtype_out")
        .accuracy(Accuracy::Rounded),
    OpDef::tensor("quantized_decomposed.embedding_4bit.default", plan, reference)
        .portable("quantized_decomposed::embedding_4bit.out")
        .accuracy(Accuracy::Rounded),
    OpDef::tensor("quantized_decomposed.embedding_4bit.dtype", plan, reference)
        .portable("quantized_decomposed::embedding_4bit.dtype_out")
        .accuracy(Accuracy::Rounded),
    OpDef::tensor("quantized_decomposed.embedding_byte.default", plan, reference)
        .portable("quantized_decomposed::embedding_byte.out")
        .accuracy(Accuracy::Rounded),
    OpDef::tensor("quantized_decomposed.embedding_byte.dtype", plan, reference)
        .portable("quantized_decomposed::embedding_byte.dtype_out")
        .accuracy(Accuracy::Rounded),
];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let (weight, scales, zeros, indices) = (cx.tensor(0)?, cx.tensor(1)?, cx.opt_tensor(2)?, cx.tensor(5)?);
    let table = Table::new(cx, cx.name(), weight.shape, &scales, zeros.as_ref())?;
    table.range().check(cx, indices)?;
    let output = cx.output(table.output(&indices.shape)?)?;
    // Without zero points nothing reads what is bound in their place.
    let zero_points = zeros.unwrap_or(scales);
    let variant = embedding_quantized::Variant {
        t: output.dtype.try_into()?,
        s: scales.dtype.try_into()?,
        bits: match table.code.bits {
            2 => embedding_quantized::Bits::N2,
            4 => embedding_quantized::Bits::N4,
            _ => embedding_quantized::Bits::N8,
        },
        zero: zeros.is_some(),
    };
    let window = window_rows(table.rows, &[&weight, &scales, &zero_points], cx.caps())?;
    for first_row in (0..table.rows).step_by(window) {
        let rows = window.min(table.rows - first_row);
        let params = embedding_quantized::Params {
            count: word(output.numel()),
            columns: word(table.columns),
            group_size: word(table.group_size),
            vocabulary: word(table.rows),
            first_row: word(first_row),
            rows: word(rows),
            sign: table.code.sign,
            middle: table.code.middle,
            node: cx.node(),
        };
        let part = |tensor: Tensor| {
            let row_bytes = tensor.bytes() / table.rows as u64;
            let window = tensor.window(first_row as u64 * row_bytes, rows as u64 * row_bytes);
            if rows == table.rows { tensor } else { window }
        };
        let bind = embedding_quantized::Bind {
            weight: part(weight),
            scales: part(scales),
            zero_points: part(zero_points),
            indices,
            output,
            params,
        };
        cx.dispatch(bind, variant).traffic(2 * output.bytes() + indices.bytes()).threads(output.numel())?;
    }
    Ok(())
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (weight, scales, zeros, indices) = (cx.tensor(0)?, cx.tensor(1)?, cx.opt_tensor(2)?, cx.tensor(5)?);
    let table = Table::new(cx, cx.name(), *weight.shape(), &scales, zeros.as_ref())?;
    let shape = table.output(indices.shape())?;
    let (scales, zeros) = (scales.to_f64s(), zeros.map(|zeros| zeros.to_f64s()));
    let mut values = Vec::with_capacity(shape.numel());
    for row in table.range().resolve(&indices)? {
        for element in row * table.columns..(row + 1) * table.columns {
            let group = element / table.group_size;
            let zero = zeros.as_ref().map_or(0.0, |zeros| zeros[group]);
            values.push((f64::from(table.code.at(weight.bytes(), element)) - zero) * scales[group]);
        }
    }
    cx.set_f64s(shape, values)
}

/// How numbers become codes of some bits.
#[derive(Clone, Copy)]
struct Code {
    bits: usize,
    /// The highest bit of a signed code.
    sign: u32,
    /// What the code 0 stands for, negated.
    middle: i32,
}

impl Code {
    /// The codes of the operator of this name, for a table whose bytes have this type.
    fn new(name: &str, dtype: DType) -> Result<Code> {
        let bits = match name {
            _ if name.contains("2bit") => 2,
            _ if name.contains("4bit") => 4,
            _ => 8,
        };
        match (bits, dtype) {
            (8, DType::I8) => Ok(Code { bits, sign: 128, middle: 128 }),
            (8, DType::U8) => Ok(Code { bits, sign: 0, middle: 0 }),
            (_, DType::U8) => Ok(Code { bits, sign: 0, middle: 1 << (bits - 1) }),
            _ => Err(OpError::DType { dtype, what: format!("a table of {bits}-bit integers") }),
        }
    }

    /// The number at an element of a table.
    fn at(self, bytes: &[u8], element: usize) -> i32 {
        let in_byte = 8 / self.bits;
        let place = if self.bits == 4 { 1 - element % 2 } else { element % in_byte };
        let code = (u32::from(bytes[element / in_byte]) >> (place * self.bits)) & ((1 << self.bits) - 1);
        (code ^ self.sign).cast_signed() - self.middle
    }
}

/// The sizes of a table, checked against each other.
struct Table {
    rows: usize,
    columns: usize,
    group_size: usize,
    code: Code,
}

impl Table {
    fn new<T: Described>(cx: &Args<'_, T>, name: &str, weight: Shape, scales: &T, zeros: Option<&T>) -> Result<Table> {
        let (least, most) = (cx.int(3)?, cx.int(4)?);
        let code = Code::new(name, cx.tensor(0)?.dtype())?;
        let (bits, half) = (code.bits, 1i64 << (code.bits - 1));
        if bits < 8 && (least, most) != (-half, half - 1) {
            let what = format!("{bits}-bit weights from {least} to {most}; they must be {} to {}", -half, half - 1);
            return Err(OpError::Unsupported(what));
        }
        let wrong = || OpError::Shape(format!("scales of {} do not fit a packed table of {weight}", scales.shape()));
        let (&[rows, row_bytes], &[scale_rows, ref groups @ ..]) = (weight.dims(), scales.shape().dims()) else {
            return Err(wrong());
        };
        let columns = row_bytes * (8 / bits);
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
        Ok(Table { rows, columns, group_size: (columns / groups).max(1), code })
    }

    fn range(&self) -> Range {
        Range { limit: self.rows, from_end: false }
    }

    /// One row for each index.
    fn output(&self, indices: &Shape) -> Result<Shape> {
        Ok(Shape::new(&[indices.dims(), &[self.columns]].concat())?)
    }
}
