//! A program whose operators are fused gives what it gives when each runs for itself, in fewer launches.

use pteron_runtime::{Device, DeviceChoice, DeviceOptions, MethodOptions, Program, Tolerance};
use pteron_testkit::{Case, Status, discover, fixtures, shared, verify_with};

/// The largest and the smallest device that this adapter can be.
fn devices() -> [Device; 2] {
    let largest = DeviceOptions::new(DeviceChoice::Gpu);
    [largest.clone(), largest.with_webgpu_minimum()].map(|options| {
        let device = Device::open(options);
        device.expect("tests need a WebGPU adapter: see the README")
    })
}

/// Runs every step of a stateful fixture fused and not; a step of so many rows saves so many launches.
fn check(fixture: &str, saved: impl Fn(usize) -> u64) {
    let case = Case::read(&fixtures().join(fixture)).expect("the fixture is readable");
    for device in devices() {
        let program = Program::open(&case.program).expect("the program opens").on(&device);
        let load = |fuse| {
            let options = MethodOptions::default().with_fuse(fuse);
            program.load("forward", &options).expect("the method loads")
        };
        let (mut fused, mut plain) = (load(true), load(false));
        for (number, step) in case.steps.iter().enumerate() {
            let (inputs, _) = step.load().expect("the step is readable");
            let got = fused.run(&inputs).expect("the fused step runs");
            let expected = plain.run(&inputs).expect("the step runs");
            let (Some(got), Some(expected)) = (got[0].tensor(), expected[0].tensor()) else {
                panic!("outputs are tensors")
            };
            let comparison = Tolerance { atol: 1e-6, rtol: 1e-6 }.compare(got, expected).expect("the same shape");
            assert!(comparison.passed(), "step {number}: {comparison:?}");
            let rows = inputs[0].tensor().map_or(0, |tensor| tensor.shape()[1]);
            assert_eq!(plain.dispatches() - fused.dispatches(), saved(rows), "step {number} of {rows} rows");
        }
    }
}

/// Two layers save two launches each, three where there is one row, and the slices of both tables are not made.
#[test]
fn rotary_attention() {
    check("programs/attention/turned", |rows| if rows == 1 { 8 } else { 6 });
}

/// Everything gives what it must when every operator runs for itself, too.
#[test]
fn programs_give_the_same_without_fusion() {
    let [device, _] = devices();
    let own = ["ops", "programs", "formats", "xnnpack"].map(|name| Some(fixtures().join(name)));
    let others = ["conformance", "networks", "xnnpack/cases"].map(shared);
    let mut failures = Vec::new();
    for folder in own.into_iter().chain(others).flatten() {
        let cases = discover(&folder).expect("cases are readable");
        assert!(!cases.is_empty(), "no cases in {}", folder.display());
        for case in cases {
            let outcome = verify_with(&case, &device, &MethodOptions::default().with_fuse(false));
            if outcome.status != Status::Pass {
                failures.push(format!("{}: {} {}", case.path.display(), outcome.status.name(), outcome.message));
            }
        }
    }
    assert!(failures.is_empty(), "{} fail:\n{}", failures.len(), failures.join("\n"));
}
