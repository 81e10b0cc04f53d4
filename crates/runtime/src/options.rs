//! How a method is to be loaded.

use pteron_ops::Precision;

use crate::append::Appended;
use crate::carry::Carry;
use crate::progress::OnProgress;

/// How a method is to be loaded.
///
/// ```
/// use pteron_runtime::{MethodOptions, Precision};
///
/// let options = MethodOptions::default().with_precision(Precision::Fast);
/// assert!(options.fuse);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MethodOptions {
    /// How closely results must follow 32-bit arithmetic.
    pub precision: Precision,
    /// Whether operators that belong together become one launch. Without it every operator runs for itself.
    pub fuse: bool,
    /// Whether delegates, and operators outside them, become one graph where nothing between them needs the host. Without
    /// it every delegate runs for itself, and every operator outside on the host.
    pub join: bool,
    /// Operators that run after the program's own, on its device, in this order.
    pub append: Vec<Appended>,
    /// Outputs that the next call takes as inputs, without a copy where that is possible.
    pub carry: Vec<Carry>,
    /// What the numbers depend on that operators draw at random. The generator is not PyTorch's.
    pub seed: u64,
    /// Who is told how far it is loaded.
    pub on_progress: OnProgress,
}

impl Default for MethodOptions {
    fn default() -> MethodOptions {
        MethodOptions {
            precision: Precision::Exact,
            fuse: true,
            join: true,
            append: Vec::new(),
            carry: Vec::new(),
            seed: 0,
            on_progress: OnProgress::default(),
        }
    }
}

impl MethodOptions {
    /// With results that follow 32-bit arithmetic as closely as this.
    pub fn with_precision(self, precision: Precision) -> MethodOptions {
        MethodOptions { precision, ..self }
    }

    /// With or without operators that belong together in one launch.
    pub fn with_fuse(self, fuse: bool) -> MethodOptions {
        MethodOptions { fuse, ..self }
    }

    /// With or without delegates, and operators outside them, in one graph.
    pub fn with_join(self, join: bool) -> MethodOptions {
        MethodOptions { join, ..self }
    }

    /// With these operators after the program's own.
    pub fn with_append(self, append: Vec<Appended>) -> MethodOptions {
        MethodOptions { append, ..self }
    }

    /// With other numbers drawn at random.
    pub fn with_seed(self, seed: u64) -> MethodOptions {
        MethodOptions { seed, ..self }
    }

    /// With this listener, which is told how far it is loaded.
    pub fn with_on_progress(self, on_progress: OnProgress) -> MethodOptions {
        MethodOptions { on_progress, ..self }
    }

    /// With these outputs taken as inputs by the next call.
    pub fn with_carry(self, carry: Vec<Carry>) -> MethodOptions {
        MethodOptions { carry, ..self }
    }
}
