//! Which elements go into which result.

use pteron_tensor::{MAX_RANK, Shape};

use crate::args::{Args, Described, dim_of};
use crate::error::{OpError, Result};
use crate::kernels::types::DimWalk;
use crate::plan::word;

/// A reduction of some dimensions of a shape.
pub(crate) struct Reduction {
    /// The result's shape.
    pub(crate) output: Shape,
    /// The dimensions that stay: one element per result.
    pub(crate) kept: Walk,
    /// The dimensions that go: one element per term of a result.
    pub(crate) reduced: Walk,
}

/// Some dimensions of a tensor, with neighbours merged where one stride walks both.
pub(crate) struct Walk {
    /// Elements.
    pub(crate) count: usize,
    /// Size and stride, innermost first. Kept and reduced dimensions alternate, so neither has more than four.
    dims: Vec<(usize, usize)>,
}

impl Reduction {
    /// Reads `dim?` and `keepdim` from arguments 1 and 2.
    pub(crate) fn read<T: Described>(cx: &Args<'_, T>, input: &Shape) -> Result<Reduction> {
        Reduction::new(input, &cx.opt_ints(1)?.unwrap_or_default(), flag(cx, 2)?)
    }

    /// No `dims` reduces every dimension.
    pub(crate) fn new(input: &Shape, dims: &[i64], keep: bool) -> Result<Reduction> {
        let mut reduced = [dims.is_empty(); MAX_RANK];
        for &dim in dims {
            let slot = &mut reduced[dim_of(input, dim)?];
            if std::mem::replace(slot, true) {
                return Err(OpError::Shape(format!("dimension {dim} is reduced twice")));
            }
        }
        let sizes = input.iter().zip(reduced);
        let output: Vec<_> = if keep {
            sizes.map(|(&size, reduced)| if reduced { 1 } else { size }).collect()
        } else {
            sizes.filter(|&(_, reduced)| !reduced).map(|(&size, _)| size).collect()
        };
        let walk = |wanted| Walk::new(input, |dim| reduced[dim] == wanted);
        Ok(Reduction { output: Shape::new(&output)?, kept: walk(false), reduced: walk(true) })
    }

    /// Refuses results without terms, of which none can be the best.
    pub(crate) fn check_choice(&self, input: &Shape) -> Result<()> {
        if self.reduced.count == 0 && self.kept.count > 0 {
            return Err(OpError::Shape(format!("{input} has no elements to choose from")));
        }
        Ok(())
    }

    /// The offsets of the terms of one result, in order.
    pub(crate) fn terms(&self, result: usize) -> impl Iterator<Item = usize> {
        let base = self.kept.offset(result);
        (0..self.reduced.count).map(move |term| base + self.reduced.offset(term))
    }

    /// One result from the terms of each.
    pub(crate) fn map<T: Copy, R>(&self, values: &[T], f: impl Fn(&mut dyn Iterator<Item = T>) -> R) -> Vec<R> {
        (0..self.kept.count).map(|result| f(&mut self.terms(result).map(|offset| values[offset]))).collect()
    }
}

impl Walk {
    fn new(shape: &Shape, takes: impl Fn(usize) -> bool) -> Walk {
        let strides = shape.strides();
        let mut dims: Vec<(usize, usize)> = Vec::new();
        for dim in (0..shape.rank()).rev().filter(|&dim| takes(dim) && shape[dim] != 1) {
            match dims.last_mut() {
                Some((size, stride)) if *size * *stride == strides[dim] => *size *= shape[dim],
                _ => dims.push((shape[dim], strides[dim])),
            }
        }
        Walk { count: dims.iter().map(|dim| dim.0).product(), dims }
    }

    /// Whether neighbours in the walk are neighbours in memory.
    pub(crate) fn is_contiguous(&self) -> bool {
        self.dims.first().is_none_or(|dim| dim.1 == 1)
    }

    /// The distance from the first element to the one with this number.
    fn offset(&self, number: usize) -> usize {
        let mut rest = number;
        let step = |&(size, stride): &(usize, usize)| {
            let offset = rest % size * stride;
            rest /= size;
            offset
        };
        self.dims.iter().map(step).sum()
    }

    /// The walk as kernels read it.
    pub(crate) fn meta(&self) -> DimWalk {
        let mut walk = DimWalk { sizes: [1; 4], strides: [0; 4] };
        for (i, &(size, stride)) in self.dims.iter().enumerate().take(4) {
            (walk.sizes[i], walk.strides[i]) = (word(size), word(stride));
        }
        walk
    }
}

/// A truth value that is false where it is null or not there.
pub(crate) fn flag<T: Described>(cx: &Args<'_, T>, index: usize) -> Result<bool> {
    if cx.is_null(index) { Ok(false) } else { cx.bool(index) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternating_dimensions_of_the_largest_rank_fit() {
        let shape = Shape::new(&[2; 8]).unwrap();
        let reduction = Reduction::new(&shape, &[0, 2, -4, 6], false).unwrap();
        assert_eq!(&*reduction.output, [2; 4]);
        assert_eq!(reduction.reduced.dims, [(2, 2), (2, 8), (2, 32), (2, 128)]);
        assert_eq!(reduction.kept.dims.len(), 4);
        assert_eq!(reduction.terms(3).take(3).collect::<Vec<_>>(), [5, 7, 13]);
    }

    #[test]
    fn neighbours_merge_and_ones_vanish() {
        let shape = Shape::new(&[3, 5, 1, 7]).unwrap();
        let reduction = Reduction::new(&shape, &[1, 3], true).unwrap();
        assert_eq!(reduction.reduced.dims, [(35, 1)]);
        assert_eq!(&*reduction.output, [3, 1, 1, 1]);
        assert!(Reduction::new(&shape, &[1, -3], true).is_err());
        assert_eq!(Reduction::new(&Shape::SCALAR, &[-1], false).unwrap().reduced.count, 1);
    }
}
