//! Copies of the checkout, and builds that do not show where it lies.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::command::output;
use crate::web;

/// Makes a copy of the files that git knows or would add. What is the same already keeps its time, so that it is not built again.
pub(crate) fn copy(root: &Path, copy: &Path) -> Result<()> {
    let list = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
    let names = output(Command::new("git").args(list).current_dir(root))?;
    let names: Vec<_> = names.split_terminator('\0').filter(|name| root.join(name).is_file()).collect();
    if copy.is_dir() {
        let known: Vec<PathBuf> = names.iter().map(|name| copy.join(name)).collect();
        for path in web::files(copy)?.iter().filter(|path| !known.contains(path)) {
            fs::remove_file(path)?;
        }
    }
    for name in names {
        let (bytes, to) = (fs::read(root.join(name))?, copy.join(name));
        if fs::read(&to).ok().as_ref() != Some(&bytes) {
            fs::create_dir_all(to.parent().unwrap_or(copy))?;
            fs::write(&to, bytes).with_context(|| format!("cannot write {}", to.display()))?;
        }
    }
    Ok(())
}

/// Flags for the compiler, so that a program that is built in a folder names none of the machine. Cargo gives files of the
/// workspace by their place in it.
pub(crate) fn without_folders(built: &Path) -> Result<String> {
    let home = std::env::home_dir().context("there is no home folder")?;
    let registry = std::env::var_os("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from);
    let remap = |(from, to): (&Path, &str)| format!("--remap-path-prefix={}={to}", from.display());
    Ok([(registry.as_path(), "/cargo"), (built, "/target")].map(remap).join("\u{1f}"))
}
