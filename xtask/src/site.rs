//! `cargo xtask site`: the page for visitors, in `crates/web/site`, to be served from any folder.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::web::copy_files;

/// Files of the demo: where they are, and what the page calls them.
const DEMO: &[(&str, &str)] = &[
    ("crates/cli/demo/model.pte", "model.pte"),
    ("crates/cli/demo/tokenizer.json", "tokenizer.json"),
    ("crates/cli/demo/tokenizer_config.json", "tokenizer_config.json"),
    ("fixtures/demo/embedding/model.pte", "embedding.pte"),
];

/// Puts the page, the package that `cargo xtask web` wrote and the demo's files together.
pub(crate) fn run(root: &Path) -> Result<()> {
    let dist = root.join("crates/web/dist");
    if !dist.join("package.json").is_file() {
        bail!("there is no package for the page; write it with `cargo xtask web`");
    }
    let site = root.join("crates/web/site");
    if site.is_dir() {
        fs::remove_dir_all(&site).with_context(|| format!("cannot empty {}", site.display()))?;
    }
    copy_files(&root.join("crates/web/page"), &site)?;
    copy_files(&dist, &site.join("pteron"))?;
    fs::create_dir_all(site.join("demo"))?;
    for (from, to) in DEMO {
        fs::copy(root.join(from), site.join("demo").join(to)).with_context(|| format!("cannot copy {from}"))?;
    }
    println!("the page is in {}", site.display());
    Ok(())
}
