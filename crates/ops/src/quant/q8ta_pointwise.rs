//! Element by element on 8-bit integers: `et_vk.q8ta_add`, `q8ta_relu` and `q8ta_pixel_shuffle`. Each takes its
//! operands as floats, and rounds the result to the output's scale and zero point.

use pteron_tensor::{DType, HostTensor, MAX_RANK, Shape};

use super::q8ta::{BYTE, Finish, check_byte, inverse, number};
use crate::args::{Args, Described};
use crate::broadcast;
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::q8ta_pointwise;
use crate::plan::{PlanContext, lanes, meta, word};

const ADD: &str = "et_vk.q8ta_add.default";
const RELU: &str = "et_vk.q8ta_relu.default";

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor(ADD, plan, reference).accuracy(Accuracy::Step),
    OpDef::tensor("et_vk.q8ta_pixel_shuffle.default", plan, reference).accuracy(Accuracy::Step),
    OpDef::tensor(RELU, plan, reference).accuracy(Accuracy::Step),
];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let call = Call::read(cx, cx.name(), cx.output_type(0)?)?;
    let output = cx.output(call.output)?;
    let [a, b] = [Some(&call.a), call.b.as_ref()].map(|operand| operand.unwrap_or(&call.a));
    let params = q8ta_pointwise::Params {
        walk: meta(&call.walk),
        a_steps: lanes(a.steps.map(word)),
        b_steps: lanes(b.steps.map(word)),
        a_scale: a.scale,
        a_zero: a.zero,
        b_scale: b.scale,
        b_zero: b.zero,
        alpha: call.alpha,
        least: call.finish.least,
        inverse_scale: call.finish.inverse_scale,
        zero: call.finish.zero,
    };
    let variant = q8ta_pointwise::Variant { binary: call.b.is_some() };
    cx.dispatch(q8ta_pointwise::Bind { a: a.tensor, b: b.tensor, output, params }, variant)
        .threads(output.numel().div_ceil(4))
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let call = Call::read(cx, cx.name(), cx.output_type(0)?)?;
    let bytes = |operand: &Operand<HostTensor>| operand.tensor.as_slice::<i8>().map(<[i8]>::to_vec);
    let a_bytes = bytes(&call.a)?;
    let b_bytes = call.b.as_ref().map(bytes).transpose()?;
    let mut values = Vec::with_capacity(call.output.numel());
    for index in 0..call.walk.numel() {
        let mut value = call.a.value(&a_bytes, &call.walk, index);
        if let (Some(b), Some(bytes)) = (&call.b, &b_bytes) {
            value += call.alpha * b.value(bytes, &call.walk, index);
        }
        values.push(call.finish.round(value));
    }
    cx.set(0, HostTensor::from_i64s(DType::I8, call.output, values)?)
}

/// A tensor of integers, what they stand for, and how the walk over the output steps through it.
struct Operand<T> {
    tensor: T,
    scale: f32,
    zero: f32,
    steps: [usize; MAX_RANK],
}

impl<T: Described> Operand<T> {
    fn read(cx: &Args<'_, T>, index: usize, [scale, zero]: [usize; 2]) -> Result<Operand<T>> {
        let tensor = cx.tensor(index)?;
        check_byte(&tensor, "an operand")?;
        let steps = tensor.shape().strides();
        Ok(Operand { tensor, scale: number(cx, scale)?, zero: number(cx, zero)?, steps })
    }

    fn value(&self, bytes: &[i8], walk: &Shape, index: usize) -> f32 {
        let (mut source, mut rest) = (0, index);
        for (dim, &size) in walk.iter().enumerate().rev() {
            source += rest % size * self.steps[dim];
            rest /= size;
        }
        (f32::from(bytes[source]) - self.zero) * self.scale
    }
}

struct Call<T> {
    a: Operand<T>,
    b: Option<Operand<T>>,
    /// What the second operand is multiplied with.
    alpha: f32,
    finish: Finish,
    output: Shape,
    /// The output's elements in order, under the sizes that `steps` of the operands are for.
    walk: Shape,
}

impl<T: Described> Call<T> {
    fn read(cx: &Args<'_, T>, name: &str, output: DType) -> Result<Call<T>> {
        if output != DType::I8 {
            return Err(OpError::DType { dtype: output, what: format!("the output of {name}") });
        }
        let finish = |scale: f32, zero: f32, least: f32| Finish {
            input_zero: 0,
            input_scale: 1.0,
            inverse_scale: scale,
            zero,
            least,
            range: BYTE,
            exact: None,
        };
        if name == ADD {
            let (mut a, mut b) = (Operand::read(cx, 0, [2, 3])?, Operand::read(cx, 1, [4, 5])?);
            let shape = broadcast::shape_of(a.tensor.shape(), b.tensor.shape())?;
            a.steps = broadcast::strides(a.tensor.shape(), &shape);
            b.steps = broadcast::strides(b.tensor.shape(), &shape);
            let alpha = if cx.is_null(8) { 1.0 } else { number(cx, 8)? };
            let finish = finish(inverse(cx, 6)?, number(cx, 7)?, f32::MIN);
            return Ok(Call { a, b: Some(b), alpha, finish, output: shape, walk: shape });
        }
        let mut a = Operand::read(cx, 0, [1, 2])?;
        let shape = *a.tensor.shape();
        if name == RELU {
            let finish = finish(inverse(cx, 3)?, number(cx, 4)?, 0.0);
            return Ok(Call { a, b: None, alpha: 0.0, finish, output: shape, walk: shape });
        }
        let (output, walk, steps) = shuffle(&shape, cx.int(5)?)?;
        a.steps = steps;
        let finish = finish(number(cx, 3)?, number(cx, 4)?, f32::MIN);
        Ok(Call { a, b: None, alpha: 0.0, finish, output, walk })
    }
}

/// `[…, c·r², h, w]` to `[…, c, h·r, w·r]`: the output's shape, its sizes taken apart, and the input's step for each.
fn shuffle(input: &Shape, factor: i64) -> Result<(Shape, Shape, [usize; MAX_RANK])> {
    let wrong = || OpError::Shape(format!("{input} cannot be shuffled by {factor}"));
    let r = usize::try_from(factor).ok().filter(|&r| r > 0).ok_or_else(wrong)?;
    let &[ref outer @ .., channels, height, width] = &**input else { return Err(wrong()) };
    let square = r.checked_mul(r).filter(|square| channels % square == 0).ok_or_else(wrong)?;
    let planes = outer.iter().product::<usize>() * (channels / square);
    let plane = height * width;
    let mut sizes = outer.to_vec();
    sizes.extend([channels / square, height.saturating_mul(r), width.saturating_mul(r)]);
    let walk = Shape::new(&[planes, height, r, width, r])?;
    let steps = [square * plane, width, r * plane, 1, plane, 0, 0, 0];
    Ok((Shape::new(&sizes)?, walk, steps))
}
