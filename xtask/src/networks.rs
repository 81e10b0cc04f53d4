//! `cargo xtask networks`: exports whole networks with the stock package, runs them on both engines, and writes what came of
//! it to `docs/networks.md`.
//!
//! `$PYTHON` has the packages that `tools/export/networks.py` names.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::command::{cargo, run as run_command};

/// Who takes parts of a network, as the script calls it, and what the page says of it.
const BACKENDS: &[(&str, &str)] = &[
    ("vulkan", "for Vulkan"),
    ("xnnpack", "for XNNPACK"),
    ("both", "for both"),
    ("none", "for none"),
    ("vulkan_half", "for Vulkan, in 16 bits"),
];

/// What became of one network under one backend.
enum Fate {
    Runs,
    /// The exporter wrote no program.
    NotExported(String),
    /// It does not run, or gives other numbers.
    Wrong(String),
}

/// Exports and runs the networks for these backends, or for all.
pub(crate) fn run(root: &Path, backends: &[&str]) -> Result<()> {
    if let Some(unknown) = backends.iter().find(|name| !BACKENDS.iter().any(|backend| backend.0 == **name)) {
        bail!("there is no backend {unknown:?}");
    }
    run_command(&mut cargo(root, ["build", "--all-features", "-p", "pteron-cli", "--bins"]))?;
    let mut table: BTreeMap<String, BTreeMap<&str, Fate>> = BTreeMap::new();
    for (backend, _) in BACKENDS.iter().filter(|(name, _)| backends.is_empty() || backends.contains(name)) {
        export(root, backend)?;
        for (network, fate) in fates(root, backend)? {
            table.entry(network).or_default().insert(backend, fate);
        }
    }
    let path = root.join("docs/networks.md");
    fs::write(&path, page(&table)).with_context(|| format!("cannot write {}", path.display()))?;
    let wrong = table.values().flat_map(BTreeMap::values).filter(|fate| matches!(fate, Fate::Wrong(_))).count();
    if wrong > 0 {
        bail!("{wrong} networks do not run, or give other numbers: see docs/networks.md");
    }
    Ok(())
}

fn export(root: &Path, backend: &str) -> Result<()> {
    let python = env::var_os("PYTHON").unwrap_or_else(|| "python".into());
    let mut command = Command::new(python);
    let name = backend.strip_suffix("_half").unwrap_or(backend);
    command.current_dir(root).args(["tools/export/networks.py", "--backend", name]);
    if name != backend {
        command.arg("--half");
    }
    run_command(&mut command)
}

/// What became of each network under a backend.
fn fates(root: &Path, backend: &str) -> Result<Vec<(String, Fate)>> {
    let folder = root.join("target/networks").join(backend);
    let told = fs::read_to_string(folder.join("outcome.json")).context("the exporter left no outcome.json")?;
    let told: BTreeMap<String, String> =
        serde_json::from_str(&told).context("outcome.json is not what it should be")?;
    let mut wrong: BTreeMap<String, String> = BTreeMap::new();
    for device in ["cpu", "gpu"] {
        for (network, reason) in failures(root, &folder, device)? {
            wrong.entry(network).or_insert_with(|| format!("on the {device}: {reason}"));
        }
    }
    let fate = |(network, told): (String, String)| {
        let fate = match wrong.remove(&network) {
            Some(reason) => Fate::Wrong(reason),
            None if told == "exported" => Fate::Runs,
            None => Fate::NotExported(told),
        };
        (network, fate)
    };
    Ok(told.into_iter().map(fate).collect())
}

/// The networks that do not run on a device, or give other numbers, and why.
fn failures(root: &Path, folder: &Path, device: &str) -> Result<Vec<(String, String)>> {
    let mut command = Command::new(root.join("target/debug/pteron"));
    command.arg("verify").arg(folder).args(["--device", device, "--json"]);
    // It tells of failures by its exit status, too.
    let output = command.output().context("cannot start pteron")?;
    let report: Value = serde_json::from_slice(&output.stdout).context("pteron verify printed no report")?;
    let cases = report["cases"].as_array().context("the report of pteron verify has no cases")?;
    let failed = cases.iter().filter(|case| case["status"] != "pass").map(|case| {
        let name = Path::new(case["path"].as_str().unwrap_or_default()).file_name().unwrap_or_default();
        let why = match case["message"].as_str() {
            Some("") | None => format!("other numbers, by {} at most", case["max_abs"]),
            Some(message) => message.lines().next().unwrap_or_default().to_owned(),
        };
        (name.to_string_lossy().into_owned(), why)
    });
    Ok(failed.collect())
}

fn page(table: &BTreeMap<String, BTreeMap<&str, Fate>>) -> String {
    let used: BTreeSet<&str> = table.values().flat_map(|fates| fates.keys().copied()).collect();
    let columns: Vec<_> = BACKENDS.iter().filter(|(name, _)| used.contains(name)).collect();
    let mut out = String::from(
        "# Networks\n\nWhole networks with random weights, exported by the stock package and compared with eager PyTorch on the \
         reference engine and on a\nGPU. `cargo xtask networks` writes this page; `tools/export/networks.py` has the \
         networks.\n\n",
    );
    let _ = writeln!(out, "| network | {} |", columns.iter().map(|column| column.1).collect::<Vec<_>>().join(" | "));
    let _ = writeln!(out, "|---|{}", "---|".repeat(columns.len()));
    let (mut counts, mut notes) = (vec![0; columns.len()], String::new());
    for (network, fates) in table {
        let cells = columns.iter().enumerate().map(|(at, (backend, name))| match fates.get(backend) {
            None => "–",
            Some(Fate::Runs) => {
                counts[at] += 1;
                "runs"
            }
            Some(Fate::NotExported(reason)) => {
                let _ = writeln!(notes, "- `{network}` {name}: the exporter writes no program. `{reason}`");
                "not exported"
            }
            Some(Fate::Wrong(reason)) => {
                let _ = writeln!(notes, "- `{network}` {name}: **{reason}**");
                "**does not run**"
            }
        });
        let cells: Vec<_> = cells.collect();
        let _ = writeln!(out, "| `{network}` | {} |", cells.join(" | "));
    }
    let counts: Vec<_> = counts.iter().map(ToString::to_string).collect();
    let _ = writeln!(out, "| of {} networks, run | {} |", table.len(), counts.join(" | "));
    if !notes.is_empty() {
        let _ = write!(out, "\n## What does not run\n\n{notes}");
    }
    out
}
