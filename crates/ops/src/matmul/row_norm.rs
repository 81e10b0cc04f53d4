//! The norm of the rows of a product, in the launch that brings the parts of its depth together.

use pteron_tensor::{DType, HostTensor};

use super::product::{Operands, Product};
use super::tiling::Tiling;
use crate::args::Described;
use crate::error::{OpError, Result};
use crate::norm::{rms_norm, rows};
use crate::plan::{PlanContext, Tensor};

/// The most columns of a row that one workgroup holds.
const MOST_COLUMNS: usize = 2048;

/// `(row − mean) / √(variance + epsilon) · scale + shift`, without the mean where rows are not centered.
#[derive(Clone, Debug)]
pub(crate) struct RowNorm<T> {
    pub(crate) scale: Option<T>,
    pub(crate) shift: Option<T>,
    pub(crate) epsilon: f64,
    pub(crate) centered: bool,
    /// Whether anybody reads the rows as they were before.
    pub(crate) keeps: bool,
}

impl<T: Described> RowNorm<T> {
    /// Refuses factors that do not fit rows of so many columns in a type.
    pub(crate) fn check(&self, columns: usize, dtype: DType) -> Result<()> {
        let wrong = |it: &&T| it.shape().numel() != columns || it.dtype() != dtype;
        if let Some(it) = [&self.scale, &self.shift].into_iter().flatten().find(wrong) {
            let (of, shape) = (it.dtype(), it.shape());
            return Err(OpError::Shape(format!("{of}{shape} does not fit a norm of {columns} columns in {dtype}")));
        }
        if !self.centered && (self.scale.is_none() || self.shift.is_some()) {
            return Err(OpError::Unsupported(
                "a norm by the root mean square with a shift or without a weight".to_owned(),
            ));
        }
        if !dtype.is_float() || columns == 0 {
            return Err(OpError::Unsupported(format!("the norm of {columns} columns in {dtype}")));
        }
        Ok(())
    }
}

impl RowNorm<Tensor> {
    /// Dispatches the product into `output`, and its norm into `normalized`.
    pub(crate) fn plan(
        &self,
        cx: &mut PlanContext<'_>,
        product: &Product,
        operands: Operands<Tensor>,
        [output, normalized]: [Tensor; 2],
    ) -> Result<()> {
        self.check(product.columns, output.dtype)?;
        let sides = [product.rows, product.columns];
        let tiling = Tiling::before_launch(cx.caps(), operands.factors(), sides, product.depth);
        if product.columns <= MOST_COLUMNS && tiling.parts > 1 && product.takes_tiles() && product.batch == 1 {
            let (partial, operands) = product.plan_parts(cx, operands, &tiling, output)?;
            return partial.combine_rows(cx, &operands, &product.affine, sides, self, normalized);
        }
        product.plan(cx, operands, output)?;
        match (self.centered, self.scale) {
            (false, Some(scale)) => rms_norm::dispatch(cx, output, scale, self.epsilon, normalized),
            _ => rows::dispatch(cx, output, [self.scale, self.shift], product.columns, self.epsilon, normalized),
        }
    }
}

impl RowNorm<HostTensor> {
    /// The norm of every row, in plain Rust.
    pub(crate) fn reference(&self, sums: &HostTensor, columns: usize) -> Result<Vec<f64>> {
        self.check(columns, sums.dtype())?;
        let factors = [&self.scale, &self.shift].map(|it| it.as_ref().map(HostTensor::to_f64s));
        let mut values = sums.to_f64s();
        for row in values.chunks_mut(columns) {
            let count = row.len() as f64;
            let mean = if self.centered { row.iter().sum::<f64>() / count } else { 0.0 };
            let variance = row.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / count;
            let rstd = 1.0 / (variance + self.epsilon).sqrt();
            for (column, x) in row.iter_mut().enumerate() {
                let [scale, shift] = [(&factors[0], 1.0), (&factors[1], 0.0)]
                    .map(|(factors, otherwise)| factors.as_ref().map_or(otherwise, |factors| factors[column]));
                *x = (*x - mean) * rstd * scale + shift;
            }
        }
        Ok(values)
    }
}
