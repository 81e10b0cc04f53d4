//! A batch of matrix products: the plan and the reference behind every operator that multiplies matrices.

use std::ops::Range;

use pteron_tensor::{HostTensor, Shape};

use super::dense;
use crate::broadcast;
use crate::error::{OpError, Result};
use crate::kernels::types;
use crate::kernels::{matmul_tiled, matvec};
use crate::plan::{PlanContext, Tensor, word};

/// Up to this many rows, one workgroup per column beats a tile that is mostly empty.
const FEW_ROWS: usize = 4;
/// The outputs along a side of a tile.
const TILE: usize = 64;

/// `output[b, m, n] = alpha · Σ_k left[b, m, k] · right[b, k, n] + beta · bias[m, n]`, kept within bounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Product {
    pub(crate) batch: usize,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) depth: usize,
    pub(crate) left: Operand,
    pub(crate) right: Operand,
    /// Distances in the bias from row to row and from column to column.
    pub(crate) bias: [usize; 2],
    pub(crate) alpha: f64,
    pub(crate) beta: f64,
    /// The least and the largest result.
    pub(crate) bounds: [f64; 2],
}

/// Distances in elements: from batch to batch, from line to line (a row on the left, a column on the right), and along
/// the depth. One of the last two is 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operand {
    pub(crate) batch: usize,
    pub(crate) line: usize,
    pub(crate) depth: usize,
}

impl Operand {
    /// Lines of `depth` elements each.
    pub(crate) fn lines(count: usize, depth: usize) -> Operand {
        Operand { batch: count * depth, line: depth, depth: 1 }
    }

    /// Lines that lie across: each depth holds one element of all of them.
    pub(crate) fn across(count: usize, depth: usize) -> Operand {
        Operand { batch: count * depth, line: 1, depth: count }
    }

    /// The same operand for every batch.
    pub(crate) fn shared(self) -> Operand {
        Operand { batch: 0, ..self }
    }

    /// Whether each line is contiguous.
    fn is_contiguous(&self) -> bool {
        self.depth == 1
    }
}

impl Product {
    /// A plain product of one batch, of operands whose lines are contiguous.
    pub(crate) fn new(rows: usize, columns: usize, depth: usize) -> Product {
        Product {
            batch: 1,
            rows,
            columns,
            depth,
            left: Operand::lines(rows, depth),
            right: Operand::lines(columns, depth),
            bias: [0, 1],
            alpha: 1.0,
            beta: 1.0,
            bounds: [f64::NEG_INFINITY, f64::INFINITY],
        }
    }

    /// Finds the distances in a bias that broadcasts to the rows and columns.
    pub(crate) fn with_bias(self, bias: &Shape) -> Result<Product> {
        let output = Shape::new(&[self.rows, self.columns])?;
        if bias.broadcast(&output) != Some(output) {
            return Err(OpError::Shape(format!("a bias of {bias} does not fit a product of {output}")));
        }
        let [row, column, ..] = broadcast::strides(bias, &output);
        Ok(Product { bias: [row, column], ..self })
    }

    /// Dispatches the product; `output` holds batch, rows and columns in this order.
    pub(crate) fn plan(
        &self,
        cx: &mut PlanContext<'_>,
        left: Tensor,
        right: Tensor,
        bias: Option<Tensor>,
        output: Tensor,
    ) -> Result<()> {
        for operand in [Some(left), Some(right), bias].into_iter().flatten() {
            if operand.dtype != output.dtype {
                let what = format!("an operand of a product in {}", output.dtype);
                return Err(OpError::DType { dtype: operand.dtype, what });
            }
        }
        // One column lies in memory as one row does, and rows have the faster kernel.
        if self.columns == 1 && self.rows > FEW_ROWS && self.left.is_contiguous() {
            return self.transposed().plan(cx, right, left, bias, output);
        }
        let step = self.columns_at_once(cx, &right);
        for first in (0..self.columns).step_by(step) {
            self.dispatch(cx, left, right, bias, output, first..self.columns.min(first + step))?;
        }
        Ok(())
    }

    /// The product of the swapped operands, whose result has rows for columns.
    fn transposed(&self) -> Product {
        let [row, column] = self.bias;
        let (rows, columns) = (self.columns, self.rows);
        Product { rows, columns, left: self.right, right: self.left, bias: [column, row], ..*self }
    }

    /// All columns, or as many as fit a binding where the right operand is too large for one.
    fn columns_at_once(&self, cx: &PlanContext<'_>, right: &Tensor) -> usize {
        let caps = cx.caps();
        let column_bytes = self.depth * right.dtype.size();
        let splits = self.batch == 1 && self.right.is_contiguous();
        if right.bytes() <= caps.max_binding_bytes || !splits || column_bytes == 0 {
            return self.columns.max(1);
        }
        // As many columns as the alignment has bytes begin at a multiple of it, whatever a column takes.
        let aligned = usize::try_from(caps.offset_alignment).unwrap_or(usize::MAX).max(1);
        let most = usize::try_from(caps.max_binding_bytes).unwrap_or(usize::MAX) / column_bytes;
        (most / aligned * aligned).max(aligned)
    }

