//! `cargo xtask host`: the checks that apply on a machine that is no Debian, such as macOS and Windows.

use std::path::Path;

use anyhow::Result;

use crate::ci;
use crate::command::{cargo, run as command};

/// Crates whose tests need no adapter.
const WITHOUT_ADAPTER: &[&str] = &["pteron-ops", "pteron-pte", "pteron-tensor", "xtask"];

/// Lints, then tests: all of them where there is a WebGPU adapter, otherwise what the reference engine can show.
pub(crate) fn run(root: &Path) -> Result<()> {
    ci::lint(root)?;
    match ci::adapter(root) {
        Ok(()) => {
            println!("there is a WebGPU adapter: every test runs");
            ci::test(root)
        }
        Err(error) => {
            println!("{error:#}\nthere is no WebGPU adapter: tests run on the reference engine alone");
            let packages = WITHOUT_ADAPTER.iter().flat_map(|name| ["--package", name]);
            command(&mut cargo(root, ["test", "--all-features", "--locked"].into_iter().chain(packages)))?;
            let verify = ["run", "--locked", "--package", "pteron-cli", "--", "verify", "fixtures", "--device", "cpu"];
            command(&mut cargo(root, verify))
        }
    }
}
