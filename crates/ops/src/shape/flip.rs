//! `aten.flip`: dimensions backwards.

use pteron_tensor::Shape;

use super::strided::{self, Walk, Walks};
use crate::args::{Args, Described, dim_of};
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("aten.flip.default", strided::plan::<Flip>, strided::reference::<Flip>).portable("aten::flip.out")];

struct Flip;

impl Walks for Flip {
    fn walk<T: Described>(cx: &Args<'_, T>, input: &Shape) -> Result<Walk> {
        let mut steps = strided::steps(input);
        let mut offset = 0;
        for dim in cx.ints(1)? {
            let at = dim_of(input, dim)?;
            // A scalar has a dimension to name, but none to reverse.
            let (Some(step), Some(&size)) = (steps.get_mut(at), input.get(at)) else { continue };
            if *step < 0 {
                return Err(OpError::Shape(format!("dimension {dim} is flipped twice")));
            }
            offset += size.saturating_sub(1) * step.unsigned_abs();
            *step = -*step;
        }
        Ok(Walk::new(*input, steps).from(offset))
    }
}
