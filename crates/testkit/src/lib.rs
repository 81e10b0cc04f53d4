//! Conformance cases: a program, inputs and expected outputs, written once and run on every device.
//!
//! A case is a folder with a `case.json`, or a `.bpte` file. [`discover`] finds them below a path, [`verify`] runs one.

#![forbid(unsafe_code)]

mod bundle;
mod case;
mod fill;
mod golden;
mod places;
mod verify;

pub use case::{Case, CaseError, Found, Step, discover, discover_each, read_tensors};
pub use fill::{FilledSource, Manifest, OmittedConstant};
pub use golden::{Golden, GoldenComparison, GoldenError, GoldenOptions, goldens};
pub use places::{fixtures, shared};
#[cfg(not(target_arch = "wasm32"))]
pub use verify::verify_with;
pub use verify::{Outcome, Status, verify, verify_async};
