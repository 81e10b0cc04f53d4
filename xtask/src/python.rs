//! `cargo xtask python`: packs the wheel, installs it into an empty environment, and tests it there.
//!
//! The extension is built with the packages and features of the other checks, so that nothing is built twice. `pip install
//! ./crates/python` builds the same with its own choice, optimized.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, anyhow, bail};

use crate::command::{cargo, output, run as command};
use crate::web::target_folder;

/// Where the package is.
const PACKAGE: &str = "crates/python";

/// An interpreter that has PyTorch and pytest, for machines where installing them again would take too long.
const WITH_TORCH: &str = "PTERON_PYTHON_WITH_TORCH";

/// Packs the wheel and tests it: with numpy alone, and by its types.
pub(crate) fn run(root: &Path) -> Result<()> {
    let folder = target_folder(root).join("python");
    let package = root.join(PACKAGE);
    let python = environment(&folder.join("plain"), &package.join("requirements-test.txt"))?;
    let wheel = pack(root, &folder, &python)?;
    install(&python, &wheel)?;
    test(&python, &package)?;
    check_types(&python, &package)
}

/// Tests the wheel that was packed last with PyTorch, which takes some gigabytes to install.
pub(crate) fn with_torch(root: &Path) -> Result<()> {
    let folder = target_folder(root).join("python");
    let package = root.join(PACKAGE);
    let packed = fs::read_dir(folder.join("wheels")).context("no wheel was packed; `cargo xtask python` does that")?;
    let wheel = packed.last().context("no wheel was packed; `cargo xtask python` does that")??.path();
    let python = match env::var_os(WITH_TORCH) {
        Some(python) => {
            let beside = folder.join("beside");
            let target = ["-m", "pip", "install", "--quiet", "--no-deps", "--upgrade", "--target"];
            command(Command::new(&python).args(target).arg(&beside).arg(&wheel))?;
            return pytest(Command::new(&python).env("PYTHONPATH", &beside), &package);
        }
        None => environment(&folder.join("torch"), &package.join("requirements-torch.txt"))?,
    };
    let tools = ["-m", "pip", "install", "--quiet", "pytest==9.2.0", "numpy"];
    command(Command::new(&python).args(tools))?;
    install(&python, &wheel)?;
    test(&python, &package)
}

/// The interpreter of an environment that has what a file requires; made where it is not there.
fn environment(folder: &Path, requirements: &Path) -> Result<PathBuf> {
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    if !python.is_file() {
        let system = env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
        command(Command::new(system).args(["-m", "venv"]).arg(folder))
            .context("no environment could be made; on Debian, python3-venv has what is missing")?;
    }
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"];
    command(Command::new(&python).args(install).arg(requirements))?;
    Ok(python)
}

/// Packs the wheel of what cargo builds.
fn pack(root: &Path, folder: &Path, python: &Path) -> Result<PathBuf> {
    command(&mut cargo(root, ["build", "--workspace", "--all-features", "--lib", "--locked"]))?;
    let (package, content) = (root.join(PACKAGE), folder.join("content"));
    if content.is_dir() {
        fs::remove_dir_all(&content).with_context(|| format!("cannot empty {}", content.display()))?;
    }
    let describe = ["-m", "maturin", "pep517", "write-dist-info", "--metadata-directory"];
    // Maturin looks for an interpreter, which must be this one.
    command(Command::new(python).args(describe).arg(&content).arg("--interpreter").arg(python).current_dir(&package))?;
    copy_sources(&package.join("python/pteron"), &content.join("pteron"))?;
    let (built, installed) = match env::consts::OS {
        "windows" => ("_pteron.dll", "_pteron.pyd"),
        "macos" => ("lib_pteron.dylib", "_pteron.abi3.so"),
        _ => ("lib_pteron.so", "_pteron.abi3.so"),
    };
    let library = target_folder(root).join("debug").join(built);
    fs::copy(&library, content.join("pteron").join(installed))
        .with_context(|| format!("cannot copy {}", library.display()))?;
    let wheels = folder.join("wheels");
    if wheels.is_dir() {
        fs::remove_dir_all(&wheels).with_context(|| format!("cannot empty {}", wheels.display()))?;
    }
    fs::create_dir_all(&wheels).with_context(|| format!("cannot make {}", wheels.display()))?;
    command(Command::new(python).args(["-m", "wheel", "pack"]).arg(&content).arg("--dest-dir").arg(&wheels))?;
    let packed = fs::read_dir(&wheels).with_context(|| format!("cannot read {}", wheels.display()))?.next();
    let wheel = packed.ok_or_else(|| anyhow!("no wheel was packed"))??.path();
    let name = wheel.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if !name.contains("-cp310-abi3-") {
        bail!("{name} is not for every Python from 3.10 on");
    }
    println!("{name} has {} bytes", fs::metadata(&wheel)?.len());
    Ok(wheel)
}

/// Copies the files of a package that are no leftovers of an interpreter.
fn copy_sources(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let path = entry?.path();
        let kept = path.extension().is_some_and(|extension| extension == "py" || extension == "pyi")
            || path.file_name().is_some_and(|name| name == "py.typed");
        if let Some(name) = path.file_name().filter(|_| kept) {
            fs::copy(&path, to.join(name)).with_context(|| format!("cannot copy {}", path.display()))?;
        }
    }
    Ok(())
}

fn install(python: &Path, wheel: &Path) -> Result<()> {
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--force-reinstall", "--no-deps"];
    command(Command::new(python).args(install).arg(wheel))
}

fn test(python: &Path, package: &Path) -> Result<()> {
    pytest(&mut Command::new(python), package)
}

/// Runs the tests from a folder that has no package, so that the installed one is tested.
fn pytest(python: &mut Command, package: &Path) -> Result<()> {
    let arguments = ["-m", "pytest", "-q", "-p", "no:cacheprovider"];
    command(python.args(arguments).arg(package.join("tests")).current_dir(package.join("tests")))
}

fn check_types(python: &Path, package: &Path) -> Result<()> {
    let cache = package.join("../../target/mypy");
    let arguments = ["-m", "mypy", "--config-file", "pyproject.toml", "--cache-dir"];
    let mut mypy = Command::new(python);
    mypy.args(arguments).arg(cache).current_dir(package);
    let report = output(&mut mypy)?;
    println!("{}", report.trim());
    Ok(())
}
