//! `aten.expand_copy`: dimensions of size 1 repeated, and new ones in front.

use pteron_tensor::Shape;

use super::strided::{self, Walk, Walks};
use crate::args::{Args, Described};
use crate::broadcast;
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("aten.expand_copy.default", strided::plan::<Expand>, strided::reference::<Expand>)
        .portable("aten::expand_copy.out")];

struct Expand;

impl Walks for Expand {
    fn walk<T: Described>(cx: &Args<'_, T>, input: &Shape) -> Result<Walk> {
        let shape = target(input, &cx.ints(1)?)?;
        let steps = broadcast::strides(input, &shape);
        Ok(Walk::new(shape, steps.map(usize::cast_signed)))
    }
}

/// The sizes, with −1 as the size that the input has there.
fn target(input: &Shape, sizes: &[i64]) -> Result<Shape> {
    let wrong = || OpError::Shape(format!("{input} cannot be expanded to {sizes:?}"));
    let added = sizes.len().checked_sub(input.rank()).ok_or_else(wrong)?;
    let sizes = sizes.iter().enumerate().map(|(dim, &size)| {
        let own = dim.checked_sub(added).map(|dim| input[dim] as u64);
        match (u64::try_from(size), own) {
            (Err(_), Some(own)) if size == -1 => Ok(own),
            (Ok(size), Some(own)) if own == size || own == 1 => Ok(size),
            (Ok(size), None) => Ok(size),
            _ => Err(wrong()),
        }
    });
    Ok(Shape::from_sizes(sizes.collect::<Result<Vec<_>>>()?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_expand_as_pytorch_does() {
        let input = Shape::new(&[3, 1]).unwrap();
        assert_eq!(target(&input, &[2, -1, 4]).unwrap().dims(), [2, 3, 4]);
        assert_eq!(target(&input, &[3, 0]).unwrap().dims(), [3, 0]);
        for sizes in [&[4][..], &[-1, 3, 1], &[2, 4], &[3, -2], &[0, 3]] {
            assert!(target(&input, sizes).is_err(), "{sizes:?}");
        }
    }
}
