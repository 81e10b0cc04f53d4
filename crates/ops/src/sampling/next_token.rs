//! `pteron.next_token`: the token that follows, from the logits of all tokens. See [`DrawSettings`] for how it is drawn.
//! It is [`NO_TOKEN`] where no logit is a finite number.

use pteron_tensor::{DType, HostTensor, Shape};

use super::settings::DrawSettings;
use crate::args::Described;
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::{next_token, next_token_parts};
use crate::plan::{PlanContext, word};

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("pteron.next_token.default", plan, reference).accuracy(Accuracy::Approximate)];

/// Logits of one workgroup. The second launch skips whole parts that hold no likely token.
const PART: usize = 1024;
const WORKGROUP: u32 = 256;

/// What the kernels and the reference give where there is no token to draw.
const NO_TOKEN: i64 = -1;

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let (logits, sampling) = (cx.tensor(0)?, cx.tensor(1)?);
    let count = check(&logits, &sampling, cx.output_type(0)?)?;
    let output = cx.output(Shape::new(&[1, 1])?)?;
    let parts = count.div_ceil(PART);
    let best = cx.scratch(DType::I32, Shape::new(&[parts])?)?;

    let params = next_token_parts::Params { reverse: 0 };
    let variant = next_token_parts::Variant { logit: logits.dtype.try_into()? };
    let (count, part_size) = (word(count), word(PART));
    let overrides = next_token_parts::Overrides { wg_size: WORKGROUP, count, part_size };
    cx.dispatch(next_token_parts::Bind { logits, sampling, best, params }, variant).overrides(overrides).rows(parts)?;
    let params = next_token::Params { reverse: 0 };
    let variant = next_token::Variant { logit: logits.dtype.try_into()? };
    let overrides = next_token::Overrides { wg_size: WORKGROUP, count, part_size, parts: word(parts) };
    cx.dispatch(next_token::Bind { logits, sampling, best, output, params }, variant)
        .overrides(overrides)
        .traffic(best.bytes() + output.bytes())
        .groups([1, 1, 1])
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let (logits, sampling) = (cx.tensor(0)?, cx.tensor(1)?);
    check(&logits, &sampling, cx.output_type(0)?)?;
    let unreadable = || OpError::Unsupported("the settings are not four floats".to_owned());
    let settings = DrawSettings::of(&sampling).ok_or_else(unreadable)?;
    let logits = logits.to_f64s();
    let scores = if settings.temperature > 0.0 { settings.scores(&logits) } else { logits };
    let chosen = greatest(&scores).unwrap_or(NO_TOKEN);
    cx.set(0, HostTensor::from_i64s(DType::I32, Shape::new(&[1, 1])?, [chosen])?)
}

/// The number of logits, where they are of one row and the settings are four floats.
fn check<T: Described>(logits: &T, sampling: &T, output: DType) -> Result<usize> {
    for (dtype, fits, what) in [
        (logits.dtype(), logits.dtype().is_float(), "logits"),
        (sampling.dtype(), sampling.dtype() == DType::F32, "the settings of a draw"),
        (output, output == DType::I32, "a token on the device"),
    ] {
        if !fits {
            return Err(OpError::DType { dtype, what: what.to_owned() });
        }
    }
    let (shape, settings) = (logits.shape(), sampling.shape());
    if shape.numel() == 0 || shape.last() != Some(&shape.numel()) || settings[..] != [4] {
        return Err(OpError::Shape(format!(
            "a token is drawn from one row of logits with four settings, not from {shape} with {settings}"
        )));
    }
    Ok(shape.numel())
}

