//! The conformance cases that lie beside a checkout, in `shared`, on every engine.
//!
//! They come from an exporter with every operator. Every case must pass, and every case of `conformance.txt` must be there.

use std::collections::BTreeSet;
use std::io::Write as _;

use pteron_runtime::{Device, DeviceChoice};
use pteron_testkit::{Case, Status, discover, shared, verify};

/// Where cases lie in `shared`.
const FOLDERS: [&str; 3] = ["conformance", "networks", "xnnpack/cases"];

/// Cases that must be there, by their folders in `shared`. More may lie beside them.
const LISTED: &str = include_str!("conformance.txt");

/// Every case, with its name, where there are any.
fn cases() -> Option<Vec<(String, Case)>> {
    let root = shared("")?;
    let name = |case: &Case| case.path.strip_prefix(&root).unwrap_or(&case.path).to_string_lossy().replace('\\', "/");
    let found = FOLDERS.map(|folder| discover(&root.join(folder)).expect("conformance cases are readable"));
    Some(found.into_iter().flatten().map(|case| (name(&case), case)).collect())
}

fn check(device: &Device) {
    let Some(cases) = cases() else {
        say("conformance cases not run: there is no shared folder beside this checkout");
        return;
    };
    let names: BTreeSet<_> = cases.iter().map(|(name, _)| name.as_str()).collect();
    let lost: Vec<_> = LISTED.lines().filter(|name| !names.contains(name)).collect();
    assert!(lost.is_empty(), "{} of the listed cases are not there:\n{}", lost.len(), lost.join("\n"));
    let mut faults = Vec::new();
    for (name, case) in &cases {
        let outcome = verify(case, device);
        if outcome.status != Status::Pass {
            faults.push(format!("{name}: {} {}", outcome.status.name(), outcome.message));
        }
    }
    say(&format!("{}: {} of {} conformance cases pass", device.name(), cases.len() - faults.len(), cases.len()));
    assert!(faults.is_empty(), "{} of {} on {}:\n{}", faults.len(), cases.len(), device.name(), faults.join("\n"));
}

/// Shows a line although the test passes: the test harness holds back only what the print macros write.
fn say(line: &str) {
    // A closed stderr is no reason to fail.
    let _ = writeln!(std::io::stderr(), "{line}");
}

#[test]
fn conformance_reference() {
    check(&Device::cpu());
}

#[test]
fn conformance_gpu() {
    check(&Device::open(DeviceChoice::Gpu).expect("tests need a WebGPU adapter: see the README"));
}
