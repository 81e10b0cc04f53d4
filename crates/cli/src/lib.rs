//! The `pteron` command line: parses arguments, runs a command, and turns its outcome into an exit code.
//!
//! The command itself is this library, so that packages for other languages carry it too. It promises nothing else.

#![forbid(unsafe_code)]

mod args;
mod check;
mod commands;
mod failure;
mod host_memory;
mod inputs;
mod interrupt;
mod language;
mod npy;
mod open;
mod output;
mod page;
#[doc(hidden)]
pub mod recording;
mod survey;
mod tensors;
mod whole_file;

use std::ffi::OsString;
use std::io::Write as _;

use clap::Parser as _;

use crate::args::{Arguments, Command};
use crate::commands::Outcome;
use crate::output::Output;

/// Runs the command that arguments name, the first of which is the program, and gives its exit code.
///
/// Bad usage ends the process with 2, and help with 0.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments = Arguments::parse_from(arguments);
    start_logging();
    let mut output = Output::new(arguments.json);
    let result = match arguments.command {
        Command::Inspect(options) => commands::inspect::run(&options, &mut output),
        Command::Run(options) => commands::run::run(&options, &mut output),
        Command::Verify(options) => commands::verify::run(&options, &mut output),
        Command::Check(options) => commands::check::run(&options, &mut output),
        Command::Bench(options) => commands::bench::run(&options, &mut output),
        Command::Profile(options) => commands::profile::run(&options, &mut output),
        Command::Generate(options) => commands::generate::run(&options, &mut output),
        Command::Chat(options) => commands::chat::run(&options, &mut output),
        Command::Doctor(options) => commands::doctor::run(&options, &mut output),
        Command::Demo(options) => commands::demo::run(&options, &mut output),
        Command::Web(options) => commands::web::run(&options, &mut output),
        Command::Completions(options) => commands::completions::run(&options, &mut output),
        Command::Man(options) => commands::man::run(&options, &mut output),
    };
    match result {
        Ok(Outcome::Success) => 0,
        Ok(Outcome::Failure) => 1,
        // Whoever reads the results has seen enough.
        Err(error) if failure::is_broken_pipe(&error) => 0,
        Err(error) => {
            // A standard error that is closed is no reason to panic.
            let _ = writeln!(std::io::stderr(), "error: {}", failure::chain(&error));
            failure::exit_code(&error)
        }
    }
}

/// Writes log lines to standard error where `PTERON_LOG` asks for them: `PTERON_LOG=debug`.
fn start_logging() {
    if let Ok(filter) = std::env::var("PTERON_LOG") {
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    }
}
