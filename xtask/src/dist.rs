//! `cargo xtask dist`: the command for this machine as a release has it, in `target/dist`, with its checksum.
//!
//! The same commit and compiler give the same archive, whatever folder it is built in.

use std::fs::{self, File};
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow};
use sha2::{Digest as _, Sha256};
use zip::write::SimpleFileOptions;

use crate::command::{cargo, output, run as command};
use crate::{checkout, site, web, workspace};

/// What lies beside the command in the archive.
const DOCUMENTS: &[&str] = &["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];

/// The shells that the command writes completions for, and the names of their files.
const COMPLETIONS: &[(&str, &str)] = &[
    ("bash", "pteron.bash"),
    ("elvish", "pteron.elv"),
    ("fish", "pteron.fish"),
    ("powershell", "_pteron.ps1"),
    ("zsh", "_pteron"),
];

/// Writes the page that the command carries, builds the command, asks it for its man pages and completions, and packs all with the documents.
pub(crate) fn run(root: &Path) -> Result<()> {
    web::run(root)?;
    site::run(root)?;
    let target = web::target_folder(root);
    // Beside other builds, which have other flags.
    let build = target.join("dist/build");
    command(&mut self::build(root, &build)?)?;
    let name = format!("pteron-{}-{}", version(root)?, host()?);
    let dist = target.join("dist");
    let folder = dist.join(&name);
    if folder.is_dir() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    fill(root, &build.join("release"), &folder)?;

    let windows = cfg!(windows);
    let archive = dist.join(format!("{name}.{}", if windows { "zip" } else { "tar.gz" }));
    let file = File::create(&archive).with_context(|| format!("cannot write {}", archive.display()))?;
    if windows { pack_zip(&folder, &name, file) } else { pack_tar(&folder, &name, file) }?;
    let sum = write_checksum(&archive)?;
    println!("{}\nsha256 {sum}", archive.display());
    Ok(())
}

/// What builds the command into a folder, so that it names no folder of this machine.
pub(crate) fn build(root: &Path, folder: &Path) -> Result<Command> {
    let mut build = cargo(root, ["build", "--release", "--locked", "--package", "pteron-cli"]);
    build.env("CARGO_TARGET_DIR", folder);
    build.env("CARGO_ENCODED_RUSTFLAGS", checkout::without_folders(folder)?);
    Ok(build)
}

/// Puts everything that the archive has into a folder.
fn fill(root: &Path, built: &Path, folder: &Path) -> Result<()> {
    let copy = |from: &Path, to: &Path| {
        fs::copy(from, to).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))
    };
    let (completions, man) = (folder.join("completions"), folder.join("man"));
    fs::create_dir_all(&completions).with_context(|| format!("cannot make {}", completions.display()))?;
    let program = format!("pteron{}", std::env::consts::EXE_SUFFIX);
    let program = (built.join(&program), folder.join(&program));
    copy(&program.0, &program.1)?;
    for document in DOCUMENTS {
        copy(&root.join(document), &folder.join(document))?;
    }
    for (shell, file) in COMPLETIONS {
        let script = output(Command::new(&program.1).args(["completions", shell]))?;
        fs::write(completions.join(file), script).with_context(|| format!("cannot write {file}"))?;
    }
    command(Command::new(&program.1).args(["man", "--output"]).arg(man))
}

/// The version of the command.
fn version(root: &Path) -> Result<String> {
    let packages = workspace::packages(root)?;
    let package = packages.into_iter().find(|package| *package.name == "pteron-cli");
    Ok(package.context("there is no pteron-cli")?.version.to_string())
}

/// The machine that this compiler compiles for, such as `x86_64-unknown-linux-gnu`.
fn host() -> Result<String> {
    let printed = output(Command::new("rustc").arg("-vV"))?;
    let host = printed.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| anyhow!("rustc does not say what it compiles for"))
}

