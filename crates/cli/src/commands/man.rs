//! `pteron man`: the manual, as `man` reads it.

use std::path::Path;

use anyhow::{Context as _, Result};
use clap::CommandFactory as _;
use clap_mangen::Man;

use crate::args::{Arguments, ManArgs};
use crate::commands::Outcome;
use crate::failure::Usage;
use crate::output::{Output, note};

pub(crate) fn run(arguments: &ManArgs, output: &mut Output) -> Result<Outcome> {
    match &arguments.output {
        Some(folder) => write_all(folder)?,
        None => output.verbatim(&page(arguments.command.as_deref())?)?,
    }
    Ok(Outcome::Success)
}

/// The page of one command, or of all together.
fn page(name: Option<&str>) -> Result<Vec<u8>> {
    let pages = pages();
    let title = name.map_or_else(|| "pteron".to_owned(), |name| format!("pteron-{name}"));
    let page = pages.into_iter().find(|command| command.get_display_name() == Some(&title));
    let page = page.ok_or_else(|| Usage::error(format!("there is no page {title}: pteron help lists the commands")))?;
    let mut text = Vec::new();
    Man::new(page).render(&mut text)?;
    Ok(text)
}

/// Writes every page into a folder, which is made where there is none.
fn write_all(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let pages = pages();
    for page in &pages {
        let man = Man::new(page.clone());
        let path = man.generate_to(folder).with_context(|| folder.display().to_string())?;
        note(path.display());
    }
    Ok(())
}

/// A command for each page: the whole first, then each of its commands, with `pteron-` before its name.
fn pages() -> Vec<clap::Command> {
    let mut whole = Arguments::command().disable_help_subcommand(true);
    // Gives commands their full names and the arguments that all of them take.
    whole.build();
    let each: Vec<_> = whole.get_subcommands().cloned().collect();
    let whole = whole.display_name("pteron");
    std::iter::once(whole).chain(each).collect()
}
