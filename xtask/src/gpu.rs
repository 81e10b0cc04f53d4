//! `cargo xtask gpu`: the tests in one archive, for a machine with a GPU and without Rust.
//!
//! Unpacked anywhere, `run.sh` runs every test program and says which variants of the kernel catalogue were launched.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, bail};

use crate::command::{cargo, output, run as command};
use crate::web::target_folder;

/// A part of the archive: its name, and what puts it there.
type Part = (&'static str, fn(&Stage) -> Result<()>);

const PARTS: &[Part] = &[
    ("tests", tests),
    ("pteron", pteron),
    ("fixtures", |stage| stage.copy_folder(&stage.root.join("fixtures"), "fixtures")),
    ("vulkan", vulkan),
    ("shared", shared),
];

/// Crates whose tests open a device.
const CRATES: &[&str] = &["cli", "llm", "runtime", "testkit"];
/// Tests of theirs that open none, or keep a file of the checkout up to date.
const LEFT_OUT: &[&str] = &["mutants", "operators", "tokenizers"];
/// What tests look for beside a checkout.
const SHARED: &[&str] = &["conformance", "models/tiny", "networks/scalar_input"];

/// What tells the Vulkan loader of NVIDIA's driver, where the driver does not: its EGL library works without a display.
const NVIDIA: &str =
    r#"{"file_format_version":"1.0.1","ICD":{"library_path":"libEGL_nvidia.so.0","api_version":"1.4.312"}}"#;

/// The folder that becomes the archive.
struct Stage {
    root: PathBuf,
    folder: PathBuf,
}

/// Packs `target/gpu/pteron-gpu.tar.xz`, with all parts or those that `--only` names, separated by commas.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> Result<()> {
    let names: Vec<&str> = PARTS.iter().map(|part| part.0).collect();
    let chosen: Vec<&str> = match arguments {
        [] => names.clone(),
        ["--only", parts] => parts.split(',').collect(),
        _ => bail!("usage: cargo xtask gpu [--only {}]", names.join(",")),
    };
    if let Some(unknown) = chosen.iter().find(|name| !names.contains(name)) {
        bail!("there is no part {unknown:?}; the archive has {}", names.join(", "));
    }
    let folder = target_folder(root).join("gpu");
    let stage = Stage { root: root.to_owned(), folder: folder.join("pteron-gpu") };
    if stage.folder.is_dir() {
        fs::remove_dir_all(&stage.folder).with_context(|| format!("cannot empty {}", stage.folder.display()))?;
    }
    stage.write("run.sh", include_bytes!("gpu.sh"))?;
    make_executable(&stage.folder.join("run.sh"))?;
    for (_, add) in PARTS.iter().filter(|part| chosen.contains(&part.0)) {
        add(&stage)?;
    }
    let archive = folder.join("pteron-gpu.tar.xz");
    let mut tar = Command::new("tar");
    // Test programs are alike, and a large dictionary stores what they share once.
    tar.env("XZ_OPT", "-9").arg("-C").arg(&folder).arg("-cJf").arg(&archive).arg("pteron-gpu");
    command(&mut tar).context("the archive is packed with tar and xz")?;
    let bytes = fs::metadata(&archive)?.len();
    println!("{}: {:.1} MB; unpack it anywhere and run pteron-gpu/run.sh", archive.display(), bytes as f64 / 1e6);
    Ok(())
}

