//! `aten::scalar_tensor`: a number as a tensor of rank 0.

use pteron_tensor::{HostTensor, Shape};

use crate::catalogue::OpDef;
use crate::error::Result;
use crate::eval::Eval;

pub(crate) const OPS: &[OpDef] = &[OpDef::host("aten::scalar_tensor.out", reference)];

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let dtype = cx.output_type(0)?;
    let value = if dtype.is_integer() {
        HostTensor::from_i64s(dtype, Shape::SCALAR, [cx.int(0)?])
    } else {
        HostTensor::from_f64s(dtype, Shape::SCALAR, [cx.float(0)?])
    };
    cx.set(0, value?)
}
