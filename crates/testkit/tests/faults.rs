//! Devices that fail: at each allocation, kernel, submit, map and wait, in each way that a driver does. Each fault is an error
//! and nothing worse, nothing is left behind, and the same answer comes out after it.
//!
//! `PTERON_LONG=1` has every site fail at every time that it is reached; otherwise some of them.

use std::time::{Duration, Instant};

use pteron_runtime::testing::device::{Fault, Site, allocated_bytes, arm, disarm};
use pteron_runtime::{
    Condition, Device, DeviceChoice, DeviceOptions, Error, ErrorKind, Limits, Method, PipelineCache, Program, Result,
    Value,
};
use pteron_testkit::{Case, fixtures};

/// Programs with constants, with state, with several delegates and operators between them, and with numbers computed.
const PROGRAMS: [&str; 4] =
    ["demo/embedding", "programs/state/in_delegate", "programs/delegates/sum_between_dynamic", "ops/sym_size/view"];

/// How long a call may take that is stuck. Others have the usual time, since a machine may have much else to do.
const STUCK_TIME: Duration = Duration::from_millis(400);

fn gpu() -> Device {
    // Kernels of other runs would be kept from being compiled.
    let options = DeviceOptions::new(DeviceChoice::Gpu).with_pipeline_cache(PipelineCache::Off);
    Device::open(options).expect("tests need a WebGPU adapter: see the README")
}

/// A program, the calls that are made of it, and what they give.
struct Subject {
    program: Program,
    case: Case,
    answers: Vec<Vec<u8>>,
}

impl Subject {
    fn open(name: &str) -> Subject {
        let case = Case::read(&fixtures().join(name)).expect("the fixture is readable");
        let program = Program::open(&case.program).expect("the program opens");
        let mut subject = Subject { program, case, answers: Vec::new() };
        let device = gpu();
        subject.answers =
            subject.load(&device, None).and_then(|mut method| subject.calls(&mut method)).expect("all is well");
        subject
    }

    fn load(&self, device: &Device, fault: Option<Fault>) -> Result<Method> {
        let limits = match fault {
            Some(Fault::Stuck) => Limits::default().with_call_time(STUCK_TIME),
            _ => Limits::default(),
        };
        self.program.clone().with_limits(limits).on(device).method(&self.case.method)
    }

    fn inputs(&self, step: usize) -> Vec<Value> {
        self.case.steps[step].load().expect("the step is readable").0
    }

    /// Calls a method in each way that there is. Results are copied, since those of a lost device go with it.
    fn calls(&self, method: &mut Method) -> Result<Vec<Vec<u8>>> {
        let mut answers = Vec::new();
        let mut keep = |value: &Value| answers.extend(value.tensor().map(|tensor| tensor.bytes().to_vec()));
        for step in 0..self.case.steps.len() {
            method.run(&self.inputs(step))?.iter().for_each(&mut keep);
        }
        let mut other = method.new_state()?;
        method.swap_state(&mut other)?;
        for output in method.run_on_device(&self.inputs(0))? {
            match output {
                Value::Device(tensor) => keep(&tensor.to_host()?.into()),
                value => keep(&value),
            }
        }
        let submitted = method.submit(&self.inputs(0), &[0])?;
        submitted.read()?.into_iter().for_each(|tensor| keep(&tensor.into()));
        method.swap_state(&mut other)?;
        Ok(answers)
    }
}

/// What a method gives that is well again. Where it has little time, a busy machine may need several attempts.
fn calls_again(subject: &Subject, method: &mut Method) -> Result<Vec<Vec<u8>>> {
    for _ in 0..50 {
        match subject.calls(method) {
            Err(Error::Time { limit: STUCK_TIME }) => method.reset()?,
            outcome => return outcome,
        }
    }
    subject.calls(method)
}

/// The times at which a site that is reached so often fails.
fn times(count: u64) -> Vec<u64> {
    if std::env::var_os("PTERON_LONG").is_some() || count <= 4 {
        return (0..count).collect();
    }
    vec![0, 1, count / 2, count - 1]
}

fn faults(site: Site) -> &'static [Fault] {
    match site {
        Site::Poll => &[Fault::Refused, Fault::Lost, Fault::Stuck],
        Site::Map => &[Fault::Refused, Fault::Lost, Fault::Untold],
        Site::Pipeline => &[Fault::Refused, Fault::Lost],
        Site::Allocation | Site::Submit => &[Fault::OutOfMemory, Fault::Refused, Fault::Lost],
    }
}

/// An error that tells of a device, and not of the program or its inputs.
fn is_fault(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Device) || matches!(error, Error::Time { .. })
}

/// What every fault must leave behind: an error or the right answer, in good time.
fn judge(what: &str, outcome: &Result<Vec<Vec<u8>>>, expected: &[Vec<u8>], started: Instant) {
    match outcome {
        Ok(answers) => assert_eq!(answers, expected, "{what}: a wrong answer and no error"),
        Err(error) => assert!(is_fault(error), "{what}: {error}"),
    }
    assert!(started.elapsed() < Duration::from_secs(60), "{what} took {:?}", started.elapsed());
}

