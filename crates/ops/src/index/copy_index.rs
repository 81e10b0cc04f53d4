//! `executorch_prim::et_copy_index.tensor`: the result of one turn of a loop, put after those of the turns before.

use pteron_tensor::{HostTensor, Shape};

use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;

pub(crate) const OPS: &[OpDef] = &[OpDef::host("executorch_prim::et_copy_index.tensor", reference)];

/// Arguments: what was gathered so far, the new row, and its number. The first turn begins anew.
fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (row, number) = (cx.tensor(1)?, cx.int(2)?);
    let wrong = || OpError::Shape(format!("{} cannot become row {number}", row.shape()));
    let before = usize::try_from(number).map_err(|_| wrong())?;
    let shape = Shape::new(&[&[before + 1], &row.shape()[..]].concat())?;
    let mut bytes = Vec::with_capacity(shape.numel() * row.dtype().size());
    if before > 0 {
        let gathered = cx.tensor(0)?;
        let fits = gathered.dtype() == row.dtype() && gathered.shape().get(1..) == Some(&row.shape()[..]);
        let rows = gathered.bytes().get(..before * row.bytes().len()).filter(|_| fits).ok_or_else(wrong)?;
        bytes.extend_from_slice(rows);
    }
    bytes.extend_from_slice(row.bytes());
    cx.set(0, HostTensor::with_shape(row.dtype(), shape, bytes)?)
}

#[cfg(test)]
mod tests {
    use pteron_tensor::DType;

    use super::*;
    use crate::args::Arg;

    #[test]
    fn rows_follow_each_other() {
        let row = |value: i64| Arg::Tensor(HostTensor::from_slice(&[value, -value], &[2]).unwrap());
        let run = |so_far, value, number| {
            Eval::run(&OPS[0], vec![so_far, row(value), Arg::Int(number)], &[], &[DType::I64])
                .map(|done| done.outputs[0].clone())
        };
        let first = run(Arg::Null, 5, 0).unwrap();
        let second = run(Arg::Tensor(first.clone()), 7, 1).unwrap();
        assert_eq!(&**second.shape(), [2, 2]);
        assert_eq!(second.to_i64s(), [5, -5, 7, -7]);
        assert_eq!(run(Arg::Tensor(second), 9, 0).unwrap().to_i64s(), [9, -9]);
        assert!(run(Arg::Tensor(first), 7, 2).is_err());
    }
}