/// The test programs, and the one that says which variants of kernels they launched.
fn tests(stage: &Stage) -> Result<()> {
    // The selection of packages and features is that of the check `test`, so that nothing is built twice.
    let arguments = ["test", "--workspace", "--all-features", "--locked", "--no-run"];
    command(&mut cargo(&stage.root, arguments))?;
    let listed = output(cargo(&stage.root, arguments).arg("--message-format=json"))?;
    let mut count = 0;
    for line in listed.lines() {
        let message: serde_json::Value = serde_json::from_str(line).context("cargo lists what it built as JSON")?;
        let Some(executable) = message["executable"].as_str().map(Path::new) else { continue };
        let name = message["target"]["name"].as_str().unwrap_or_default();
        let folder = message["manifest_path"].as_str().and_then(|path| Path::new(path).parent()?.file_name()?.to_str());
        let package = folder.unwrap_or_default();
        match message["target"]["kind"][0].as_str() {
            Some("test") if CRATES.contains(&package) && !LEFT_OUT.contains(&name) => {
                stage.copy_program(executable, &format!("tests/{package}-{name}"))?;
                count += 1;
            }
            Some("example") if (package, name) == ("testkit", "variants") => {
                stage.copy_program(executable, "bin/variants")?;
            }
            _ => {}
        }
    }
    if count == 0 || !stage.folder.join("bin/variants").is_file() {
        bail!("cargo built no test programs, or not the one that lists variants");
    }
    Ok(())
}

/// The command line, as it is released.
fn pteron(stage: &Stage) -> Result<()> {
    command(&mut cargo(&stage.root, ["build", "--release", "--locked", "--package", "pteron-cli"]))?;
    stage.copy_program(&target_folder(&stage.root).join("release/pteron"), "bin/pteron")
}

/// What a machine that has only NVIDIA's driver lacks: the loader, and what tells it of the driver.
fn vulkan(stage: &Stage) -> Result<()> {
    stage.write("vulkan/nvidia_icd.json", NVIDIA.as_bytes())?;
    let libraries = output(Command::new("/sbin/ldconfig").arg("-p"))?;
    let loader = libraries.lines().filter(|line| line.trim_start().starts_with("libvulkan.so.1 "));
    match loader.filter_map(|line| line.split_once(" => ")).next() {
        Some((_, path)) => stage.copy(Path::new(path), "vulkan/libvulkan.so.1"),
        None => {
            eprintln!("this machine has no Vulkan loader to bring along; the other one must have its own");
            Ok(())
        }
    }
}

/// The data that lies beside the checkout, where it does.
fn shared(stage: &Stage) -> Result<()> {
    let folder = env::var_os("PTERON_SHARED").map_or_else(|| stage.root.join("../shared"), PathBuf::from);
    if !folder.is_dir() {
        eprintln!("there is no shared folder beside this checkout to bring along");
        return Ok(());
    }
    SHARED.iter().try_for_each(|name| stage.copy_folder(&folder.join(name), &format!("shared/{name}")))
}

impl Stage {
    /// Where a file of the archive lies, in a folder that exists.
    fn place(&self, name: &str) -> Result<PathBuf> {
        let path = self.folder.join(name);
        let folder = path.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(path)
    }

    fn write(&self, name: &str, content: &[u8]) -> Result<()> {
        let path = self.place(name)?;
        fs::write(&path, content).with_context(|| format!("cannot write {}", path.display()))
    }

    fn copy(&self, from: &Path, name: &str) -> Result<()> {
        let path = self.place(name)?;
        fs::copy(from, &path).with_context(|| format!("cannot copy {}", from.display()))?;
        Ok(())
    }

    /// Copies a program without its symbols, which are most of it.
    fn copy_program(&self, from: &Path, name: &str) -> Result<()> {
        command(Command::new("strip").arg("-o").arg(self.place(name)?).arg(from))
    }

    fn copy_folder(&self, from: &Path, name: &str) -> Result<()> {
        for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
            let entry = entry?;
            let name = format!("{name}/{}", entry.file_name().to_string_lossy());
            match entry.path().is_dir() {
                true => self.copy_folder(&entry.path(), &name)?,
                false => self.copy(&entry.path(), &name)?,
            }
        }
        Ok(())
    }
}

#[cfg(unix)]
fn make_executable(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(fs::set_permissions(path, fs::Permissions::from_mode(0o755))?)
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> Result<()> {
    Ok(())
}
