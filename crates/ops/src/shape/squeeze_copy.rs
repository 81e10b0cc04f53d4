//! `aten.squeeze_copy`: without the dimensions of size 1, all or those named.

use pteron_tensor::Shape;

use super::view::{self, Views};
use crate::args::{Args, Described, dim_of};
use crate::catalogue::OpDef;
use crate::error::Result;

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("aten.squeeze_copy.default", view::plan::<Squeeze>, view::reference::<Squeeze>)
        .portable("aten::squeeze_copy.out"),
    OpDef::tensor("aten.squeeze_copy.dim", view::plan::<Squeeze>, view::reference::<Squeeze>)
        .portable("aten::squeeze_copy.dim_out"),
    OpDef::tensor("aten.squeeze_copy.dims", view::plan::<Squeeze>, view::reference::<Squeeze>)
        .portable("aten::squeeze_copy.dims_out"),
];

struct Squeeze;

impl Views for Squeeze {
    fn shape<T: Described>(cx: &Args<'_, T>, input: &Shape) -> Result<Shape> {
        let named = match cx.opt_ints(1)? {
            Some(dims) => dims.iter().map(|&dim| dim_of(input, dim)).collect::<Result<Vec<_>>>()?,
            None => (0..input.rank()).collect(),
        };
        let kept = input.iter().enumerate().filter(|(dim, size)| **size != 1 || !named.contains(dim));
        Ok(Shape::from_sizes(kept.map(|(_, &size)| size as u64))?)
    }
}
