//! What the manifests of the workspace say.

use std::path::Path;

use anyhow::{Context, Result};
use cargo_metadata::{MetadataCommand, Package};

/// The crates of the workspace, by name.
pub(crate) fn packages(root: &Path) -> Result<Vec<Package>> {
    let metadata = MetadataCommand::new().current_dir(root).no_deps().exec().context("cannot read the manifests")?;
    let mut packages: Vec<_> = metadata.workspace_packages().into_iter().cloned().collect();
    packages.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(packages)
}

/// Whether a crate goes to crates.io.
pub(crate) fn is_published(package: &Package) -> bool {
    // Without the field it may go to any registry.
    package.publish.as_ref().is_none_or(|registries| !registries.is_empty())
}
