//! Futures that are dropped: each call at each of its polls. What was begun leaves nothing that a later call trips over.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use pteron_runtime::{Condition, Device, DeviceChoice, DeviceOptions, Method, PipelineCache, Program, Result, Value};
use pteron_testkit::{Case, fixtures};

/// Programs with constants, state, and operators on the host between delegates.
const PROGRAMS: [&str; 3] = ["demo/embedding", "programs/state/in_delegate", "programs/delegates/sum_between_dynamic"];

/// Polls a future so many times and drops it; whether it came to its end before.
fn give_up_after<T>(polls: usize, future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    for _ in 0..polls {
        if let Poll::Ready(result) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return Some(result);
        }
        std::thread::sleep(Duration::from_micros(300));
    }
    None
}

/// Drops what `begin` begins after one poll, after two, and so on until it comes to its end; how often it was dropped.
fn drop_at_each_poll<T>(mut begin: impl FnMut(usize) -> Option<Result<T>>) -> usize {
    for polls in 0..400 {
        if let Some(result) = begin(polls) {
            result.expect("it came to its end");
            return polls;
        }
    }
    panic!("it does not come to its end");
}

struct Subject {
    program: Program,
    case: Case,
    answers: Vec<Vec<u8>>,
}

impl Subject {
    fn open(name: &str, device: &Device) -> Subject {
        let case = Case::read(&fixtures().join(name)).expect("the fixture is readable");
        let program = Program::open(&case.program).expect("the program opens").on(device);
        let mut subject = Subject { program, case, answers: Vec::new() };
        let mut method = subject.load();
        subject.answers = subject.answers_of(&mut method);
        subject
    }

    fn load(&self) -> Method {
        self.program.method(&self.case.method).expect("it loads")
    }

    fn inputs(&self) -> Vec<Value> {
        self.case.steps[0].load().expect("the step is readable").0
    }

    /// What two calls from the first state on give.
    fn answers_of(&self, method: &mut Method) -> Vec<Vec<u8>> {
        method.reset().expect("it is reset");
        assert_eq!(method.condition(), Condition::Ready);
        let calls = [(); 2].map(|()| method.run(&self.inputs()).expect("it runs"));
        calls.iter().flatten().filter_map(|value| Some(value.tensor()?.bytes().to_vec())).collect()
    }
}

#[test]
fn calls_that_are_given_up_leave_no_trace() {
    let options = DeviceOptions::new(DeviceChoice::Gpu).with_pipeline_cache(PipelineCache::Off);
    let device = Device::open(options).expect("tests need a WebGPU adapter: see the README");
    let mut dropped = 0;
    for name in PROGRAMS {
        let subject = Subject::open(name, &device);
        dropped += drop_at_each_poll(|polls| {
            give_up_after(polls, subject.program.method_async(&subject.case.method)).map(|loaded| {
                let mut method = loaded?;
                assert_eq!(subject.answers_of(&mut method), subject.answers);
                Ok(())
            })
        });
        let mut method = subject.load();
        let inputs = subject.inputs();
        dropped += drop_at_each_poll(|polls| {
            let outcome = give_up_after(polls, method.run_async(&inputs)).map(|outputs| outputs.map(drop));
            assert_eq!(subject.answers_of(&mut method), subject.answers, "{name}, dropped after {polls} polls");
            outcome
        });
        dropped += drop_at_each_poll(|polls| {
            let call = async { method.submit_async(&inputs, &[0]).await?.read_async().await.map(drop) };
            let outcome = give_up_after(polls, call);
            assert_eq!(subject.answers_of(&mut method), subject.answers, "{name}, dropped after {polls} polls");
            outcome
        });
        dropped += drop_at_each_poll(|polls| {
            let outcome = give_up_after(polls, subject.program.restore_async(&mut method));
            assert_eq!(subject.answers_of(&mut method), subject.answers, "{name}, dropped after {polls} polls");
            outcome
        });
    }
    eprintln!("{dropped} futures were dropped");
    assert!(dropped > 12, "{dropped}");
}
