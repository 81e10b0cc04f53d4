//! Runs the built `pteron` on committed fixtures: every command, its JSON, its exit codes and its errors.

mod bench;
mod chat;
mod check;
mod demo;
mod doctor;
mod generate;
mod inspect;
#[cfg(unix)]
mod interrupted;
mod limits;
mod manual;
#[cfg(target_os = "linux")]
mod pipeline_cache;
mod profile;
mod run;
mod usage;
mod verify;
mod web;

use std::path::Path;
use std::process::{Command, Output, Stdio};

use pteron_testkit::fixtures;

/// The command with these arguments, in the folder with the fixtures: `$PTERON`, or the one that was built with the test.
fn command(arguments: &[&str]) -> Command {
    let built = || env!("CARGO_BIN_EXE_pteron").into();
    let mut command = Command::new(std::env::var_os("PTERON").unwrap_or_else(built));
    command.args(arguments).current_dir(fixtures()).env_remove("PTERON_LOG");
    command
}

/// How the system's words for a file that is not there begin.
const MISSING: &str = if cfg!(windows) { "The system cannot find" } else { "No such file" };

/// What a command did.
struct Ran {
    code: i32,
    stdout: String,
    stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            code: output.status.code().expect("the command ended by itself"),
            stdout: String::from_utf8(output.stdout).expect("results are text"),
            stderr: String::from_utf8(output.stderr).expect("messages are text"),
        }
    }
}

/// Runs a command to its end.
fn pteron(arguments: &[&str]) -> Ran {
    command(arguments).output().expect("the command starts").into()
}

/// Runs a command that must end with 0, and gives what it prints.
fn succeed(arguments: &[&str]) -> String {
    let ran = pteron(arguments);
    assert_eq!(ran.code, 0, "{arguments:?}\n{}{}", ran.stdout, ran.stderr);
    ran.stdout
}

/// Runs a command that must end with 2, and gives the error that it prints. Nothing comes on standard output.
fn refuse(arguments: &[&str]) -> String {
    let ran = pteron(arguments);
    assert_eq!(ran.code, 2, "{arguments:?}\n{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.stdout, "");
    ran.stderr
}

/// Parses what a command with `--json` printed.
fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

/// Copies a folder of plain files.
fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap().path();
        std::fs::copy(&entry, to.join(entry.file_name().unwrap())).unwrap();
    }
}

/// A path as an argument.
fn text(path: &Path) -> &str {
    path.to_str().expect("temporary paths are text")
}

/// Sends a signal to a command that runs, as a terminal does.
#[cfg(unix)]
fn signal(child: &std::process::Child, name: &str) {
    let kill = format!("kill -{name} {}", child.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().expect("there is a shell").success());
}

/// Runs a command whose standard output nobody reads.
fn without_reader(arguments: &[&str]) -> Ran {
    let mut child = command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    child.wait_with_output().unwrap().into()
}
