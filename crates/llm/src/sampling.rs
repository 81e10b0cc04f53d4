//! Choosing the next token from logits.

use pteron_ops::DrawSettings;

use crate::error::{Error, Result};
use crate::random::Random;

/// How the next token is chosen. The default is greedy: the likeliest token, always.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sampling {
    /// What logits are divided by; 0 takes the likeliest token.
    pub temperature: f32,
    /// How many of the likeliest tokens remain; 0 keeps all.
    pub top_k: usize,
    /// The likeliest tokens remain until their probabilities reach this; 1 keeps all.
    pub top_p: f32,
    /// Tokens remain that are at least this fraction as likely as the likeliest; 0 keeps all.
    pub min_p: f32,
    /// What the logits of tokens that occurred are divided by, or multiplied with if negative; 1 changes nothing.
    pub repetition_penalty: f32,
    /// Where the random numbers begin. The same seed makes the same choices.
    pub seed: u32,
}

impl Default for Sampling {
    fn default() -> Sampling {
        Sampling { temperature: 0.0, top_k: 0, top_p: 1.0, min_p: 0.0, repetition_penalty: 1.0, seed: 0 }
    }
}

impl Sampling {
    /// With this temperature.
    #[must_use]
    pub fn with_temperature(self, temperature: f32) -> Sampling {
        Sampling { temperature, ..self }
    }

    /// With so many of the likeliest tokens.
    #[must_use]
    pub fn with_top_k(self, top_k: usize) -> Sampling {
        Sampling { top_k, ..self }
    }

    /// With the likeliest tokens up to this probability.
    #[must_use]
    pub fn with_top_p(self, top_p: f32) -> Sampling {
        Sampling { top_p, ..self }
    }

    /// With tokens at least this fraction as likely as the likeliest.
    #[must_use]
    pub fn with_min_p(self, min_p: f32) -> Sampling {
        Sampling { min_p, ..self }
    }

    /// With this penalty for tokens that occurred.
    #[must_use]
    pub fn with_repetition_penalty(self, repetition_penalty: f32) -> Sampling {
        Sampling { repetition_penalty, ..self }
    }

    /// With random numbers from this seed.
    #[must_use]
    pub fn with_seed(self, seed: u32) -> Sampling {
        Sampling { seed, ..self }
    }

    /// Whether the likeliest token is taken, always.
    pub fn is_greedy(&self) -> bool {
        self.temperature == 0.0
    }

    /// The settings of one draw on a device; nothing where a device does not know it.
    pub(crate) fn on_device(&self, step: usize) -> Option<DrawSettings> {
        let known = self.top_k == 0 && self.top_p >= 1.0 && self.repetition_penalty == 1.0;
        // Without chance every step is the same, and its settings need not be sent again.
        let step = if self.temperature == 0.0 { 0 } else { u32::try_from(step).unwrap_or(u32::MAX) };
        known.then_some(DrawSettings { temperature: self.temperature, min_p: self.min_p, seed: self.seed, step })
    }

    /// Says what is wrong with the numbers, if anything is.
    pub fn check(&self) -> Result<()> {
        let check = |name, value: f32, fits: bool, reason| match fits {
            true => Ok(()),
            false => Err(Error::Option { name, value: value.to_string(), reason }),
        };
        let finite = |value: f32| value.is_finite();
        check(
            "temperature",
            self.temperature,
            finite(self.temperature) && self.temperature >= 0.0,
            "it is 0 for the likeliest token, and above for more variety",
        )?;
        check("top-p", self.top_p, self.top_p > 0.0 && self.top_p <= 1.0, "it is a probability above 0, at most 1")?;
        check("min-p", self.min_p, (0.0..=1.0).contains(&self.min_p), "it is a fraction from 0 to 1")?;
        check(
            "repetition penalty",
            self.repetition_penalty,
            finite(self.repetition_penalty) && self.repetition_penalty > 0.0,
            "it is above 0, and 1 changes nothing",
        )
    }
}

/// Chooses tokens, one after the other.
#[derive(Clone, Debug)]
pub struct Sampler {
    sampling: Sampling,
    /// Tokens that were chosen.
    step: usize,
    random: Random,
    /// Tokens that remain, with their logits. Kept between calls for its memory.
    candidates: Vec<(u32, f32)>,
}

impl Sampler {
    /// A sampler at the beginning of its random numbers.
    pub fn new(sampling: &Sampling) -> Result<Sampler> {
        sampling.check()?;
        Ok(Sampler {
            sampling: sampling.clone(),
            step: 0,
            random: Random::new(sampling.seed.into()),
            candidates: Vec::new(),
        })
    }

