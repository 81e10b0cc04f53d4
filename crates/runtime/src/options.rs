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
}

impl Default for MethodOptions {
    fn default() -> MethodOptions {
        MethodOptions { precision: Precision::Exact, fuse: true }
    }
}
