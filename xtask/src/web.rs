//! `cargo xtask web`: the package that web developers install, in `crates/web/dist`.

mod imports;
mod order;
mod script;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result, anyhow, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use wasm_bindgen_cli_support::Bindgen;

use crate::command::{cargo, output, run as command};
use crate::{checkout, setup};

/// The compilation target of browsers.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// A module of the package.
struct Module {
    /// The name of its files.
    name: &'static str,
    features: &'static str,
    /// What a page that imports this file downloads.
    entry: &'static str,
    /// Compressed bytes that a page may download for it. Raise it knowingly: every visitor pays for it.
    budget: usize,
}

const MODULES: &[Module] = &[
    Module { name: "pteron", features: "", entry: "index.js", budget: 800_000 },
    Module { name: "pteron_llm", features: "llm", entry: "llm.js", budget: 1_200_000 },
];

/// Writes the package: its modules, its JavaScript and types, and what npm asks for. A module that is too large, or links
/// what it must not, is an error.
pub(crate) fn run(root: &Path) -> Result<()> {
    setup::add_target()?;
    links_no_naga(root)?;
    let dist = root.join("crates/web/dist");
    if dist.is_dir() {
        fs::remove_dir_all(&dist).with_context(|| format!("cannot empty {}", dist.display()))?;
    }
    for module in MODULES {
        build(root, &dist, module)?;
    }
    copy(root, &dist)?;
    MODULES.iter().try_for_each(|module| weigh(&dist, module))
}

fn build(root: &Path, dist: &Path, module: &Module) -> Result<()> {
    let arguments = ["build", "--locked", "--package", "pteron-web", "--target", TARGET, "--profile", "web"];
    let mut cargo = cargo(root, arguments.into_iter().chain(["--features", module.features]));
    command(cargo.env("CARGO_ENCODED_RUSTFLAGS", checkout::without_folders(&target_folder(root))?))?;
    Bindgen::new()
        .input_path(target_folder(root).join(TARGET).join("web/pteron_web.wasm"))
        .out_name(module.name)
        .web(true)
        .and_then(|bindgen| {
            bindgen
                .typescript(false)
                .omit_default_module_path(false)
                .remove_name_section(true)
                .remove_producers_section(true)
                .generate(dist)
        })
        .map_err(|error| anyhow!("{error:#}"))?;
    let [code, script] = ["_bg.wasm", ".js"].map(|end| dist.join(format!("{}{end}", module.name)));
    let (numbered, callees) = imports::numbered(&fs::read(&code)?, &fs::read_to_string(&script)?)?;
    fs::write(&script, callees).with_context(|| format!("cannot write {}", script.display()))?;
    fs::write(&code, order::by_likeness(&numbered)?).with_context(|| format!("cannot write {}", code.display()))
}

/// Copies what is written by hand. The package has the version of the workspace.
fn copy(root: &Path, dist: &Path) -> Result<()> {
    copy_files(&root.join("crates/web/js"), dist)?;
    for path in files(dist)?.into_iter().filter(|path| path.extension().is_some_and(|kind| kind == "js")) {
        fs::write(&path, script::without_comments(&fs::read_to_string(&path)?))?;
    }
    fs::copy(root.join("docs/web.md"), dist.join("README.md")).context("docs/web.md is the package's readme")?;
    for licence in ["LICENSE-APACHE", "LICENSE-MIT", "LICENSE"] {
        if root.join(licence).is_file() {
            fs::copy(root.join(licence), dist.join(licence))?;
        }
    }
    let manifest = dist.join("package.json");
    let mut package: Value = serde_json::from_str(&fs::read_to_string(&manifest)?)?;
    package["version"] = env!("CARGO_PKG_VERSION").into();
    fs::write(&manifest, serde_json::to_string_pretty(&package)? + "\n")?;
    Ok(())
}

/// Copies every file below a folder to its place below another.
pub(crate) fn copy_files(from: &Path, to: &Path) -> Result<()> {
    for path in files(from)? {
        let copy = to.join(path.strip_prefix(from)?);
        fs::create_dir_all(copy.parent().unwrap_or(to))?;
        fs::copy(&path, &copy).with_context(|| format!("cannot copy {}", path.display()))?;
    }
    Ok(())
}

/// Every file below a folder, in order.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() { found.extend(files(&path)?) } else { found.push(path) }
    }
    found.sort();
    Ok(found)
}

/// Weighs what a page downloads: the module, the entry and all that it imports.
fn weigh(dist: &Path, module: &Module) -> Result<()> {
    let mut paths = vec![dist.join(format!("{}_bg.wasm", module.name))];
    imported(&dist.join(module.entry), &mut paths)?;
    let (mut plain, mut packed) = (0, 0);
    for path in &paths {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        plain += bytes.len();
        packed += compressed(&bytes)?;
    }
    let Module { entry, budget, .. } = module;
    println!(
        "a page that imports {entry} downloads {packed} bytes, of {budget} allowed; uncompressed they are {plain}"
    );
    if packed > *budget {
        bail!("a page that imports {entry} downloads {packed} compressed bytes, and the budget is {budget}");
    }
    Ok(())
}

/// How many bytes are downloaded of these.
fn compressed(bytes: &[u8]) -> Result<usize> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.len())
}

/// Adds a file of JavaScript and all that it imports, each once.
fn imported(path: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    let path = path.canonicalize().with_context(|| format!("cannot find {}", path.display()))?;
    if found.contains(&path) {
        return Ok(());
    }
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    found.push(path);
    let sources = text.split(" from \"").skip(1).filter_map(|rest| rest.split_once('"'));
    sources.filter(|(name, _)| name.starts_with('.')).try_for_each(|(name, _)| imported(&folder.join(name), found))
}

/// Kernels are validated when pteron is built; a page need not download the validator.
fn links_no_naga(root: &Path) -> Result<()> {
    let arguments = ["tree", "--locked", "--package", "pteron-web", "--all-features", "--target", TARGET];
    let tree = output(&mut cargo(root, arguments.into_iter().chain(["--edges", "normal", "--prefix", "none"])))?;
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
