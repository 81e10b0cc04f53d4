//! What only a GPU's timestamps tell: the time of each kernel, and of many calls in one submit.

use std::time::Duration;

use anyhow::Result;
use pteron_runtime::{Device, ErrorKind, KernelTime, Method, RepeatedRun, Value};

use crate::args::BenchArgs;
use crate::inputs::Inputs;

/// Inputs and outputs that take turns fill at least this, so that no cache holds them.
const ROTATED_BYTES: u64 = 256 << 20;
/// The most sets of inputs and outputs.
const MAX_SETS: u64 = 256;
/// Calls in one submit, unless said.
const REPEAT: u32 = 200;
/// The same on a software adapter, where nothing is fast.
const SOFTWARE_REPEAT: u32 = 10;
/// Profiles of which the median is taken.
const PROFILES: usize = 9;
const SOFTWARE_PROFILES: usize = 3;

/// What was measured on the GPU.
#[derive(Debug, Default)]
pub(crate) struct GpuTimings {
    pub(crate) launches: Vec<KernelTime>,
    pub(crate) repeated: Option<RepeatedRun>,
    /// Inputs of each set of the repeated run.
    sets: Vec<Vec<Value>>,
    /// Bytes read and written per second by plain copies.
    pub(crate) bandwidth: Option<f64>,
    /// What was not measured, and why.
    pub(crate) notes: Vec<String>,
}

impl GpuTimings {
    /// Some sets of the repeated run, spread evenly: inputs, and the outputs that they gave.
    pub(crate) fn sets_to_check(&self, count: usize) -> Vec<(Vec<Value>, Vec<Option<Value>>)> {
        let Some(run) = &self.repeated else { return Vec::new() };
        let step = self.sets.len().div_ceil(count.max(1)).max(1);
        let last = self.sets.len().saturating_sub(1);
        let chosen = self.sets.iter().zip(&run.outputs).enumerate();
        let chosen = chosen.filter(|(index, _)| index % step == 0 || *index == last);
        chosen
            .map(|(_, (inputs, outputs))| {
                let outputs = outputs.iter().map(|output| output.as_ref().map(Value::from)).collect();
                (inputs.clone(), outputs)
            })
            .collect()
    }
}

/// Measures what the device can measure.
pub(crate) fn time(
    method: &mut Method,
    device: &Device,
    inputs: &Inputs,
    first: &[Value],
    outputs: &[Value],
    arguments: &BenchArgs,
) -> Result<GpuTimings> {
    let mut timed = GpuTimings::default();
    let Some(adapter) = device.adapter() else {
        timed.notes.push("the reference engine has no kernels to time".to_owned());
        return Ok(timed);
    };
    if !adapter.features.contains(&"timestamps") {
        timed.notes.push(format!("{} has no timestamps, so kernels are not timed", adapter.name));
        return Ok(timed);
    }
    let profiles = if adapter.software { SOFTWARE_PROFILES } else { PROFILES };
    timed.launches = profile(method, first, profiles)?;
    timed.bandwidth = Some(device.measure_bandwidth()?);
    let repeat = arguments.repeat.unwrap_or(if adapter.software { SOFTWARE_REPEAT } else { REPEAT });
    if repeat > 0 {
        let fitting = set_count(boundary_bytes(first) + boundary_bytes(outputs), repeat, adapter.software);
        let sets = arguments.sets.map_or(fitting, |sets| sets.min(u64::from(repeat)));
        timed.sets = (0..sets).map(|set| inputs.set(arguments.inputs.seed.wrapping_add(set))).collect::<Result<_>>()?;
        let run = match method.repeat(&timed.sets, repeat) {
            Ok(run) => run,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                timed.notes.push(format!("calls are not repeated in one submit: {error}"));
                return Ok(timed);
            }
            Err(error) => return Err(error.into()),
        };
        if !adapter.software && run.rotated_bytes < ROTATED_BYTES {
            timed.notes.push("inputs and outputs are so small that a cache can hold every set".to_owned());
        }
        if !inputs.any_made_up() {
            timed.notes.push("every set has the inputs that were given".to_owned());
        }
        timed.repeated = Some(run);
    }
    Ok(timed)
}

/// The median time of each launch.
fn profile(method: &mut Method, inputs: &[Value], profiles: usize) -> pteron_runtime::Result<Vec<KernelTime>> {
    // State that grows with every call would not stay within the range of its type.
    let stateful = method.memory().state > 0;
    let mut profile = || {
        if stateful {
            method.reset()?;
        }
        method.profile(inputs)
    };
    let mut launches = profile()?;
    let mut times: Vec<Vec<Duration>> = launches.iter().map(|launch| vec![launch.time]).collect();
    for _ in 1..profiles {
        for (times, launch) in times.iter_mut().zip(profile()?) {
            times.push(launch.time);
        }
    }
    for (launch, mut times) in launches.iter_mut().zip(times) {
        times.sort_unstable();
        launch.time = times.get(times.len() / 2).copied().unwrap_or_default();
    }
    Ok(launches)
}

/// How many sets of inputs and outputs take turns.
fn set_count(set_bytes: u64, repeat: u32, software: bool) -> u64 {
    let most = u64::from(repeat).min(MAX_SETS);
    if software { 2.min(most) } else { ROTATED_BYTES.div_ceil(set_bytes.max(1)).max(2).min(most) }
}

fn boundary_bytes(values: &[Value]) -> u64 {
    values.iter().filter_map(Value::tensor).map(|tensor| tensor.bytes().len() as u64).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_fill_more_than_a_cache() {
        let set = 4096 * 2048 * 4;
        assert_eq!(set_count(set, 200, false), 8);
        assert_eq!(set_count(1, 200, false), 200);
        assert_eq!(set_count(u64::MAX, 200, false), 2);
        assert_eq!(set_count(set, 1, false), 1);
        assert_eq!(set_count(1, 200, true), 2);
    }
}
