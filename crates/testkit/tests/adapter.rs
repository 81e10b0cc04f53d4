//! A WebGPU adapter is there and computes, which every test of the WebGPU engine relies on.

use std::path::Path;

use pteron_runtime::{Device, DeviceChoice};
use pteron_testkit::{Status, discover, verify};

#[test]
fn an_adapter_computes() {
    let device = Device::open(&DeviceChoice::Gpu).expect("tests need a WebGPU adapter");
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/ops/add/same_shape");
    let cases = discover(&case).expect("the case is readable");
    let outcome = verify(&cases[0], &device);
    assert_eq!(outcome.status, Status::Pass, "on {}: {}", device.name(), outcome.message);
    assert!(outcome.dispatches > 0, "{} launched nothing", device.name());
}
