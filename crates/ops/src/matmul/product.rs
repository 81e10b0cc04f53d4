//! A batch of matrix products: the plan and the reference behind every operator that multiplies matrices.

use std::ops::Range;

use pteron_tensor::{DType, HostTensor, Shape};

use super::dense;
use super::epilogue::{Affine, Epilogue};
use super::tiling::{Factors, MatrixTile, Partial, Tile, Tiling};
use crate::broadcast;
use crate::clock::Clock;
use crate::error::{OpError, Result};
use crate::kernels::types;
use crate::kernels::{matmul_matrix, matmul_tiled, matvec};
use crate::plan::{PlanContext, Tensor, word};

/// Up to this many rows, one workgroup per column beats a tile that is mostly empty.
const FEW_ROWS: usize = 4;

/// `output[b, m, n] = alpha · Σ_k left[b, m, k] · right[b, k, n] + beta · bias[m, n]`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Product {
    pub(crate) batch: usize,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) depth: usize,
    pub(crate) left: Operand,
    pub(crate) right: Operand,
    pub(crate) affine: Affine,
}

/// The tensors of a product.
#[derive(Clone, Debug)]
pub(crate) struct Operands<T> {
    pub(crate) left: T,
    pub(crate) right: T,
    pub(crate) bias: Option<T>,
    /// A factor for each depth of each batch.
    pub(crate) scale: Option<T>,
    pub(crate) epilogue: Epilogue<T>,
}

impl<T> Operands<T> {
    /// Operands of a product that is its own result.
    pub(crate) fn plain(left: T, right: T, bias: Option<T>) -> Operands<T> {
        Operands { left, right, bias, scale: None, epilogue: Epilogue::NONE }
    }

    /// Everything that must be of one type.
    pub(crate) fn all(&self) -> impl Iterator<Item = &T> {
        let others = [&self.bias, &self.scale, &self.epilogue.addend].into_iter().flatten();
        [&self.left, &self.right].into_iter().chain(others)
    }
}

impl Operands<Tensor> {
    /// What is multiplied, where nothing is looked for.
    pub(crate) fn factors(&self) -> Factors {
        Factors { short: self.left.dtype == DType::F16 && self.scale.is_none(), gathered: false }
    }
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

    /// How kernels read it: four elements at a time where no four of them cross a border.
    fn read(&self, lines: usize, depth: usize) -> Read {
        match self.is_contiguous() {
            true if depth.is_multiple_of(4) => Read::Depth,
            false if lines.is_multiple_of(4) => Read::Across,
            _ => Read::Single,
        }
    }
}

