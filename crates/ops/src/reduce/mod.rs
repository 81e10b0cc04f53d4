//! Reductions over dimensions.

pub(crate) mod mean;
pub(crate) mod sum;
mod walk;
