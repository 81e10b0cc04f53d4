//! `cargo xtask msrv`: everything compiles with the oldest Rust that the manifests promise.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::command::{cargo, output, run as command};
use crate::workspace;

const CHECK: [&str; 5] = ["check", "--workspace", "--all-targets", "--all-features", "--locked"];

/// Compiles the workspace with that toolchain: the one that runs this, or rustup's.
pub(crate) fn run(root: &Path) -> Result<()> {
    let oldest = promised(root)?;
    let current = output(Command::new("rustc").arg("--version").current_dir(root))?;
    if is_release_of(&current, &oldest) {
        return command(&mut cargo(root, CHECK));
    }
    // The environment that cargo gave to this program names the toolchain that runs it.
    let mut rustup = Command::new("rustup");
    rustup.args(["run", "--install", &oldest, "cargo"]).args(CHECK).current_dir(root);
    for variable in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN"] {
        rustup.env_remove(variable);
    }
    command(&mut rustup).with_context(|| format!("this is {}, and Rust {oldest} is promised", current.trim()))
}

/// The one version that every crate states, as `1.95`.
fn promised(root: &Path) -> Result<String> {
    let mut versions = Vec::new();
    for package in workspace::packages(root)? {
        let Some(version) = package.rust_version else { bail!("{} states no rust-version", package.name) };
        versions.push(format!("{}.{}", version.major, version.minor));
    }
    versions.dedup();
    match versions.as_slice() {
        [version] => Ok(version.clone()),
        _ => bail!("the crates state several versions of Rust: {}", versions.join(", ")),
    }
}

/// Whether what `rustc --version` prints is a release of a version such as `1.95`.
fn is_release_of(printed: &str, version: &str) -> bool {
    let release = printed.split_whitespace().nth(1).unwrap_or_default();
    !release.contains('-') && release.strip_prefix(version).is_some_and(|patch| patch.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_told_from_others() {
        assert!(is_release_of("rustc 1.95.0 (abc 2026-04-14)\n", "1.95"));
        assert!(!is_release_of("rustc 1.95.0-nightly (abc 2026-04-14)\n", "1.95"));
        assert!(!is_release_of("rustc 1.96.0 (abc 2026-05-28)\n", "1.95"));
        assert!(!is_release_of("rustc 1.950.0 (abc)\n", "1.95"));
        assert!(!is_release_of("", "1.95"));
    }
}
