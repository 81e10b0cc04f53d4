//! `aten.as_strided_copy` and `aten.diagonal_copy`: walks with steps of their own.

use pteron_tensor::Shape;

use super::strided::{self, Walk, Walks};
use crate::args::{Args, Described, dim_of};
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("aten.as_strided_copy.default", strided::plan::<AsStrided>, strided::reference::<AsStrided>)
        .portable("aten::as_strided_copy.out"),
    OpDef::tensor("aten.diagonal_copy.default", strided::plan::<Diagonal>, strided::reference::<Diagonal>)
        .portable("aten::diagonal_copy.out"),
];

struct AsStrided;
struct Diagonal;

/// Arguments: sizes, steps, and the first element.
impl Walks for AsStrided {
    fn walk<T: Described>(cx: &Args<'_, T>, input: &Shape) -> Result<Walk> {
        let (sizes, steps, first) = (cx.ints(1)?, cx.ints(2)?, cx.int_or(3, 0)?);
        let wrong = || OpError::Shape(format!("{input} has no elements at {sizes:?} by {steps:?} from {first}"));
        if sizes.len() != steps.len() {
            return Err(wrong());
        }
        let shape = sizes.iter().map(|&size| u64::try_from(size).map_err(|_| wrong())).collect::<Result<Vec<_>>>()?;
        let shape = Shape::from_sizes(shape)?;
        let (mut last, mut distances) = (usize::try_from(first).ok(), Vec::new());
        for (&size, &step) in shape.iter().zip(&steps) {
            let step =
                usize::try_from(step).ok().filter(|&step| step <= isize::MAX.unsigned_abs()).ok_or_else(wrong)?;
            let reach = size.saturating_sub(1).checked_mul(step);
            last = last.zip(reach).and_then(|(last, reach)| last.checked_add(reach));
            distances.push(step.cast_signed());
        }
        if shape.numel() > 0 && last.is_none_or(|last| last >= input.numel()) {
            return Err(wrong());
        }
        Ok(Walk::new(shape, distances).from(usize::try_from(first).map_err(|_| wrong())?))
    }
}

/// Arguments: the diagonal's distance above the main one, and the two dimensions that it crosses.
impl Walks for Diagonal {
    fn walk<T: Described>(cx: &Args<'_, T>, input: &Shape) -> Result<Walk> {
        let (above, dims) = (cx.int_or(1, 0)?, [cx.int_or(2, 0)?, cx.int_or(3, 1)?]);
        let [row, column] = [dim_of(input, dims[0])?, dim_of(input, dims[1])?];
        if row == column {
            return Err(OpError::Shape(format!("a diagonal of {input} crosses dimension {row} twice")));
        }
        let (mut sizes, mut steps) = (input.to_vec(), strided::steps(input));
        let skipped = usize::try_from(above.unsigned_abs()).unwrap_or(usize::MAX);
        let (rows, columns) = if above < 0 { (skipped, 0) } else { (0, skipped) };
        let length = sizes[row].saturating_sub(rows).min(sizes[column].saturating_sub(columns));
        let offset =
            if length == 0 { 0 } else { rows * steps[row].unsigned_abs() + columns * steps[column].unsigned_abs() };
        sizes.push(length);
        steps.push(steps[row] + steps[column]);
        for dim in [row.max(column), row.min(column)] {
            sizes.remove(dim);
            steps.remove(dim);
        }
        Ok(Walk::new(Shape::new(&sizes)?, steps).from(offset))
    }
}
