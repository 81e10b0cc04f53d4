//! `aten.where.self` and `aten.masked_fill`: one of two operands, element by element. All three broadcast.

use pteron_tensor::{DType, HostTensor, Shape};

use super::number::Operand;
use crate::args::{Args, Described};
use crate::broadcast;
use crate::catalogue::OpDef;
use crate::error::Result;
use crate::eval::Eval;
use crate::kernels::where_self::{Bind, Params, Variant};
use crate::plan::{PlanContext, lanes, word};

const MASKED_FILL: &str = "aten.masked_fill.Scalar";

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor(MASKED_FILL, plan, reference).portable("aten::masked_fill.Scalar_out"),
    OpDef::tensor("aten.where.self", plan, reference).portable("aten::where.self_out"),
];

struct Call<T> {
    condition: Operand<T>,
    a: Operand<T>,
    b: Operand<T>,
    shape: Shape,
}

impl<T: Described> Call<T> {
    fn read(name: &str, args: &Args<'_, T>, dtype: DType) -> Result<Call<T>> {
        // What is filled comes first, then where, and with what.
        let [condition, a, b] = if name == MASKED_FILL { [1, 2, 0] } else { [0, 1, 2] };
        let condition = Operand::Tensor(args.tensor(condition)?);
        let (a, b) = (Operand::read(args, a)?, Operand::read(args, b)?);
        a.check(dtype)?;
        b.check(dtype)?;
        let shape = broadcast::shape_of(&condition.shape(), &broadcast::shape_of(&a.shape(), &b.shape())?)?;
        Ok(Call { condition, a, b, shape })
    }
}

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let dtype = cx.output_type(0)?;
    let Call { condition, a, b, shape } = Call::read(cx.name(), cx, dtype)?;
    let condition = condition.place(cx, DType::Bool)?;
    let (a, b) = (a.place(cx, dtype)?, b.place(cx, dtype)?);
    let output = cx.output(shape)?;
    let flat = [&condition, &a, &b].into_iter().all(|x| x.numel() == 1 || x.numel() == shape.numel());
    let steps = |x: &Shape| {
        if flat { lanes([u32::from(x.numel() != 1)]) } else { lanes(broadcast::strides(x, &shape).map(word)) }
    };
    let params = Params {
        out: output.meta(),
        condition_steps: steps(&condition.shape),
        a_steps: steps(&a.shape),
        b_steps: steps(&b.shape),
    };
    let variant = Variant { t: dtype.try_into()?, flat };
    cx.dispatch(Bind { condition, a, b, output, params }, variant).threads(shape.numel().div_ceil(4))
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let dtype = cx.output_type(0)?;
    let Call { condition, a, b, shape } = Call::read(cx.name(), cx, dtype)?;
    let condition = condition.ints(DType::Bool, &shape);
    fn choose<V: Copy>(condition: &[i64], a: Vec<V>, b: Vec<V>) -> Vec<V> {
        condition.iter().zip(a.into_iter().zip(b)).map(|(&yes, (a, b))| if yes != 0 { a } else { b }).collect()
    }
    let result = if dtype.is_float() {
        HostTensor::from_f64s(dtype, shape, choose(&condition, a.floats(dtype, &shape), b.floats(dtype, &shape)))?
    } else {
        HostTensor::from_i64s(dtype, shape, choose(&condition, a.ints(dtype, &shape), b.ints(dtype, &shape)))?
    };
    cx.set(0, result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Arg;

    #[test]
    fn masks_broadcast_and_numbers_take_the_type() {
        let input = Arg::Tensor(HostTensor::from_slice(&[1i32, 2, 3], &[3, 1]).unwrap());
        let mask = HostTensor::from_slice(&[0u8, 1], &[2]).unwrap().cast(DType::Bool);
        let args = vec![input, Arg::Tensor(mask), Arg::Double(-7.0)];
        let filled = Eval::run(&OPS[0], args, &[], &[DType::I32]).unwrap();
        assert_eq!(&**filled.outputs[0].shape(), [3, 2]);
        assert_eq!(filled.outputs[0].as_slice::<i32>().unwrap(), [1, -7, 2, -7, 3, -7]);
    }
}
