//! A program whose delegates and operators are joined to one graph gives what it gives when each runs for itself.

use pteron_runtime::{Device, DeviceChoice, MethodOptions, Program};
use pteron_testkit::{Case, Status, discover, fixtures, shared, verify_with};

fn gpu() -> Device {
    Device::open(DeviceChoice::Gpu).expect("tests need a WebGPU adapter: see the README")
}

/// The cases whose programs are more than one delegate.
fn mixed(folder: &std::path::Path) -> Vec<Case> {
    let cases = discover(folder).expect("cases are readable");
    let is_mixed = |case: &Case| {
        let Ok(program) = Program::open(&case.program) else { return false };
        let Ok(view) = program.view() else { return false };
        let Ok(Some(method)) = view.method(&case.method) else { return false };
        let instructions = method.chains().flatten().map(|chain| chain.instructions().count()).sum::<usize>();
        instructions > 1 || method.delegates() == 0
    };
    cases.into_iter().filter(is_mixed).collect()
}

/// Runs every mixed case below a folder joined and not: both must pass.
fn check(device: &Device, folder: &std::path::Path) {
    let cases = mixed(folder);
    assert!(!cases.is_empty(), "no mixed programs in {}", folder.display());
    let mut failures = Vec::new();
    for case in &cases {
        for join in [true, false] {
            let outcome = verify_with(case, device, &MethodOptions::default().with_join(join));
            if outcome.status != Status::Pass {
                let path = case.path.display();
                failures.push(format!("{path}, join {join}: {} {}", outcome.status.name(), outcome.message));
            }
        }
    }
    assert!(failures.is_empty(), "{} on {}:\n{}", failures.len(), device.name(), failures.join("\n"));
}

#[test]
fn programs_give_the_same_joined_on_the_reference() {
    check(&Device::cpu(), &fixtures().join("programs"));
    check(&Device::cpu(), &fixtures().join("formats"));
}

#[test]
fn programs_give_the_same_joined_on_the_gpu() {
    check(&gpu(), &fixtures().join("programs"));
    check(&gpu(), &fixtures().join("formats"));
}

#[test]
fn shared_programs_give_the_same_joined() {
    let Some(folder) = shared("conformance") else { return };
    check(&Device::cpu(), &folder);
    check(&gpu(), &folder);
}

/// What a call costs joined and not.
fn costs(fixture: &str, join: bool) -> (u64, u64) {
    let case = Case::read(&fixtures().join(fixture)).expect("the fixture is readable");
    let program = Program::open(&case.program).expect("the program opens").on(&gpu());
    let options = MethodOptions::default().with_join(join);
    let mut method = program.load(&case.method, &options).expect("the method loads");
    let (inputs, _) = case.steps[0].load().expect("the step is readable");
    method.run(&inputs).expect("the method runs");
    (method.submits(), method.host_round_trips())
}

#[test]
fn a_joined_program_is_one_submit_without_waiting_in_between() {
    for fixture in ["convolution_between", "cumsum_between", "mean_between", "sign_between"] {
        let fixture = format!("programs/delegates/{fixture}");
        assert_eq!(costs(&fixture, true), (1, 0), "{fixture}");
        assert_eq!(costs(&fixture, false), (2, 1), "{fixture}");
    }
}

/// Launches are those of what is computed: none for views of it, for inputs, or for constants.
#[test]
fn outputs_that_are_there_already_take_no_launch() {
    for (fixture, launches) in [
        ("outputs/constant_returned", 1),
        ("outputs/empty_chain", 0),
        ("outputs/input_copied", 1),
        ("outputs/input_only", 0),
        ("outputs/input_returned", 1),
        ("outputs/returned_twice", 1),
        ("views/of_input", 1),
        ("views/of_result", 2),
        ("views/of_view", 2),
    ] {
        let case = Case::read(&fixtures().join("programs").join(fixture)).expect("the fixture is readable");
        let program = Program::open(&case.program).expect("the program opens").on(&gpu());
        let mut method = program.method(&case.method).expect("the method loads");
        let (inputs, _) = case.steps[0].load().expect("the step is readable");
        method.run(&inputs).expect("the method runs");
        assert_eq!(method.dispatches(), launches, "{fixture}");
    }
}

