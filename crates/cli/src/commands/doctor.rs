//! `pteron doctor`: what this machine offers, and what is missing.

use anyhow::Result;
use pteron_ops::kernels;
use pteron_runtime::{AdapterReport, Caps, Device, DeviceChoice};
use serde::Serialize;

use crate::args::DoctorArgs;
use crate::commands::Outcome;
use crate::open;
use crate::output::{Output, Table, bytes};

mod diagnosis;

#[derive(Debug, Serialize)]
struct Report {
    version: &'static str,
    adapters: Vec<Adapter>,
    /// Adapters that lack something WebGPU needs.
    unfit: Vec<Adapter>,
    device: String,
    bandwidth_gb_per_s: Option<f64>,
    bandwidth_problem: Option<String>,
    kernels: Option<Kernels>,
    /// Why no hardware adapter was found or could be opened, and what to do.
    no_gpu: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Adapter {
    name: String,
    backend: String,
    kind: String,
    driver: String,
    software: bool,
    features: Vec<&'static str>,
    limits: Limits,
}

#[derive(Debug, Serialize)]
struct Limits {
    subgroup_sizes: Option<[u32; 2]>,
    max_binding_bytes: u64,
    max_buffer_bytes: u64,
    max_storage_buffers: u32,
    max_invocations: u32,
    max_workgroup_bytes: u32,
}

/// Which kernels a device runs.
#[derive(Debug, Serialize)]
struct Kernels {
    f16: bool,
    subgroups: bool,
    variants: usize,
    usable: usize,
    /// Kernels of which some variants cannot be used, with the reasons.
    limited: Vec<LimitedKernel>,
}

#[derive(Debug, Serialize)]
struct LimitedKernel {
    kernel: &'static str,
    variants: usize,
    usable: usize,
    lacking: Vec<&'static str>,
}

pub(crate) fn run(arguments: &DoctorArgs, output: &mut Output) -> Result<Outcome> {
    let adapters = Device::adapters();
    let unfit = Device::unfit_adapters();
    // The report says whether there is an adapter, so `auto` needs no note.
    let device = match arguments.device.device {
        DeviceChoice::Auto => Device::open(DeviceChoice::Auto)?,
        _ => open::device(&arguments.device)?,
    };
    let (bandwidth, bandwidth_problem) = match (device.is_cpu(), device.measure_bandwidth()) {
        (true, _) => (None, None),
        (false, Ok(bandwidth)) => (Some(bandwidth / 1e9), None),
        (false, Err(error)) => (None, Some(error.to_string())),
    };
    let hardware = adapters.iter().any(|adapter| !adapter.software);
    let mut no_gpu = if hardware { Vec::new() } else { diagnosis::reasons(&adapters, &unfit) };
    if arguments.device.device == DeviceChoice::Auto && device.is_cpu() && !adapters.is_empty() {
        no_gpu.extend(Device::open(DeviceChoice::Gpu).err().map(|error| error.to_string()));
    }
    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        no_gpu,
        adapters: adapters.iter().map(Adapter::new).collect(),
        unfit: unfit.iter().map(Adapter::new).collect(),
        kernels: (!device.is_cpu()).then(|| Kernels::for_device(&device.caps())),
        device: device.name().to_owned(),
        bandwidth_gb_per_s: bandwidth,
        bandwidth_problem,
    };
    show(&report, output)?;
    output.document(&report)?;
    Ok(Outcome::Success)
}

fn show(report: &Report, output: &mut Output) -> Result<()> {
    output.line(format_args!("pteron {}", report.version))?;
    if report.adapters.is_empty() {
        output.line("adapters: none that WebGPU runs on")?;
    }
    for adapter in &report.adapters {
        output.line(format_args!("adapter: {}", adapter.name))?;
        output.table(&adapter.table())?;
    }
    for adapter in &report.unfit {
        output.line(format_args!("adapter that falls short of WebGPU: {} ({})", adapter.name, adapter.backend))?;
    }
    output.line(format_args!("programs run on: {}", report.device))?;
    if let Some(bandwidth) = report.bandwidth_gb_per_s {
        output.line(format_args!("  copy bandwidth: {bandwidth:.1} GB/s, bytes read and written"))?;
    }
    if let Some(problem) = &report.bandwidth_problem {
        output.line(format_args!("  copy bandwidth: not measured: {problem}"))?;
    }
    if let Some(kernels) = &report.kernels {
        let yes = |is: bool| if is { "yes" } else { "no" };
        output.line(format_args!(
            "  kernels: {} of {} variants; 16-bit floats: {}; subgroups: {}",
            kernels.usable,
            kernels.variants,
            yes(kernels.f16),
            yes(kernels.subgroups)
        ))?;
        for limited in &kernels.limited {
            output.line(format_args!(
                "    {}: {} of {} variants, for want of {}",
                limited.kernel,
                limited.usable,
                limited.variants,
                limited.lacking.join(" and ")
            ))?;
        }
    } else {
        output.line("  kernels: none; every operator runs its plain-Rust reference")?;
    }
    if !report.no_gpu.is_empty() {
        output.line("no hardware GPU is used:")?;
    }
    for reason in &report.no_gpu {
        output.line(format_args!("  - {reason}"))?;
    }
    Ok(())
}

