//! `cargo xtask reproduce`: builds the command from two folders as a release has it, and wants the same bytes.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::command::run as command;
use crate::{checkout, dist, web};

/// Builds twice and compares. What comes from registries is built once, since no folder of ours is known to it.
pub(crate) fn run(root: &Path) -> Result<()> {
    let all = web::target_folder(root).join("reproduce");
    // Names of different lengths, so that one which stays in a program moves all that follows.
    let (one, another) = (all.join("one"), all.join("another/folder"));
    // Files that are new are compiled, whatever was built before.
    for folder in [&one, &another] {
        if folder.is_dir() {
            fs::remove_dir_all(folder).with_context(|| format!("cannot empty {}", folder.display()))?;
        }
    }
    checkout::copy(root, &one)?;
    let first = build(&one, &all.join("build"))?;
    web::copy_files(&one, &another)?;
    if build(&another, &all.join("build"))? != first {
        bail!("two folders give different commands");
    }
    Ok(())
}

/// Builds what lies in a folder, and gives the command.
fn build(source: &Path, built: &Path) -> Result<Vec<u8>> {
    command(&mut dist::build(source, built)?)?;
    let program = built.join("release").join(format!("pteron{}", std::env::consts::EXE_SUFFIX));
    let bytes = fs::read(&program).with_context(|| format!("cannot read {}", program.display()))?;
    println!("from {}: {} bytes, sha256 {}", source.display(), bytes.len(), dist::digest(&bytes));
    Ok(bytes)
}
