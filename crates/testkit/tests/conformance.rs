//! The conformance cases that lie beside a checkout, in `shared/conformance`, on every engine.
//!
//! They come from an exporter with every operator. A case may be unsupported, and then says which operator of which node
//! is missing; no case may fail.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use pteron_runtime::{Device, DeviceChoice};
use pteron_testkit::{Status, discover, verify};

/// The cases, where they are.
fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance");
    folder.is_dir().then_some(folder)
}

fn check(device: &Device) {
    let Some(folder) = folder() else {
        say("conformance cases not run: there is no shared/conformance beside this checkout");
        return;
    };
    let cases = discover(&folder).expect("conformance cases are readable");
    assert!(!cases.is_empty(), "{} holds no case", folder.display());
    let mut counts = [0; 4];
    let mut faults = Vec::new();
    for case in &cases {
        let outcome = verify(case, device);
        let (place, fault) = match outcome.status {
            Status::Pass => (0, false),
            Status::Unsupported => (1, !names_operator_and_node(&outcome.message)),
            Status::Fail => (2, true),
            Status::Error => (3, true),
        };
        counts[place] += 1;
        if fault {
            let name = case.path.strip_prefix(&folder).unwrap_or(&case.path);
            faults.push(format!("{}: {} {}", name.display(), outcome.status.name(), outcome.message));
        }
    }
    let [pass, unsupported, fail, error] = counts;
    say(&format!("{}: {pass} pass, {unsupported} unsupported, {fail} fail, {error} error", device.name()));
    assert!(faults.is_empty(), "{} of {} on {}:\n{}", faults.len(), cases.len(), device.name(), faults.join("\n"));
    assert!(pass > 0, "no case ran on {}", device.name());
}

/// Shows a line although the test passes: the test harness holds back only what the print macros write.
fn say(line: &str) {
    // A closed stderr is no reason to fail.
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Whether a message is of the form `unsupported: operator (node 3 of … method forward): reason`.
fn names_operator_and_node(message: &str) -> bool {
    let Some((operator, rest)) = message.strip_prefix("unsupported: ").and_then(|rest| rest.split_once(" (")) else {
        return false;
    };
    let Some((place, reason)) = rest.split_once("): ") else { return false };
    operator.contains('.')
        && place.contains("method ")
        && place.contains(|c: char| c.is_ascii_digit())
        && !reason.is_empty()
}

#[test]
fn messages_name_operator_and_node() {
    assert!(names_operator_and_node(
        "unsupported: aten.squeeze_copy.dims (node 2 of delegate 0 of method forward): no such operator here"
    ));
    for vague in ["", "unsupported: ", "unsupported: it is (somewhere): so", "aten.add.Tensor (node 1): so"] {
        assert!(!names_operator_and_node(vague), "{vague:?}");
    }
}

#[test]
fn conformance_reference() {
    check(&Device::cpu());
}

#[test]
fn conformance_gpu() {
    check(&Device::open(&DeviceChoice::Gpu).expect("tests need a WebGPU adapter: see the README"));
}
