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
