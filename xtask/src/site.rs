//! `cargo xtask site`: the page for visitors, to be served from any folder, and for `pteron web` to carry.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::web::{copy_files, files};

/// Files of the demo: where they are, and what the page calls them.
const DEMO: &[(&str, &str)] = &[
    ("crates/cli/demo/model.pte", "model.pte"),
    ("crates/cli/demo/tokenizer.json", "tokenizer.json"),
    ("crates/cli/demo/tokenizer_config.json", "tokenizer_config.json"),
    ("fixtures/demo/embedding/model.pte", "embedding.pte"),
    ("fixtures/xnnpack/network/model.pte", "network.pte"),
];

/// Files of the package that the page does not ask for: it computes in a worker, with the module for language models.
const UNUSED: &[&str] = &["pteron.js", "pteron_bg.wasm", "index.js", "package.json", "README.md"];

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
    for path in files(&site.join("pteron"))? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.ends_with(".d.ts") || UNUSED.contains(&&*name) {
            fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        }
    }
    fs::create_dir_all(site.join("demo"))?;
    for (from, to) in DEMO {
        fs::copy(root.join(from), site.join("demo").join(to)).with_context(|| format!("cannot copy {from}"))?;
    }
    list(&site)?;
    embed(root, &site)?;
    println!("the page is in {}", site.display());
    Ok(())
}

/// Writes the list of all files, which the page keeps for visits without a network.
fn list(site: &Path) -> Result<()> {
    let mut names = vec!["./".to_owned()];
    for path in files(site)? {
        names.push(path.strip_prefix(site)?.to_string_lossy().replace('\\', "/"));
    }
    Ok(fs::write(site.join("files.json"), serde_json::to_string(&names)?)?)
}

/// Compresses the page for the command to carry. It has most of the demo already, and programs are sent as they are.
fn embed(root: &Path, site: &Path) -> Result<()> {
    let folder = root.join("crates/cli/site");
    for entry in fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            fs::remove_dir_all(&path)?;
        } else if name != "README.md" && name != ".gitignore" {
            fs::remove_file(&path)?;
        }
    }
    for path in files(site)? {
        let name = path.strip_prefix(site)?;
        if DEMO.iter().any(|(from, to)| from.starts_with("crates/cli") && name == Path::new("demo").join(to)) {
            continue;
        }
        let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let to = folder.join(name);
        fs::create_dir_all(to.parent().unwrap_or(&folder))?;
        if name.extension().is_some_and(|kind| kind == "pte") {
            fs::write(&to, bytes)?;
        } else {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(&bytes)?;
            let mut to = to.into_os_string();
            to.push(".gz");
            fs::write(to, encoder.finish()?)?;
        }
    }
    Ok(())
}