#[test]
fn every_fault_in_a_call_is_an_error_and_the_same_answer_follows() {
    let mut injected = 0;
    for name in PROGRAMS {
        let subject = Subject::open(name);
        let mut device = gpu();
        let mut method = subject.load(&device, None).expect("it loads");
        disarm(&device);
        subject.calls(&mut method).expect("all is well");
        let (counts, _) = disarm(&device);
        for (site, count) in Site::ALL.into_iter().zip(counts) {
            for &fault in faults(site) {
                for number in times(count) {
                    let what = format!("{fault:?} at {site:?} {number} of {name}");
                    // Fresh, so that a call allocates and compiles as the first did.
                    method = subject.load(&device, Some(fault)).unwrap_or_else(|error| panic!("{what}: {error}"));
                    arm(&device, site, number, fault);
                    let started = Instant::now();
                    let outcome = subject.calls(&mut method);
                    let (_, struck) = disarm(&device);
                    judge(&what, &outcome, &subject.answers, started);
                    assert!(fault != Fault::Untold || outcome.is_ok(), "{what}: what is there is read");
                    injected += u64::from(struck);
                    if method.condition() == Condition::Lost {
                        assert_eq!(fault, Fault::Lost, "{what}");
                        subject.program.restore(&mut method).unwrap_or_else(|error| panic!("{what}: {error}"));
                        device = method.device().clone();
                    } else {
                        method.reset().unwrap_or_else(|error| panic!("{what}: {error}"));
                    }
                    assert_eq!(method.condition(), Condition::Ready, "{what}");
                    let again = calls_again(&subject, &mut method);
                    let again = again.unwrap_or_else(|error| panic!("{what}, after it: {error}"));
                    assert_eq!(again, subject.answers, "{what}, after it");
                }
            }
        }
    }
    eprintln!("{injected} faults in calls were injected and survived");
    assert!(injected > 50, "{injected}");
}

#[test]
fn every_fault_while_a_method_is_loaded_is_an_error_and_nothing_is_left_behind() {
    let mut injected = 0;
    for name in PROGRAMS {
        let subject = Subject::open(name);
        let mut device = gpu();
        disarm(&device);
        let baseline = allocated_bytes(&device);
        drop(subject.load(&device, None).expect("it loads"));
        let (counts, _) = disarm(&device);
        for (site, count) in Site::ALL.into_iter().zip(counts) {
            for &fault in faults(site) {
                for number in times(count) {
                    let what = format!("{fault:?} at {site:?} {number} while {name} is loaded");
                    arm(&device, site, number, fault);
                    let started = Instant::now();
                    let loaded = subject.load(&device, Some(fault));
                    let (_, struck) = disarm(&device);
                    injected += u64::from(struck);
                    let outcome = loaded.and_then(|mut method| subject.calls(&mut method));
                    judge(&what, &outcome, &subject.answers, started);
                    if device.is_lost() {
                        device = device.reopen().unwrap_or_else(|error| panic!("{what}: {error}"));
                    }
                    let mut method = subject.load(&device, None).unwrap_or_else(|error| panic!("{what}: {error}"));
                    assert_eq!(subject.calls(&mut method).expect("all is well"), subject.answers, "{what}");
                }
            }
        }
        // Constants stay as long as their program does.
        drop(subject);
        if let (Some(before), Some(after)) = (baseline, allocated_bytes(&device)) {
            assert!(after <= before + (1 << 20), "{name}: {before} bytes before, {after} after all faults");
        }
    }
    eprintln!("{injected} faults while loading were injected and survived");
    assert!(injected > 30, "{injected}");
}

#[test]
fn what_is_stuck_ends_when_its_time_is_over() {
    let subject = Subject::open("programs/state/in_delegate");
    let device = gpu();
    let mut method = subject.load(&device, Some(Fault::Stuck)).expect("it loads");
    calls_again(&subject, &mut method).expect("all is well");
    method.reset().expect("it is reset");
    arm(&device, Site::Poll, 0, Fault::Stuck);
    let started = Instant::now();
    let error = method.run(&subject.inputs(0)).expect_err("it is stuck");
    assert!(matches!(error, Error::Time { limit: STUCK_TIME }), "{error}");
    let executor = tokio::runtime::Builder::new_current_thread().build().expect("an executor");
    let error = executor.block_on(method.run_async(&subject.inputs(0))).expect_err("it is stuck");
    assert!(matches!(error, Error::Time { limit: STUCK_TIME }), "{error}");
    assert!(started.elapsed() < 50 * STUCK_TIME, "{:?}", started.elapsed());
    assert_eq!(method.condition(), Condition::InvalidState);
    disarm(&device);
    method.reset().expect("it is reset");
    assert_eq!(calls_again(&subject, &mut method).expect("all is well"), subject.answers);
}

#[test]
fn all_that_was_on_a_lost_device_comes_back_on_one() {
    let subjects = PROGRAMS.map(Subject::open);
    let device = gpu();
    let mut methods: Vec<_> = subjects.iter().map(|subject| subject.load(&device, None).expect("it loads")).collect();
    for (subject, method) in subjects.iter().zip(&mut methods) {
        subject.calls(method).expect("all is well");
    }
    pteron_runtime::testing::device::lose(&device);
    for (subject, method) in subjects.iter().zip(&mut methods) {
        let mut stale = method.new_state().ok();
        assert!(is_fault(&subject.calls(method).expect_err("the device is lost")));
        assert_eq!(method.condition(), Condition::Lost);
        subject.program.restore(method).expect("another device opens");
        assert_eq!(subject.calls(method).expect("all is well"), subject.answers);
        if let Some(stale) = &mut stale {
            method.swap_state(stale).expect_err("it belongs to the method from before");
        }
    }
    assert!(methods.iter().all(|method| method.device() == methods[0].device() && *method.device() != device));
}
