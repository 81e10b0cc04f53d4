//! Timing of methods on a GPU.

use std::sync::Arc;

use pteron_tensor::HostTensor;

use super::delegates::PendingCommands;
use super::interpret::declared_type;
use super::results::Call;
use super::{Delegate, Method};
use crate::device::Kind;
use crate::engine::wgpu::{self as gpu, KernelTime, RepeatedRun};
use crate::error::{Error, Result};
use crate::graph::{Graph, Step};
use crate::types;
use crate::value::Value;

impl Method {
    /// Runs the method once with timestamps around each launch, after a call that plans and compiles, and waits for it.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn profile(&mut self, inputs: &[Value]) -> Result<Vec<KernelTime>> {
        crate::block_on(self.profile_async(inputs))
    }

    /// Runs the method once with timestamps around each launch, after a call that plans and compiles.
    pub async fn profile_async(&mut self, inputs: &[Value]) -> Result<Vec<KernelTime>> {
        let device = self.device.clone();
        device.scoped(self.time_launches(inputs)).await
    }

    async fn time_launches(&mut self, inputs: &[Value]) -> Result<Vec<KernelTime>> {
        self.call(inputs, false).await?;
        let launches = usize::try_from(self.dispatches()).unwrap_or(usize::MAX);
        Ok(self.call_timed(inputs, launches).await?.1)
    }

    /// Runs the method like [`Method::run`], with timestamps around each launch, and waits for it.
    ///
    /// Launches that there is no room for, of which there are thousands before, are left out, as are all on a device
    /// without timestamps and on the reference engine.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn run_timed(&mut self, inputs: &[Value]) -> Result<(Vec<Value>, Vec<KernelTime>)> {
        crate::block_on(self.run_timed_async(inputs))
    }

    /// Like [`Method::run_timed`], and awaits it.
    pub async fn run_timed_async(&mut self, inputs: &[Value]) -> Result<(Vec<Value>, Vec<KernelTime>)> {
        if !matches!(&self.device.0, Kind::Gpu(gpu) if gpu.timestamps) {
            return Ok((self.call(inputs, false).await?, Vec::new()));
        }
        let device = self.device.clone();
        device.scoped(self.call_timed(inputs, usize::MAX)).await
    }

    /// When each submit of the last call of [`Method::run_timed`] was made.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn submit_times(&self) -> &[std::time::Instant] {
        &self.submit_times
    }

    async fn call_timed(&mut self, inputs: &[Value], launches: usize) -> Result<(Vec<Value>, Vec<KernelTime>)> {
        let Kind::Gpu(gpu) = &self.device.0 else {
            return Err(Error::Device("the reference engine has no timestamps".to_owned()));
        };
        let stopwatch = gpu::Stopwatch::new(gpu, launches)?;
        #[cfg(not(target_arch = "wasm32"))]
        self.submit_times.clear();
        let mut call = Call::begin(self, inputs)?;
        let result = call.method.execute_timed(stopwatch).await;
        call.end(result)
    }

    /// Runs the call that has begun, and waits for it.
    async fn execute_timed(&mut self, stopwatch: gpu::Stopwatch) -> Result<(Vec<Value>, Vec<KernelTime>)> {
        let mut commands = PendingCommands::new(&self.device, None, &self.limits);
        if let Some(recorder) = &mut commands.recorder {
            recorder.stopwatch = Some(stopwatch);
        }
        self.execute_into(&mut commands).await?;
        let outputs = self.finish(&mut commands, false).await?;
        let mut launches = std::mem::take(&mut commands.timed);
        if let Some(recorder) = &mut commands.recorder
            && let Some(stopwatch) = recorder.stopwatch.take()
        {
            #[cfg(not(target_arch = "wasm32"))]
            self.submit_times.append(&mut recorder.submit_times);
            let times = stopwatch.read(recorder).await?;
            // What a stopwatch has no room for is not timed.
            launches.truncate(times.len());
            launches.iter_mut().zip(times).for_each(|(launch, (start, time))| {
                launch.start = start;
                launch.time = time;
            });
        }
        Ok((outputs, launches))
    }

    /// Runs the method many times in one submit, with sets of inputs and outputs taking turns, times it on the GPU, and
    /// waits for it.
    ///
    /// For methods that are one call of one delegate.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn repeat(&mut self, sets: &[Vec<Value>], iterations: u32) -> Result<RepeatedRun> {
        crate::block_on(self.repeat_async(sets, iterations))
    }

    /// Like [`Method::repeat`], and awaits it.
    pub async fn repeat_async(&mut self, sets: &[Vec<Value>], iterations: u32) -> Result<RepeatedRun> {
        let device = self.device.clone();
        device.scoped(self.time_repeated(sets, iterations)).await
    }

    async fn time_repeated(&mut self, sets: &[Vec<Value>], iterations: u32) -> Result<RepeatedRun> {
        let Some(first) = sets.first() else { return Err(Error::NotFound("there are no inputs to repeat".to_owned())) };
        self.call(first, false).await?;
        let mut host_sets = Vec::with_capacity(sets.len());
        for set in sets {
            host_sets.push(self.only_delegate(set)?.4);
        }
        let (index, delegates, graph, gpu, _) = self.only_delegate(first)?;
        let Delegate::Gpu(delegate) = &mut delegates[index] else { unreachable!("only_delegate checked") };
        let mut run = gpu::repeat(&gpu, graph, delegate, &host_sets, iterations).await?;
        for outputs in &mut run.outputs {
            *outputs = self.outputs_of_delegate(std::mem::take(outputs))?;
        }
        Ok(run)
    }

    /// The outputs of the only delegate, in the order and types of the method's.
    fn outputs_of_delegate(&self, computed: Vec<Option<HostTensor>>) -> Result<Vec<Option<HostTensor>>> {
        let [Step::Delegate { outputs: ids, .. }] = &self.graph.steps[..] else { return Ok(computed) };
        let output = |id: &u32| {
            let Some(Some(tensor)) = ids.iter().position(|other| other == id).and_then(|at| computed.get(at)) else {
                return Ok(None);
            };
            types::to_program(tensor.clone(), declared_type(&self.graph.values[*id as usize])).map(Some)
        };
        self.graph.outputs.iter().map(output).collect()
    }

    /// The delegate of a method that is nothing but one delegate call, with its inputs.
    #[expect(clippy::type_complexity, reason = "parts of self, borrowed separately")]
    fn only_delegate(
        &mut self,
        inputs: &[Value],
    ) -> Result<(usize, &mut Vec<Delegate>, &Graph, Arc<gpu::Gpu>, Vec<HostTensor>)> {
        let Kind::Gpu(gpu) = &self.device.0 else {
            return Err(Error::Device("the reference engine has no timestamps".to_owned()));
        };
        let [Step::Delegate { index, inputs: ids, .. }] = &self.graph.steps[..] else {
            return Err(Error::NotFound("only a method that is one delegate call can be timed this way".to_owned()));
        };
        let host = |&id: &u32| {
            let position = self.graph.inputs.iter().position(|&input| input == id);
            match position.and_then(|position| inputs.get(position)) {
                Some(Value::Tensor(tensor)) => Ok(tensor.clone()),
                _ => Err(Error::NotFound("only host tensors can be timed this way".to_owned())),
            }
        };
        let inputs = ids.iter().map(host).collect::<Result<_>>()?;
        Ok((*index, &mut self.delegates, &self.graph.delegates[*index], gpu.clone(), inputs))
    }
}
