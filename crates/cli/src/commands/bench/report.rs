//! What `pteron bench` tells.

use std::time::Duration;

use anyhow::Result;
use pteron_runtime::{Device, KernelTime, Method, RepeatedRun};
use serde::Serialize;

use super::gpu::GpuTimings;
use crate::args::BenchArgs;
use crate::check::Errors;
use crate::output::{Output, Table, bytes, count, duration, launches, microseconds};

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    file: String,
    method: String,
    device: String,
    software: bool,
    seed: u64,
    load_us: f64,
    load_host_growth_bytes: Option<u64>,
    constant_bytes: u64,
    working_bytes: u64,
    call: CallReport,
    bandwidth_gb_per_s: Option<f64>,
    /// Time by kernel, the longest first; from timestamps around each launch.
    kernels: Vec<KernelReport>,
    launches: Vec<LaunchReport>,
    repeated: Option<RepeatedReport>,
    notes: Vec<String>,
    check: CheckReport,
}

/// What loading took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load {
    pub(crate) time: Duration,
    /// Bytes by which the process had grown at most, mapped files aside, where the system tells.
    pub(crate) host_growth: Option<u64>,
}

/// Whole calls: inputs on the host, outputs read back.
#[derive(Debug, Serialize)]
pub(crate) struct CallReport {
    iterations: usize,
    median_us: f64,
    p95_us: f64,
    min_us: f64,
    max_us: f64,
    dispatches: u64,
    submits: u64,
    /// Waits for results of the GPU in the middle of a call.
    host_round_trips: u64,
    /// Calls whose launches were recorded while the call before them ran.
    pub(crate) recorded_ahead: usize,
}

/// All launches of one kernel in one call.
#[derive(Debug, Serialize)]
struct KernelReport {
    op: String,
    kernel: String,
    launches: usize,
    time_us: f64,
    traffic_bytes: u64,
    gb_per_s: Option<f64>,
    bandwidth_share: Option<f64>,
}

#[derive(Debug, Serialize)]
struct LaunchReport {
    node: u32,
    op: String,
    kernel: String,
    grid: [u32; 3],
    time_us: f64,
    traffic_bytes: u64,
}

/// Many calls in one submit.
#[derive(Debug, Serialize)]
struct RepeatedReport {
    iterations: u32,
    sets: usize,
    rotated_bytes: u64,
    dispatches: usize,
    time_us: f64,
    traffic_bytes: u64,
    gb_per_s: Option<f64>,
    bandwidth_share: Option<f64>,
}

/// Whether the outputs were right.
#[derive(Debug, Serialize)]
pub(crate) struct CheckReport {
    status: &'static str,
    /// Calls that were compared: the whole call, and some of the repeated ones.
    calls: usize,
    max_abs: Option<f64>,
    max_rel: Option<f64>,
    message: String,
}

impl CallReport {
    /// Statistics of these times, if there are any.
    pub(crate) fn new(mut times: Vec<Duration>) -> Option<CallReport> {
        times.sort_unstable();
        let (first, last) = (*times.first()?, *times.last()?);
        let at = |share: usize| times.get((times.len() * share).div_ceil(100).saturating_sub(1)).copied();
        Some(CallReport {
            iterations: times.len(),
            median_us: microseconds(at(50)?),
            p95_us: microseconds(at(95)?),
            min_us: microseconds(first),
            max_us: microseconds(last),
            dispatches: 0,
            submits: 0,
            host_round_trips: 0,
            recorded_ahead: 0,
        })
    }
}

impl CheckReport {
    pub(crate) fn skipped(reason: String) -> CheckReport {
        CheckReport { status: "skipped", calls: 0, max_abs: None, max_rel: None, message: reason }
    }

    pub(crate) fn of(calls: usize, errors: Errors) -> CheckReport {
        CheckReport {
            status: if errors.wrong.is_none() { "passed" } else { "failed" },
            calls,
            max_abs: Some(errors.max_abs),
            max_rel: Some(errors.max_rel),
            message: errors.wrong.unwrap_or_default(),
        }
    }

    pub(crate) fn failed(&self) -> bool {
        self.status == "failed"
    }

