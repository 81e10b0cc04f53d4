//! `aten.view_copy`: the same elements under another shape. Nothing is dispatched.

use pteron_tensor::Shape;

use super::view::{self, Views};
use crate::args::{Args, Described};
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("aten.view_copy.default", view::plan::<View>, view::reference::<View>)
        .portable("aten::view_copy.out"),
    OpDef::host("executorch_prim::et_view.default", view::reference::<View>),
];

struct View;

impl Views for View {
    fn shape<T: Described>(cx: &Args<'_, T>, input: &Shape) -> Result<Shape> {
        target(input.numel(), &cx.ints(1)?)
    }
}

/// The sizes with the one that is −1 inferred from the number of elements.
fn target(numel: usize, sizes: &[i64]) -> Result<Shape> {
    let wrong = || OpError::Shape(format!("{numel} elements cannot be viewed as {sizes:?}"));
    let known = sizes.iter().filter(|&&size| size != -1).map(|&size| u64::try_from(size).map_err(|_| wrong()));
    let known = known.collect::<Result<Vec<u64>>>()?;
    let inferred = match sizes.len() - known.len() {
        0 => None,
        1 => {
            let product = Shape::from_sizes(known.iter().copied())?.numel();
            Some(numel.checked_div(product).filter(|size| size * product == numel).ok_or_else(wrong)?)
        }
        _ => return Err(wrong()),
    };
    let shape = Shape::from_sizes(
        sizes.iter().map(|&size| u64::try_from(size).unwrap_or_else(|_| inferred.unwrap_or(0) as u64)),
    )?;
    if shape.numel() == numel { Ok(shape) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_size_may_be_inferred() {
        assert_eq!(target(24, &[2, -1, 4]).unwrap().dims(), [2, 3, 4]);
        assert_eq!(target(1, &[]).unwrap().dims(), [0usize; 0]);
        assert_eq!(target(0, &[3, 0]).unwrap().dims(), [3, 0]);
        for sizes in [&[5, -1][..], &[-1, -1], &[0, -1], &[2, 3], &[-2, -12], &[i64::MAX, -1]] {
            assert!(target(24, sizes).is_err(), "{sizes:?}");
        }
    }
}
