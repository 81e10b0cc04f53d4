//! `cargo xtask browser`: fixtures on WebGPU in headless Chromium.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::command::run as command;
use crate::setup;

/// Runs the tests of `crates/web/tests/browser` on the module that `cargo xtask web` built.
pub(crate) fn run(root: &Path) -> Result<()> {
    let folder = root.join("crates/web/tests/browser");
    if !root.join("crates/web/dist/pteron.js").is_file() {
        bail!("there is no module to test; build it with `cargo xtask web`");
    }
    let Some(chromium) = setup::chromium() else { bail!("Chromium is missing; install it with `cargo xtask setup`") };
    command(Command::new("npm").args(["ci", "--no-audit", "--no-fund"]).current_dir(&folder))?;
    command(Command::new("node").arg("run.mjs").current_dir(&folder).env("CHROMIUM", chromium))
}
