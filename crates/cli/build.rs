//! Lists the files of the page that `pteron web` serves, where there are any: `$PTERON_SITE`, or `site` beside this file.
//!
//! `cargo xtask site` writes them. They are compressed (`.gz`), except for programs.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=PTERON_SITE");
    let own = Path::new(&variable("CARGO_MANIFEST_DIR")?).join("site");
    let site = env::var_os("PTERON_SITE").map_or(own, PathBuf::from);
    println!("cargo::rerun-if-changed={}", site.display());
    let mut files = Vec::new();
    list(&site, &mut files)?;
    files.sort();
    let mut out = String::from("&[\n");
    for file in files {
        let name = file.strip_prefix(&site).map_err(io::Error::other)?.to_string_lossy().replace('\\', "/");
        let (path, compressed) = name.strip_suffix(".gz").map_or((&*name, false), |path| (path, true));
        // What is not served says what lies here.
        if path != "README.md" {
            let _ = writeln!(
                out,
                "    File {{ path: {path:?}, compressed: {compressed}, bytes: include_bytes!({file:?}) }},"
            );
        }
    }
    out.push_str("]\n");
    fs::write(Path::new(&variable("OUT_DIR")?).join("site.rs"), out)
}

fn variable(name: &str) -> io::Result<String> {
    env::var(name).map_err(|error| io::Error::other(format!("{name}: {error}")))
}

/// Every file below a folder.
fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let entries = fs::read_dir(folder).map_err(|error| io::Error::other(format!("{}: {error}", folder.display())))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() { list(&path, files)? } else { files.push(path) }
    }
    Ok(())
}
