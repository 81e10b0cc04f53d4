//! Which variants of the kernel catalogue test programs launched, and which they did not.
//!
//! `variants` lists the catalogue. `variants FILE` reads the names that were noted in a file, where `$PTERON_LAUNCHES` had
//! the tests note them, and sets them against the catalogue and what the adapter has.

#![expect(clippy::print_stdout, reason = "a command line tool")]

use std::collections::BTreeSet;
use std::process::ExitCode;

use pteron_ops::kernel::{Kernel, VariantInfo};
use pteron_ops::{Caps, kernels};
use pteron_runtime::{Device, DeviceChoice};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let Some(path) = std::env::args_os().nth(1) else {
        for (kernel, variant) in catalogue() {
            println!("{}", kernel.variant_name(variant));
        }
        return Ok(());
    };
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let launched: BTreeSet<&str> = text.lines().collect();
    let device = Device::open(DeviceChoice::Gpu).map_err(|error| error.to_string())?;
    report(&launched, &device);
    Ok(())
}

/// Every variant of every kernel.
fn catalogue() -> impl Iterator<Item = (&'static Kernel, usize)> {
    kernels::ALL.iter().flat_map(|kernel| (0..kernel.variants.len()).map(move |variant| (*kernel, variant)))
}

/// What a device lacks for a variant.
fn lacks(variant: &VariantInfo, caps: &Caps) -> Option<&'static str> {
    [
        (variant.requires.matrix && !caps.matrix, "matrix units"),
        (variant.requires.f16 && !caps.f16, "16-bit floats"),
        (variant.requires.subgroups && caps.subgroups.is_none(), "subgroups"),
        (u32::from(variant.workgroup_bytes) > caps.max_workgroup_bytes, "workgroup memory"),
    ]
    .into_iter()
    .find_map(|(lacks, what)| lacks.then_some(what))
}

/// Prints each variant that was launched, each that was not and why, and how many there are of both.
fn report(launched: &BTreeSet<&str>, device: &Device) {
    let caps = device.caps();
    let (mut seen, mut missed, mut impossible) = (0, Vec::new(), 0);
    for (kernel, at) in catalogue() {
        let (name, variant) = (kernel.variant_name(at), &kernel.variants[at]);
        if launched.contains(name.as_str()) {
            seen += 1;
            let units = if variant.requires.matrix { ", on matrix units" } else { "" };
            println!("launched      {name}{units}");
        } else if let Some(what) = lacks(variant, &caps) {
            impossible += 1;
            println!("impossible    {name}: {} lacks {what}", device.name());
        } else {
            missed.push((kernel, name));
        }
    }
    for (_, name) in &missed {
        println!("not launched  {name}");
    }
    println!("\nvariants of each kernel that could have been launched on {} and were not:", device.name());
    for kernel in kernels::ALL {
        let count = missed.iter().filter(|(other, _)| other.name == kernel.name).count();
        if count > 0 {
            println!("  {}: {count} of {}", kernel.name, kernel.variants.len());
        }
    }
    let unknown = launched.len() - seen;
    println!(
        "\n{}: of {} variants {seen} were launched, {} were not, {impossible} cannot be{}",
        device.name(),
        catalogue().count(),
        missed.len(),
        if unknown > 0 { format!("; {unknown} names are of no variant") } else { String::new() }
    );
}
