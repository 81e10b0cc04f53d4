//! Every fixture on every engine.

use pteron_runtime::{Device, DeviceChoice};
use pteron_testkit::{Status, discover, fixtures, verify};

fn check(device: &Device, folder: &str) {
    let cases = discover(&fixtures().join(folder)).expect("fixtures are readable");
    assert!(!cases.is_empty(), "no fixtures in {folder}");
    let mut failures = Vec::new();
    for case in &cases {
        let outcome = verify(case, device);
        if outcome.status != Status::Pass {
            failures.push(format!("{}: {} {}", case.path.display(), outcome.status.name(), outcome.message));
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {} on {}:\n{}",
        failures.len(),
        cases.len(),
        device.name(),
        failures.join("\n")
    );
}

#[test]
fn ops_reference() {
    check(&Device::cpu(), "ops");
}

#[test]
fn programs_reference() {
    check(&Device::cpu(), "programs");
}

#[test]
fn formats_reference() {
    check(&Device::cpu(), "formats");
}

#[test]
fn xnnpack_reference() {
    check(&Device::cpu(), "xnnpack");
}

fn gpu() -> Device {
    Device::open(DeviceChoice::Gpu).expect("tests need a WebGPU adapter: see the README")
}

#[test]
fn ops_gpu() {
    check(&gpu(), "ops");
}

#[test]
fn programs_gpu() {
    check(&gpu(), "programs");
}

#[test]
fn formats_gpu() {
    check(&gpu(), "formats");
}

#[test]
fn xnnpack_gpu() {
    check(&gpu(), "xnnpack");
}
