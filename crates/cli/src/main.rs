//! The `pteron` command.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(pteron_cli::run(std::env::args_os()))
}
