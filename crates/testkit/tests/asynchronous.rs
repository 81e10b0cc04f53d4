//! Futures on an executor: they are woken, run side by side, may be dropped, and end when the device is lost.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use pteron_runtime::testing::device::lose;
use pteron_runtime::testing::{LoadedOp, TestArg, load_op};
use pteron_runtime::{DType, Device, DeviceChoice, ErrorKind, HostTensor, Method, Program, Submitted, Value};
use pteron_testkit::{Case, fixtures};
use tokio::runtime::{Builder, Runtime};
use tokio::task::{JoinSet, LocalSet};

const EMBEDDING: &str = "demo/embedding";
/// Delegates with operators of the host between them.
const SEVERAL_DELEGATES: &str = "programs/delegates/mean_between";

fn fixture(name: &str) -> PathBuf {
    fixtures().join(name)
}

fn gpu() -> Device {
    Device::open(DeviceChoice::Gpu).expect("tests need a WebGPU adapter: see the README")
}

fn executor() -> Runtime {
    Builder::new_current_thread().enable_time().build().expect("an executor")
}

/// A case whose method is loaded onto a device.
struct Loaded {
    case: Case,
    method: Method,
    inputs: Vec<Value>,
}

impl Loaded {
    fn new(name: &str, device: &Device) -> Loaded {
        let case = Case::read(&fixture(name)).expect("the fixture is readable");
        let program = Program::open(&case.program).expect("the program opens").on(device);
        Loaded { method: program.method(&case.method).expect("the method loads"), inputs: inputs(&case), case }
    }

    fn check(&self, outputs: &[Value]) {
        check(&self.case, outputs);
    }
}

fn inputs(case: &Case) -> Vec<Value> {
    case.steps[0].load().expect("the step is readable").0
}

fn check(case: &Case, outputs: &[Value]) {
    for (index, expected) in case.steps[0].load().expect("the step is readable").1 {
        let (got, expected) = (outputs[index].tensor().expect("a tensor"), expected.tensor().expect("a tensor"));
        let comparison = case.tolerance.compare(got, expected).expect("the same shape");
        assert!(comparison.passed(), "{comparison:?}");
    }
}

/// A call that takes the GPU long.
struct Product {
    op: LoadedOp,
    size: u16,
    time: Duration,
    is_software: bool,
}

impl Product {
    fn new(device: &Device) -> Product {
        let is_software = device.adapter().is_some_and(|gpu| gpu.software);
        // Longer than it takes to submit it.
        let columns: u16 = if is_software { 512 } else { 4096 };
        let size = usize::from(columns);
        let ones = HostTensor::from_slice(&vec![1f32; size * size], &[size, size]).expect("a matrix");
        let arguments = [TestArg::Input(ones.clone()), TestArg::Input(ones)];
        let mut op = load_op(device, "aten.mm.default", &arguments, &[DType::F32]).expect("it loads");
        let uploaded = op.inputs.iter().map(|input| device.upload(input.tensor().expect("a matrix")).expect("it fits"));
        op.inputs = uploaded.map(Value::Device).collect();
        op.method.run_on_device(&op.inputs).expect("it runs");
        // The quickest of some, since what else runs makes one slow.
        let time = (0..3).map(|_| {
            let started = Instant::now();
            op.method.submit(&op.inputs, &[]).and_then(Submitted::read).expect("it runs");
            started.elapsed()
        });
        let time = time.min().unwrap_or_default();
        Product { op, size: columns, time, is_software }
    }

    /// Submits calls that keep the GPU busy for a time, and gives the last of them.
    fn submit_for(&mut self, time: Duration) -> Submitted {
        let calls = (time.as_nanos() / self.time.as_nanos().max(1)).clamp(1, 10_000);
        (0..calls).for_each(|_| drop(self.op.method.submit(&self.op.inputs, &[]).expect("it is submitted")));
        self.op.method.submit(&self.op.inputs, &[0]).expect("it is submitted")
    }

    fn check(&self, results: &[HostTensor]) {
        assert!(results[0].as_slice::<f32>().expect("floats").iter().all(|&sum| sum == f32::from(self.size)));
    }
}

/// How often a clock ticks while something is awaited, and the longest time between two ticks.
async fn ticks_during<T>(work: impl Future<Output = T>) -> (T, usize, Duration) {
    let mut clock = tokio::time::interval(Duration::from_millis(1));
    let (mut ticks, mut longest, mut last) = (0, Duration::ZERO, Instant::now());
    let mut work = std::pin::pin!(work);
    loop {
        let done = std::future::poll_fn(|context| {
            if let std::task::Poll::Ready(result) = work.as_mut().poll(context) {
                return std::task::Poll::Ready(Some(result));
            }
            clock.poll_tick(context).map(|_| None)
        });
        let done = done.await;
        longest = longest.max(last.elapsed());
        last = Instant::now();
        match done {
            Some(result) => return (result, ticks, longest),
            None => ticks += 1,
        }
    }
}

