//! Drawing the next token: both engines, over vocabularies of any size.

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use pteron_ops::DrawSettings;
use pteron_runtime::testing::{TestArg, run_op};
use pteron_runtime::{DType, Device, HostTensor, Shape};

use crate::support::{Properties, config, floats, gpu, integers, ran};

const NEXT_TOKEN: &str = "pteron.next_token.default";

/// The token that is drawn, where one can be.
fn draw(device: &Device, logits: &HostTensor, sampling: DrawSettings) -> Option<usize> {
    let settings = sampling.to_tensor().expect("four words");
    let args = [TestArg::Input(logits.clone()), TestArg::Input(settings)];
    let token = run_op(device, NEXT_TOKEN, &args, &[DType::I32]).expect("a token is drawn").remove(0);
    assert_eq!(token.shape()[..], [1, 1]);
    match token.to_i64s()[0] {
        -1 => None,
        token => Some(usize::try_from(token).expect("a token is no less than 0")),
    }
}

/// Sizes around those of a workgroup and of a part, and those of real vocabularies.
fn vocabulary() -> impl Strategy<Value = usize> {
    prop_oneof![1 => Just(1usize), 4 => 2usize..300, 4 => 1000usize..3100, 1 => 30_000usize..200_000]
}

fn row(dtype: DType, count: usize, seed: u64) -> HostTensor {
    floats(dtype, &[1, count], seed)
}

/// Few distinct values, so that ties are common, with NaN and infinities.
fn coarse(count: usize, seed: u64) -> HostTensor {
    let value = |step: i64| match step {
        -5 => f64::NAN,
        -4 => f64::NEG_INFINITY,
        5 => f64::INFINITY,
        4 => -0.0,
        step => step as f64,
    };
    let steps = integers(DType::I32, &[1, count], -5..6, seed).to_i64s();
    HostTensor::from_f64s(DType::F32, Shape::new(&[1, count]).expect("a shape"), steps.into_iter().map(value))
        .expect("values fill the shape")
}

/// Checks that the GPU draws a token whose score is as great as the reference says, up to rounding.
fn draws_the_greatest(logits: &HostTensor, sampling: DrawSettings) -> TestCaseResult {
    const SLACK: f64 = 1e-3;
    let token = draw(gpu(), logits, sampling).expect("a token is drawn");
    let logits = logits.to_f64s();
    prop_assert!(token < logits.len());
    let top = logits.iter().copied().fold(f64::NAN, f64::max);
    let temperature = f64::from(sampling.temperature);
    let least =
        if sampling.min_p > 0.0 { top + temperature * f64::from(sampling.min_p).ln() } else { f64::NEG_INFINITY };
    let slack = SLACK * (1.0 + top.abs());
    prop_assert!(logits[token] >= least - slack, "token {token} with {} is too unlikely: {least}", logits[token]);
    let scores = DrawSettings { min_p: 0.0, ..sampling }.scores(&logits);
    let kept = logits.iter().zip(&scores).filter(|(logit, _)| **logit >= least + slack);
    let best = kept.map(|(_, &score)| score).fold(f64::NEG_INFINITY, f64::max);
    prop_assert!(scores[token] >= best - SLACK, "token {token} has {}, another has {best}", scores[token]);
    Ok(())
}

pub(crate) const PROPERTIES: Properties = &[(the_greatest_logit_wins, &[&[NEXT_TOKEN]])];

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_greatest_logit_wins(count in vocabulary(), special: bool, half: bool, seed: u64) {
        let logits = match (special, half) {
            (true, _) => coarse(count, seed),
            (false, true) => row(DType::F16, count, seed),
            (false, false) => row(DType::F32, count, seed),
        };
        let greedy = DrawSettings { min_p: 0.1, seed: 9, ..DrawSettings::default() };
        prop_assert_eq!(draw(gpu(), &logits, greedy), draw(&Device::cpu(), &logits, greedy));
        ran(NEXT_TOKEN);
    }

    #[test]
    fn noise_is_the_same_on_both_engines(count in vocabulary(), temperature in 0.05f32..4.0, half: bool, seed: u32, step: u32) {
        let logits = row(if half { DType::F16 } else { DType::F32 }, count, u64::from(seed));
        draws_the_greatest(&logits, DrawSettings { temperature, min_p: 0.0, seed, step })?;
    }

    #[test]
    fn unlikely_tokens_are_left_out(count in vocabulary(), temperature in 0.05f32..4.0, min_p in 0.001f32..1.0,
                                    seed: u32, step: u32) {
        draws_the_greatest(&row(DType::F32, count, u64::from(seed)), DrawSettings { temperature, min_p, seed, step })?;
    }

    #[test]
    fn what_is_no_finite_number_is_not_drawn(count in 1usize..5000, temperature in 0.05f32..4.0, narrowed: bool, seed: u32) {
        let logits = coarse(count, u64::from(seed));
        let sampling = DrawSettings { temperature, min_p: if narrowed { 0.2 } else { 0.0 }, seed, step: 0 };
        let tokens = [draw(gpu(), &logits, sampling), draw(&Device::cpu(), &logits, sampling)];
        let logits = logits.to_f64s();
        for token in tokens {
            prop_assert_eq!(token.is_some(), logits.iter().any(|logit| logit.is_finite()));
            prop_assert!(token.is_none_or(|token| logits[token].is_finite()), "{:?} of {:?}", token, logits);
        }
    }
}

#[test]
fn of_nothing_no_token_is_drawn() {
    for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        // The last of two parts has a token, or no part has.
        for (last, expected) in [(value, None), (f32::MIN, Some(1499))] {
            let mut logits = [value; 1500];
            logits[1499] = last;
            let logits = HostTensor::from_slice(&logits, &[1, 1500]).expect("a row");
            for (temperature, min_p) in [(0.0, 0.0), (1.0, 0.0), (1.0, 0.5)] {
                let sampling = DrawSettings { temperature, min_p, ..DrawSettings::default() };
                assert_eq!([gpu(), &Device::cpu()].map(|device| draw(device, &logits, sampling)), [expected; 2]);
            }
        }
    }
}

#[test]
fn extreme_temperatures_stay_within_floats() {
    let logits = row(DType::F32, 3000, 6);
    for temperature in [f32::MIN_POSITIVE, 1e-20, 1e20, f32::MAX, f32::INFINITY] {
        for min_p in [0.0, f32::MIN_POSITIVE, 0.5] {
            let sampling = DrawSettings { temperature, min_p, seed: 2, step: 1 };
            assert_eq!(draw(gpu(), &logits, sampling), draw(&Device::cpu(), &logits, sampling), "{sampling:?}");
        }
    }
}

#[test]
fn draws_are_equal_on_both_engines() {
    let logits = row(DType::F32, 4000, 1);
    let differ = |step: &u32| {
        let sampling = DrawSettings { temperature: 0.9, min_p: 0.05, seed: 4, step: *step };
        draw(gpu(), &logits, sampling) != draw(&Device::cpu(), &logits, sampling)
    };
    assert_eq!((0..60).filter(differ).count(), 0);
}
