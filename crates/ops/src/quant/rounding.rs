//! How rows of activations are rounded to 8 bits when a graph runs: with a scale and a zero point from each row's range.
//!
//! What the integers stand for is kept, not the integers: a layer on it adds the same products.

use std::fmt;
use std::str::FromStr;

use super::blocks::to_step;
use super::q8ta::BYTE;
use crate::error::OpError;

/// How a row is rounded.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Rounding {
    /// Not at all.
    #[default]
    None,
    /// As XNNPACK does: the range onto 255 steps, and the zero point from the side of the range that leaves the smaller error.
    Xnnpack,
    /// As `torchao` does: the range onto 255 steps of at least this size, and the zero point from the least element.
    Affine {
        /// The least scale.
        least_scale: f32,
    },
}

impl Rounding {
    /// Whether rows stay as they are.
    pub fn is_none(self) -> bool {
        self == Rounding::None
    }

    /// The least size of a step, as `rounding.wgsl` takes it: below zero where rows are rounded as XNNPACK does.
    pub(crate) fn least_scale(self) -> f32 {
        match self {
            Rounding::None | Rounding::Xnnpack => -1.0,
            Rounding::Affine { least_scale } => least_scale,
        }
    }

    /// Rounds a row.
    pub(crate) fn round(self, row: &mut [f32]) {
        // Zero is always within the range.
        let (low, high) = row.iter().fold((0.0f32, 0.0f32), |(low, high), &x| (low.min(x), high.max(x)));
        let (steps, size, zero) = match self {
            Rounding::None => return,
            Rounding::Xnnpack => {
                let steps = if low == high { 1.0 } else { 255.0 / (high - low) };
                let (least, greatest) = (low * steps, high * steps);
                let from_least = (-128.0 + least) + (127.0 + greatest) > 0.0;
                let zero = if from_least { -128.0 - least } else { 127.0 - greatest };
                (steps, 1.0 / steps, zero.clamp(-128.0, 127.0).round_ties_even())
            }
            Rounding::Affine { least_scale } => {
                let size = ((high - low) / 255.0).max(least_scale);
                (1.0 / size, size, (-128.0 - (low / size).round_ties_even()).clamp(-128.0, 127.0))
            }
        };
        for x in row {
            *x = (to_step((*x * steps).round_ties_even() + zero, BYTE) as f32 - zero) * size;
        }
    }
}

/// Its name, and the bits of its number, which is read back as it was, and without a parser of decimals.
impl fmt::Display for Rounding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rounding::None => Ok(()),
            Rounding::Xnnpack => write!(f, "xnnpack"),
            Rounding::Affine { least_scale } => write!(f, "affine({:x})", least_scale.to_bits()),
        }
    }
}

impl FromStr for Rounding {
    type Err = OpError;

    fn from_str(text: &str) -> Result<Rounding, OpError> {
        let bits = |text: &str| u32::from_str_radix(text, 16).ok();
        let least = |text: &str| text.strip_prefix("affine(")?.strip_suffix(')').and_then(bits).map(f32::from_bits);
        match text {
            "" => Ok(Rounding::None),
            "xnnpack" => Ok(Rounding::Xnnpack),
            _ => match least(text) {
                Some(least_scale) => Ok(Rounding::Affine { least_scale }),
                None => Err(OpError::Unsupported(format!("{text:?} is no rounding"))),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for rounding in [Rounding::None, Rounding::Xnnpack, Rounding::Affine { least_scale: f32::MIN_POSITIVE }] {
            assert_eq!(rounding.to_string().parse::<Rounding>().unwrap(), rounding);
        }
        for wrong in ["affine", "affine(1.5)", "affine()"] {
            assert!(wrong.parse::<Rounding>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn rows_are_rounded_to_steps_of_their_range() {
        let mut row = [0.0, 1.0, 2.55, 0.004];
        Rounding::Affine { least_scale: 1e-9 }.round(&mut row);
        assert!((row[1] - 1.0).abs() < 1e-6 && (row[2] - 2.55).abs() < 1e-6 && row[3] == 0.0, "{row:?}");
        // A row of zeros has no range, and a step of one or of the least size.
        for rounding in [Rounding::Xnnpack, Rounding::Affine { least_scale: 1e-9 }] {
            let mut zeros = [0.0; 3];
            rounding.round(&mut zeros);
            assert_eq!(zeros, [0.0; 3]);
        }
    }
}
