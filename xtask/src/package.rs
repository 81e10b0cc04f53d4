//! `cargo xtask package`: every crate that is published packs whole, and says what a registry shows.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};
use cargo_metadata::Package;

use crate::command::{cargo, output, run as command};
use crate::workspace::{is_published, packages};

/// Bytes that crates.io takes.
const LIMIT: u64 = 10 * 1024 * 1024;

/// Files that a package cannot share with the repository, and the fixtures that they are copies of.
const COPIES: &[(&str, &str)] = &[
    ("crates/llm/examples/tiny/model.pte", "fixtures/llm/tiny/model.pte"),
    ("crates/llm/examples/tiny/tokenizer.json", "fixtures/llm/tiny/tokenizer.json"),
    ("crates/llm/examples/tiny/tokenizer_config.json", "fixtures/llm/tiny/tokenizer_config.json"),
    ("crates/pteron/examples/embedding.pte", "fixtures/ops/embedding_q4gsw/dynamic/model.pte"),
];

/// Sources that look for the repository's data when they run, for its own tests; they are built without it.
const LOOKING_OUT: &[&str] = &["crates/testkit/src/places.rs"];

/// Packs every crate without building it, and looks at what is in the packages.
pub(crate) fn run(root: &Path) -> Result<()> {
    let all = packages(root)?;
    let (published, kept): (Vec<_>, Vec<_>) = all.iter().partition(|package| is_published(package));
    let mut faults = Vec::new();
    for package in &published {
        faults.extend(description_faults(package, &kept));
        faults.extend(content_faults(package, &files(root, package)?)?);
    }
    for (copy, original) in COPIES {
        let read = |name: &str| fs::read(root.join(name)).with_context(|| format!("cannot read {name}"));
        if read(copy)? != read(original)? {
            faults.push(format!("{copy} is no copy of {original}"));
        }
    }
    if !faults.is_empty() {
        bail!("{} faults:\n{}", faults.len(), faults.join("\n"));
    }
    command(&mut cargo(root, ["package", "--workspace", "--no-verify", "--allow-dirty", "--locked", "--quiet"]))?;
    for package in published {
        weigh(root, package)?;
    }
    Ok(())
}

/// Builds every crate from its package, each on the packages of the others, as a publication would.
pub(crate) fn build(root: &Path) -> Result<()> {
    let mut cargo = cargo(root, ["package", "--workspace", "--allow-dirty", "--locked"]);
    // It is built to see that it builds.
    command(cargo.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_INCREMENTAL", "0"))
}

/// What a manifest lacks, and dependencies that only the repository has.
fn description_faults(package: &Package, kept: &[&Package]) -> Vec<String> {
    let name = &package.name;
    let mut faults = Vec::new();
    for (what, there) in [
        ("description", package.description.as_ref().is_some_and(|text| !text.is_empty())),
        ("readme", package.readme.is_some()),
        ("license", package.license.is_some()),
        ("repository", package.repository.is_some()),
        ("rust-version", package.rust_version.is_some()),
        ("keywords", (1..=5).contains(&package.keywords.len())),
        ("categories", (1..=5).contains(&package.categories.len())),
        ("docs.rs metadata", !has_library(package) || package.metadata["docs"]["rs"].is_object()),
    ] {
        if !there {
            faults.push(format!("{name} lacks {what}"));
        }
    }
    for dependency in package.dependencies.iter().filter(|dependency| dependency.path.is_some()) {
        if dependency.req.comparators.is_empty() {
            faults.push(format!("{name} depends on {} without a version", dependency.name));
        }
        if kept.iter().any(|kept| *kept.name == dependency.name) {
            faults.push(format!("{name} depends on {}, which is not published", dependency.name));
        }
    }
    faults
}

fn has_library(package: &Package) -> bool {
    package.targets.iter().any(cargo_metadata::Target::is_lib)
}

/// The files of a package, relative to its crate.
fn files(root: &Path, package: &Package) -> Result<BTreeSet<PathBuf>> {
    let arguments = ["package", "--list", "--allow-dirty", "--locked", "--quiet", "--package", &package.name];
    Ok(output(&mut cargo(root, arguments))?.lines().map(PathBuf::from).collect())
}

/// What a package must have and has not.
fn content_faults(package: &Package, files: &BTreeSet<PathBuf>) -> Result<Vec<String>> {
    let name = &package.name;
    let folder = package.manifest_path.parent().context("a manifest lies in a folder")?.as_std_path();
    let mut faults = Vec::new();
    for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        if !files.contains(Path::new(file)) {
            faults.push(format!("the package of {name} has no {file}"));
        }
    }
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "rs")) {
        let source = folder.join(file);
        if LOOKING_OUT.iter().any(|name| source.ends_with(name)) {
            continue;
        }
        let text = fs::read_to_string(&source).with_context(|| format!("cannot read {}", source.display()))?;
        for path in missing_paths(file, &text, files) {
            faults.push(format!("{}: names {path}, which the package of {name} has not", source.display()));
        }
    }
    Ok(faults)
}

