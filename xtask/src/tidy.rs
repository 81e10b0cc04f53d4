//! `cargo xtask tidy`: files name no machine, and begin by saying what they are.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::command::output;

/// Text that is true on one machine only. Written in two parts, so that this file passes its own check.
const MACHINES: &[(&str, &str)] = &[
    ("/work", "/"),
    ("/root", "/"),
    ("/opt", "/"),
    ("/home", "/"),
    ("registry.npmjs", ".org"),
    ("registry.yarnpkg", ".com"),
    ("files.pythonhosted", ".org"),
    ("pypi.org", "/simple"),
    ("static.crates", ".io"),
];

/// Where every package of a Cargo.lock comes from, if it is not of the workspace.
const CRATES: &str = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";

/// Sources that a generator writes.
const GENERATED: &[&str] = &["crates/pte/src/generated.rs"];

/// What a test program would look for where it was built. Written in two parts, as above.
const BUILT_AT: (&str, &str) = ("env!(\"CARGO_MANIFEST_DIR\"))", ".join(\"../../");
/// Crates whose test programs also run elsewhere, with the fixtures that `pteron_testkit::fixtures` finds.
const CARRIED: &[&str] = &["crates/cli/tests/", "crates/llm/tests/", "crates/runtime/tests/", "crates/testkit/tests/"];

/// Checks every file that git knows or would add.
pub(crate) fn run(root: &Path) -> Result<()> {
    let list = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
    let names =
        output(Command::new("git").args(list).current_dir(root)).context("tidy checks the files of a checkout")?;
    let mut faults = Vec::new();
    let mut checked = 0;
    for name in names.split_terminator('\0') {
        let path = root.join(name);
        // Deleted and not yet committed.
        if !path.is_file() {
            continue;
        }
        let bytes = fs::read(&path).with_context(|| format!("cannot read {name}"))?;
        if let Ok(text) = std::str::from_utf8(&bytes)
            && !text.contains('\0')
        {
            checked += 1;
            faults.extend(check(name, text).into_iter().map(|fault| format!("{name}{fault}")));
        }
    }
    if !faults.is_empty() {
        bail!("{} faults:\n{}", faults.len(), faults.join("\n"));
    }
    println!("{checked} text files are tidy");
    Ok(())
}

/// What is wrong with a file, each fault with its place.
fn check(name: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let file = name.rsplit('/').next().unwrap_or(name);
    let header = (file.ends_with(".rs") || file.ends_with(".wgsl")) && !GENERATED.contains(&name);
    if header && !text.starts_with("//! ") {
        faults.push(": the first line does not say what the file is (`//! …`)".to_owned());
    }
    for (line, text) in (1..).zip(text.lines()) {
        for (first, second) in MACHINES {
            let word = format!("{first}{second}");
            if text.contains(&word) {
                faults.push(format!(":{line}: names {word}"));
            }
        }
        if CARRIED.iter().any(|folder| name.starts_with(folder)) && text.contains(&[BUILT_AT.0, BUILT_AT.1].concat()) {
            faults.push(format!(":{line}: looks for files where it was built; pteron_testkit finds them anywhere"));
        }
        if file == "Cargo.lock" && text.starts_with("source = ") && text != CRATES {
            faults.push(format!(":{line}: a package comes from elsewhere than crates.io"));
        }
        if file == "package-lock.json" && text.trim_start().starts_with("\"resolved\"") {
            faults.push(format!(":{line}: names the host that a package came from"));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_found_where_they_are() {
        let path = ["/work", "/x"].concat();
        for (name, text, faults) in [
            ("a.rs", "//! A.\nuse b;\n".to_owned(), 0),
            ("a.rs", "use b;\n".to_owned(), 1),
            ("a.wgsl", "// A.\n".to_owned(), 1),
            ("crates/pte/src/generated.rs", "pub mod a {}\n".to_owned(), 0),
            ("notes.md", format!("see {path}\nand {path}\n"), 2),
            ("crates/llm/tests/a.rs", format!("//! A.\nPath::new({}{}fixtures\")\n", BUILT_AT.0, BUILT_AT.1), 1),
            ("crates/pte/tests/a.rs", format!("//! A.\nPath::new({}{}fixtures\")\n", BUILT_AT.0, BUILT_AT.1), 0),
            ("fuzz/Cargo.lock", format!("{CRATES}\n"), 0),
            ("Cargo.lock", "source = \"git+https://example.com/a\"\n".to_owned(), 1),
            ("web/package-lock.json", "  \"resolved\": \"https://example.com/a.tgz\",\n".to_owned(), 1),
        ] {
            assert_eq!(check(name, &text).len(), faults, "{name}: {text}");
        }
        assert!(check("notes.md", &format!("\n{path}"))[0].starts_with(":2: "));
    }
}
