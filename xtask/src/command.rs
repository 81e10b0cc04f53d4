//! Running other programs.

use std::env;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

/// A cargo command in the workspace, with the cargo that runs this.
pub(crate) fn cargo<I: AsRef<OsStr>>(root: &Path, arguments: impl IntoIterator<Item = I>) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root).args(arguments);
    if env::var_os("CI").is_some() {
        // What is built once gains nothing from being ready to be built again.
        command.env("CARGO_INCREMENTAL", "0");
    }
    command
}

/// Runs a command with its output shown; anything but success is an error that names it.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let text = text(command);
    eprintln!("$ {text}");
    let status = command.status().with_context(|| format!("cannot start `{text}`"))?;
    if !status.success() {
        bail!("`{text}` failed ({status})");
    }
    Ok(())
}

/// Runs a command and gives what it prints.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let text = text(command);
    let output = command.output().with_context(|| format!("cannot start `{text}`"))?;
    if !output.status.success() {
        bail!("`{text}` failed ({}): {}", output.status, String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The command as one would type it.
fn text(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or_default();
    let words = std::iter::once(program).chain(command.get_args()).map(OsStr::to_string_lossy);
    words.collect::<Vec<_>>().join(" ")
}
