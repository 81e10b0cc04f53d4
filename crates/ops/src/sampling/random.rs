//! `aten::rand`, `aten::randn`, `aten::randperm` and `aten::native_dropout`: numbers that are drawn.
//!
//! The generator is splitmix64 and not PyTorch's, so the numbers are others than PyTorch's for the same seed.

use pteron_tensor::{DType, HostTensor, Shape};

use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;

pub(crate) const OPS: &[OpDef] = &[
    OpDef::host("aten::native_dropout.out", dropout),
    OpDef::host("aten::rand.out", uniform),
    OpDef::host("aten::randn.out", normal),
    OpDef::host("aten::randperm.out", permutation),
];

/// The splitmix64 generator.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 up to, and without, 1, of so many bits.
    fn unit(&mut self, bits: u32) -> f64 {
        (self.bits() >> (64 - bits)) as f64 / (1u64 << bits) as f64
    }
}

/// The bits of a number between 0 and 1 that none is rounded away of.
fn precision(dtype: DType) -> Result<u32> {
    match dtype {
        DType::F64 => Ok(53),
        DType::F32 => Ok(24),
        DType::F16 => Ok(11),
        DType::BF16 => Ok(8),
        _ => Err(OpError::DType { dtype, what: "random numbers".to_owned() }),
    }
}

fn sizes(cx: &Eval<'_>) -> Result<Shape> {
    let sizes = cx.ints(0)?;
    let size = |&size: &i64| u64::try_from(size).map_err(|_| OpError::Shape(format!("{sizes:?} are no sizes")));
    Ok(Shape::from_sizes(sizes.iter().map(size).collect::<Result<Vec<_>>>()?)?)
}

fn uniform(cx: &mut Eval<'_>) -> Result<()> {
    let (shape, bits, mut random) = (sizes(cx)?, precision(cx.output_type(0)?)?, Random(cx.seed()));
    cx.set_f64s(shape, (0..shape.numel()).map(|_| random.unit(bits)).collect())
}

/// Of mean 0 and deviation 1, two at a time from a radius and an angle.
fn normal(cx: &mut Eval<'_>) -> Result<()> {
    let (shape, mut random) = (sizes(cx)?, Random(cx.seed()));
    precision(cx.output_type(0)?)?;
    let pairs = (0..shape.numel().div_ceil(2)).flat_map(|_| {
        let radius = (-2.0 * (1.0 - random.unit(53)).ln()).sqrt();
        let (sine, cosine) = (std::f64::consts::TAU * random.unit(53)).sin_cos();
        [radius * cosine, radius * sine]
    });
    cx.set_f64s(shape, pairs.take(shape.numel()).collect())
}

/// The numbers below n in any order.
fn permutation(cx: &mut Eval<'_>) -> Result<()> {
    let wanted = cx.int(0)?;
    let count = usize::try_from(wanted).ok().filter(|&count| count <= 1 << 28);
    let count = count.ok_or_else(|| OpError::Shape(format!("there is no permutation of {wanted}")))?;
    let (mut random, mut numbers) = (Random(cx.seed()), (0i64..).take(count).collect::<Vec<_>>());
    for at in (1..count).rev() {
        let other = random.bits() % (at as u64 + 1);
        numbers.swap(at, usize::try_from(other).unwrap_or(at));
    }
    cx.set(0, HostTensor::from_i64s(cx.output_type(0)?, Shape::new(&[count])?, numbers)?)
}

/// Arguments: input, the share of elements that become zero, and whether any do.
fn dropout(cx: &mut Eval<'_>) -> Result<()> {
    let (input, share) = (cx.tensor(0)?, cx.float(1)?);
    let training = cx.is_null(2) || cx.bool(2)?;
    if !(0.0..=1.0).contains(&share) {
        return Err(OpError::Shape(format!("a share of {share} cannot be left out")));
    }
    let mut random = Random(cx.seed());
    let kept: Vec<bool> = (0..input.numel()).map(|_| !training || random.unit(53) >= share).collect();
    let factor = if training && share < 1.0 { 1.0 / (1.0 - share) } else { 1.0 };
    let values = input.to_f64s().into_iter().zip(&kept).map(|(x, &kept)| if kept { x * factor } else { 0.0 });
    cx.set(0, HostTensor::from_f64s(input.dtype(), *input.shape(), values)?)?;
    let mask = kept.iter().map(|&kept| i64::from(kept));
    cx.set(1, HostTensor::from_i64s(DType::Bool, *input.shape(), mask)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Arg;
    use crate::clock::Clock;

    fn run(name: &str, args: Vec<Arg<HostTensor>>, types: &[DType], seed: u64) -> Vec<HostTensor> {
        let op = OPS.iter().find(|op| op.name == name).unwrap();
        Eval::run_within(op, args, &[], types, seed, &Clock::default()).unwrap().outputs
    }

    fn size(count: i64) -> Vec<Arg<HostTensor>> {
        vec![Arg::List(vec![Arg::Int(count)])]
    }

    #[test]
    fn numbers_have_their_mean_and_deviation_and_depend_on_the_seed() {
        for (name, mean, deviation) in [("aten::rand.out", 0.5, (1f64 / 12.0).sqrt()), ("aten::randn.out", 0.0, 1.0)] {
            for dtype in [DType::F32, DType::F16] {
                let values = run(name, size(20_001), &[dtype], 7)[0].to_f64s();
                let count = values.len() as f64;
                let found = values.iter().sum::<f64>() / count;
                let spread = (values.iter().map(|x| (x - found).powi(2)).sum::<f64>() / count).sqrt();
                assert!((found - mean).abs() < 0.03 && (spread - deviation).abs() < 0.03, "{name}: {found} ± {spread}");
                assert_eq!(values, run(name, size(20_001), &[dtype], 7)[0].to_f64s());
                assert_ne!(values, run(name, size(20_001), &[dtype], 8)[0].to_f64s());
            }
        }
        assert!(
            run("aten::rand.out", size(50_000), &[DType::F16], 1)[0].to_f64s().iter().all(|x| (0.0..1.0).contains(x))
        );
    }

    #[test]
    fn a_permutation_has_every_number_once() {
        let mut numbers = run("aten::randperm.out", vec![Arg::Int(100)], &[DType::I64], 3)[0].to_i64s();
        assert!(!numbers.is_sorted());
        numbers.sort_unstable();
        assert_eq!(numbers, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn what_is_kept_makes_up_for_what_is_left_out() {
        let input = HostTensor::from_slice(&[1.0f32; 4000], &[4000]).unwrap();
        let args = |training| vec![Arg::Tensor(input.clone()), Arg::Double(0.25), Arg::Bool(training)];
        let types = [DType::F32, DType::Bool];
        let [values, mask] = &run("aten::native_dropout.out", args(true), &types, 5)[..] else { panic!("two outputs") };
        let kept = mask.to_i64s().iter().sum::<i64>();
        assert!((2850..3150).contains(&kept), "{kept}");
        let expected = mask.to_f64s().into_iter().map(|kept| kept * f64::from(4.0f32 / 3.0));
        assert_eq!(values.to_f64s(), expected.collect::<Vec<_>>());
        assert_eq!(run("aten::native_dropout.out", args(false), &types, 5)[0].to_f64s(), [1.0; 4000]);
    }
}