impl Adapter {
    fn new(report: &AdapterReport) -> Adapter {
        let caps = &report.caps;
        Adapter {
            name: report.name.clone(),
            backend: report.backend.clone(),
            kind: report.kind.clone(),
            driver: report.driver.clone(),
            software: report.software,
            features: report.features.clone(),
            limits: Limits {
                subgroup_sizes: caps.subgroups.map(|sizes| [sizes.min, sizes.max]),
                max_binding_bytes: caps.max_binding_bytes,
                max_buffer_bytes: caps.max_buffer_bytes,
                max_storage_buffers: caps.max_storage_buffers,
                max_invocations: caps.max_invocations,
                max_workgroup_bytes: caps.max_workgroup_bytes,
            },
        }
    }

    fn table(&self) -> Table {
        let limits = &self.limits;
        let subgroups = match limits.subgroup_sizes {
            Some([min, max]) if min == max => min.to_string(),
            Some([min, max]) => format!("{min} to {max}"),
            None => "none".to_owned(),
        };
        let mut table = Table::new(&["", ""]);
        for (name, value) in [
            ("kind", format!("{}, {}", self.kind, self.backend)),
            ("driver", self.driver.clone()),
            ("features", self.features.join(", ")),
            ("subgroup size", subgroups),
            ("largest binding", bytes(limits.max_binding_bytes)),
            ("largest buffer", bytes(limits.max_buffer_bytes)),
            ("storage bindings", limits.max_storage_buffers.to_string()),
            ("workgroup", format!("{} invocations", limits.max_invocations)),
            ("workgroup memory", bytes(u64::from(limits.max_workgroup_bytes))),
        ] {
            table.row([name.to_owned(), value]);
        }
        table
    }
}

impl Kernels {
    fn for_device(caps: &Caps) -> Kernels {
        let mut report =
            Kernels { f16: caps.f16, subgroups: caps.subgroups.is_some(), variants: 0, usable: 0, limited: Vec::new() };
        for kernel in kernels::ALL {
            let mut lacking = Vec::new();
            let mut usable = 0;
            for variant in kernel.variants {
                let lacks = [
                    (variant.requires.f16 && !caps.f16, "16-bit floats"),
                    (variant.requires.subgroups && caps.subgroups.is_none(), "subgroups"),
                    (variant.requires.matrix && !caps.matrix, "matrix units"),
                    (u32::from(variant.workgroup_bytes) > caps.max_workgroup_bytes, "workgroup memory"),
                ];
                let lacks: Vec<_> = lacks.into_iter().filter(|lack| lack.0).map(|lack| lack.1).collect();
                usable += usize::from(lacks.is_empty());
                lacking.extend(lacks);
            }
            report.variants += kernel.variants.len();
            report.usable += usable;
            if !lacking.is_empty() {
                lacking.sort_unstable();
                lacking.dedup();
                let variants = kernel.variants.len();
                report.limited.push(LimitedKernel { kernel: kernel.name, variants, usable, lacking });
            }
        }
        report
    }
}

#[cfg(test)]
mod tests {
    use pteron_runtime::SubgroupSizes;

    use super::*;

    #[test]
    fn a_device_without_features_runs_fewer_variants() {
        let minimum = Kernels::for_device(&Caps::webgpu_minimum());
        let mut caps = Caps::webgpu_minimum();
        (caps.f16, caps.subgroups) = (true, Some(SubgroupSizes { min: 32, max: 32 }));
        let full = Kernels::for_device(&caps);
        assert!(minimum.usable < full.usable && full.usable <= full.variants);
        assert!(minimum.limited.iter().all(|kernel| kernel.usable < kernel.variants));
        assert!(minimum.limited.iter().any(|kernel| kernel.lacking == ["16-bit floats"]));
    }
}