/// The number of the greatest that is finite: the first of equals.
fn greatest(values: &[f64]) -> Option<i64> {
    let finite = (0i64..).zip(values).filter(|(_, value)| value.is_finite());
    finite.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Arg;

    fn draw(logits: &[f32], sampling: DrawSettings) -> i64 {
        let logits = HostTensor::from_slice(logits, &[1, logits.len()]).unwrap();
        let args = vec![Arg::Tensor(logits), Arg::Tensor(sampling.to_tensor().unwrap())];
        let result = Eval::run(&OPS[0], args, &[], &[DType::I32]).unwrap();
        result.outputs[0].to_i64s()[0]
    }

    /// How often each token is drawn, and how often one is drawn twice in a row.
    fn counts(logits: &[f32], draws: impl Iterator<Item = DrawSettings>) -> (Vec<f64>, f64) {
        let (mut counts, mut repeats, mut last) = (vec![0.0; logits.len()], 0.0, usize::MAX);
        for sampling in draws {
            let token = usize::try_from(draw(logits, sampling)).unwrap();
            counts[token] += 1.0;
            repeats += if token == last { 1.0 } else { 0.0 };
            last = token;
        }
        (counts, repeats)
    }

    /// Pearson's measure of how far counts are from what shares lead one to expect.
    fn chi_square(counts: &[f64], shares: &[f64]) -> f64 {
        let total: f64 = counts.iter().sum();
        counts.iter().zip(shares).map(|(count, share)| (count - share * total).powi(2) / (share * total)).sum()
    }

    fn softmax(logits: &[f32], temperature: f64) -> Vec<f64> {
        let weights: Vec<_> = logits.iter().map(|&logit| (f64::from(logit) / temperature).exp()).collect();
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    }

    const LOGITS: [f32; 6] = [1.0, -0.5, 2.0, 0.0, 1.5, -1.0];
    const DRAWS: u32 = 40_000;
    /// Five degrees of freedom exceed it once in some ten thousand times.
    const UNLIKELY: f64 = 26.0;

    #[test]
    fn tokens_are_as_likely_as_the_softmax_says() {
        for temperature in [0.5, 1.0, 3.0] {
            let shares = softmax(&LOGITS, f64::from(temperature));
            let settings = DrawSettings { temperature, seed: 5, ..DrawSettings::default() };
            let by_step = (0..DRAWS).map(|step| DrawSettings { step, ..settings });
            let by_seed = (0..DRAWS).map(|seed| DrawSettings { seed, ..settings });
            for (counts, repeats) in [counts(&LOGITS, by_step), counts(&LOGITS, by_seed)] {
                assert!(chi_square(&counts, &shares) < UNLIKELY, "{temperature}: {counts:?}, expected {shares:?}");
                // Draws that follow each other have nothing to do with each other.
                let even: f64 = shares.iter().map(|share| share * share).sum();
                let deviation = (repeats - even * f64::from(DRAWS)).abs();
                assert!(deviation < 4.0 * (even * f64::from(DRAWS)).sqrt(), "{temperature}: {repeats} repeats");
            }
        }
    }

    #[test]
    fn tokens_of_a_large_vocabulary_are_equally_likely_where_logits_are_equal() {
        let draws = (0..4000).map(|step| DrawSettings { temperature: 1.0, seed: 3, step, ..DrawSettings::default() });
        let (counts, _) = counts(&[0.25; 5000], draws);
        let tenths: Vec<f64> = counts.chunks(500).map(|chunk| chunk.iter().sum()).collect();
        assert!(chi_square(&tenths, &[0.1; 10]) < 34.0, "{tenths:?}");
        assert!(counts.iter().all(|&count| count < 8.0), "some token is drawn far too often");
    }

    #[test]
    fn unlikely_tokens_are_not_drawn_and_the_others_share_what_they_leave() {
        // Shares of the likeliest: 1 for token 2, then e^-0.5, e^-1, e^-2, e^-2.5 and e^-3.
        let settings = DrawSettings { temperature: 1.0, min_p: 0.3, seed: 11, step: 0 };
        let (counts, _) = counts(&LOGITS, (0..DRAWS).map(|step| DrawSettings { step, ..settings }));
        assert_eq!((counts[1], counts[3], counts[5]), (0.0, 0.0, 0.0));
        let shares = softmax(&[1.0, 2.0, 1.5], 1.0);
        assert!(chi_square(&[counts[0], counts[2], counts[4]], &shares) < 20.0, "{counts:?}, expected {shares:?}");
        for min_p in [1.0, 7.0, f32::INFINITY] {
            assert_eq!(draw(&LOGITS, DrawSettings { min_p, ..settings }), 2);
        }
    }

    #[test]
    fn nothing_is_left_to_chance_without_a_temperature() {
        for temperature in [0.0, -1.0, f32::NAN] {
            let settings = DrawSettings { temperature, min_p: 0.5, seed: 1, step: 2 };
            assert_eq!(draw(&[0.0, 3.0, f32::NAN, 3.0], settings), 1);
        }
    }

    #[test]
    fn what_is_no_finite_number_is_never_drawn() {
        const ABSENT: [f32; 3] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
        for (temperature, min_p) in [(0.0, 0.0), (1.0, 0.0), (1.0, 0.5)] {
            let settings = DrawSettings { temperature, min_p, seed: 1, step: 2 };
            let [nan, most, least] = ABSENT;
            assert_eq!(draw(&[nan, most, f32::MIN, least], settings), 2);
            assert_eq!(draw(&ABSENT, settings), NO_TOKEN);
            assert_eq!(draw(&[least; 3], settings), NO_TOKEN);
        }
    }

    #[test]
    fn extreme_temperatures_stay_within_floats() {
        let cold = DrawSettings { temperature: f32::MIN_POSITIVE, seed: 1, ..DrawSettings::default() };
        assert_eq!(draw(&LOGITS, cold), 2);
        let draws = (0..6000).map(|step| DrawSettings { temperature: f32::INFINITY, step, ..cold });
        assert!(chi_square(&counts(&LOGITS, draws).0, &[1.0 / 6.0; 6]) < UNLIKELY);
    }

    #[test]
    fn logits_of_several_rows_are_refused() {
        let logits = HostTensor::zeros(DType::F32, Shape::new(&[2, 3]).unwrap());
        let args = vec![Arg::Tensor(logits), Arg::Tensor(DrawSettings::default().to_tensor().unwrap())];
        let error = Eval::run(&OPS[0], args, &[], &[DType::I32]).unwrap_err().to_string();
        assert!(error.contains("one row of logits"), "{error}");
    }
}