/// The paths that a source names and the package lacks.
///
/// A path is what is included, or goes up (`../`): from the source's folder, or from its crate's where it begins with `/`.
/// Unit tests may look into the repository; they are the end of a file.
fn missing_paths(file: &Path, text: &str, files: &BTreeSet<PathBuf>) -> Vec<String> {
    // Quotes that neither begin nor end a string.
    let text = text.replace("'\"'", "").replace("\\\"", "");
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let mut missing = Vec::new();
    let mut before = "";
    for (index, part) in code.split('"').enumerate() {
        let included = ["include_bytes!(", "include_str!(", "include!(", "#[path ="];
        let included = included.iter().any(|word| before.trim_end().ends_with(word));
        // What a documented example includes is the reader's.
        let shown = before.rsplit('\n').next().is_some_and(|line| line.trim_start().starts_with("//"));
        let is_path = part.contains("../") || (included && !shown);
        if index % 2 == 1 && is_path {
            let path = match part.strip_prefix('/') {
                Some(path) => PathBuf::from(path),
                None => file.parent().unwrap_or(Path::new("")).join(part),
            };
            if !normal(&path).is_some_and(|path| files.iter().any(|file| file.starts_with(&path))) {
                missing.push(part.to_owned());
            }
        }
        before = part;
    }
    missing
}

/// A path without `..`, or nothing where it leaves the crate.
fn normal(path: &Path) -> Option<PathBuf> {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => normal.push(name),
            Component::ParentDir if normal.pop() => {}
            Component::CurDir => {}
            _ => return None,
        }
    }
    Some(normal)
}

fn weigh(root: &Path, package: &Package) -> Result<()> {
    let name = format!("{}-{}.crate", package.name, package.version);
    let path = crate::web::target_folder(root).join("package").join(&name);
    let bytes = fs::metadata(&path).with_context(|| format!("cannot read {}", path.display()))?.len();
    println!("{name} has {bytes} bytes");
    if bytes > LIMIT {
        bail!("{name} has {bytes} bytes, and a registry takes {LIMIT}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_leave_a_package_are_found() {
        let files = ["src/a.rs", "src/b/c.rs", "demo/model.pte", "build/emit.rs"].map(PathBuf::from).into();
        let missing = |text: &str| missing_paths(Path::new("src/b/c.rs"), text, &files);
        for right in [
            r#"include_bytes!("../../demo/model.pte")"#,
            r#"concat!(env!("CARGO_MANIFEST_DIR"), "/demo/model.pte")"#,
            r#"join("../../demo")"#,
            r##"#[path = "../../build/emit.rs"] mod emit;"##,
            r#"println!("{}..{}", 1, 2)"#,
            r#"text.split('"').join("../../demo")"#,
            "//! # /*\n//! include_bytes!(\"model.pte\");\n//! # */",
            "fn a() {}\n#[cfg(test)]\nmod tests { const A: &str = \"../../../fixtures\"; }",
        ] {
            assert_eq!(missing(right), Vec::<String>::new(), "{right}");
        }
        for (wrong, path) in [
            (r#"include_bytes!("../../../fixtures/a")"#, "../../../fixtures/a"),
            (r#"//! concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/a")"#, "/../../fixtures/a"),
            (r#"include_str!( "c.md" )"#, "c.md"),
            (r#"join("../../fixtures")"#, "../../fixtures"),
        ] {
            assert_eq!(missing(wrong), [path], "{wrong}");
        }
    }
}
