//! `cargo xtask gpu`: the tests in one archive, for a machine with a GPU and without Rust.
//!
//! Unpacked anywhere, `run.sh` runs every test program and says which variants of the kernel catalogue were launched.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, bail};
use cargo_metadata::Message;

use crate::command::{cargo, output, run as command};
use crate::web::target_folder;

/// Something that the archive is made of.
struct Part {
    name: &'static str,
    add: fn(&Stage) -> Result<()>,
}

const PARTS: &[Part] = &[
    Part { name: "tests", add: tests },
    Part { name: "pteron", add: pteron },
    Part { name: "fixtures", add: |stage| stage.copy_folder(&stage.root.join("fixtures"), "fixtures") },
    Part { name: "vulkan", add: vulkan },
    Part { name: "shared", add: shared },
];

/// Crates whose tests open a device.
const CRATES: &[&str] = &["cli", "llm", "runtime", "testkit"];
/// Tests of theirs that open none, keep a file of the checkout up to date, or need models too large to bring along.
const LEFT_OUT: &[&str] = &["hostile", "kept", "mutants", "operators", "shared", "tokenizers"];
/// What tests look for beside a checkout.
const SHARED: &[&str] = &["conformance", "models/families", "models/tiny", "networks", "xnnpack"];

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
    let names: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
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
    for part in PARTS.iter().filter(|part| chosen.contains(&part.name)) {
        (part.add)(&stage)?;
    }
    let archive = folder.join("pteron-gpu.tar.xz");
    let mut tar = Command::new("tar");
    // Test programs are alike, and a large dictionary stores what they share once.
    tar.env("XZ_OPT", "-4 --lzma2=preset=4,dict=64MiB -T0")
        .arg("-C")
        .arg(&folder)
        .arg("-cJf")
        .arg(&archive)
        .arg("pteron-gpu");
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
    for message in Message::parse_stream(listed.as_bytes()) {
        let Message::CompilerArtifact(built) = message.context("cargo lists what it built")? else { continue };
        let Some(executable) = &built.executable else { continue };
        let package = built.manifest_path.parent().and_then(|folder| folder.file_name()).unwrap_or_default();
        let name = built.target.name.as_str();
        if built.target.is_test() && CRATES.contains(&package) && !LEFT_OUT.contains(&name) {
            stage.copy_program(executable.as_std_path(), &format!("tests/{package}-{name}"))?;
            count += 1;
        } else if built.target.is_example() && (package, name) == ("testkit", "variants") {
            stage.copy_program(executable.as_std_path(), "bin/variants")?;
        }
    }
    if count == 0 || !stage.folder.join("bin/variants").is_file() {
        bail!("cargo built no test programs, or not the one that lists variants");
    }
    Ok(())
}

/// The command line, as it is released, what its tests expect it to print, and the model that is built into it.
fn pteron(stage: &Stage) -> Result<()> {
    command(&mut cargo(&stage.root, ["build", "--release", "--locked", "--package", "pteron-cli"]))?;
    stage.copy_program(&target_folder(&stage.root).join("release/pteron"), "bin/pteron")?;
    for folder in ["crates/cli/tests/cli/snapshots", "crates/cli/demo"] {
        stage.copy_folder(&stage.root.join(folder), folder)?;
    }
    Ok(())
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
