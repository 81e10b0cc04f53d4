//! What happened and when: loads, calls with their launches, and tokens; as a trace and as an ETDump.

use std::time::{Duration, Instant};

use pteron_pte::etdump::{EtDump, Event, Run};
use pteron_runtime::{GpuBytes, KernelTime, Method, Value};
use serde_json::{Value as Json, json};

/// A stretch of time on the host, counted from when the recording began.
#[derive(Clone, Debug)]
pub struct Span {
    /// What it is.
    pub name: String,
    /// When it began.
    pub start: Duration,
    /// When it ended.
    pub end: Duration,
}

/// One call of a method.
#[derive(Clone, Debug)]
pub struct Call {
    /// The method, and when it was called.
    pub span: Span,
    /// What ran on the GPU, in order, where it has timestamps.
    pub launches: Vec<KernelTime>,
    /// Submits to the GPU.
    pub submits: u64,
    /// When each was made, where launches are timed.
    pub submitted: Vec<Duration>,
    /// How often the host waited for a result in the middle of the call.
    pub round_trips: u64,
    /// The memory that the method held on the GPU.
    pub memory: GpuBytes,
}

impl Call {
    /// Time on the GPU, from the first launch to the end of the last.
    fn gpu_time(&self) -> Duration {
        self.launches.iter().map(|launch| launch.start + launch.time).max().unwrap_or_default()
    }

    /// When the first launch began. The clocks of host and GPU have no common origin, so launches are put into the middle of
    /// their call.
    fn gpu_start(&self) -> Duration {
        self.span.start + (self.span.end - self.span.start).saturating_sub(self.gpu_time()) / 2
    }
}

/// What happened since it was made.
#[derive(Debug)]
pub struct Recording {
    origin: Instant,
    /// Loads of methods.
    pub loads: Vec<Span>,
    /// Calls of methods.
    pub calls: Vec<Call>,
    /// Prompts and tokens of language models.
    pub tokens: Vec<Span>,
}

impl Default for Recording {
    fn default() -> Recording {
        Recording { origin: Instant::now(), loads: Vec::new(), calls: Vec::new(), tokens: Vec::new() }
    }
}

impl Recording {
    /// The time since it was made.
    pub fn now(&self) -> Duration {
        self.origin.elapsed()
    }

    /// Loads a method.
    pub fn load<T, E>(&mut self, name: &str, load: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let start = self.now();
        let loaded = load()?;
        self.loads.push(Span { name: name.to_owned(), start, end: self.now() });
        Ok(loaded)
    }

    /// Calls a method.
    pub fn call(&mut self, method: &mut Method, inputs: &[Value]) -> pteron_runtime::Result<Vec<Value>> {
        let start = self.now();
        let (outputs, launches) = method.run_timed(inputs)?;
        let span = Span { name: method.name().to_owned(), start, end: self.now() };
        let (submits, round_trips, memory) = (method.submits(), method.host_round_trips(), method.gpu_bytes());
        let submitted = method.submit_times().iter().map(|at| at.saturating_duration_since(self.origin)).collect();
        self.calls.push(Call { span, launches, submits, submitted, round_trips, memory });
        Ok(outputs)
    }

    /// A file that ExecuTorch's Inspector reads, with events named as its Vulkan delegate names them.
    pub fn etdump(&self) -> Vec<u8> {
        let load = |span: &Span| Run { name: "Default".to_owned(), events: vec![named("Program::load_method", span)] };
        let runs = self.loads.iter().map(load).chain(self.calls.iter().map(call_run)).collect();
        EtDump { runs }.to_bytes()
    }

    /// A trace that Perfetto and Chrome open: what the host did, what the GPU did, and the memory on it.
    pub fn trace(&self) -> Json {
        let track = |id: u32, name: &str| json!({"ph": "M", "name": "thread_name", "pid": 1, "tid": id, "args": {"name": name}});
        let mut events = vec![
            json!({"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "pteron"}}),
            track(HOST, "host"),
            track(GPU, "GPU"),
            track(TOKENS, "tokens"),
        ];
        for load in &self.loads {
            events.push(span_event(HOST, &format!("load {}", load.name), load.start, load.end - load.start, json!({})));
        }
        for call in &self.calls {
            let Span { name, start, end } = &call.span;
            let counts =
                json!({"submits": call.submits, "waits in between": call.round_trips, "launches": call.launches.len()});
            events.push(span_event(HOST, name, *start, *end - *start, counts));
            for at in &call.submitted {
                events.push(json!({"ph": "i", "s": "t", "name": "submit", "pid": 1, "tid": HOST, "ts": micros(*at)}));
            }
            let GpuBytes { constants, state, scratch, .. } = call.memory;
            let held = json!({"constants": constants, "state": state, "scratch": scratch});
            events.push(json!({"ph": "C", "name": "GPU memory", "pid": 1, "ts": micros(*end), "args": held}));
            for launch in &call.launches {
                let about = json!({
                    "operator": launch.op, "node": launch.node, "workgroups": launch.grid, "bytes": launch.traffic,
                });
                events.push(span_event(GPU, &launch.kernel, call.gpu_start() + launch.start, launch.time, about));
            }
        }
        for token in &self.tokens {
            events.push(span_event(TOKENS, &token.name, token.start, token.end - token.start, json!({})));
        }
        json!({"displayTimeUnit": "ns", "traceEvents": events})
    }
}

/// The tracks of a trace.
const HOST: u32 = 1;
const GPU: u32 = 2;
const TOKENS: u32 = 3;

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn span_event(track: u32, name: &str, start: Duration, length: Duration, about: Json) -> Json {
    json!({"ph": "X", "name": name, "pid": 1, "tid": track, "ts": micros(start), "dur": micros(length), "args": about})
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// An event of the runtime itself.
fn named(name: &str, span: &Span) -> Event {
    let (start, end) = (nanoseconds(span.start), nanoseconds(span.end));
    Event { name: Some(name.to_owned()), start, end, ..Event::default() }
}

/// An event of the delegate that is the program's first instruction.
fn delegated(id: String, start: Duration, end: Duration) -> Event {
    let (start, end) = (nanoseconds(start), nanoseconds(end));
    Event { delegate_id: Some(id), instruction: Some(0), start, end, ..Event::default() }
}

fn call_run(call: &Call) -> Run {
    let mut events = Vec::with_capacity(call.launches.len() + 4);
    let (start, end) = (call.gpu_start(), call.gpu_start() + call.gpu_time());
    for (number, launch) in call.launches.iter().enumerate() {
        let begins = start + launch.start;
        let id = format!("{{{}, \"dispatch_id\": {number}}}", launch.kernel);
        let grid = launch.grid.map(|count| count.to_string()).join(" x ");
        let about = format!("{}, node {}, {grid} workgroups, {} bytes", launch.op, launch.node, launch.traffic);
        events.push(Event { metadata: about.into_bytes(), ..delegated(id, begins, begins + launch.time) });
    }
    if !call.launches.is_empty() {
        events.push(delegated("ETVK_COMPUTE_GRAPH_EXECUTE".to_owned(), start, end));
        events.push(delegated("ETVK_COPY_OUTPUTS".to_owned(), end, call.span.end));
        events.push(Event { instruction: Some(0), ..named("DELEGATE_CALL", &call.span) });
    }
    events.push(named("Method::execute", &call.span));
    Run { name: "Execute".to_owned(), events }
}
