//! A loaded method: its delegates on a device, its values, and the state that persists between its calls.

mod condition;
mod delegates;
mod interpret;
mod load;
mod portable;
mod results;
mod series;
mod spec;
mod state;
mod timing;

use std::sync::Arc;

use pteron_ops::kernel::Kernel;
use pteron_tensor::HostTensor;

pub use self::condition::Condition;
use self::condition::Validity;
pub use self::results::Submitted;
use self::series::OpenSeries;
pub use self::spec::{MethodSignature, Spec};
pub use self::state::State;
use crate::append::AppendedPorts;
use crate::data::DataFiles;
use crate::device::Device;
use crate::engine::reference::ReferenceDelegate;
use crate::engine::wgpu::{DeviceTensor, GpuDelegate, Storage};
use crate::error::Result;
use crate::estimate::{GpuBytes, MemoryEstimate};
use crate::graph::{Graph, MethodGraph, Placement, Step};
use crate::limits::Limits;
use crate::options::MethodOptions;
use crate::value::Value;

/// A method on a device, with the state that persists between its calls.
///
/// ```no_run
/// use pteron_runtime::{HostTensor, Program};
///
/// let mut forward = Program::open("model.pte")?.method("forward")?;
/// let ids = HostTensor::from_slice(&[1i64, 2, 3], &[3])?;
/// let outputs = forward.run(&[ids.into()])?;
/// println!("{:?}", outputs[0]);
/// # Ok::<(), pteron_runtime::Error>(())
/// ```
#[derive(Debug)]
pub struct Method {
    device: Device,
    graph: Arc<MethodGraph>,
    delegates: Vec<Delegate>,
    values: Vec<Slot>,
    /// Constants and first values of mutable tensors, by value id.
    initial: Vec<Option<HostTensor>>,
    /// The files in whose memory tensors may lie.
    files: DataFiles,
    counts: CallCounts,
    /// When the last call that was timed submitted its commands.
    #[cfg(not(target_arch = "wasm32"))]
    submit_times: Vec<std::time::Instant>,
    constant_bytes: u64,
    /// At the largest shapes.
    memory: MemoryEstimate,
    index_limits: Vec<Option<u64>>,
    /// Whether a call may submit work before it comes to its end, and fail after that.
    submits_early: bool,
    /// Calls that are recorded to be submitted together.
    series: Option<OpenSeries>,
    /// Where series keep small results.
    kept_results: Option<Storage>,
    /// The seed of what is drawn at random next.
    seed: u64,
    limits: Limits,
    /// How it was loaded.
    options: MethodOptions,
    has_state: bool,
    /// Whether the current state is what the calls before have left.
    validity: Validity,
    /// What its states know it by.
    identity: Arc<()>,
}

/// What a call cost.
#[derive(Clone, Copy, Debug, Default)]
struct CallCounts {
    dispatches: u64,
    submits: u64,
    host_round_trips: u64,
    recorded_ahead: bool,
}

#[derive(Debug)]
enum Delegate {
    Reference(ReferenceDelegate),
    Gpu(Box<GpuDelegate>),
}

/// What a value of the program holds now.
#[derive(Clone, Debug)]
enum Slot {
    Empty,
    Value(Value),
    /// A delegate's output on the GPU, in memory that its next call overwrites.
    Borrowed {
        tensor: DeviceTensor,
        delegate: usize,
    },
}

impl Method {
    /// The method's name.
    pub fn name(&self) -> &str {
        &self.graph.name
    }

    /// The device that it runs on.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// What it takes.
    pub fn inputs(&self) -> Vec<Spec> {
        self.graph.inputs()
    }

    /// What it gives.
    pub fn outputs(&self) -> Vec<Spec> {
        self.graph.outputs()
    }

    /// Where each operator outside the program's delegates runs, in the order of the program.
    pub fn placements(&self) -> &[Placement] {
        &self.graph.placements
    }