/// How long a call must take for it to be told from one that holds up the executor.
const LONG: Duration = Duration::from_millis(300);

#[test]
fn a_clock_ticks_during_a_long_call() {
    let device = gpu();
    let mut product = Product::new(&device);
    executor().block_on(async {
        let submitted = product.submit_for(LONG);
        let started = Instant::now();
        let (results, ticks, longest) = ticks_during(submitted.read_async()).await;
        let took = started.elapsed();
        product.check(&results.expect("it ran"));
        // The wait itself is long, or nothing is shown.
        assert!(took > LONG / 8, "the call took {took:?}");
        assert!(ticks >= 10 && longest < took / 2, "{ticks} ticks in {took:?}, {longest:?} without one");

        if product.is_software {
            let LoadedOp { method, inputs, .. } = &mut product.op;
            let (outputs, ticks, _) = ticks_during(method.run_async(inputs)).await;
            product.check(&[outputs.expect("it runs")[0].tensor().expect("a tensor").clone()]);
            assert!(ticks >= 10, "{ticks} ticks");
        }
    });
}

#[test]
fn a_clock_ticks_during_everything_that_waits() {
    let device = gpu();
    let (mut product, mut loaded) = (Product::new(&device), Loaded::new(EMBEDDING, &device));
    let tensor = device.upload(&HostTensor::from_slice(&[1f32, 2.0], &[2]).expect("two numbers")).expect("it fits");
    // A software adapter takes no work before it has done what came before.
    let enough = if product.is_software { 0 } else { 10 };
    executor().block_on(async {
        let busy = product.submit_for(LONG);
        let Loaded { method, inputs, .. } = &mut loaded;
        let (outputs, ticks, _) = ticks_during(method.run_async(inputs)).await;
        loaded.check(&outputs.expect("it runs"));
        assert!(ticks >= enough, "{ticks} ticks during a call");
        drop(busy);

        let busy = product.submit_for(LONG);
        let (copy, ticks, _) = ticks_during(tensor.to_host_async()).await;
        assert_eq!(copy.expect("it is read").as_slice::<f32>().expect("floats"), [1.0, 2.0]);
        assert!(ticks >= enough, "{ticks} ticks while a tensor is read");
        drop(busy);

        let busy = product.submit_for(LONG);
        let program = Program::open(&loaded.case.program).expect("the program opens").on(&device);
        let (method, ticks, _) = ticks_during(program.method_async(&loaded.case.method)).await;
        loaded.check(&method.expect("it loads").run_async(&loaded.inputs).await.expect("it runs"));
        assert!(ticks >= enough, "{ticks} ticks while a method is loaded");
        drop(busy);
    });
}

