//! `et_vk.embedding_q4gsw`: rows of a 4-bit table, `(nibble − 8) · scale`, with one scale per group of columns.

use pteron_tensor::{MAX_RANK, Shape};

use super::windows::window_rows;
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::embedding_q4gsw;
use crate::plan::{PlanContext, Tensor, word};

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("et_vk.embedding_q4gsw.default", plan, reference).accuracy(Accuracy::Rounded)];

/// Indices that a workgroup looks up.
const POSITIONS: usize = 2;

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let (weight, scales, indices) = (cx.tensor(0)?, cx.tensor(1)?, cx.tensor(3)?);
    let table = Table::new(&weight.shape, &scales.shape, cx.int(2)?)?;
    let low_first = cx.bool(4)?;
    let output = cx.output(table.output(&indices.shape)?)?;
    if indices.numel() == 0 {
        return Ok(());
    }
    if table.rows == 0 {
        return Err(OpError::Shape("an index cannot be looked up in a table without rows".to_owned()));
    }
    cx.check_indices(indices, table.rows as u64);

    let wide = table.columns % 8 == 0 && table.group_size % 4 == 0;
    let lanes = if wide { table.columns / 4 } else { table.columns };
    let workgroup = lanes.next_power_of_two().clamp(32, 128);
    let window = window_rows(table.rows, &[&weight, &scales], cx.caps())?;
    for first_row in (0..table.rows).step_by(window) {
        let rows = window.min(table.rows - first_row);
        let part = |tensor: Tensor| {
            let row_bytes = tensor.bytes() / table.rows as u64;
            tensor.window(first_row as u64 * row_bytes, rows as u64 * row_bytes)
        };
        let params = embedding_q4gsw::Params {
            count: word(indices.numel()),
            vocabulary: word(table.rows),
            first_row: word(first_row),
            rows: word(rows),
            node: cx.node(),
        };
        let variant = embedding_q4gsw::Variant { t: output.dtype.try_into()?, s: scales.dtype.try_into()?, wide };
        let overrides = embedding_q4gsw::Overrides {
            low_first,
            wg_size: word(workgroup),
            columns: word(table.columns),
            group_size: word(table.group_size),
        };
        let traffic = table.traffic(&weight, &scales, &indices) + output.bytes();
        let bind = embedding_q4gsw::Bind { weight: part(weight), scales: part(scales), indices, output, params };
        cx.dispatch(bind, variant).overrides(overrides).traffic(traffic).rows(indices.numel().div_ceil(POSITIONS))?;
    }
    Ok(())
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (weight, scales, indices) = (cx.tensor(0)?, cx.tensor(1)?, cx.tensor(3)?);
    let table = Table::new(weight.shape(), scales.shape(), cx.int(2)?)?;
    let low_first = cx.bool(4)?;
    let shape = table.output(indices.shape())?;
    let (weight, scales) = (weight.bytes(), scales.to_f64s());
    let mut values = Vec::with_capacity(shape.numel());
    for index in indices.to_i64s() {
        let row = usize::try_from(index).ok().filter(|&row| row < table.rows);
        let row = row.ok_or(OpError::Index { index, limit: table.rows as u64 })?;
        for column in 0..table.columns {
            let byte = weight[(row * table.columns + column) / 2];
            let low = (column % 2 == 0) == low_first;
            let nibble = if low { byte & 15 } else { byte >> 4 };
            let scale = scales[(row * table.columns + column) / table.group_size];
            values.push((f64::from(nibble) - 8.0) * scale);
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
    fn new(weight: &Shape, scales: &Shape, group_size: i64) -> Result<Table> {
        let (&[rows, row_bytes], &[scale_rows, groups]) = (&**weight, &**scales) else {
            return Err(OpError::Shape(format!("the table {weight} and its scales {scales} must have rank 2")));
        };
        let columns = row_bytes * 2;
        let size = usize::try_from(group_size).ok().filter(|&size| size > 0 && columns % size == 0);
        let Some(group_size) = size else {
            return Err(OpError::Shape(format!("groups of {group_size} do not divide a row of {columns}")));
        };
        if scale_rows != rows || groups != columns / group_size {
            return Err(OpError::Shape(format!(
                "scales of {scales} do not fit a table of {rows} rows of {columns} in groups of {group_size}"
            )));
        }
        Ok(Table { rows, columns, group_size })
    }

    /// Bytes read to look up each index once: the index, its row and its scales.
    fn traffic(&self, weight: &Tensor, scales: &Tensor, indices: &Tensor) -> u64 {
        let row = (weight.bytes() + scales.bytes()) / self.rows as u64;
        indices.bytes() + indices.numel() as u64 * row
    }

    /// One row for each index.
    fn output(&self, indices: &Shape) -> Result<Shape> {
        let rank = indices.rank();
        if rank == MAX_RANK {
            return Err(OpError::Shape(format!("indices of {indices} leave no room for a row")));
        }
        let mut sizes = [0; MAX_RANK];
        sizes[..rank].copy_from_slice(indices);
        sizes[rank] = self.columns;
        Ok(Shape::new(&sizes[..=rank])?)
    }
}
