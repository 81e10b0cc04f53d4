//! `cargo xtask soak`: the tests of reliability in their long form, with the figures that they print.

use std::path::Path;

use anyhow::Result;

use crate::command::{cargo, run as command};

/// The tests whose short forms are part of `ci`.
const TESTS: &[&str] = &["dropped", "faults", "hostile", "mutants", "soak", "threads"];

/// Runs them; hours on a software adapter.
pub(crate) fn run(root: &Path) -> Result<()> {
    let tests = TESTS.iter().flat_map(|name| ["--test", name]);
    let packages = ["--package", "pteron-testkit", "--package", "pteron-llm"];
    // Without optimization across crates, so that arithmetic that overflows is seen.
    let arguments = ["test", "--locked", "--all-features", "--no-fail-fast"];
    let arguments = arguments.into_iter().chain(packages).chain(tests).chain(["--", "--nocapture"]);
    command(cargo(root, arguments).env("PTERON_LONG", "1"))
}
