//! How a method is to be loaded.

use pteron_ops::Precision;

/// How a method is to be loaded.
///
/// ```
/// use pteron_runtime::{MethodOptions, Precision};
///
/// let options = MethodOptions { precision: Precision::Fast, ..MethodOptions::default() };
/// assert!(options.fuse);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodOptions {
    /// How closely results must follow 32-bit arithmetic.
    pub precision: Precision,
    /// Whether operators that belong together become one launch. Without it every operator runs for itself.
    pub fuse: bool,
    /// Whether the method also chooses the next token, on the device: for a method that is one delegate call and whose
    /// first output is one row of logits.
    ///
    /// It then has one input more, `f32[4]` as [`DrawSettings::to_tensor`](pteron_ops::DrawSettings::to_tensor) makes it, and one
    /// output more, the token as `int64[1, 1]`, which can be an input of the next call without leaving the device.
    pub next_token: bool,
}

impl Default for MethodOptions {
    fn default() -> MethodOptions {
        MethodOptions { precision: Precision::Exact, fuse: true, next_token: false }
    }
}
