//! What `pteron.next_token` is told about a draw, and the noise that it draws with.

use pteron_tensor::{DType, HostTensor, Shape, TensorError};

/// One draw of a token from logits: the second argument of `pteron.next_token`.
///
/// Equal settings draw equal tokens from equal logits, on every device, up to rounding where two tokens are almost even.
/// A token whose logit is no finite number is never drawn; where there is no other, the token is −1.
///
/// ```
/// use pteron_ops::DrawSettings;
///
/// let greedy = DrawSettings::default();
/// let creative = DrawSettings { temperature: 0.8, min_p: 0.05, seed: 7, step: 0 };
/// let next = DrawSettings { step: creative.step + 1, ..creative };
/// assert_ne!(creative.to_tensor()?.bytes(), next.to_tensor()?.bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DrawSettings {
    /// How much chance decides: a token is as likely as the softmax of logits / temperature says. What is not above 0
    /// leaves nothing to chance: the token with the greatest logit, the first of equals.
    pub temperature: f32,
    /// Tokens less likely than this share of the likeliest are never drawn. What is not above 0 keeps them all, and
    /// the likeliest is always kept.
    pub min_p: f32,
    /// Chooses one of many sequences of draws.
    pub seed: u32,
    /// The number of the draw. The caller counts it up from token to token.
    pub step: u32,
}

impl DrawSettings {
    /// The settings as a program's input: `f32[4]` with the temperature, the share, and the bits of the seed and the
    /// step as they are, not as numbers.
    pub fn to_tensor(&self) -> Result<HostTensor, TensorError> {
        // Shaders need not divide by more, and nothing but chance is left long before.
        const HIGHEST: f32 = 1e30;
        // NaN is 0 here, since what a shader makes of it depends on the driver.
        let positive = |value: f32| if value > 0.0 { value } else { 0.0 };
        let words = [
            positive(self.temperature).min(HIGHEST).to_bits(),
            positive(self.min_p).min(1.0).to_bits(),
            self.seed,
            self.step,
        ];
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        HostTensor::with_shape(DType::F32, Shape::new(&[words.len()])?, bytes)
    }

    /// The settings that a tensor holds.
    pub(super) fn of(tensor: &HostTensor) -> Option<DrawSettings> {
        let [temperature, min_p, seed, step] = *tensor.as_slice::<f32>().ok()? else { return None };
        Some(DrawSettings { temperature, min_p, seed: seed.to_bits(), step: step.to_bits() })
    }

    /// What each token's logit becomes before the greatest is taken, where chance decides. It becomes NaN for tokens that
    /// are never drawn: the least likely, and those whose logit is no finite number.
    pub fn scores(&self, logits: &[f64]) -> Vec<f64> {
        let top = logits.iter().copied().filter(|logit| logit.is_finite()).fold(f64::NAN, f64::max);
        let temperature = f64::from(self.temperature);
        let least = if self.min_p > 0.0 { top + temperature * f64::from(self.min_p.min(1.0)).ln() } else { f64::NAN };
        let first = mixed(self.step.wrapping_add(mixed(self.seed)));
        let keys = [first, mixed(first ^ 0x9e37_79b9)];
        let score = |(number, &logit): (u32, &f64)| {
            if !logit.is_finite() || logit < least {
                return f64::NAN;
            }
            // One of the two factors is 1, so neither a high nor a low temperature leaves the range of floats.
            logit / temperature.max(1.0) + temperature.min(1.0) * gumbel(keys, number)
        };
        (0u32..).zip(logits).map(score).collect()
    }
}

/// The noise of a token: Gumbel's distribution, for which the greatest of logit + noise is distributed as the softmax.
fn gumbel(keys: [u32; 2], number: u32) -> f64 {
    let word = mixed(mixed(number.wrapping_add(keys[0])) ^ keys[1]);
    let uniform = (f64::from(word) + 0.5) / (f64::from(u32::MAX) + 1.0);
    -(-(-uniform).ln_1p()).ln()
}

/// A word of which every bit depends on every bit of another, by the constants of `lowbias32`. Different words stay
/// different.
fn mixed(word: u32) -> u32 {
    let word = (word ^ word >> 16).wrapping_mul(0x7feb_352d);
    let word = (word ^ word >> 15).wrapping_mul(0x846c_a68b);
    word ^ word >> 16
}
