//! `cargo xtask web`: the module that pages load, in `crates/web/dist`.

use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result, anyhow, bail};
use wasm_bindgen_cli_support::Bindgen;

use crate::command::{cargo, output, run as command};

/// The compilation target of browsers.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// Bytes that the module may have. Raise it knowingly: every visitor of a page pays for it.
const BUDGET: u64 = 2_800_000;

/// Builds the module with its JavaScript and types, and fails when it is too large or links what it must not.
pub(crate) fn run(root: &Path) -> Result<()> {
    links_no_naga(root)?;
    command(&mut cargo(
        root,
        ["build", "--locked", "--package", "pteron-web", "--target", TARGET, "--profile", "web"],
    ))?;
    let dist = root.join("crates/web/dist");
    if dist.is_dir() {
        fs::remove_dir_all(&dist).with_context(|| format!("cannot empty {}", dist.display()))?;
    }
    Bindgen::new()
        .input_path(target_folder(root).join(TARGET).join("web/pteron_web.wasm"))
        .out_name("pteron")
        .web(true)
        .and_then(|bindgen| {
            bindgen
                .typescript(true)
                .omit_default_module_path(false)
                .remove_name_section(true)
                .remove_producers_section(true)
                .generate(&dist)
        })
        .map_err(|error| anyhow!("{error:#}"))?;
    weigh(&dist.join("pteron_bg.wasm"))
}

fn weigh(module: &Path) -> Result<()> {
    let bytes = fs::metadata(module).with_context(|| format!("cannot read {}", module.display()))?.len();
    println!("the module has {bytes} bytes, of {BUDGET} allowed");
    if bytes > BUDGET {
        bail!("the module has {bytes} bytes, and its budget is {BUDGET}");
    }
    Ok(())
}

/// Kernels are validated when pteron is built; a page need not download the validator.
fn links_no_naga(root: &Path) -> Result<()> {
    let arguments =
        ["tree", "--locked", "--package", "pteron-web", "--target", TARGET, "--edges", "normal", "--prefix", "none"];
    let tree = output(&mut cargo(root, arguments))?;
    if !tree.lines().any(|line| line.starts_with("wgpu ")) {
        bail!("the module's dependencies do not name wgpu, so this check does not see them");
    }
    match tree.lines().find(|line| line.starts_with("naga ")) {
        Some(line) => {
            bail!("the module links {line}; `cargo tree --package pteron-web --target {TARGET} -i naga` says why")
        }
        None => Ok(()),
    }
}

/// The folder that cargo builds in.
pub(crate) fn target_folder(root: &Path) -> PathBuf {
    root.join(env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}
