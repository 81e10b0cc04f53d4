//! `cargo xtask schema`: turns the flatbuffer schemas of `crates/pte` into Rust.
//!
//! The result is committed, so that a build needs no generator; `--check` fails when it no longer matches the schemas.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};

/// Every schema; a name clash between them is kept apart by their namespaces.
const SCHEMAS: &[&str] = &["bundle.fbs", "etdump.fbs", "flat_tensor.fbs", "graph.fbs", "program.fbs", "xnnpack.fbs"];

/// Writes `crates/pte/src/generated.rs` under `root`, or with `check` only compares it.
pub(crate) fn run(root: &Path, check: bool) -> Result<()> {
    let folder = root.join("crates/pte/schema");
    let target = root.join("crates/pte/src/generated.rs");
    let schemas: Vec<_> = SCHEMAS.iter().map(|name| folder.join(name)).collect();
    // The translator prints what is wrong with a schema itself.
    let declarations = planus_translation::translate_files(&schemas).context("the schemas have errors")?;
    let code = planus_codegen::generate_rust(&declarations, true).map_err(|error| anyhow!("{error:#}"))?;
    let code = trim(&code);
    if !check {
        return fs::write(&target, code).with_context(|| format!("cannot write {}", target.display()));
    }
    let committed = fs::read_to_string(&target).with_context(|| format!("cannot read {}", target.display()))?;
    if committed != code {
        bail!("{} does not match its schemas; run `cargo xtask schema`", target.display());
    }
    Ok(())
}

/// The generated code without what we do not want of it: doc comments, which name absolute paths, and serde derives.
fn trim(code: &str) -> String {
    code.replace(", ::serde::Serialize, ::serde::Deserialize", "")
        .lines()
        .filter(|line| !line.trim_start().starts_with("///"))
        .flat_map(|line| [line, "\n"])
        .collect()
}
