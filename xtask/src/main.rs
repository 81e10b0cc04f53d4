//! Set-up and checks of the workspace: `cargo xtask <command>`.
#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, reason = "a command line tool")]

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};

mod browser;
mod checkout;
mod ci;
mod command;
mod dist;
mod features;
mod gpu;
mod guards;
mod host;
mod msrv;
mod networks;
mod package;
mod python;
mod reproduce;
mod schema;
mod setup;
mod site;
mod soak;
mod tidy;
mod web;
mod workspace;

/// Something that `cargo xtask` does.
struct Task {
    name: &'static str,
    about: &'static str,
    run: fn(root: &Path) -> Result<()>,
}

/// What is asked for by name only. The checks of [`ci::CHECKS`] can be asked for by name too.
const TASKS: &[Task] = &[
    Task { name: "ci", about: "install what is missing, then run every check below in this order", run: ci::run },
    Task {
        name: "gpu",
        about: "pack the tests for a machine with a GPU and without Rust (--only PARTS for less)",
        run: |root| gpu::run(root, &[]),
    },
    Task { name: "host", about: "lint and test what applies on macOS and Windows", run: host::run },
    Task {
        name: "features",
        about: "compile every crate with each of its features alone, none, and all",
        run: features::run,
    },
    Task {
        name: "guards",
        about: "take guards out of a copy, and see the test of each fail (NAMES for less)",
        run: |root| guards::run(root, &[]),
    },
    Task { name: "soak", about: "the tests of reliability in their long form, with figures", run: soak::run },
    Task {
        name: "networks",
        about: "export whole networks with the package, run them, and write docs/networks.md (BACKENDS for less)",
        run: |root| networks::run(root, &[]),
    },
    Task { name: "msrv", about: "compile with the oldest Rust that the manifests promise", run: msrv::run },
    Task { name: "package-build", about: "build every published crate from its package", run: package::build },
    Task {
        name: "python-upstream",
        about: "test the wheel with ExecuTorch's tools and tests, and with Ray (OPTIONS of tools/upstream/run.py for less)",
        run: |root| python::with_upstream(root, &[]),
    },
    Task {
        name: "reproduce",
        about: "build the command from two folders, and want the same bytes",
        run: reproduce::run,
    },
    Task { name: "dist", about: "pack the command for this machine, with a checksum", run: dist::run },
    Task { name: "schema", about: "turn the flatbuffer schemas into Rust", run: |root| schema::run(root, false) },
];

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let root = root()?;
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] | ["help" | "-h" | "--help"] => {
            help();
            Ok(())
        }
        ["schema", "--check"] => schema::run(&root, true),
        ["networks", backends @ ..] => networks::run(&root, backends),
        ["gpu", options @ ..] => gpu::run(&root, options),
        ["python-upstream", options @ ..] => python::with_upstream(&root, options),
        ["guards", names @ ..] => guards::run(&root, names),
        [name] => match TASKS.iter().chain(ci::CHECKS).find(|task| task.name == *name) {
            Some(task) => (task.run)(&root),
            None => bail!("there is no command {name:?}; `cargo xtask help` lists them"),
        },
        _ => bail!("one command at a time; `cargo xtask help` lists them"),
    }
}

/// The folder of the workspace.
fn root() -> Result<PathBuf> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    Ok(manifest.parent().context("xtask lies in no workspace")?.to_owned())
}

fn help() {
    println!("usage: cargo xtask <command>\n");
    for task in TASKS {
        println!("  {:<13} {}", task.name, task.about);
    }
    println!("\nchecks:");
    for check in ci::CHECKS {
        println!("  {:<13} {}", check.name, check.about);
    }
}