    fn line(&self) -> String {
        match (self.status, self.max_abs, self.max_rel) {
            ("skipped", ..) => format!("NOT checked: {}", self.message),
            (status, Some(abs), Some(rel)) => {
                let verdict = if status == "passed" { String::new() } else { format!("; WRONG: {}", self.message) };
                let calls = count(self.calls, "call");
                format!(
                    "checked against the reference engine: max abs error {abs:.3e}, max rel {rel:.3e}, {calls}{verdict}"
                )
            }
            _ => self.message.clone(),
        }
    }
}

/// Bytes per second, where the time was long enough to see.
fn rate(traffic: u64, time: Duration) -> Option<f64> {
    (!time.is_zero()).then(|| traffic as f64 / time.as_secs_f64())
}

impl Report {
    pub(crate) fn new(
        arguments: &BenchArgs,
        method: &Method,
        device: &Device,
        load: Load,
        call: CallReport,
        timed: GpuTimings,
        check: CheckReport,
    ) -> Report {
        let held = method.gpu_bytes();
        let (constant_bytes, working_bytes) = (held.constants, held.state + held.scratch);
        Report {
            file: arguments.program.file.display().to_string(),
            method: method.name().to_owned(),
            device: device.name().to_owned(),
            software: device.adapter().is_none_or(|adapter| adapter.software),
            seed: arguments.inputs.seed,
            load_us: microseconds(load.time),
            load_host_growth_bytes: load.host_growth,
            constant_bytes,
            working_bytes,
            call: CallReport {
                dispatches: method.dispatches(),
                submits: method.submits(),
                host_round_trips: method.host_round_trips(),
                ..call
            },
            bandwidth_gb_per_s: timed.bandwidth.map(|bandwidth| bandwidth / 1e9),
            kernels: by_kernel(&timed.launches, timed.bandwidth),
            launches: timed.launches.iter().map(LaunchReport::new).collect(),
            repeated: timed.repeated.as_ref().map(|run| RepeatedReport::new(run, timed.bandwidth)),
            notes: timed.notes,
            check,
        }
    }

    /// Writes the report for people.
    pub(crate) fn show(&self, output: &mut Output) -> Result<()> {
        let time = |us: f64| duration(Duration::from_secs_f64(us / 1e6));
        output.line(format_args!("{} of {} on {}", self.method, self.file, self.device))?;
        if self.software {
            output.line("  computed in software: these times say nothing about a GPU")?;
        }
        output.line(format_args!(
            "  load {}, {} of constants and {} of working memory on the GPU",
            time(self.load_us),
            bytes(self.constant_bytes),
            bytes(self.working_bytes)
        ))?;
        if let Some(growth) = self.load_host_growth_bytes {
            output.line(format_args!("  loading took at most {} of host memory, mapped files aside", bytes(growth)))?;
        }
        let call = &self.call;
        output.line(format_args!(
            "  whole call: median {}, p95 {}, min {} over {} with {}",
            time(call.median_us),
            time(call.p95_us),
            time(call.min_us),
            count(call.iterations, "call"),
            launches(call.dispatches)
        ))?;
        if call.submits > 0 {
            let submits = usize::try_from(call.submits).unwrap_or(usize::MAX);
            let waits = match usize::try_from(call.host_round_trips).unwrap_or(usize::MAX) {
                0 => "no wait of the host in between".to_owned(),
                waits => format!("{} of the host in between", count(waits, "wait")),
            };
            output.line(format_args!("    {} a call, {waits}", count(submits, "submit")))?;
        }
        if call.recorded_ahead > 0 {
            let calls = count(call.recorded_ahead, "call");
            output.line(format_args!("    launches of {calls} recorded while the call before ran"))?;
        }
        if let Some(bandwidth) = self.bandwidth_gb_per_s {
            output.line(format_args!("  copy bandwidth: {bandwidth:.1} GB/s"))?;
        }
        if !self.kernels.is_empty() {
            output.line("  GPU time per kernel, by timestamps around each launch")?;
            let mut table =
                Table::new(&["operator", "kernel", ">launches", ">time", ">bytes moved", ">GB/s", ">of copy"])
                    .indent(4);
            for kernel in &self.kernels {
                table.row([
                    kernel.op.clone(),
                    kernel.kernel.clone(),
                    kernel.launches.to_string(),
                    time(kernel.time_us),
                    bytes(kernel.traffic_bytes),
                    kernel.gb_per_s.map_or_else(String::new, |rate| format!("{rate:.1}")),
                    percent(kernel.bandwidth_share),
                ]);
            }
            output.table(&table)?;
        }
        if let Some(run) = &self.repeated {
            output.line(format_args!(
                "  repeated: {} a call over {} in one submit, {} taking turns ({})",
                time(run.time_us),
                count(run.iterations as usize, "call"),
                count(run.sets, "set"),
                bytes(run.rotated_bytes)
            ))?;
            output.line(format_args!(
                "    {} moved a call, {:.1} GB/s, {} of the copy bandwidth",
                bytes(run.traffic_bytes),
                run.gb_per_s.unwrap_or(0.0),
                percent(run.bandwidth_share)
            ))?;
        }
        for note in &self.notes {
            output.line(format_args!("  note: {note}"))?;
        }
        output.line(format_args!("  {}", self.check.line()))
    }
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(String::new, |share| format!("{:.1} %", share * 100.0))
}

