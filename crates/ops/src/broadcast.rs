//! Broadcasting, once for every family.

use pteron_tensor::{MAX_RANK, Shape};

use crate::error::{OpError, Result};

/// The shape that two operands broadcast to.
pub(crate) fn shape_of(a: &Shape, b: &Shape) -> Result<Shape> {
    a.broadcast(b).ok_or_else(|| OpError::Shape(format!("{a} and {b} do not broadcast")))
}

/// The distance in `operand` for a step in each dimension of `shape`: zero where it is repeated.
///
/// `operand` broadcasts to `shape`.
pub(crate) fn strides(operand: &Shape, shape: &Shape) -> [usize; MAX_RANK] {
    let own = operand.strides();
    let missing = shape.rank().saturating_sub(operand.rank());
    let mut strides = [0; MAX_RANK];
    for (i, &size) in operand.iter().enumerate() {
        strides[missing + i] = if size == 1 { 0 } else { own[i] };
    }
    strides
}

/// The elements of `operand` repeated to `shape`, to which it broadcasts.
pub(crate) fn expand<T: Copy>(values: Vec<T>, operand: &Shape, shape: &Shape) -> Vec<T> {
    if operand == shape {
        return values;
    }
    let steps = strides(operand, shape);
    let source = |index: usize| {
        let mut rest = index;
        let coordinates = shape.iter().enumerate().rev().map(|(dim, &size)| {
            let coordinate = rest % size;
            rest /= size;
            coordinate * steps[dim]
        });
        coordinates.sum::<usize>()
    };
    (0..shape.numel()).map(|index| values[source(index)]).collect()
}