/// Packs a folder under a name as `.tar.gz`.
fn pack_tar(folder: &Path, name: &str, file: impl Write) -> Result<()> {
    let mut archive = tar::Builder::new(flate2::write::GzEncoder::new(file, flate2::Compression::best()));
    // Neither times nor users.
    archive.mode(tar::HeaderMode::Deterministic);
    for path in files(folder)? {
        let inside = Path::new(name).join(path.strip_prefix(folder)?);
        archive.append_path_with_name(&path, inside).with_context(|| format!("cannot pack {}", path.display()))?;
    }
    archive.into_inner()?.finish()?.flush().context("cannot write the archive")
}

/// Packs a folder under a name as `.zip`.
fn pack_zip(folder: &Path, name: &str, file: impl Write + Seek) -> Result<()> {
    let mut archive = zip::ZipWriter::new(file);
    for path in files(folder)? {
        let inside = Path::new(name).join(path.strip_prefix(folder)?);
        archive.start_file_from_path(inside, SimpleFileOptions::default().large_file(false))?;
        let mut source = File::open(&path).with_context(|| format!("cannot read {}", path.display()))?;
        std::io::copy(&mut source, &mut archive).with_context(|| format!("cannot pack {}", path.display()))?;
    }
    archive.finish()?.flush().context("cannot write the archive")
}

/// Every file below a folder, sorted.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in folder.read_dir().with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() { found.extend(files(&path)?) } else { found.push(path) }
    }
    found.sort();
    Ok(found)
}

/// Writes the checksum beside an archive, as `sha256sum --check` reads it, and gives it.
fn write_checksum(archive: &Path) -> Result<String> {
    let bytes = fs::read(archive).with_context(|| format!("cannot read {}", archive.display()))?;
    let sum = digest(&bytes);
    let name = archive.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let beside = archive.with_file_name(format!("{name}.sha256"));
    fs::write(&beside, format!("{sum}  {name}\n")).with_context(|| format!("cannot write {}", beside.display()))?;
    Ok(sum)
}

/// The SHA-256 of bytes, in hexadecimal digits.
pub(crate) fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read as _};

    use super::*;

    /// A folder with a file and a folder with one.
    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("pteron"), "a program").unwrap();
        fs::create_dir(folder.path().join("man")).unwrap();
        fs::write(folder.path().join("man/pteron.1"), "a page").unwrap();
        folder
    }

    #[test]
    fn tar_holds_every_file_under_the_name() {
        let (folder, mut bytes) = (folder(), Vec::new());
        pack_tar(folder.path(), "pteron-1", &mut bytes).unwrap();
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(bytes.as_slice()));
        let mut found = Vec::new();
        for entry in archive.entries().unwrap() {
            let mut entry = entry.unwrap();
            let (path, mut text) = (entry.path().unwrap().into_owned(), String::new());
            entry.read_to_string(&mut text).unwrap();
            found.push((path.to_str().unwrap().to_owned(), text));
        }
        let expected = [("pteron-1/man/pteron.1", "a page"), ("pteron-1/pteron", "a program")];
        assert_eq!(found, expected.map(|(path, text)| (path.to_owned(), text.to_owned())));
    }

    #[test]
    fn zip_holds_every_file_under_the_name() {
        let (folder, mut bytes) = (folder(), Cursor::new(Vec::new()));
        pack_zip(folder.path(), "pteron-1", &mut bytes).unwrap();
        let mut archive = zip::ZipArchive::new(bytes).unwrap();
        assert_eq!(archive.len(), 2);
        let mut text = String::new();
        archive.by_name("pteron-1/man/pteron.1").unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "a page");
    }

    #[test]
    fn the_checksum_is_that_of_the_file() {
        let folder = folder();
        let sum = write_checksum(&folder.path().join("pteron")).unwrap();
        assert_eq!(sum, "d69ea8cda2433733c1ce02de65da8f48e6a3dbba6bb18876a2062908e54ef7cb");
        let beside = fs::read_to_string(folder.path().join("pteron.sha256")).unwrap();
        assert_eq!(beside, format!("{sum}  pteron\n"));
    }
}
