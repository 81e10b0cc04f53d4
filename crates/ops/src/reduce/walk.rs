//! Which elements go into which sum.

use pteron_tensor::{MAX_RANK, Shape};

use crate::args::{Args, Described, dim_of};
use crate::error::Result;

/// A reduction of some dimensions of a shape.
pub(super) struct Reduction {
    /// The result's shape.
    pub(super) output: Shape,
    /// Elements that go into each result.
    pub(super) count: usize,
    /// Distance in the result for a step in each dimension of the input: zero where it is reduced.
    steps: [usize; MAX_RANK],
}

impl Reduction {
    /// Reads `dim?` and `keepdim` from arguments 1 and 2. No or empty `dim` reduces every dimension.
    pub(super) fn new<T: Described>(cx: &Args<'_, T>, input: &Shape) -> Result<Reduction> {
        let dims = cx.opt_ints(1)?.unwrap_or_default();
        let keep = !cx.is_null(2) && cx.bool(2)?;
        let mut reduced = [dims.is_empty(); MAX_RANK];
        for dim in dims {
            reduced[dim_of(input, dim)?] = true;
        }
        let kept_sizes: Vec<_> = (0..input.rank()).map(|d| if reduced[d] { 1 } else { input[d] }).collect();
        let full = Shape::new(&kept_sizes)?;
        let strides = full.strides();
        let steps = std::array::from_fn(|d| if reduced[d] { 0 } else { strides[d] });
        let count = (0..input.rank()).filter(|&d| reduced[d]).map(|d| input[d]).product();
        let dropped: Vec<_> = (0..input.rank()).filter(|&d| !reduced[d]).map(|d| input[d]).collect();
        Ok(Reduction { output: if keep { full } else { Shape::new(&dropped)? }, count, steps })
    }

    /// Folds each element of the input into its result.
    pub(super) fn fold<T: Copy>(&self, input: &Shape, values: &[T], start: T, f: impl Fn(T, T) -> T) -> Vec<T> {
        let mut results = vec![start; self.output.numel()];
        for (index, &value) in values.iter().enumerate() {
            let (mut target, mut rest) = (0, index);
            for (dim, &size) in input.iter().enumerate().rev() {
                target += rest % size * self.steps[dim];
                rest /= size;
            }
            results[target] = f(results[target], value);
        }
        results
    }
}
