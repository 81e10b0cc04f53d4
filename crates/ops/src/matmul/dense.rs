//! Products in plain Rust.

use std::borrow::Cow;

use super::product::{Operand, Product};
use crate::clock::Clock;
use crate::error::Result;

/// What can be multiplied and added up: floats, and integers that wrap.
pub(crate) trait Number: Copy + Default {
    /// `self + a · b`.
    fn plus_product(self, a: Self, b: Self) -> Self;
}

impl Number for f64 {
    fn plus_product(self, a: f64, b: f64) -> f64 {
        self + a * b
    }
}

impl Number for i64 {
    fn plus_product(self, a: i64, b: i64) -> i64 {
        self.wrapping_add(a.wrapping_mul(b))
    }
}

/// The sums of a product, batch by batch and row by row, without bias, factors or bounds.
pub(crate) fn products<T: Number>(product: &Product, left: &[T], right: &[T], clock: &Clock) -> Result<Vec<T>> {
    let Product { batch, rows, columns, depth, .. } = *product;
    let mut sums = vec![T::default(); batch * rows * columns];
    for (batch, sums) in sums.chunks_exact_mut((rows * columns).max(1)).enumerate() {
        let left = lines(left, &product.left, batch, rows, depth);
        let right = lines(right, &product.right, batch, columns, depth);
        multiply(&left, &right, depth, columns, sums, clock)?;
    }
    Ok(sums)
}

/// Writes `Σ_k left[m, k] · right[n, k]` for every row m and each of `columns` columns n. Lines are contiguous.
pub(crate) fn multiply<T: Number>(
    left: &[T],
    right: &[T],
    depth: usize,
    columns: usize,
    sums: &mut [T],
    clock: &Clock,
) -> Result<()> {
    if depth == 0 || columns == 0 {
        return Ok(());
    }
    // Four columns at a time stay in the cache while every row passes over them.
    for (block, quad) in right.chunks(4 * depth).enumerate() {
        for (row, line) in left.chunks_exact(depth).enumerate() {
            clock.count(quad.len())?;
            let sums = &mut sums[row * columns + block * 4..];
            if quad.len() == 4 * depth {
                sums[..4].copy_from_slice(&dot4(line, quad));
            } else {
                for (sum, column) in sums.iter_mut().zip(quad.chunks_exact(depth)) {
                    *sum = line.iter().zip(column).fold(T::default(), |sum, (&a, &b)| sum.plus_product(a, b));
                }
            }
        }
    }
    Ok(())
}

/// The products of a row with four columns, which are independent and so overlap in the processor.
fn dot4<T: Number>(line: &[T], quad: &[T]) -> [T; 4] {
    let depth = line.len();
    let (first, second) = quad.split_at(2 * depth);
    let ((c0, c1), (c2, c3)) = (first.split_at(depth), second.split_at(depth));
    let mut sums = [T::default(); 4];
    for ((((&a, &b0), &b1), &b2), &b3) in line.iter().zip(c0).zip(c1).zip(c2).zip(c3) {
        sums[0] = sums[0].plus_product(a, b0);
        sums[1] = sums[1].plus_product(a, b1);
        sums[2] = sums[2].plus_product(a, b2);
        sums[3] = sums[3].plus_product(a, b3);
    }
    sums
}

/// The lines of one batch of an operand, each contiguous.
fn lines<'a, T: Number>(values: &'a [T], operand: &Operand, batch: usize, count: usize, depth: usize) -> Cow<'a, [T]> {
    let values = &values[batch * operand.batch..][..count * depth];
    if operand.depth == 1 {
        return Cow::Borrowed(values);
    }
    let mut lines = vec![T::default(); count * depth];
    for (k, across) in values.chunks_exact(count.max(1)).enumerate() {
        for (line, &value) in across.iter().enumerate() {
            lines[line * depth + k] = value;
        }
    }
    Cow::Owned(lines)
}