/// A branch that the caller decides needs no result of the GPU, and each side of it is a graph.
#[test]
fn branches_that_the_caller_decides_are_one_submit() {
    assert_eq!(costs("programs/control/cond", true), (1, 0));
    assert_eq!(costs("programs/control/cond", false), (2, 1));
}

/// A buffer of the program that is written back outside delegates stays on the device, and is reset and exchanged.
#[test]
fn state_outside_delegates_is_state_of_the_joined_graph() {
    let case = Case::read(&fixtures().join("programs/state/in_program")).expect("the fixture is readable");
    for device in [Device::cpu(), gpu()] {
        let program = Program::open(&case.program).expect("the program opens").on(&device);
        let mut method = program.method(&case.method).expect("the method loads");
        assert!(method.placements().iter().all(|placement| placement.on_host.is_none()), "{:?}", method.placements());
        let (inputs, _) = case.steps[0].load().expect("the step is readable");
        let run = |method: &mut pteron_runtime::Method| method.run(&inputs).expect("the method runs")[0].clone();
        let first = run(&mut method);
        let second = run(&mut method);
        assert_ne!(format!("{first:?}"), format!("{second:?}"));
        let mut other = method.new_state().expect("another state");
        method.swap_state(&mut other).expect("its own state");
        assert_eq!(format!("{first:?}"), format!("{:?}", run(&mut method)));
        method.reset().expect("it can be reset");
        assert_eq!(format!("{first:?}"), format!("{:?}", run(&mut method)));
        assert_eq!(method.host_round_trips(), 0);
    }
}

/// Caches that operators outside delegates write in place stay on the device, though the host knows the position.
#[test]
fn caches_outside_delegates_are_state_of_the_joined_graph() {
    let case = Case::read(&fixtures().join("programs/composed/cached_attention")).expect("the fixture is readable");
    let program = Program::open(&case.program).expect("the program opens").on(&gpu());
    let mut method = program.method(&case.method).expect("the method loads");
    let on_host = method.placements().iter().filter(|placement| placement.on_host.is_some());
    let cached = on_host.filter(|placement| placement.op.starts_with("llama::")).count();
    assert_eq!(cached, 0, "{:?}", method.placements());
    for step in &case.steps {
        let (inputs, _) = step.load().expect("the step is readable");
        method.run(&inputs).expect("the method runs");
        assert_eq!((method.submits(), method.host_round_trips()), (1, 0));
    }
}

/// Where the operators of a fixture run, and why those on the host do.
fn reasons(fixture: &str) -> Vec<Option<String>> {
    let case = Case::read(&fixtures().join(fixture)).expect("the fixture is readable");
    let program = Program::open(&case.program).expect("the program opens").on(&Device::cpu());
    let method = program.method(&case.method).expect("the method loads");
    method.placements().iter().map(|placement| placement.on_host.clone()).collect()
}

#[test]
fn what_a_device_would_compute_otherwise_stays_on_the_host() {
    for (fixture, expected) in [
        ("sum_i64_large", "its 64-bit integers may not fit"),
        ("pointwise_doubles", "no device computes in f64"),
        ("nonzero", "it has no kernel for a GPU"),
    ] {
        let reasons = reasons(&format!("programs/portable/{fixture}"));
        let told = |reason: &Option<String>| reason.as_ref().is_some_and(|reason| reason.contains(expected));
        assert!(!reasons.is_empty() && reasons.iter().any(told), "{fixture}: {reasons:?}");
    }
    // Truth values are counted with as many bits as they need.
    assert_eq!(reasons("programs/portable/sum_bool_to_i64"), [None]);
    assert_eq!(reasons("programs/portable/argmax_flat"), [None]);
}
