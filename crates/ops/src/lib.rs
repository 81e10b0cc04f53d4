//! Every operator of pteron: its plan, its plain-Rust reference and its WGSL, side by side.
//!
//! An operator is a pure function from arguments and shapes to dispatches. [`plan::PlanContext`] is what it reads and writes;
//! [`eval::Eval`] is the same for the reference; [`catalogue::lookup`] finds it by name. Nothing here names a GPU API
//! or a file format.

#![forbid(unsafe_code)]

pub mod args;
mod attention;
mod broadcast;
pub mod caps;
pub mod catalogue;
mod clock;
mod conv;
pub mod error;
pub mod eval;
mod fused;
mod index;
pub mod kernel;
pub mod kernels;
mod launch;
mod matmul;
mod norm;
mod parts;
pub mod plan;
mod pointwise;
mod pool;
mod preprocess;
mod quant;
mod reduce;
pub mod sampling;
mod shape;
pub mod sym;
mod symint;
mod training;
mod transform;
mod watch;

pub use args::{Arg, Args};
pub use caps::{Caps, Precision, SubgroupSizes};
pub use catalogue::{Accuracy, Body, OpDef};
pub use clock::Clock;
pub use conv::geometry::wants_arranged as wants_arranged_weight;
pub use error::{OpError, Result};
pub use eval::{Eval, Number};
pub use fused::arguments::{
    Argument, Attention, Convolution, Linear, LinearNorm, Q4Attention, Q4Linear, Q4Mlp, RopeAttention, Turn, TwoLayers,
    ValueId,
};
pub use fused::q4_linear::is_regular as is_regular_q4_linear;
pub use fused::two_layers::fits_two_layers;
pub use parts::{Part, Parts};
pub use plan::{Dispatch, OpPlan, PlanContext};
pub use pointwise::activation::Activation;
pub use pointwise::chain::{Chain, ChainArg};
pub use quant::rounding::Rounding;
pub use sampling::DrawSettings;
