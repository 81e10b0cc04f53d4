//! `aten::nonzero.out`: where the elements are that are not zero.

use pteron_tensor::{DType, HostTensor, Shape};

use crate::catalogue::OpDef;
use crate::error::Result;
use crate::eval::Eval;

pub(crate) const OPS: &[OpDef] = &[OpDef::host("aten::nonzero.out", nonzero)];

/// The coordinates of every element that is not zero, one row each.
fn nonzero(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let (sizes, strides) = (input.shape(), input.shape().strides());
    let mut rows = 0;
    let mut coordinates = Vec::new();
    for (number, value) in input.to_f64s().into_iter().enumerate() {
        if value != 0.0 {
            rows += 1;
            coordinates.extend(sizes.iter().zip(strides).map(|(&size, stride)| (number / stride % size) as i64));
        }
    }
    cx.set(0, HostTensor::from_i64s(DType::I64, Shape::new(&[rows, sizes.rank()])?, coordinates)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Arg;

    #[test]
    fn a_number_that_is_not_zero_is_one_row_of_no_coordinates() {
        for (value, rows) in [(0.0, 0), (f64::NAN, 1)] {
            let input = Arg::Tensor(HostTensor::from_f64s(DType::F64, Shape::SCALAR, [value]).unwrap());
            let found = Eval::run(&OPS[0], vec![input], &[], &[DType::I64]).unwrap();
            assert_eq!(&**found.outputs[0].shape(), [rows, 0]);
        }
    }
}
