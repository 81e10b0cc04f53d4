//! The `pteron` command line: parses arguments, runs a command, and turns its outcome into an exit code.

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
mod survey;
mod tensors;

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;

use crate::args::{Arguments, Command};
use crate::commands::Outcome;
use crate::output::Output;

fn main() -> ExitCode {
    // Clap ends with 2 on bad usage, and with 0 after help.
    let arguments = Arguments::parse();
    start_logging();
    let mut output = Output::new(arguments.json);
    let result = match arguments.command {
        Command::Inspect(options) => commands::inspect::run(&options, &mut output),
        Command::Run(options) => commands::run::run(&options, &mut output),
        Command::Verify(options) => commands::verify::run(&options, &mut output),
        Command::Bench(options) => commands::bench::run(&options, &mut output),
        Command::Generate(options) => commands::generate::run(&options, &mut output),
        Command::Chat(options) => commands::chat::run(&options, &mut output),
        Command::Doctor(options) => commands::doctor::run(&options, &mut output),
        Command::Demo(options) => commands::demo::run(&options, &mut output),
        Command::Completions(options) => commands::completions::run(&options, &mut output),
        Command::Man(options) => commands::man::run(&options, &mut output),
    };
    match result {
        Ok(Outcome::Success) => ExitCode::SUCCESS,
        Ok(Outcome::Failure) => ExitCode::from(1),
        // Whoever reads the results has seen enough.
        Err(error) if failure::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // A standard error that is closed is no reason to panic.
            let _ = writeln!(std::io::stderr(), "error: {}", failure::chain(&error));
            ExitCode::from(failure::exit_code(&error))
        }
    }
}

/// Writes log lines to standard error where `PTERON_LOG` asks for them: `PTERON_LOG=debug`.
fn start_logging() {
    if let Ok(filter) = std::env::var("PTERON_LOG") {
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    }
}
