//! `aten::convolution_backward.out`: the gradients of a convolution's input, weight and bias.

use pteron_tensor::{HostTensor, Shape};

use super::geometry::{Geometry, WeightForm};
use crate::args::{Arg, Args};
use crate::catalogue::{Accuracy, OpDef};
use crate::clock::Clock;
use crate::error::{OpError, Result};
use crate::eval::Eval;

pub(crate) const OPS: &[OpDef] =
    &[OpDef::host("aten::convolution_backward.out", reference).accuracy(Accuracy::Accumulated)];

/// Arguments: gradient of the output, input, weight, sizes of the bias, the six of the convolution, which are wanted.
fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (gradient, input, weight) = (cx.tensor(0)?, cx.tensor(1)?, cx.tensor(2)?);
    let forward = [1, 2].into_iter().map(|index| cx.get(index)).chain([None]).chain((4..10).map(|index| cx.get(index)));
    let forward = forward.map(|arg| arg.cloned().unwrap_or(Arg::Null)).collect();
    let geometry = Geometry::new(&Args::<HostTensor>::new(forward, cx.syms()), WeightForm::Plain)?;
    if *gradient.shape() != geometry.output {
        return Err(OpError::Shape(format!("{} is no gradient of {}", gradient.shape(), geometry.output)));
    }
    let gradients = gradients(&geometry, &gradient.to_f64s(), &input.to_f64s(), &weight.to_f64s(), cx.clock())?;
    let bias = Shape::new(&[geometry.groups * geometry.out_group])?;
    let shapes = [*input.shape(), *weight.shape(), bias];
    for (output, (shape, values)) in shapes.into_iter().zip(gradients).enumerate() {
        let wanted = wanted(cx, output)?;
        let dtype = cx.output_type(output)?;
        let result = match wanted {
            true => HostTensor::from_f64s(dtype, shape, values)?,
            false => HostTensor::zeros(dtype, Shape::new(&[0])?),
        };
        cx.set(output, result)?;
    }
    Ok(())
}

/// Whether the mask asks for an output.
fn wanted(cx: &Eval<'_>, output: usize) -> Result<bool> {
    match cx.get(10) {
        Some(Arg::List(mask)) => Ok(matches!(mask.get(output), Some(Arg::Bool(true)))),
        _ => Err(OpError::Argument { index: 10, expected: "a list of truth values", got: "something else".to_owned() }),
    }
}

/// The gradients of input, weight and bias.
///
/// A tap leads from a place of one side to one of the other by stride and padding: from the result to the input, or from the
/// input to the result where the convolution is transposed. The weight's first channels are those of the side that it
/// leads from.
fn gradients(g: &Geometry, gradient: &[f64], input: &[f64], weight: &[f64], clock: &Clock) -> Result<[Vec<f64>; 3]> {
    let mut results = [vec![0.0; input.len()], vec![0.0; weight.len()], vec![0.0; g.groups * g.out_group]];
    for (place, value) in gradient.iter().enumerate() {
        results[2][place / g.places() % (g.groups * g.out_group)] += value;
    }
    let (from, to, from_group, to_group) = match g.transposed {
        true => (g.input, g.result, g.in_group, g.out_group),
        false => (g.result, g.input, g.out_group, g.in_group),
    };
    let (from_area, to_area): (usize, usize) = (from.iter().product(), to.iter().product());
    for channel in 0..g.batch * g.groups * from_group {
        let (sample, number) = (channel / (g.groups * from_group), channel % (g.groups * from_group));
        let group = number / from_group;
        for other in 0..to_group {
            let to_channel = (sample * g.groups + group) * to_group + other;
            for tap in 0..g.taps() {
                let tap_weight = (number * to_group + other) * g.taps() + tap;
                clock.count(from_area)?;
                for place in 0..from_area {
                    let Some(landing) = landing(g, from, to, place, tap) else { continue };
                    let (here, there) = (channel * from_area + place, to_channel * to_area + landing);
                    let (at_input, at_gradient) = if g.transposed { (here, there) } else { (there, here) };
                    results[0][at_input] += gradient[at_gradient] * weight[tap_weight];
                    results[1][tap_weight] += gradient[at_gradient] * input[at_input];
                }
            }
        }
    }
    Ok(results)
}

/// Where a tap leads to from a place, if it stays inside.
fn landing(g: &Geometry, from: [usize; 3], to: [usize; 3], place: usize, tap: usize) -> Option<usize> {
    let unfold = |number: usize, sizes: [usize; 3]| {
        [number / (sizes[1] * sizes[2]), number / sizes[2] % sizes[1], number % sizes[2]]
    };
    let (at, tap) = (unfold(place, from), unfold(tap, g.kernel));
    let mut landing = 0;
    for d in 0..3 {
        let position = (at[d] * g.stride[d] + tap[d] * g.dilation[d]).checked_sub(g.padding[d])?;
        if position >= to[d] {
            return None;
        }
        landing = landing * to[d] + position;
    }
    Some(landing)
}
