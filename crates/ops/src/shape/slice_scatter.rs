//! `aten.slice_scatter` and `aten.select_scatter`: a tensor with one slice of it replaced, by elements of any type.

use pteron_tensor::{DType, HostTensor, Shape};

use super::select_copy::place;
use super::slice_copy::Range;
use crate::args::{Args, Described};
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::slice_scatter;
use crate::plan::{PlanContext, is_byte, word};
use crate::pointwise::copy;
use crate::pointwise::number::Operand;
use crate::sym::{IntArg, Scalar};

const SELECT: &str = "aten.select_scatter.default";

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor(SELECT, plan, reference).portable("aten::select_scatter.out"),
    OpDef::tensor("aten.slice_scatter.default", plan, reference).portable("aten::slice_scatter.out"),
];

/// The slice. Arguments: target, source, dimension, and an index or start, end and step.
fn read<T: Described>(name: &str, cx: &Args<'_, T>, output: DType) -> Result<Range> {
    let (target, source) = (cx.tensor(0)?, cx.tensor(1)?);
    let shape = target.shape();
    let (range, expected) = if name == SELECT {
        let (dim, at) = place(cx, shape, 2)?;
        let mut sizes = shape.to_vec();
        sizes.remove(dim);
        let start = Scalar::Int(IntArg::Known(at as i64));
        (Range { dim, start, step: 1, length: 1 }, Shape::new(&sizes)?)
    } else {
        let range = Range::read(cx, shape, 2)?;
        let expected = shape.with(range.dim, range.length)?;
        (range, expected)
    };
    if *source.shape() != expected {
        return Err(OpError::Shape(format!("{} does not replace a slice of {expected}", source.shape())));
    }
    if output != target.dtype() {
        return Err(OpError::DType { dtype: output, what: format!("a copy of {}", target.dtype()) });
    }
    Ok(range)
}

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let Range { dim, start, step, length } = read(cx.name(), cx, cx.output_type(0)?)?;
    let (target, source) = (cx.tensor(0)?, cx.tensor(1)?);
    if length == 0 {
        return cx.alias(0, target, target.shape);
    }
    let source = Operand::Tensor(source).place(cx, target.dtype)?;
    let output = cx.output(target.shape)?;
    let params = slice_scatter::Params {
        numel: word(output.numel()),
        size: word(target.shape[dim]),
        inner: word(target.shape[dim + 1..].iter().product()),
        step: word(step),
        length: word(length),
    };
    let variant = slice_scatter::Variant { t: output.dtype.try_into()? };
    let threads = if is_byte(output.dtype) { output.numel().div_ceil(4) } else { output.numel() };
    cx.dispatch(
        slice_scatter::Bind { input: target, source, output, params, call: slice_scatter::Call { start } },
        variant,
    )
    .threads(threads)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let Range { dim, start, step, length } = read(cx.name(), cx, cx.output_type(0)?)?;
    let (target, source) = (cx.tensor(0)?, cx.tensor(1)?);
    let source = copy::convert(&source, target.dtype());
    let start = usize::try_from(start.eval(cx.syms())?).unwrap_or(0);
    let row = target.shape()[dim + 1..].iter().product::<usize>() * target.dtype().size();
    let mut bytes = target.bytes().to_vec();
    for (outer, rows) in source.bytes().chunks_exact((length * row).max(1)).enumerate() {
        for (number, values) in rows.chunks_exact(row.max(1)).enumerate() {
            let at = (outer * target.shape()[dim] + start + number * step) * row;
            let outside = || OpError::Shape("a slice leaves its tensor".to_owned());
            bytes.get_mut(at..at + row).ok_or_else(outside)?.copy_from_slice(values);
        }
    }
    cx.set(0, HostTensor::with_shape(target.dtype(), *target.shape(), bytes)?)
}

#[cfg(test)]
mod tests {
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
