//! `cargo xtask features`: every crate compiles with none of its features, with each alone, and with all.

use std::path::Path;

use anyhow::{Result, bail};
use cargo_metadata::Package;

use crate::command::{cargo, run as command};
use crate::workspace;

/// Checks each choice of features of each crate that has any.
pub(crate) fn run(root: &Path) -> Result<()> {
    let mut checked = 0;
    for package in workspace::packages(root)? {
        for choice in choices(&package) {
            let arguments = ["check", "--locked", "--package", &package.name, "--no-default-features"];
            command(&mut cargo(root, arguments.into_iter().chain(choice.iter().map(String::as_str))))?;
            checked += 1;
        }
    }
    if checked == 0 {
        bail!("no crate has features, so this check does not see them");
    }
    println!("{checked} choices of features compile");
    Ok(())
}

/// The arguments that choose features: none, each, all; nothing for a crate without features.
fn choices(package: &Package) -> Vec<Vec<String>> {
    let names: Vec<_> = package.features.keys().filter(|name| *name != "default").collect();
    if names.is_empty() {
        return Vec::new();
    }
    let each = names.iter().map(|name| vec!["--features".to_owned(), (*name).clone()]);
    std::iter::once(Vec::new()).chain(each).chain([vec!["--all-features".to_owned()]]).collect()
}
