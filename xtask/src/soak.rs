//! `cargo xtask soak`: the tests of reliability in their long form, with the figures that they print.

use std::path::Path;

use anyhow::Result;

use crate::command::{cargo, run as command};

/// What chooses the tests whose short forms are part of `ci`, as cargo takes it.
const TESTS: &[&[&str]] = &[
    &["--package=pteron-testkit", "--package=pteron-llm", "--test=dropped", "--test=faults", "--test=hostile"],
    &["--package=pteron-testkit", "--package=pteron-llm", "--test=mutants", "--test=soak", "--test=threads"],
    &["--package=pteron-cli", "--test=cli", "interrupted"],
];

/// Runs them; some minutes on a software adapter. Each runs, whatever became of the others.
pub(crate) fn run(root: &Path) -> Result<()> {
    let ended: Vec<_> = TESTS
        .iter()
        .map(|tests| {
            // Without optimization across crates, so that arithmetic that overflows is seen.
            let arguments = ["test", "--locked", "--all-features", "--no-fail-fast"];
            let arguments = arguments.iter().chain(*tests).chain(&["--", "--nocapture"]);
            command(cargo(root, arguments).env("PTERON_LONG", "1"))
        })
        .collect();
    ended.into_iter().collect()
}