    /// The next token after `seen`, by the logits of every token of the vocabulary.
    ///
    /// The first of equally likely tokens is the likeliest. A token whose logit is no finite number is never chosen.
    pub fn next(&mut self, logits: &[f32], seen: &[u32]) -> Result<u32> {
        self.gather(logits, seen);
        let best = likeliest(&self.candidates).ok_or(Error::NotFinite { tokens: seen.len() })?;
        let step = self.step;
        self.step += 1;
        if self.sampling.is_greedy() {
            return Ok(best.0);
        }
        if let Some(settings) = self.sampling.on_device(step) {
            // Drawn as a device draws, so that where it happens makes no difference.
            return Ok(drawn(&settings, logits).unwrap_or(best.0));
        }
        for (_, logit) in &mut self.candidates {
            // The likeliest becomes 0 before the division, so that no temperature overflows.
            *logit = (*logit - best.1) / self.sampling.temperature;
        }
        self.keep_top_k();
        self.keep_min_p();
        self.keep_top_p();
        Ok(self.draw().unwrap_or(best.0))
    }

    fn gather(&mut self, logits: &[f32], seen: &[u32]) {
        self.candidates.clear();
        self.candidates.extend((0..).zip(logits.iter().copied()));
        let penalty = self.sampling.repetition_penalty;
        if penalty != 1.0 {
            for &id in seen {
                let (Some((_, logit)), Some(&given)) = (self.candidates.get_mut(id as usize), logits.get(id as usize))
                else {
                    continue;
                };
                // From the given logit, so that a token that occurred twice is not made unlikely twice.
                *logit = if given > 0.0 { given / penalty } else { given * penalty };
            }
        }
        self.candidates.retain(|(_, logit)| *logit > f32::NEG_INFINITY && *logit < f32::INFINITY);
    }

    fn keep_top_k(&mut self) {
        let k = self.sampling.top_k;
        if k > 0 && k < self.candidates.len() {
            self.candidates.select_nth_unstable_by(k - 1, by_likelihood);
            self.candidates.truncate(k);
        }
    }

    fn keep_min_p(&mut self) {
        if self.sampling.min_p > 0.0 {
            let least = self.sampling.min_p.ln();
            self.candidates.retain(|(_, logit)| *logit >= least);
        }
    }

    fn keep_top_p(&mut self) {
        if self.sampling.top_p >= 1.0 {
            return;
        }
        let enough = f64::from(self.sampling.top_p) * total(&self.candidates);
        // Few tokens carry nearly all of the probability: sort those, and more only where they do not suffice.
        let mut sorted = 256.min(self.candidates.len());
        loop {
            if sorted < self.candidates.len() {
                self.candidates.select_nth_unstable_by(sorted, by_likelihood);
            }
            let (head, tail) = self.candidates.split_at_mut(sorted);
            head.sort_unstable_by(by_likelihood);
            let mut sum = 0.0;
            let reached = head.iter().position(|candidate| {
                sum += weight(candidate);
                sum >= enough
            });
            match reached {
                Some(last) => return self.candidates.truncate(last + 1),
                None if tail.is_empty() => return,
                None => sorted = (sorted * 8).min(self.candidates.len()),
            }
        }
    }

    /// Draws among the tokens that remain; nothing where none does.
    fn draw(&mut self) -> Option<u32> {
        // Selection leaves an order that only the implementation knows; the draw must depend on the seed alone.
        self.candidates.sort_unstable_by_key(|(id, _)| *id);
        let mut left = self.random.unit() * total(&self.candidates);
        let drawn = self.candidates.iter().find(|candidate| {
            left -= weight(candidate);
            left < 0.0
        });
        drawn.or(self.candidates.last()).map(|(id, _)| *id)
    }
}

/// The token that a device draws from these logits.
fn drawn(settings: &DrawSettings, logits: &[f32]) -> Option<u32> {
    let logits: Vec<f64> = logits.iter().copied().map(f64::from).collect();
    let scores = (0..).zip(settings.scores(&logits)).filter(|(_, score)| !score.is_nan());
    scores.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(id, _)| id)
}

/// The first of the candidates with the largest logit.
fn likeliest(candidates: &[(u32, f32)]) -> Option<(u32, f32)> {
    candidates.iter().copied().reduce(|best, next| if next.1 > best.1 { next } else { best })
}

/// The likeliest first, and the smaller id first among equals.
fn by_likelihood(a: &(u32, f32), b: &(u32, f32)) -> std::cmp::Ordering {
    b.1.total_cmp(&a.1).then(a.0.cmp(&b.0))
}

/// The probability of a candidate, up to a factor.
fn weight(candidate: &(u32, f32)) -> f64 {
    f64::from(candidate.1).exp()
}