/// How a kernel reads an operand.
enum Read {
    /// Four depths of a line at a time.
    Depth,
    /// Four lines of a depth at a time.
    Across,
    /// One by one.
    Single,
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
            affine: Affine { bias: [0, 1], alpha: 1.0, beta: 1.0 },
        }
    }

    /// Finds the distances in a bias that broadcasts to the rows and columns.
    pub(crate) fn with_bias(self, bias: &Shape) -> Result<Product> {
        let output = Shape::new(&[self.rows, self.columns])?;
        if bias.broadcast(&output) != Some(output) {
            return Err(OpError::Shape(format!("a bias of {bias} does not fit a product of {output}")));
        }
        let [row, column, ..] = broadcast::strides(bias, &output);
        Ok(Product { affine: Affine { bias: [row, column], ..self.affine }, ..self })
    }

    /// Dispatches the product; `output` holds batch, rows and columns in this order.
    pub(crate) fn plan(&self, cx: &mut PlanContext<'_>, operands: Operands<Tensor>, output: Tensor) -> Result<()> {
        // One column lies in memory as one row does, and rows have the faster kernel.
        if self.columns == 1 && self.rows > FEW_ROWS && self.left.is_contiguous() {
            let Operands { left, right, .. } = operands;
            return self.transposed().plan(cx, Operands { left: right, right: left, ..operands }, output);
        }
        if !self.takes_tiles() {
            let operands = self.checked(operands, &output)?;
            for columns in self.windows(cx, &operands.right) {
                self.dispatch_rows(cx, &operands, output, columns)?;
            }
            return Ok(());
        }
        let tiling = Tiling::new(cx.caps(), operands.factors(), self.batch, [self.rows, self.columns], self.depth);
        let (partial, operands) = self.plan_parts(cx, operands, &tiling, output)?;
        partial.combine(cx, &operands, &self.affine, [self.rows, self.columns])
    }

    /// Dispatches the product in parts, which are for the caller to bring together, with what is theirs of the operands.
    pub(super) fn plan_parts(
        &self,
        cx: &mut PlanContext<'_>,
        operands: Operands<Tensor>,
        tiling: &Tiling,
        output: Tensor,
    ) -> Result<(Partial, Operands<Tensor>)> {
        let operands = self.checked(operands, &output)?;
        let partial = tiling.partial(cx, output)?;
        for columns in self.windows(cx, &operands.right) {
            self.dispatch_tiles(cx, &operands, tiling, &partial, columns)?;
        }
        Ok((partial, operands))
    }

    /// Whether tiles compute it: few rows have a kernel of their own where both operands are contiguous along the depth.
    pub(super) fn takes_tiles(&self) -> bool {
        self.rows > FEW_ROWS || !self.left.is_contiguous() || !self.right.is_contiguous()
    }

    /// Operands of the output's type, without a bias that does not count.
    fn checked(&self, operands: Operands<Tensor>, output: &Tensor) -> Result<Operands<Tensor>> {
        if let Some(operand) = operands.all().find(|operand| operand.dtype != output.dtype) {
            let what = format!("an operand of a product in {}", output.dtype);
            return Err(OpError::DType { dtype: operand.dtype, what });
        }
        operands.epilogue.check(&output.shape, output)?;
        self.check_scale(operands.scale.as_ref())?;
        let bias = operands.bias.filter(|_| self.affine.beta != 0.0);
        Ok(Operands { bias, ..operands })
    }

    /// Refuses factors that are not one for each depth of each batch.
    fn check_scale(&self, scale: Option<&Tensor>) -> Result<()> {
        match scale {
            Some(scale) if scale.numel() != self.batch * self.depth => {
                let (shape, batch, depth) = (scale.shape, self.batch, self.depth);
                Err(OpError::Shape(format!("{shape} has no factor for each of {batch}x{depth} depths")))
            }
            _ => Ok(()),
        }
    }

    /// The columns of each launch.
    fn windows(&self, cx: &PlanContext<'_>, right: &Tensor) -> impl Iterator<Item = Range<usize>> + use<> {
        let (step, columns) = (self.columns_at_once(cx, right), self.columns);
        (0..columns).step_by(step).map(move |first| first..columns.min(first + step))
    }

    /// The product of the swapped operands, whose result has rows for columns.
    fn transposed(&self) -> Product {
        let [row, column] = self.affine.bias;
        let (rows, columns) = (self.columns, self.rows);
        let affine = Affine { bias: [column, row], ..self.affine };
        Product { rows, columns, left: self.right, right: self.left, affine, ..*self }
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

    /// One workgroup for each of some columns takes all rows.
    fn dispatch_rows(
        &self,
        cx: &mut PlanContext<'_>,
        operands: &Operands<Tensor>,
        output: Tensor,
        columns: Range<usize>,
    ) -> Result<()> {
        let &Operands { left, bias, scale, ref epilogue, .. } = operands;
        let (count, right) = (columns.len(), self.window(operands.right, &columns));
        let params =
            matvec::Params { product: self.params(columns), epilogue: epilogue.params(&self.affine, bias.is_some()) };
        let variant = matvec::Variant {
            t: output.dtype.try_into()?,
            wide: self.depth.is_multiple_of(4),
            scaled: scale.is_some(),
            epilogue: !epilogue.is_none(),
            reduce: if cx.caps().subgroups.is_some() { matvec::Reduce::Subgroup } else { matvec::Reduce::Shared },
        };
        // A kernel never reads what is absent; any buffer will do.
        let (bias, addend) = (bias.unwrap_or(left), epilogue.addend.unwrap_or(left));
        let scale = scale.unwrap_or(left);
        cx.dispatch(matvec::Bind { left, right, bias, addend, scale, output, params }, variant)
            .rows(if output.numel() == 0 { 0 } else { self.batch * count })
    }

    /// Tiles of some columns, for each part of the depth.
    fn dispatch_tiles(
        &self,
        cx: &mut PlanContext<'_>,
        operands: &Operands<Tensor>,
        tiling: &Tiling,
        partial: &Partial,
        columns: Range<usize>,
    ) -> Result<()> {
        let side = tiling.tile.side();
        let tiles = self.batch * self.rows.div_ceil(side) * columns.len().div_ceil(side) * tiling.parts;
        let &Operands { left, bias, scale, ref epilogue, .. } = operands;
        let right = self.window(operands.right, &columns);
        let (product, epilogue_params) = (self.params(columns), epilogue.params(&self.affine, bias.is_some()));
        let (parts, part_depth) = (word(tiling.parts), word(tiling.part_depth));
        let [left_read, right_read] =
            [self.left.read(self.rows, self.depth), self.right.read(self.columns, self.depth)];
        let (scaled, split) = (scale.is_some(), partial.is_split());
        let has_epilogue = !split && !epilogue.is_none();
        // A kernel never reads what is absent; any buffer will do.
        let (bias, addend) = (bias.unwrap_or(left), epilogue.addend.unwrap_or(left));
        let (scale, output, wg_size) = (scale.unwrap_or(left), partial.target(), tiling.tile.lanes());
        let Some(MatrixTile { high, halves, emulated }) = tiling.tile.on_units() else {
            let params = matmul_tiled::Params { product, epilogue: epilogue_params, parts, part_depth };
            let variant = matmul_tiled::Variant {
                t: left.dtype.try_into()?,
                left: match left_read {
                    Read::Depth => matmul_tiled::Left::Depth,
                    Read::Across => matmul_tiled::Left::Across,
                    Read::Single => matmul_tiled::Left::Single,
                },
                right: match right_read {
                    Read::Depth => matmul_tiled::Right::Depth,
                    Read::Across => matmul_tiled::Right::Across,
                    Read::Single => matmul_tiled::Right::Single,
                },
                tile: if tiling.tile == Tile::Small { matmul_tiled::Tile::N32 } else { matmul_tiled::Tile::N64 },
                scaled,
                split,
                epilogue: has_epilogue,
            };
            return cx
                .dispatch(matmul_tiled::Bind { left, right, bias, addend, scale, output, params }, variant)
                .overrides(matmul_tiled::Overrides { wg_size })
                .rows(tiles);
        };
        let params = matmul_matrix::Params { product, epilogue: epilogue_params, parts, part_depth };
        let variant = matmul_matrix::Variant {
            t: left.dtype.try_into()?,
            left: match left_read {
                Read::Depth => matmul_matrix::Left::Depth,
                Read::Across => matmul_matrix::Left::Across,
                Read::Single => matmul_matrix::Left::Single,
            },
            right: match right_read {
                Read::Depth => matmul_matrix::Right::Depth,
                Read::Across => matmul_matrix::Right::Across,
                Read::Single => matmul_matrix::Right::Single,
            },
            high: if high == 2 { matmul_matrix::High::N2 } else { matmul_matrix::High::N4 },
            halves: if halves == 2 { matmul_matrix::Halves::N2 } else { matmul_matrix::Halves::N1 },
            scaled,
            split,
            epilogue: has_epilogue,
            units: if emulated { matmul_matrix::Units::Emulated } else { matmul_matrix::Units::On },
        };
        cx.dispatch(matmul_matrix::Bind { left, right, bias, addend, scale, output, params }, variant)
            .overrides(matmul_matrix::Overrides { wg_size })
            .rows(tiles)
    }

    /// The right operand of some columns.
    fn window(&self, right: Tensor, columns: &Range<usize>) -> Tensor {
        if columns.len() == self.columns {
            return right;
        }
        let column_bytes = (self.depth * right.dtype.size()) as u64;
        right.window(columns.start as u64 * column_bytes, columns.len() as u64 * column_bytes)
    }

    fn params(&self, columns: Range<usize>) -> types::Product {
        let operand = |operand: &Operand| types::Operand {
            batch: word(operand.batch),
            line: word(operand.line),
            depth: word(operand.depth),
        };
        types::Product {
            rows: word(self.rows),
            columns: word(columns.len()),
            depth: word(self.depth),
            batch: word(self.batch),
            left: operand(&self.left),
            right: operand(&self.right),
            first_column: word(columns.start),
            output_columns: word(self.columns),
        }
    }

    /// The product in plain Rust, in double precision or in integers that wrap.
    pub(crate) fn reference(
        &self,
        operands: &Operands<HostTensor>,
        output: Shape,
        clock: &Clock,
    ) -> Result<HostTensor> {
        let Operands { left, right, bias, scale, epilogue } = operands;
        let dtype = left.dtype();
        if scale.is_some() {
            return Err(OpError::Unsupported("factors of depths in a product that is no convolution".to_owned()));
        }
        if let Some(operand) = operands.all().find(|operand| operand.dtype() != dtype) {
            return Err(OpError::DType { dtype: operand.dtype(), what: format!("an operand of a product in {dtype}") });
        }
        epilogue.check(&output, left)?;
        let Affine { alpha, beta, .. } = self.affine;
        let bias = bias.as_ref().filter(|_| beta != 0.0);
        if dtype.is_float() {
            let mut sums = dense::products(self, &left.to_f64s(), &right.to_f64s(), clock)?;
            sums.iter_mut().for_each(|sum| *sum *= alpha);
            if let Some(bias) = bias.map(HostTensor::to_f64s) {
                sums.iter_mut().enumerate().for_each(|(at, sum)| *sum += beta * bias[self.bias_at(at)]);
            }
            epilogue.apply(&mut sums);
            return Ok(HostTensor::from_f64s(dtype, output, sums)?);
        }
        if !epilogue.is_none() {
            return Err(OpError::DType { dtype, what: "a product with an epilogue".to_owned() });
        }
        #[expect(clippy::cast_possible_truncation, reason = "factors of integers are whole numbers")]
        let (alpha, beta) = (alpha as i64, beta as i64);
        let mut sums = dense::products(self, &left.to_i64s(), &right.to_i64s(), clock)?;
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
        row * self.affine.bias[0] + column * self.affine.bias[1]
    }
}
