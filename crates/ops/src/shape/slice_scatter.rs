//! `aten::slice_scatter` and `aten::select_scatter`: a tensor with one slice of it replaced.

use pteron_tensor::Shape;

use super::select_copy::named;
use super::slice_copy::sliced;
use super::strided::Walk;
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::index::put::{Values, put};

pub(crate) const OPS: &[OpDef] =
    &[OpDef::host("aten::select_scatter.out", select), OpDef::host("aten::slice_scatter.out", slice)];

fn select(cx: &mut Eval<'_>) -> Result<()> {
    let shape = *cx.tensor(0)?.shape();
    let walk = named(cx, &shape, 2)?;
    replace(cx, &walk)
}

fn slice(cx: &mut Eval<'_>) -> Result<()> {
    let shape = *cx.tensor(0)?.shape();
    let walk = sliced(cx, &shape, 2)?;
    replace(cx, &walk)
}

fn replace(cx: &mut Eval<'_>, walk: &Walk) -> Result<()> {
    let (target, source) = (cx.tensor(0)?, cx.tensor(1)?);
    let shape: &Shape = walk.shape();
    if source.shape() != shape {
        return Err(OpError::Shape(format!("{} does not replace a slice of {shape}", source.shape())));
    }
    let places = walk.places(cx.syms())?.collect();
    let values = Values { tensor: source, places: (0..shape.numel()).collect() };
    put(cx, &target, places, &values, false)
}

#[cfg(test)]
mod tests {
    use pteron_tensor::{DType, HostTensor};

    use super::*;
    use crate::args::Arg;

    #[test]
    fn a_column_is_replaced() {
        let target = HostTensor::from_slice(&[0i64, 1, 2, 3, 4, 5], &[2, 3]).unwrap();
        let column = HostTensor::from_slice(&[-1i64, -2], &[2]).unwrap();
        let args = |column: &HostTensor, index: i64| {
            vec![Arg::Tensor(target.clone()), Arg::Tensor(column.clone()), Arg::Int(1), Arg::Int(index)]
        };
        let result = Eval::run(&OPS[0], args(&column, -1), &[], &[DType::I64]).unwrap();
        assert_eq!(result.outputs[0].to_i64s(), [0, 1, -1, 3, 4, -2]);
        assert!(Eval::run(&OPS[0], args(&column, 3), &[], &[DType::I64]).is_err());
        assert!(Eval::run(&OPS[0], args(&target, 0), &[], &[DType::I64]).is_err());
    }
}
