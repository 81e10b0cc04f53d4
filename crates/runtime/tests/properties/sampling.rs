//! Drawing the next token: both engines, over vocabularies of any size.

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use pteron_ops::DrawSettings;
use pteron_runtime::testing::{TestArg, run_op};
use pteron_runtime::{DType, Device, HostTensor, Shape};

use crate::support::{config, floats, gpu, integers};

fn draw(device: &Device, logits: &HostTensor, sampling: DrawSettings) -> usize {
    let settings = sampling.to_tensor().expect("four words");
    let args = [TestArg::Input(logits.clone()), TestArg::Input(settings)];
    let token = run_op(device, "pteron.next_token.default", &args, &[DType::I32]).expect("a token is drawn").remove(0);
    assert_eq!(token.shape()[..], [1, 1]);
    usize::try_from(token.to_i64s()[0]).expect("a token is no less than 0")
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
    // Without the infinities in every other case, or they would always win.
    let range = if seed.is_multiple_of(2) { -5..6 } else { -5..5 };
    let steps = integers(DType::I32, &[1, count], range, seed).to_i64s();
    HostTensor::from_f64s(DType::F32, Shape::new(&[1, count]).expect("a shape"), steps.into_iter().map(value))
        .expect("values fill the shape")
}

/// Checks that the GPU draws a token whose score is as great as the reference says, up to rounding.
fn draws_the_greatest(logits: &HostTensor, sampling: DrawSettings) -> TestCaseResult {
    const SLACK: f64 = 1e-3;
    let token = draw(gpu(), logits, sampling);
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
    fn what_is_no_number_is_not_drawn(count in 2usize..5000, temperature in 0.05f32..4.0, narrowed: bool, seed: u32) {
        let logits = coarse(count, u64::from(seed));
        let sampling = DrawSettings { temperature, min_p: if narrowed { 0.2 } else { 0.0 }, seed, step: 0 };
        let (token, expected) = (draw(gpu(), &logits, sampling), draw(&Device::cpu(), &logits, sampling));
        let logits = logits.to_f64s();
        prop_assert_eq!(logits[token].is_nan(), logits.iter().all(|logit| logit.is_nan()));
        // Where infinities win there is no rounding, and so no doubt.
        if logits[expected].is_infinite() {
            prop_assert_eq!(token, expected);
        }
    }
}

#[test]
fn of_nothing_the_first_is_drawn() {
    let logits = HostTensor::from_slice(&[f32::NAN; 1500], &[1, 1500]).expect("a row");
    for (temperature, min_p) in [(0.0, 0.0), (1.0, 0.0), (1.0, 0.5)] {
        let sampling = DrawSettings { temperature, min_p, ..DrawSettings::default() };
        assert_eq!([draw(gpu(), &logits, sampling), draw(&Device::cpu(), &logits, sampling)], [0, 0]);
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
