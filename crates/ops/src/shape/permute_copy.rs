//! `aten.permute_copy`, `transpose_copy`, `t_copy`: reorder dimensions.

use pteron_tensor::Shape;

use super::strided::{self, Walk, Walks};
use crate::args::{Args, Described, dim_of};
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("aten.permute.default", strided::plan::<Permute>, strided::reference::<Permute>),
    OpDef::tensor("aten.permute_copy.default", strided::plan::<Permute>, strided::reference::<Permute>)
        .portable("aten::permute_copy.out"),
    OpDef::tensor("aten.t_copy.default", strided::plan::<Matrix>, strided::reference::<Matrix>)
        .portable("aten::t_copy.out"),
    OpDef::tensor("aten.transpose_copy.int", strided::plan::<Transpose>, strided::reference::<Transpose>)
        .portable("aten::transpose_copy.int_out"),
];

struct Permute;
struct Matrix;
struct Transpose;

impl Walks for Permute {
    fn walk<T: Described>(cx: &Args<'_, T>, input: &Shape) -> Result<Walk> {
        let dims = cx.ints(1)?;
        if dims.len() != input.rank() {
            return Err(OpError::Shape(format!("{dims:?} does not permute {} dimensions", input.rank())));
        }
        let order = dims.iter().map(|&dim| dim_of(input, dim)).collect::<Result<Vec<_>>>()?;
        if (0..order.len()).any(|dim| !order.contains(&dim)) {
            return Err(OpError::Shape(format!("{dims:?} names a dimension twice")));
        }
        permuted(input, &order)
    }
}

/// A matrix is transposed; anything of lower rank stays as it is.
impl Walks for Matrix {
    fn walk<T: Described>(_: &Args<'_, T>, input: &Shape) -> Result<Walk> {
        match input.rank() {
            0 => permuted(input, &[]),
            1 => permuted(input, &[0]),
            2 => permuted(input, &[1, 0]),
            rank => Err(OpError::Shape(format!("a transpose takes a matrix, not a tensor of rank {rank}"))),
        }
    }
}

impl Walks for Transpose {
    fn walk<T: Described>(cx: &Args<'_, T>, input: &Shape) -> Result<Walk> {
        let (a, b) = (dim_of(input, cx.int(1)?)?, dim_of(input, cx.int(2)?)?);
        let mut order: Vec<_> = (0..input.rank()).collect();
        if a != b {
            order.swap(a, b);
        }
        permuted(input, &order)
    }
}

fn permuted(input: &Shape, order: &[usize]) -> Result<Walk> {
    let steps = strided::steps(input);
    let sizes: Vec<_> = order.iter().map(|&dim| input[dim]).collect();
    Ok(Walk::new(Shape::new(&sizes)?, order.iter().map(|&dim| steps[dim])))
}