    fn dispatch(
        &self,
        cx: &mut PlanContext<'_>,
        left: Tensor,
        right: Tensor,
        bias: Option<Tensor>,
        output: Tensor,
        columns: Range<usize>,
    ) -> Result<()> {
        let count = columns.len();
        let right = if count == self.columns {
            right
        } else {
            let column_bytes = (self.depth * right.dtype.size()) as u64;
            right.window(columns.start as u64 * column_bytes, count as u64 * column_bytes)
        };
        let product = self.params(columns.start, count);
        let has_bias = bias.is_some() && self.beta != 0.0;
        // A kernel without bias never reads the binding; any buffer will do.
        let bias = bias.filter(|_| has_bias).unwrap_or(left);

        let contiguous = self.left.is_contiguous() && self.right.is_contiguous();
        if self.rows <= FEW_ROWS && contiguous {
            let subgroups = cx.caps().subgroups.is_some();
            let params = matvec::Params { product };
            let variant = matvec::Variant {
                t: output.dtype.try_into()?,
                wide: self.depth.is_multiple_of(4),
                bias: has_bias,
                reduce: if subgroups { matvec::Reduce::Subgroup } else { matvec::Reduce::Shared },
            };
            return cx
                .dispatch(matvec::Bind { left, right, bias, output, params }, variant)
                .rows(if output.numel() == 0 { 0 } else { self.batch * count });
        }
        let along = |operand: &Operand, lines| if operand.is_contiguous() { self.depth } else { lines };
        let wide = [along(&self.left, self.rows), along(&self.right, self.columns)];
        let params = matmul_tiled::Params { product };
        let variant = matmul_tiled::Variant {
            t: output.dtype.try_into()?,
            wide: wide.iter().all(|length| length.is_multiple_of(4)),
            bias: has_bias,
        };
        cx.dispatch(matmul_tiled::Bind { left, right, bias, output, params }, variant)
            .rows(self.batch * self.rows.div_ceil(TILE) * count.div_ceil(TILE))
    }

    fn params(&self, first_column: usize, columns: usize) -> types::Product {
        let operand = |operand: &Operand| types::Operand {
            batch: word(operand.batch),
            line: word(operand.line),
            depth: word(operand.depth),
        };
        #[expect(clippy::cast_possible_truncation, reason = "kernels add in f32")]
        let [alpha, beta, low, high] = [self.alpha, self.beta, self.bounds[0], self.bounds[1]].map(|x| x as f32);
        types::Product {
            rows: word(self.rows),
            columns: word(columns),
            depth: word(self.depth),
            batch: word(self.batch),
            left: operand(&self.left),
            right: operand(&self.right),
            bias_row: word(self.bias[0]),
            bias_column: word(self.bias[1]),
            first_column: word(first_column),
            output_columns: word(self.columns),
            alpha,
            beta,
            low,
            high,
        }
    }

    /// The product in plain Rust, in double precision or in integers that wrap.
    pub(crate) fn reference(
        &self,
        left: &HostTensor,
        right: &HostTensor,
        bias: Option<&HostTensor>,
        output: Shape,
    ) -> Result<HostTensor> {
        let dtype = left.dtype();
        for operand in [Some(right), bias].into_iter().flatten() {
            if operand.dtype() != dtype {
                let what = format!("an operand of a product in {dtype}");
                return Err(OpError::DType { dtype: operand.dtype(), what });
            }
        }
        let bias = bias.filter(|_| self.beta != 0.0);
        if dtype.is_float() {
            let mut sums = dense::products(self, &left.to_f64s(), &right.to_f64s());
            sums.iter_mut().for_each(|sum| *sum *= self.alpha);
            if let Some(bias) = bias.map(HostTensor::to_f64s) {
                sums.iter_mut().enumerate().for_each(|(at, sum)| *sum += self.beta * bias[self.bias_at(at)]);
            }
            let [low, high] = self.bounds;
            let bounded = sums.into_iter().map(|sum| bounded(sum, low, high));
            return Ok(HostTensor::from_f64s(dtype, output, bounded)?);
        }
        #[expect(clippy::cast_possible_truncation, reason = "factors of integers are whole numbers")]
        let (alpha, beta) = (self.alpha as i64, self.beta as i64);
        let mut sums = dense::products(self, &left.to_i64s(), &right.to_i64s());
        sums.iter_mut().for_each(|sum| *sum = sum.wrapping_mul(alpha));
        if let Some(bias) = bias.map(HostTensor::to_i64s) {
            let term = |at| beta.wrapping_mul(bias[self.bias_at(at)]);
            sums.iter_mut().enumerate().for_each(|(at, sum)| *sum = sum.wrapping_add(term(at)));
        }
        Ok(HostTensor::from_i64s(dtype, output, sums)?)
    }

    /// The element of the bias that is added to an element of the output.
    fn bias_at(&self, index: usize) -> usize {
        let (row, column) = (index / self.columns % self.rows, index % self.columns);
        row * self.bias[0] + column * self.bias[1]
    }
}

/// `value` within bounds; NaN stays NaN.
pub(crate) fn bounded(value: f64, low: f64, high: f64) -> f64 {
    if value < low {
        low
    } else if value > high {
        high
    } else {
        value
    }
}
