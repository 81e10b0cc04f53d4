//! Finds out what a machine lacks for the tests, and installs it where it may.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::command::{output, run as command};
use crate::web;

/// A program or library that tests need, and the Debian packages that bring it.
struct Need {
    what: &'static str,
    packages: &'static [&'static str],
    met: fn() -> bool,
}

const NEEDS: &[Need] = &[
    Need { what: "a Vulkan driver", packages: &["mesa-vulkan-drivers", "libvulkan1"], met: has_vulkan },
    Need { what: "Chromium", packages: &["chromium"], met: || chromium().is_some() },
    Need { what: "Firefox", packages: &["firefox-esr"], met: || firefox().is_some() },
    Need { what: "Node.js", packages: &["nodejs"], met: || on_path("node").is_some() },
    Need { what: "npm", packages: &["npm"], met: || on_path("npm").is_some() },
    Need { what: "Python with venv", packages: &["python3", "python3-venv"], met: has_python },
    Need { what: "a C++ compiler, for the fuzzer's runtime", packages: &["g++"], met: || on_path("c++").is_some() },
];

/// Installs what is missing, or says what to install.
pub(crate) fn run(_: &Path) -> Result<()> {
    let missing: Vec<_> = NEEDS.iter().filter(|need| !(need.met)()).collect();
    if !missing.is_empty() {
        install(&missing)?;
    }
    if let Some(need) = missing.iter().find(|need| !(need.met)()) {
        bail!("{} is still missing after {} was installed", need.what, need.packages.join(" "));
    }
    add_target()
}

fn install(missing: &[&Need]) -> Result<()> {
    let packages: Vec<_> = missing.iter().flat_map(|need| need.packages).copied().collect();
    let what = missing.iter().map(|need| need.what).collect::<Vec<_>>().join(", ");
    let root = output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    if on_path("apt-get").is_none() || !root {
        bail!("this machine lacks {what}; on Debian: sudo apt-get install -y {}", packages.join(" "));
    }
    eprintln!("installing {what}");
    let apt = || {
        let mut apt = Command::new("apt-get");
        apt.env("DEBIAN_FRONTEND", "noninteractive").args(["-q", "-o", "Acquire::Retries=3"]);
        apt
    };
    command(apt().arg("update"))?;
    command(apt().args(["install", "-y", "--no-install-recommends"]).args(packages))
}

/// Adds the compiler's libraries for browsers, where they are missing.
pub(crate) fn add_target() -> Result<()> {
    let libraries = output(Command::new("rustc").args(["--print", "target-libdir", "--target", web::TARGET]))?;
    if Path::new(libraries.trim()).is_dir() {
        return Ok(());
    }
    command(Command::new("rustup").args(["target", "add", web::TARGET]))
        .with_context(|| format!("the compiler has no libraries for {}, and rustup did not add them", web::TARGET))
}

/// A browser for tests: `$CHROMIUM`, or the one that is installed.
pub(crate) fn chromium() -> Option<PathBuf> {
    browser("CHROMIUM", ["chromium", "chromium-browser"])
}

/// A browser for tests: `$FIREFOX`, or the one that is installed.
pub(crate) fn firefox() -> Option<PathBuf> {
    browser("FIREFOX", ["firefox-esr", "firefox"])
}

fn browser(variable: &str, names: [&str; 2]) -> Option<PathBuf> {
    let named = env::var_os(variable).map(PathBuf::from);
    named.or_else(|| names.into_iter().find_map(on_path))
}

/// Whether there is a Vulkan loader with a driver. Systems other than Linux bring their own graphics interface.
fn has_vulkan() -> bool {
    if !cfg!(target_os = "linux")
        || env::var_os("VK_DRIVER_FILES").is_some()
        || env::var_os("VK_ICD_FILENAMES").is_some()
    {
        return true;
    }
    let filled = |folder: &str| Path::new(folder).read_dir().is_ok_and(|mut entries| entries.next().is_some());
    let loader = output(Command::new("/sbin/ldconfig").arg("-p")).is_ok_and(|list| list.contains("libvulkan.so.1"));
    loader && ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d"].into_iter().any(filled)
}

/// Whether there is a Python that makes environments.
fn has_python() -> bool {
    output(Command::new("python3").args(["-c", "import ensurepip, venv"])).is_ok()
}

/// Where a program is.
fn on_path(program: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|folder| folder.join(program)).find(|path| path.is_file())
}
