//! A WebGPU adapter is there and computes, which every test of the WebGPU engine relies on.

use pteron_runtime::{Device, DeviceChoice};
use pteron_testkit::{Status, discover, fixtures, verify};

#[test]
fn an_adapter_computes() {
    let device = Device::open(DeviceChoice::Gpu).expect("tests need a WebGPU adapter");
    let cases = discover(&fixtures().join("ops/add/same_shape")).expect("the case is readable");
    let outcome = verify(&cases[0], &device);
    assert_eq!(outcome.status, Status::Pass, "on {}: {}", device.name(), outcome.message);
    assert!(outcome.dispatches > 0, "{} launched nothing", device.name());
}
