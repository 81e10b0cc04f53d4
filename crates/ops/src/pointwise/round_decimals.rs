//! `aten::round.decimals_out`: numbers rounded to some decimals.

use pteron_tensor::{DType, HostTensor};

use crate::catalogue::{Accuracy, OpDef};
use crate::error::Result;
use crate::eval::Eval;

pub(crate) const OPS: &[OpDef] = &[OpDef::host("aten::round.decimals_out", reference).accuracy(Accuracy::Rounded)];

/// Halves go to the even neighbour. Products are rounded to single precision, but for doubles, as PyTorch's are; that may
/// move a number across a half. Integers stay as they are.
fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let decimals = i32::try_from(cx.int_or(1, 0)?.clamp(-400, 400)).unwrap_or_default();
    if !input.dtype().is_float() {
        return cx.set(0, input);
    }
    #[expect(clippy::cast_possible_truncation, reason = "this is the rounding")]
    let single = |x: f64| f64::from(x as f32);
    let store = |x: f64| if input.dtype() == DType::F64 { x } else { single(x) };
    let power = store(10f64.powi(decimals.abs()));
    let round = |x: f64| match decimals {
        0 => x.round_ties_even(),
        1.. => store(store(x * power).round_ties_even() / power),
        _ => store(store(x / power).round_ties_even() * power),
    };
    let rounded = HostTensor::from_f64s(input.dtype(), *input.shape(), input.to_f64s().into_iter().map(round))?;
    cx.set(0, rounded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Arg;

    #[test]
    fn decimals_may_be_to_the_left_of_the_point() {
        let input = HostTensor::from_slice(&[1.25f32, -1234.5, 0.125, 45.0], &[4]).unwrap();
        let rounded = |decimals| {
            let args = vec![Arg::Tensor(input.clone()), Arg::Int(decimals)];
            Eval::run(&OPS[0], args, &[], &[DType::F32]).unwrap().outputs[0].to_f64s()
        };
        assert_eq!(rounded(0), [1.0, -1234.0, 0.0, 45.0]);
        assert_eq!(rounded(-1), [0.0, -1230.0, 0.0, 40.0]);
        assert_eq!(rounded(1), [1.2f32, -1234.5, 0.1, 45.0].map(f64::from));
    }
}
