//! `cargo xtask python`: packs the wheel, installs it into an empty environment, and tests it there; `python-torch` tests what
//! it does with PyTorch's tensors, and `python-upstream` tests it with ExecuTorch and Ray.
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

/// An interpreter that has PyTorch and pytest, or all that upstream's tests need, for machines where installing them again
/// would take too long.
const WITH_TORCH: &str = "PTERON_PYTHON_WITH_TORCH";

/// Runs tests and leaves nothing behind.
const PYTEST: [&str; 5] = ["-m", "pytest", "-q", "-p", "no:cacheprovider"];

/// Packs the wheel and tests it: with numpy alone, and by its types.
pub(crate) fn run(root: &Path) -> Result<()> {
    let package = root.join(PACKAGE);
    let (python, wheel) = packed(root)?;
    install(&python, &wheel)?;
    pytest(Command::new(&python).args(PYTEST), &package.join("tests"))?;
    check_types(&python, &package)
}

/// Runs those tests of the wheel that was packed last whose outcome depends on PyTorch, which takes gigabytes to install.
pub(crate) fn with_torch(root: &Path) -> Result<()> {
    let package = root.join(PACKAGE);
    let whole = [package.join("requirements-torch.txt")];
    let python = Interpreter::with_wheel(root, "torch", &whole, &[package.join("requirements-torch-alone.txt")])?;
    // Tests are left out where PyTorch is not found.
    command(python.command().args(["-c", "import torch"]))?;
    pytest(python.command().args(PYTEST).args(["-m", "torch"]), &package.join("tests"))
}

/// Packs the wheel, tests it with ExecuTorch's Inspector and with Ray, and runs ExecuTorch's own tests through it. With options
/// of `tools/upstream/run.py`, only those of ExecuTorch's tests run that they choose.
pub(crate) fn with_upstream(root: &Path, options: &[&str]) -> Result<()> {
    let (package, tools) = (root.join(PACKAGE), root.join("tools/upstream"));
    packed(root)?;
    let required = [tools.join("requirements.txt"), package.join("examples/requirements.txt")];
    let python = Interpreter::with_wheel(root, "upstream", &required, &[])?;
    if options.is_empty() {
        pytest(python.command().args(PYTEST), &package.join("tests"))?;
        pytest(python.command().args(PYTEST), &package.join("examples"))?;
    }
    for device in ["cpu", "gpu"] {
        command(python.command().arg(tools.join("run.py")).args(["--device", device]).args(options))?;
    }
    Ok(())
}

/// The interpreter of an environment for the tests of the package, and the wheel of the checkout.
fn packed(root: &Path) -> Result<(PathBuf, PathBuf)> {
    let folder = target_folder(root).join("python");
    let required = root.join(PACKAGE).join("requirements-test.txt");
    let python = environment(&folder.join("plain"), &[required], &[])?;
    let wheel = pack(root, &folder, &python)?;
    Ok((python, wheel))
}

/// An interpreter that finds the wheel.
struct Interpreter {
    python: PathBuf,
    /// Where the wheel is, where the interpreter is somebody's own.
    beside: Option<PathBuf>,
}

impl Interpreter {
    /// One that has the wheel that was packed last and what files require: an environment of that name, or the user's own.
    fn with_wheel(root: &Path, name: &str, whole: &[PathBuf], alone: &[PathBuf]) -> Result<Interpreter> {
        let folder = target_folder(root).join("python");
        let missing = "no wheel was packed; `cargo xtask python` does that";
        let wheel = fs::read_dir(folder.join("wheels")).context(missing)?.last().context(missing)??.path();
        let Some(own) = env::var_os(WITH_TORCH) else {
            let python = environment(&folder.join(name), whole, alone)?;
            install(&python, &wheel)?;
            return Ok(Interpreter { python, beside: None });
        };
        let beside = folder.join("beside");
        let target = ["-m", "pip", "install", "--quiet", "--no-deps", "--upgrade", "--target"];
        command(Command::new(&own).args(target).arg(&beside).arg(&wheel))?;
        Ok(Interpreter { python: own.into(), beside: Some(beside) })
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.python);
        if let Some(beside) = &self.beside {
            let others = env::var_os("PYTHONPATH").unwrap_or_default();
            let others = env::split_paths(&others).filter(|folder| !folder.as_os_str().is_empty());
            let found = [beside.clone()].into_iter().chain(others);
            command.env("PYTHONPATH", env::join_paths(found).unwrap_or_else(|_| beside.into()));
        }
        command
    }
}

/// The interpreter of an environment that has what files require, and what other files name without what that requires in
/// turn; made where it is not there.
fn environment(folder: &Path, whole: &[PathBuf], alone: &[PathBuf]) -> Result<PathBuf> {
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    if !python.is_file() {
        let system = env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
        command(Command::new(system).args(["-m", "venv"]).arg(folder))
            .context("no environment could be made; on Debian, python3-venv has what is missing")?;
    }
    // Nobody starts these often enough for compiled files to be worth their time.
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"];
    for (files, option) in [(whole, None), (alone, Some("--no-deps"))] {
        if files.is_empty() {
            continue;
        }
        let mut pip = Command::new(&python);
        pip.args(install).args(option);
        for file in files {
            pip.arg("--requirement").arg(file);
        }
        command(&mut pip)?;
    }
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

/// Runs tests from their folder, which has no package, so that the installed one is tested.
fn pytest(command_line: &mut Command, tests: &Path) -> Result<()> {
    command(command_line.arg(tests).current_dir(tests))
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