fn by_kernel(launches: &[KernelTime], bandwidth: Option<f64>) -> Vec<KernelReport> {
    let mut kernels: Vec<(KernelReport, Duration)> = Vec::new();
    for launch in launches {
        let known = kernels.iter().position(|(known, _)| known.op == launch.op && known.kernel == launch.kernel);
        let at = known.unwrap_or_else(|| {
            let empty = KernelReport {
                op: launch.op.clone(),
                kernel: launch.kernel.clone(),
                launches: 0,
                time_us: 0.0,
                traffic_bytes: 0,
                gb_per_s: None,
                bandwidth_share: None,
            };
            kernels.push((empty, Duration::ZERO));
            kernels.len() - 1
        });
        let (kernel, time) = &mut kernels[at];
        kernel.launches += 1;
        kernel.traffic_bytes += launch.traffic;
        *time += launch.time;
    }
    for (kernel, time) in &mut kernels {
        let rate = rate(kernel.traffic_bytes, *time);
        kernel.time_us = microseconds(*time);
        kernel.gb_per_s = rate.map(|rate| rate / 1e9);
        kernel.bandwidth_share = rate.zip(bandwidth).map(|(rate, bandwidth)| rate / bandwidth);
    }
    kernels.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
    kernels.into_iter().map(|(kernel, _)| kernel).collect()
}

impl LaunchReport {
    fn new(launch: &KernelTime) -> LaunchReport {
        LaunchReport {
            node: launch.node,
            op: launch.op.clone(),
            kernel: launch.kernel.clone(),
            grid: launch.grid,
            time_us: microseconds(launch.time),
            traffic_bytes: launch.traffic,
        }
    }
}

impl RepeatedReport {
    fn new(run: &RepeatedRun, bandwidth: Option<f64>) -> RepeatedReport {
        let rate = rate(run.traffic, run.time);
        RepeatedReport {
            iterations: run.iterations,
            sets: run.sets,
            rotated_bytes: run.rotated_bytes,
            dispatches: run.dispatches,
            time_us: microseconds(run.time),
            traffic_bytes: run.traffic,
            gb_per_s: rate.map(|rate| rate / 1e9),
            bandwidth_share: rate.zip(bandwidth).map(|(rate, bandwidth)| rate / bandwidth),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_output_is_a_failure_that_says_where() {
        let wrong =
            Errors { max_abs: 2.0, max_rel: 1.0, wrong: Some("output 0, element 3 is 4, expected 2".to_owned()) };
        let check = CheckReport::of(4, wrong);
        assert!(check.failed() && check.line().ends_with("4 calls; WRONG: output 0, element 3 is 4, expected 2"));
        let right = CheckReport::of(1, Errors::default());
        assert!(!right.failed() && right.line().starts_with("checked against the reference engine: max abs error 0"));
        let skipped = CheckReport::skipped("--no-check was given".to_owned());
        assert!(!skipped.failed() && skipped.line() == "NOT checked: --no-check was given");
    }

    #[test]
    fn percentiles_are_times_that_were_seen() {
        let call = CallReport::new((1..=100).rev().map(Duration::from_micros).collect()).unwrap();
        assert_eq!((call.median_us.round(), call.p95_us.round()), (50.0, 95.0));
        let one = CallReport::new(vec![Duration::from_micros(7)]).unwrap();
        assert_eq!((one.median_us.round(), one.p95_us.round()), (7.0, 7.0));
        assert!(CallReport::new(Vec::new()).is_none());
    }
}
