//! `cargo xtask guards`: takes guards out, one at a time, and sees that the test of each fails.
//!
//! It works on a copy of the files that git knows or would add, beside what is built.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::command::{cargo, run as command};
use crate::{checkout, web};

/// Something that keeps a promise, and the test that fails without it.
struct Guard {
    name: &'static str,
    what: &'static str,
    file: &'static str,
    /// A text that is there once, and what is put in its place.
    text: &'static str,
    instead: &'static str,
    /// What chooses the tests, as cargo takes it. With the selection of the test step little is built twice.
    tests: &'static [&'static str],
}

const GUARDS: &[Guard] = &[
    Guard {
        name: "limits",
        what: "what needs more than its limits is refused",
        file: "crates/runtime/src/limits.rs",
        text: "    if needed <= allowed {\n",
        instead: "    if needed <= allowed || !what.is_empty() {\n",
        tests: &["--workspace", "--test", "limits", "constants_are_counted"],
    },
    Guard {
        name: "time",
        what: "a call ends when its time is over",
        file: "crates/runtime/src/limits.rs",
        text: "        if self.left() == Some(Duration::ZERO) {\n",
        instead: "        if self.left() == Some(Duration::MAX) {\n",
        tests: &["--workspace", "--test", "limits", "a_call_ends_when_its_time_is_over"],
    },
    Guard {
        name: "clock",
        what: "an operator on the host ends when the time of its call is over",
        file: "crates/ops/src/clock.rs",
        text: "        if Instant::now() < end { Ok(()) } else { Err(OpError::Time) }\n",
        instead: "        if Instant::now() < end || steps > 0 { Ok(()) } else { Err(OpError::Time) }\n",
        tests: &["--package", "pteron-ops", "--lib", "references_end_when_their_time_is_over"],
    },
    Guard {
        name: "constants",
        what: "constants are not counted among the tensors of a call",
        file: "crates/runtime/src/plan/mod.rs",
        text: "            Value::Tensor(tensor) if !matches!(tensor.role, Role::Constant(_)) => {\n",
        instead: "            Value::Tensor(tensor) if !matches!(tensor.role, Role::Constant(usize::MAX)) => {\n",
        tests: &["--workspace", "--test", "limits", "a_call_that_needs_more"],
    },
    Guard {
        name: "windows",
        what: "a pool of many windows ends when the time of its call is over",
        file: "crates/ops/src/pool/adaptive_pool.rs",
        text: "                clock.count(zs.len() * ys.len() * xs.len())?;\n",
        instead: "                let _ = &clock;\n",
        tests: &["--workspace", "--test", "limits", "a_call_ends_within_an_operator"],
    },
    Guard {
        name: "lines",
        what: "any number of lines without elements takes no time",
        file: "crates/ops/src/reduce/scan.rs",
        text: "    let filled = if values.is_empty() { 0 } else { lines.kept.count };\n",
        instead: "    let filled = lines.kept.count;\n",
        tests: &["--package", "pteron-ops", "--test", "bounded", "any_number_of_lines"],
    },
    Guard {
        name: "repeats",
        what: "numbers are counted before they are repeated",
        file: "crates/ops/src/index/masks.rs",
        text: "    let shape = Shape::from_sizes([times.iter().fold(0, |sum: u64, &times| sum.saturating_add(times as u64))])?;\n",
        instead: "    let shape = Shape::from_sizes([times.len() as u64])?;\n",
        tests: &["--package", "pteron-ops", "--test", "bounded", "numbers_are_repeated"],
    },
    Guard {
        name: "vectors",
        what: "vectors without elements lie anywhere",
        file: "crates/ops/src/attention/flash.rs",
        text: "    if size == 0 { &[] } else { &tensor[at..at + size] }\n",
        instead: "    &tensor[at..at + size]\n",
        tests: &["--workspace", "--test", "properties", "vectors_may_have_no_elements"],
    },
    Guard {
        name: "memory",
        what: "memory that a device could not give is noticed",
        file: "crates/runtime/src/engine/wgpu/memory.rs",
        text: "        if let Err(error) = self.gpu.check() {\n",
        instead: "        if let Err(error) = Ok::<(), Error>(()) {\n",
        tests: &["--workspace", "--test", "faults", "every_fault_in_a_call"],
    },
    Guard {
        name: "self-test",
        what: "a kernel that is wrong on a driver is not used",
        file: "crates/runtime/src/device/self_test/mod.rs",
        text: "        if wrong.is_some() {\n",
        instead: "        if wrong.is_some() && device.is_lost() {\n",
        tests: &["--workspace", "--test", "self_test"],
    },
    Guard {
        name: "template",
        what: "what a chat template makes is counted",
        file: "crates/llm/src/template/meter.rs",
        text: "    if sum > most {\n",
        instead: "    if sum > most && does.is_empty() {\n",
        tests: &["--workspace", "--lib", "templates_that_do_not_end"],
    },
];

/// Takes each guard out of a copy, or those that are named, and wants its test to fail.
pub(crate) fn run(root: &Path, names: &[&str]) -> Result<()> {
    let unknown = names.iter().find(|name| GUARDS.iter().all(|guard| guard.name != **name));
    if let Some(name) = unknown {
        let known: Vec<_> = GUARDS.iter().map(|guard| guard.name).collect();
        bail!("there is no guard {name:?}; there are {}", known.join(", "));
    }
    let copy = web::target_folder(root).join("guards");
    checkout::copy(root, &copy)?;
    let mut chosen = GUARDS.iter().filter(|guard| names.is_empty() || names.contains(&guard.name));
    chosen.try_for_each(|guard| prove(root, &copy, guard))
}

fn prove(root: &Path, copy: &Path, guard: &Guard) -> Result<()> {
    let Guard { what, file, text, instead, tests, .. } = guard;
    let path = copy.join(file);
    let whole = fs::read_to_string(&path).with_context(|| format!("{file} cannot be read"))?;
    ensure!(whole.matches(text).count() == 1, "{file} does not have this once: {text:?}");
    fs::write(&path, whole.replacen(text, instead, 1))?;
    let test = |extra: &[&str]| {
        let arguments = ["test", "--all-features", "--locked", "--no-fail-fast"];
        let mut test = cargo(copy, arguments.iter().chain(*tests).chain(extra));
        test.env("CARGO_TARGET_DIR", web::target_folder(root));
        test
    };
    // What does not compile would fail as well.
    let ended = command(&mut test(&["--no-run"])).and_then(|()| Ok(test(&[]).output()?));
    fs::write(&path, whole)?;
    let ended = ended?;
    let failed: Vec<_> = String::from_utf8_lossy(&ended.stdout)
        .lines()
        .filter_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED").map(str::to_owned))
        .collect();
    if ended.status.success() || failed.is_empty() {
        bail!("without its guard nothing fails: {what}");
    }
    println!("without this guard: {what}\n  these fail: {}", failed.join(", "));
    Ok(())
}
