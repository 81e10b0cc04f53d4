//! `pteron completions`: a script that completes commands in a shell.

use anyhow::Result;
use clap::CommandFactory as _;

use crate::args::{Arguments, CompletionsArgs};
use crate::commands::Outcome;
use crate::output::Output;

pub(crate) fn run(arguments: &CompletionsArgs, output: &mut Output) -> Result<Outcome> {
    let mut command = Arguments::command();
    let name = command.get_name().to_owned();
    // Written at once, so that a reader that goes away is met where every command meets it.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, name, &mut script);
    output.verbatim(&script)?;
    Ok(Outcome::Success)
}
