//! How a method is to be loaded.

use pteron_ops::Precision;

use crate::append::Appended;
use crate::carry::Carry;

/// How a method is to be loaded.
///
/// ```
/// use pteron_runtime::{MethodOptions, Precision};
///
/// let options = MethodOptions { precision: Precision::Fast, ..MethodOptions::default() };
/// assert!(options.fuse);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MethodOptions {
    /// How closely results must follow 32-bit arithmetic.
    pub precision: Precision,
    /// Whether operators that belong together become one launch. Without it every operator runs for itself.
    pub fuse: bool,
    /// Operators that run after the program's own, on its device, in this order.
    pub append: Vec<Appended>,
    /// Outputs that the next call takes as inputs, without a copy where that is possible.
    pub carry: Vec<Carry>,
}

impl Default for MethodOptions {
    fn default() -> MethodOptions {
        MethodOptions { precision: Precision::Exact, fuse: true, append: Vec::new(), carry: Vec::new() }
    }
}