    /// Where the ports of the operators are that were appended, in the order of
    /// [`MethodOptions::append`](crate::MethodOptions::append).
    pub fn appended(&self) -> &[AppendedPorts] {
        &self.graph.appended
    }

    /// For each input, one more than the largest value that is sure to be valid, where the input holds indices.
    ///
    /// An input whose elements decide sizes or positions is only sure to take 0.
    pub fn index_limits(&self) -> Vec<Option<u64>> {
        self.index_limits.clone()
    }

    /// For each input that is no tensor, what the program was exported with. Unless it was told that the input varies, the
    /// method takes nothing else.
    pub fn exported_values(&self) -> Vec<Option<Value>> {
        self.graph.inputs.iter().map(|&id| Value::of_program(&self.graph.values[id as usize])).collect()
    }

    /// The memory that the method takes at its largest shapes.
    pub fn memory(&self) -> MemoryEstimate {
        self.memory
    }

    /// How much of the machine it may take.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// What a user should know about how it runs on this device.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.graph.delegates.iter().any(|delegate| delegate.widened) {
            notes.push(format!(
                "{} has no 16-bit floats in shaders, so those of this program are widened to 32 bits",
                self.device.name()
            ));
        }
        notes
    }

    /// GPU launches of the last call.
    pub fn dispatches(&self) -> u64 {
        self.counts.dispatches
    }

    /// Submits to the GPU of the last call.
    pub fn submits(&self) -> u64 {
        self.counts.submits
    }

    /// How often the host waited for a result of the GPU in the middle of the last call, because an operator outside
    /// delegates or a branch needed it. Reading the outputs at its end does not count.
    pub fn host_round_trips(&self) -> u64 {
        self.counts.host_round_trips
    }

    /// Whether launches of the last call were recorded while the GPU worked on the call before it. They are from the third of
    /// several calls with inputs of the same sizes on, where each is awaited before the next begins.
    pub fn recorded_ahead(&self) -> bool {
        self.counts.recorded_ahead
    }

    /// Whether a call may change what the next one sees: a key-value cache, a counter, or other memory that persists.
    pub fn has_state(&self) -> bool {
        let persists = |id: &u32| self.initial.get(*id as usize).is_some_and(Option::is_some);
        let writes = |step: &Step| match step {
            Step::Kernel { op, args, outputs } => {
                op.writes.iter().filter_map(|&argument| args.get(argument)).chain(outputs).any(persists)
            }
            Step::Delegate { outputs, .. } => outputs.iter().any(persists),
            Step::Move { to, .. } | Step::View { to, .. } => persists(to),
            Step::JumpFalse { .. } | Step::Free { .. } => false,
        };
        self.graph.delegates.iter().any(Graph::has_state) || self.graph.steps.iter().any(writes)
    }

    /// The same method, which knows the options that it was loaded with.
    pub(crate) fn loaded_with(self, options: &MethodOptions) -> Method {
        Method { seed: options.seed, options: options.clone(), ..self }
    }

    /// The memory that it holds on the GPU, with the current state.
    pub fn gpu_bytes(&self) -> GpuBytes {
        let mut bytes = GpuBytes { constants: self.constant_bytes, ..GpuBytes::default() };
        for delegate in &self.delegates {
            if let Delegate::Gpu(delegate) = delegate {
                bytes.state += delegate.state_bytes();
                bytes.scratch += delegate.scratch_bytes();
            }
        }
        bytes
    }

    /// The kernels that the last call launched, and the numbers of their variants.
    pub(crate) fn launched(&self) -> Vec<(&'static Kernel, usize)> {
        let mut launched = Vec::new();
        for delegate in &self.delegates {
            if let Delegate::Gpu(delegate) = delegate
                && let Ok(dispatches) = delegate.last_dispatches()
            {
                launched.extend(dispatches.iter().map(|planned| (planned.dispatch.kernel, planned.dispatch.variant)));
            }
        }
        launched
    }

    /// Runs the method and waits for its outputs.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn run(&mut self, inputs: &[Value]) -> Result<Vec<Value>> {
        crate::block_on(self.run_async(inputs))
    }

    /// Runs the method; the outputs are on the host.
    ///
    /// While the GPU works, no thread of the caller's is held up. The reference engine, and operators outside delegates,
    /// compute on the thread that polls. Dropping the future gives up the results: what is submitted runs, and the state
    /// from it on is not valid.
    pub async fn run_async(&mut self, inputs: &[Value]) -> Result<Vec<Value>> {
        self.call(inputs, false).await
    }

    /// Runs the method and leaves tensor outputs on the GPU.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn run_on_device(&mut self, inputs: &[Value]) -> Result<Vec<Value>> {
        crate::block_on(self.run_on_device_async(inputs))
    }

    /// Like [`Method::run_async`], and leaves tensor outputs on the GPU. The reference engine gives host tensors.
    pub async fn run_on_device_async(&mut self, inputs: &[Value]) -> Result<Vec<Value>> {
        self.call(inputs, true).await
    }

    /// Submits a call and does not wait for the GPU, so that several may be in flight. `wanted` are the outputs to read.
    ///
    /// ```no_run
    /// # use pteron_runtime::{HostTensor, Program};
    /// # let mut forward = Program::open("model.pte")?.method("forward")?;
    /// # let [one, two] = [HostTensor::scalar(1i64), HostTensor::scalar(2i64)];
    /// let first = forward.submit(&[one.into()], &[0])?;
    /// // The output of the first call goes into the second without coming to the host.
    /// let second = forward.submit(&[first.outputs()[0].clone()], &[0])?;
    /// let (first, second) = (first.read()?, second.read()?);
    /// # Ok::<(), pteron_runtime::Error>(())
    /// ```
    #[cfg(not(target_arch = "wasm32"))]
    pub fn submit(&mut self, inputs: &[Value], wanted: &[usize]) -> Result<Submitted> {
        crate::block_on(self.submit_async(inputs, wanted))
    }

    /// Like [`Method::submit`]. It waits only for results that operators outside delegates need, and the reference
    /// engine runs the whole call.
    pub async fn submit_async(&mut self, inputs: &[Value], wanted: &[usize]) -> Result<Submitted> {
        self.call_without_waiting(inputs, wanted).await
    }

    /// Submits several calls at once, so that the GPU does not wait between them. `inputs` gives those of each call by the
    /// call's number and the outputs of the one before, of which the first has none.
    ///
    /// All results come when the last call has ended. Where a call is refused, those before it are made, and their results
    /// are given up. Methods in which something comes between the calls submit each for itself.
    ///
    /// ```no_run
    /// # use pteron_runtime::{HostTensor, Program};
    /// # let mut forward = Program::open("model.pte")?.method("forward")?;
    /// # let one = HostTensor::scalar(1i64);
    /// // The output of each call goes into the next.
    /// let calls = forward.submit_series(4, &[0], |number, before| match number {
    ///     0 => vec![one.clone().into()],
    ///     _ => before[..1].to_vec(),
    /// })?;
    /// for call in calls {
    ///     println!("{:?}", call.read()?);
    /// }
    /// # Ok::<(), pteron_runtime::Error>(())
    /// ```
    #[cfg(not(target_arch = "wasm32"))]
    pub fn submit_series(
        &mut self,
        calls: usize,
        wanted: &[usize],
        inputs: impl FnMut(usize, &[Value]) -> Vec<Value>,
    ) -> Result<Vec<Submitted>> {
        crate::block_on(self.submit_series_async(calls, wanted, inputs))
    }

    /// Like [`Method::submit_series`]. It waits for what [`Method::submit_async`] waits for.
    pub async fn submit_series_async(
        &mut self,
        calls: usize,
        wanted: &[usize],
        inputs: impl FnMut(usize, &[Value]) -> Vec<Value>,
    ) -> Result<Vec<Submitted>> {
        self.call_in_series(calls, wanted, inputs).await
    }
}
