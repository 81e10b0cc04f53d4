//! `cargo xtask browser`: fixtures, models and the page in headless browsers, and projects of several bundlers.

use std::path::Path;
use std::process::Command;
use std::thread;

use anyhow::{Result, bail};

use crate::command::{cargo, run as command};
use crate::{setup, web};

/// The folders of `crates/web/tests`, each with a `run.mjs`, and how npm installs what it needs. A lock file of bundlers would
/// name their builds for every system, which not every registry has; their own versions are exact.
const SUITES: [(&str, &[&str]); 2] = [("browser", &["ci"]), ("bundlers", &["install", "--no-package-lock"])];

/// Runs the tests of `crates/web/tests` on what `cargo xtask web` and `cargo xtask site` wrote.
pub(crate) fn run(root: &Path) -> Result<()> {
    for (file, step) in [("dist/package.json", "web"), ("site/index.html", "site")] {
        if !root.join("crates/web").join(file).is_file() {
            bail!("there is no crates/web/{file} to test; write it with `cargo xtask {step}`");
        }
    }
    let Some(chromium) = setup::chromium() else { bail!("Chromium is missing; install it with `cargo xtask setup`") };
    let Some(firefox) = setup::firefox() else { bail!("Firefox is missing; install it with `cargo xtask setup`") };
    // With the selection of the test step, so that only what carries the page is built again.
    command(&mut cargo(root, ["build", "--workspace", "--all-features", "--locked", "--bin", "pteron"]))?;
    let pteron = web::target_folder(root).join("debug").join(format!("pteron{}", std::env::consts::EXE_SUFFIX));
    let suites = SUITES.map(|(suite, install)| (root.join("crates/web/tests").join(suite), install));
    for (folder, install) in &suites {
        command(Command::new("npm").args(*install).args(["--no-audit", "--no-fund"]).current_dir(folder))?;
    }
    // One at a time leaves cores idle. Checks that measure times come last in theirs.
    let (chromium, firefox, pteron) = (&chromium, &firefox, &pteron);
    thread::scope(|scope| {
        let running = suites.each_ref().map(|(folder, _)| {
            scope.spawn(move || {
                let mut tests = Command::new("node");
                tests.env("CHROMIUM", chromium).env("FIREFOX", firefox).env("PTERON", pteron);
                command(tests.arg("run.mjs").current_dir(folder))
            })
        });
        // Each is waited for, whatever became of the others.
        let ended = running.map(|suite| suite.join().unwrap_or_else(|_| bail!("a suite was not run")));
        ended.into_iter().collect()
    })
}
