//! `cargo xtask browser`: fixtures on WebGPU in headless Chromium, and projects of several bundlers.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::command::run as command;
use crate::setup;

/// The folders of `crates/web/tests`, each with a `run.mjs`, and how npm installs what it needs. A lock file of bundlers would
/// name their builds for every system, which not every registry has; their own versions are exact.
const SUITES: [(&str, &[&str]); 2] = [("browser", &["ci"]), ("bundlers", &["install", "--no-package-lock"])];

/// Runs the tests of `crates/web/tests` on the package that `cargo xtask web` wrote.
pub(crate) fn run(root: &Path) -> Result<()> {
    if !root.join("crates/web/dist/package.json").is_file() {
        bail!("there is no package to test; write it with `cargo xtask web`");
    }
    let Some(chromium) = setup::chromium() else { bail!("Chromium is missing; install it with `cargo xtask setup`") };
    for (suite, install) in SUITES {
        let folder = root.join("crates/web/tests").join(suite);
        command(Command::new("npm").args(install).args(["--no-audit", "--no-fund"]).current_dir(&folder))?;
        command(Command::new("node").arg("run.mjs").current_dir(&folder).env("CHROMIUM", &chromium))?;
    }
    Ok(())
}
