//! `cargo xtask ci`: everything that must hold before a change is merged.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::command::{cargo, run as command};
use crate::{Task, browser, package, python, schema, setup, site, tidy, web};

/// Every check, in the order of `ci`: the quick ones first.
pub(crate) const CHECKS: &[Task] = &[
    Task { name: "setup", about: "install what tests need, or say what to install", run: setup::run },
    Task { name: "format", about: "cargo fmt finds nothing to do", run: format },
    Task { name: "tidy", about: "files name no machine and begin with what they are", run: tidy::run },
    Task { name: "generated", about: "generated code matches its schemas", run: |root| schema::run(root, true) },
    Task { name: "package", about: "every published crate packs whole, with what a registry shows", run: package::run },
    Task { name: "lint", about: "clippy on this machine", run: lint },
    Task { name: "lint-web", about: "clippy for browsers", run: lint_web },
    Task { name: "docs", about: "rustdoc without warnings", run: docs },
    Task { name: "adapter", about: "a WebGPU adapter runs a program, so that no test is void", run: adapter },
    Task { name: "test", about: "every test and documented example, conformance cases among them", run: test },
    Task { name: "python", about: "pack the wheel, install it and test it", run: python::run },
    Task { name: "python-torch", about: "test the wheel with PyTorch, downloaded once", run: python::with_torch },
    Task { name: "fuzz", about: "the fuzz targets compile", run: fuzz },
    Task { name: "web", about: "write the package for web pages, and weigh it", run: web::run },
    Task { name: "site", about: "put the page for visitors together", run: site::run },
    Task {
        name: "browser",
        about: "run fixtures, models, the page and bundlers' projects in headless browsers",
        run: browser::run,
    },
];

/// Crates that run in a browser.
const WEB_CRATES: &[&str] =
    &["pteron", "pteron-llm", "pteron-ops", "pteron-pte", "pteron-runtime", "pteron-tensor", "pteron-web"];

/// Runs every check; the first that fails ends it.
pub(crate) fn run(root: &Path) -> Result<()> {
    let mut times = Vec::new();
    for check in CHECKS {
        eprintln!("\n== {}: {}", check.name, check.about);
        let start = Instant::now();
        (check.run)(root).with_context(|| format!("{} failed; repeat it with `cargo xtask {0}`", check.name))?;
        times.push((check.name, start.elapsed()));
        eprintln!("== {}: done in {:.1} s", check.name, start.elapsed().as_secs_f64());
    }
    println!("\nEvery check passed:");
    for (name, time) in &times {
        println!("  {name:<12} {:>7.1} s", time.as_secs_f64());
    }
    println!("  {:<12} {:>7.1} s", "all", times.iter().map(|(_, time)| *time).sum::<Duration>().as_secs_f64());
    Ok(())
}

fn format(root: &Path) -> Result<()> {
    command(&mut cargo(root, ["fmt", "--all", "--check"]))
}

pub(crate) fn lint(root: &Path) -> Result<()> {
    let arguments = ["clippy", "--workspace", "--all-targets", "--all-features", "--locked", "--", "-D", "warnings"];
    command(&mut cargo(root, arguments))
}

fn lint_web(root: &Path) -> Result<()> {
    let packages = WEB_CRATES.iter().flat_map(|name| ["--package", name]);
    // What has no language models is part of what has them.
    let features = ["--features", "pteron-web/llm"];
    let arguments = ["clippy", "--locked", "--target", web::TARGET].into_iter().chain(packages).chain(features);
    command(&mut cargo(root, arguments.chain(["--", "-D", "warnings"])))
}

fn docs(root: &Path) -> Result<()> {
    let arguments = ["doc", "--workspace", "--no-deps", "--all-features", "--locked"];
    command(cargo(root, arguments).env("RUSTDOCFLAGS", "-D warnings"))
}

/// The selection of packages and features is that of the test step, so that nothing is built twice.
pub(crate) fn adapter(root: &Path) -> Result<()> {
    command(&mut cargo(root, ["test", "--workspace", "--all-features", "--locked", "--test", "adapter"])).context(
        "tests need a WebGPU adapter, and none was found that works; on Debian, mesa-vulkan-drivers and libvulkan1 give a \
         software one",
    )
}

pub(crate) fn test(root: &Path) -> Result<()> {
    command(&mut cargo(root, ["test", "--workspace", "--all-features", "--locked"]))
}

/// The fuzz crate is no member of the workspace; it shares the target folder, and with it what is built already.
fn fuzz(root: &Path) -> Result<()> {
    let arguments = ["check", "--locked", "--manifest-path", "fuzz/Cargo.toml", "--target-dir", "target"];
    command(&mut cargo(root, arguments))
}
