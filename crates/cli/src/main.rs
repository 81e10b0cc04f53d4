//! The `pteron` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(pteron_cli::run(std::env::args_os()))
}