#[test]
fn sixty_four_calls_are_awaited_together() {
    let device = gpu();
    let case = Case::read(&fixture(EMBEDDING)).expect("the fixture is readable");
    let program = Program::open(&case.program).expect("the program opens").on(&device);
    let (running, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let (case, running, most) = (&case, &running, &most);
    let mut product = Product::new(&device);
    executor().block_on(async {
        let methods = (0..64).map(|_| program.clone().method(&case.method).expect("the method loads"));
        let methods: Vec<_> = methods.collect();
        let busy = product.submit_for(LONG);
        let calls = methods.into_iter().map(|mut method| async move {
            most.fetch_max(running.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
            let outputs = method.run_async(&inputs(case)).await.expect("it runs");
            running.fetch_sub(1, Ordering::Relaxed);
            check(case, &outputs);
        });
        together(calls).await;
        product.check(&busy.read_async().await.expect("it ran"));
    });
    // A software adapter may have done a call by the time that it is submitted.
    let enough = if product.is_software { 2 } else { 32 };
    assert!(most.load(Ordering::Relaxed) >= enough, "at most {most:?} calls were under way at a time");
}

/// Awaits all of them on this thread; each is polled when it is woken, and not otherwise.
async fn together<F: Future<Output = ()>>(futures: impl Iterator<Item = F>) {
    let mut pending: Vec<_> = futures.map(|future| Box::pin(tokio::task::unconstrained(future))).collect();
    std::future::poll_fn(|context| {
        pending.retain_mut(|future| future.as_mut().poll(context).is_pending());
        if pending.is_empty() { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
}

#[test]
fn tasks_of_many_methods_run_side_by_side() {
    let device = gpu();
    let case = Case::read(&fixture(EMBEDDING)).expect("the fixture is readable");
    let program = Program::open(&case.program).expect("the program opens").on(&device);
    LocalSet::new().block_on(&executor(), async {
        let mut tasks = JoinSet::new();
        for _ in 0..8 {
            let (case, program) = (case.clone(), program.clone());
            // A task that could move to another thread.
            tasks.spawn(async move {
                let mut method = program.method_async(&case.method).await.expect("the method loads");
                let inputs = inputs(&case);
                let submitted = (0..8).map(|_| method.submit(&inputs, &[0]).expect("it is submitted"));
                // The last first: a read waits for no later call, and no order is lost.
                for submitted in submitted.collect::<Vec<_>>().into_iter().rev() {
                    let result = submitted.read_async().await.expect("it ran").remove(0);
                    check(&case, &[result.into()]);
                }
            });
        }
        while let Some(ended) = tasks.join_next().await {
            ended.expect("no task panics");
        }
    });
}

/// Polls a future once and drops it; whether it was still pending is told.
async fn give_up<T>(future: impl Future<Output = T>) -> bool {
    let mut future = std::pin::pin!(future);
    std::future::poll_fn(|context| std::task::Poll::Ready(future.as_mut().poll(context).is_pending())).await
}

#[test]
fn a_call_may_be_given_up_half_way() {
    let device = gpu();
    let mut product = Product::new(&device);
    executor().block_on(async {
        let ahead = product.submit_for(LONG / 2);
        let given_up = product.op.method.submit(&product.op.inputs, &[0]).expect("it is submitted");
        assert!(give_up(given_up.read_async()).await, "the call was done at once");
        assert!(give_up(product.op.method.run_async(&product.op.inputs)).await, "the call was done at once");
        product.check(&ahead.read_async().await.expect("it ran"));
        let submitted = product.op.method.submit_async(&product.op.inputs, &[0]).await.expect("it is submitted");
        product.check(&submitted.read_async().await.expect("it ran"));
    });
}

#[test]
fn a_call_that_was_given_up_leaves_nothing_behind() {
    let device = gpu();
    for name in [EMBEDDING, SEVERAL_DELEGATES] {
        let mut loaded = Loaded::new(name, &device);
        executor().block_on(async {
            for _ in 0..20 {
                give_up(loaded.method.run_async(&loaded.inputs)).await;
                give_up(loaded.method.run_on_device_async(&loaded.inputs)).await;
                let outputs = loaded.method.run_async(&loaded.inputs).await.expect("it runs");
                loaded.check(&outputs);
            }
        });
        let outputs = loaded.method.run(&loaded.inputs).expect("it runs");
        loaded.check(&outputs);
    }
}

#[test]
fn who_waits_for_a_lost_device_is_told() {
    let device = gpu();
    let mut loaded = Loaded::new(EMBEDDING, &device);
    let mut product = Product::new(&device);
    executor().block_on(async {
        let (first, second) = (product.submit_for(LONG / 3), product.submit_for(LONG / 3));
        lose(&device);
        let ended = async {
            // What was submitted before the loss may be read; nothing hangs.
            let _ = first.read_async().await;
            let _ = second.read_async().await;
            loaded.method.run_async(&loaded.inputs).await.expect_err("the device is lost")
        };
        let error = tokio::time::timeout(Duration::from_secs(60), ended).await.expect("it ends");
        assert_eq!(error.kind(), ErrorKind::Device);
        assert!(error.to_string().contains("lost"), "{error}");
    });
}

/// The threads that wait for devices of this process: what each has done so far, by its number.
#[cfg(target_os = "linux")]
fn pollers() -> std::collections::BTreeMap<std::ffi::OsString, String> {
    let threads = std::fs::read_dir("/proc/self/task").expect("Linux tells the threads of a process");
    let poller = |thread: std::io::Result<std::fs::DirEntry>| {
        let thread = thread.ok()?;
        let name = std::fs::read_to_string(thread.path().join("comm")).ok()?;
        let status = std::fs::read_to_string(thread.path().join("status")).ok()?;
        let switches = status.lines().filter(|line| line.contains("ctxt_switches")).collect();
        (name.trim() == "pteron-poll").then_some((thread.file_name(), switches))
    };
    threads.filter_map(poller).collect()
}

/// In a process of its own, where no other test has devices.
#[cfg(target_os = "linux")]
#[test]
fn the_thread_that_waits_starts_on_need_sleeps_and_ends() {
    const ALONE: &str = "PTERON_TEST_ALONE";
    if std::env::var_os(ALONE).is_none() {
        let program = std::env::current_exe().expect("a test is a program");
        let name = "the_thread_that_waits_starts_on_need_sleeps_and_ends";
        let ended = std::process::Command::new(program).args(["--exact", name]).env(ALONE, "1").output();
        let ended = ended.expect("it starts");
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stdout));
        return;
    }
    let mut product = Product::new(&gpu());
    assert!(pollers().is_empty(), "a call that blocks waits by itself");
    executor().block_on(async {
        let results = product.submit_for(LONG / 6).read_async().await.expect("it ran");
        product.check(&results);
    });
    assert_eq!(pollers().len(), 1);
    std::thread::sleep(Duration::from_millis(50));
    let asleep = pollers();
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(pollers(), asleep, "it does something although nobody waits");
    drop(product);
    let started = Instant::now();
    while !pollers().is_empty() {
        assert!(started.elapsed() < Duration::from_secs(20), "it outlives its device");
        std::thread::sleep(Duration::from_millis(5));
    }
}
