//! Sums, differences and products of bytes as XNNPACK rounds them: `pteron.bytes_add`, `_sub` and `_mul`.
//!
//! A sum is in fixed point: each operand has a factor of 21 bits, and half a unit is added before bits are dropped. A
//! product is rounded after one multiplication, to the even one where two are as near.

use pteron_tensor::{HostTensor, Shape};

use super::blocks::to_step;
use super::q8ta::{BYTE, check_byte, number};
use crate::args::{Args, Described};
use crate::broadcast;
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::bytes_pointwise;
use crate::plan::{PlanContext, lanes, meta, word};
use pteron_tensor::DType;

const MUL: &str = "pteron.bytes_mul.default";
const SUB: &str = "pteron.bytes_sub.default";

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("pteron.bytes_add.default", plan, reference),
    OpDef::tensor(MUL, plan, reference).accuracy(Accuracy::Step),
    OpDef::tensor(SUB, plan, reference),
];

/// Bits of the larger factor of a sum.
const FACTOR_BITS: i32 = 20;

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let call = Call::read(cx, cx.name())?;
    let output = cx.output(call.shape)?;
    let (function, factors, shift, scale) = match call.function {
        Function::Sum { factors, shift } => (bytes_pointwise::Function::Sum, factors, shift, 0.0),
        Function::Product { scale } => (bytes_pointwise::Function::Product, [0; 2], 1, scale),
    };
    let steps = |shape: &Shape| lanes(broadcast::strides(shape, &call.shape).map(word));
    let params = bytes_pointwise::Params {
        walk: meta(&call.shape),
        a_steps: steps(&call.a.shape),
        b_steps: steps(&call.b.shape),
        zeros: call.zeros,
        factors,
        range: call.range,
        zero: call.zero,
        shift,
        scale,
    };
    cx.dispatch(bytes_pointwise::Bind { a: call.a, b: call.b, output, params }, bytes_pointwise::Variant { function })
        .threads(output.numel().div_ceil(4))
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let call = Call::read(cx, cx.name())?;
    let (a, b): (&[i8], &[i8]) = (call.a.as_slice()?, call.b.as_slice()?);
    let [a_steps, b_steps] = [&call.a, &call.b].map(|tensor| broadcast::strides(tensor.shape(), &call.shape));
    let range = call.range.map(i64::from);
    let mut values = Vec::with_capacity(call.shape.numel());
    for index in 0..call.shape.numel() {
        let (mut at, mut rest) = ([0; 2], index);
        for (dim, &size) in call.shape.iter().enumerate().rev() {
            at = [at[0] + rest % size * a_steps[dim], at[1] + rest % size * b_steps[dim]];
            rest /= size;
        }
        let a = i64::from(a[at[0]]) - i64::from(call.zeros[0]);
        let b = i64::from(b[at[1]]) - i64::from(call.zeros[1]);
        values.push(match call.function {
            Function::Sum { factors, shift } => {
                let sum = (1 << (shift - 1)) + a * i64::from(factors[0]) + b * i64::from(factors[1]);
                ((sum >> shift) + i64::from(call.zero)).clamp(range[0], range[1])
            }
            Function::Product { scale } => {
                to_step(((a * b) as f32 * scale).round_ties_even() + call.zero as f32, range)
            }
        });
    }
    cx.set(0, HostTensor::from_i64s(DType::I8, call.shape, values)?)
}

#[derive(Clone, Copy, Debug)]
enum Function {
    /// Factors of the operands in units of 2^-shift.
    Sum { factors: [i32; 2], shift: u32 },
    /// What a product is multiplied with.
    Product { scale: f32 },
}

struct Call<T> {
    a: T,
    b: T,
    /// The integers that stand for 0 in the operands, and in the result.
    zeros: [i32; 2],
    zero: i32,
    range: [i32; 2],
    function: Function,
    shape: Shape,
}

impl<T: Described> Call<T> {
    /// Reads `a, b, a_scale, a_zero, b_scale, b_zero, scale, zero, low, high`.
    fn read(cx: &Args<'_, T>, name: &str) -> Result<Call<T>> {
        let (a, b) = (cx.tensor(0)?, cx.tensor(1)?);
        check_byte(&a, "an operand")?;
        check_byte(&b, "an operand")?;
        let byte = |index: usize| {
            let value = cx.int(index)?;
            let fits = (BYTE[0]..=BYTE[1]).contains(&value);
            i32::try_from(value).ok().filter(|_| fits).ok_or_else(|| OpError::Shape(format!("{value} is no byte")))
        };
        let (zeros, zero, range) = ([byte(3)?, byte(5)?], byte(7)?, [byte(8)?, byte(9)?]);
        if range[0] > range[1] {
            return Err(OpError::Shape(format!("bytes from {} to {}", range[0], range[1])));
        }
        let [a_scale, b_scale, scale] = [number(cx, 2)?, number(cx, 4)?, number(cx, 6)?];
        let function = if name == MUL {
            Function::Product { scale: a_scale * b_scale / scale }
        } else {
            let ratios = [a_scale / scale, b_scale / scale];
            sum(ratios, if name == SUB { -1 } else { 1 })
                .ok_or_else(|| OpError::Unsupported(format!("a sum of operands with scales {ratios:?} of its own")))?
        };
        let shape = broadcast::shape_of(a.shape(), b.shape())?;
        Ok(Call { a, b, zeros, zero, range, function, shape })
    }
}

/// The factors of a sum, where 32 bits hold it; `sign` is that of the second operand.
#[expect(clippy::cast_possible_truncation, reason = "factors have 21 bits")]
fn sum(ratios: [f32; 2], sign: i32) -> Option<Function> {
    let largest = ratios[0].max(ratios[1]);
    if ratios.iter().any(|ratio| !(0.0..256.0).contains(ratio)) || largest < 1.0 / 1024.0 {
        return None;
    }
    let shift = FACTOR_BITS - largest.log2().floor() as i32;
    let [a, b] = ratios.map(|ratio| (f64::from(ratio) * f64::from(shift).exp2()).round_ties_even() as i32);
    Some(Function::Sum { factors: [a, sign * b], shift: u32::try_from(shift).ok()? })
}
