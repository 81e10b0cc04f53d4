//! `aten.unsqueeze_copy`: with a new dimension of size 1.

use pteron_tensor::Shape;

use super::view::{self, Views};
use crate::args::{Args, Described};
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("aten.unsqueeze_copy.default", view::plan::<Unsqueeze>, view::reference::<Unsqueeze>)
        .portable("aten::unsqueeze_copy.out")];

struct Unsqueeze;

impl Views for Unsqueeze {
    fn shape<T: Described>(cx: &Args<'_, T>, input: &Shape) -> Result<Shape> {
        inserted(input, cx.int(1)?)
    }
}

/// The shape with a size of 1 put in at `dim`, which may also name the end.
pub(super) fn inserted(input: &Shape, dim: i64) -> Result<Shape> {
    let rank = input.rank() + 1;
    let from_start = if dim < 0 { dim.saturating_add_unsigned(rank as u64) } else { dim };
    let at = usize::try_from(from_start).ok().filter(|&at| at < rank).ok_or(OpError::Dim { dim, rank })?;
    let mut sizes = input.to_vec();
    sizes.insert(at, 1);
    Ok(Shape::new(&sizes)?)
}