fn total(candidates: &[(u32, f32)]) -> f64 {
    candidates.iter().map(weight).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOGITS: [f32; 6] = [0.0, 3.0, 2.0, 3.0, f32::NAN, -1.0];

    /// Which tokens come out of many draws.
    fn ids_of(sampling: &Sampling) -> Vec<u32> {
        let mut sampler = Sampler::new(sampling).unwrap();
        let mut ids: Vec<_> = (0..400).map(|_| sampler.next(&LOGITS, &[]).unwrap()).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    #[test]
    fn greedy_takes_the_first_of_the_likeliest() {
        let mut sampler = Sampler::new(&Sampling::default()).unwrap();
        assert_eq!(sampler.next(&LOGITS, &[]).unwrap(), 1);
        let infinite = [f32::NAN, f32::NEG_INFINITY, f32::INFINITY];
        assert!(matches!(sampler.next(&infinite, &[7, 8]), Err(Error::NotFinite { tokens: 2 })));
        assert!(sampler.next(&[], &[]).is_err());
    }

    #[test]
    fn each_filter_keeps_what_it_says() {
        let warm = Sampling::default().with_temperature(1.5);
        assert_eq!(ids_of(&warm), [0, 1, 2, 3, 5]);
        assert_eq!(ids_of(&warm.clone().with_top_k(3)), [1, 2, 3]);
        assert_eq!(ids_of(&warm.clone().with_top_k(1)), [1]);
        assert_eq!(ids_of(&warm.clone().with_top_k(5).with_min_p(0.9)), [1, 3]);
        // The two likeliest have the same probability, which is above 0.3 and below 0.5.
        assert_eq!(ids_of(&warm.clone().with_top_p(0.3)), [1]);
        assert_eq!(ids_of(&warm.clone().with_top_p(0.5)), [1, 3]);
        assert_eq!(ids_of(&warm.clone().with_min_p(0.9)), [1, 3]);
        assert_eq!(ids_of(&warm.with_min_p(1.0).with_top_p(0.2)), [1]);
    }

    #[test]
    fn a_low_temperature_is_nearly_greedy_and_does_not_overflow() {
        let cold = Sampling::default().with_temperature(1e-30);
        assert_eq!(ids_of(&cold.clone().with_top_k(5)), [1, 3]);
        // As a device draws, the noise is too small to be seen beside the logits.
        assert_eq!(ids_of(&cold), [1]);
    }

    #[test]
    fn probabilities_are_those_of_the_logits() {
        let sampling = Sampling::default().with_temperature(1.0).with_seed(7);
        let mut sampler = Sampler::new(&sampling).unwrap();
        let logits = [0.0, 3f32.ln()];
        let ones = (0..4000).filter(|_| sampler.next(&logits, &[]).unwrap() == 1).count();
        assert!((2900..3100).contains(&ones), "{ones} of 4000 where 3000 are expected");
    }

    #[test]
    fn a_large_vocabulary_is_cut_where_a_full_sort_would_cut_it() {
        let mut random = Random::new(3);
        let logits: Vec<f32> =
            (0..5000).map(|_| f32::from(u8::try_from(random.bits() >> 56).unwrap()) / 60.0).collect();
        for top_p in [0.05, 0.5, 0.97] {
            let mut sampler = Sampler::new(&Sampling::default().with_temperature(1.0).with_top_p(top_p)).unwrap();
            sampler.gather(&logits, &[]);
            sampler.keep_top_p();
            let mut sorted: Vec<_> = (0..).zip(logits.iter().copied()).collect();
            sorted.sort_unstable_by(by_likelihood);
            let (mut sum, enough) = (0.0, f64::from(top_p) * total(&sorted));
            let count = 1 + sorted
                .iter()
                .take_while(|candidate| {
                    sum += weight(candidate);
                    sum < enough
                })
                .count();
            assert_eq!(sampler.candidates, sorted[..count], "top-p {top_p}");
        }
    }

    #[test]
    fn the_seed_decides() {
        let draws = |seed| {
            let mut sampler = Sampler::new(&Sampling::default().with_temperature(2.0).with_seed(seed)).unwrap();
            (0..32).map(|_| sampler.next(&LOGITS, &[]).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(draws(1), draws(1));
        assert_ne!(draws(1), draws(2));
    }

    #[test]
    fn tokens_that_occurred_become_unlikely_once() {
        let sampling = Sampling::default().with_repetition_penalty(2.0);
        let mut sampler = Sampler::new(&sampling).unwrap();
        assert_eq!(sampler.next(&LOGITS, &[1, 1, 3, 99]).unwrap(), 2);
        // Halved once, 2 is above 1.9; halved twice it would not be.
        assert_eq!(sampler.next(&[4.0, 1.9], &[0, 0]).unwrap(), 0);
        assert_eq!(sampler.next(&[-1.0, -1.5], &[0]).unwrap(), 1);
    }

    #[test]
    fn numbers_without_sense_are_refused() {
        let wrong = [
            Sampling::default().with_temperature(-1.0),
            Sampling::default().with_temperature(f32::NAN),
            Sampling::default().with_top_p(0.0),
            Sampling::default().with_top_p(1.5),
            Sampling::default().with_min_p(-0.1),
            Sampling::default().with_repetition_penalty(0.0),
        ];
        for sampling in wrong {
            assert!(Sampler::new(&sampling).is_err(), "{sampling:?}");
        }
    }
}
