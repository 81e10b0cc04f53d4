//! Whether a driver computes rightly: a call of each family of kernels, compared with its reference.
//!
//! It runs when an adapter and driver are met for the first time, and its outcome is kept beside the compiled kernels, or where the
//! application says. Where a kernel is wrong, the device is opened without what that kernel needs, so that plans choose plainer
//! ones.

mod cases;
#[cfg(not(target_arch = "wasm32"))]
mod folder;
mod outcome;

use pteron_ops::kernel::Requirements;
use pteron_ops::{Caps, Precision, catalogue};
use pteron_tensor::{DType, HostTensor, Tolerance};

use self::cases::Case;
use super::{Device, DeviceOptions, Outcomes};
use crate::error::{Error, Result};
use crate::testing::{LoadedOp, load_op_async};

/// Something that plans can do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Feature {
    Matrix,
    Subgroups,
    F16,
}

impl Feature {
    const ALL: [Feature; 3] = [Feature::Matrix, Feature::Subgroups, Feature::F16];

    /// The first of those that something needs.
    fn first(matrix: bool, subgroups: bool, f16: bool) -> Option<Feature> {
        let needed = [matrix, subgroups, f16];
        Feature::ALL.into_iter().zip(needed).find(|(_, needed)| *needed).map(|(feature, _)| feature)
    }

    fn of(needs: &[Requirements]) -> Option<Feature> {
        let any = |need: fn(&Requirements) -> bool| needs.iter().any(need);
        Feature::first(any(|needs| needs.matrix), any(|needs| needs.subgroups), any(|needs| needs.f16))
    }

    fn of_device(caps: &Caps) -> Option<Feature> {
        Feature::first(caps.matrix, caps.subgroups.is_some(), caps.f16)
    }

    fn name(self) -> &'static str {
        match self {
            Feature::Matrix => "matrix units",
            Feature::Subgroups => "subgroups",
            Feature::F16 => "16-bit floats",
        }
    }

    /// How a device is opened without it.
    fn left_out(self, options: DeviceOptions) -> DeviceOptions {
        match self {
            Feature::Matrix => options.with_matrix(false),
            Feature::Subgroups => options.with_subgroups(false),
            Feature::F16 => options.with_f16(false),
        }
    }
}

/// Kernels that are wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Wrong {
    /// Which, and how that is known.
    what: String,
    /// What to leave out, so that others take their place.
    without: Option<Feature>,
}

/// How a device is to be opened instead, since kernels are wrong on it.
#[derive(Debug)]
pub(super) struct Instead {
    pub(super) options: DeviceOptions,
    /// Which kernels, and what takes their place.
    pub(super) warning: String,
}

/// How a device that was opened by some options is to be opened instead, if kernels are wrong on it.
pub(super) async fn judge(device: &Device, options: &DeviceOptions) -> Result<Option<Instead>> {
    let (Some(outcomes), Some(subject)) = (place(options), outcome::subject(device)) else { return Ok(None) };
    let known = outcomes.place().read(&subject).and_then(|line| outcome::read(&line));
    let found = match known {
        Some(found) => found,
        None => {
            let found = test(device).await?;
            if let Some(line) = outcome::write(found.as_ref()) {
                outcomes.place().write(&subject, &line);
            }
            found
        }
    };
    let Some(Wrong { what, without }) = found else { return Ok(None) };
    let name = device.name();
    let Some(feature) = without else {
        return Err(Error::Device(format!("{name}: {what}, and there are no plainer kernels")));
    };
    let warning = format!("{name}: {what}; kernels without {} take their place", feature.name());
    tracing::warn!("{warning}");
    Ok(Some(Instead { options: feature.left_out(options.clone()), warning }))
}

/// Where outcomes are kept: where the options say, or beside the compiled kernels.
fn place(options: &DeviceOptions) -> Option<Outcomes> {
    #[cfg(not(target_arch = "wasm32"))]
    let beside = || options.pipeline_cache.folder().map(|path| Outcomes::new(folder::Folder(path)));
    #[cfg(target_arch = "wasm32")]
    let beside = || None;
    options.outcomes.clone().or_else(beside)
}

/// Makes every call, up to the first that is wrong.
async fn test(device: &Device) -> Result<Option<Wrong>> {
    let software = device.adapter().is_some_and(|adapter| adapter.software);
    for case in cases::cases(&device.caps(), software)? {
        let wrong = compare(device, &case).await?;
        if device.is_lost() {
            return Err(Error::Device(format!("{} was lost in its self-test, by {}", device.name(), case.op)));
        }
        if wrong.is_some() {
            return Ok(wrong);
        }
    }
    Ok(None)
}

/// Makes a call on the device and on the reference engine, and compares what both give.
async fn compare(device: &Device, case: &Case) -> Result<Option<Wrong>> {
    let expected = expected(case).await?;
    let mut loaded = match load(device, case).await {
        Ok(loaded) => loaded,
        // A kernel that the driver does not compile.
        Err(error) => {
            let what = format!("{} does not load: {error}", case.op);
            return Ok(Some(Wrong { what, without: Feature::of_device(&device.caps()) }));
        }
    };
    let what = match results(&mut loaded).await {
        Ok(got) => first_difference(case, &got, &expected),
        Err(error) => Some(format!("fail: {error}")),
    };
    let Some(what) = what else { return Ok(None) };
    let launched = loaded.method.launched();
    let names: Vec<_> = launched.iter().map(|(kernel, variant)| kernel.variant_name(*variant)).collect();
    let needs = launched.iter().filter_map(|(kernel, variant)| Some(kernel.variants.get(*variant)?.requires));
    let without = Feature::of(&needs.collect::<Vec<_>>());
    Ok(Some(Wrong { what: format!("{}, launched for {}, {what}", names.join(" and "), case.op), without }))
}

/// What the reference engine gives.
async fn expected(case: &Case) -> Result<Vec<HostTensor>> {
    let calls = if case.same.is_empty() { std::slice::from_ref(case) } else { &case.same };
    let mut expected: Vec<HostTensor> = Vec::new();
    for call in calls {
        let mut loaded = load(&Device::cpu(), call).await?;
        if let (Some(given), Some(input)) = (expected.pop(), loaded.inputs.first_mut()) {
            *input = given.into();
        }
        expected = results(&mut loaded).await?;
    }
    Ok(expected)
}

async fn load(device: &Device, case: &Case) -> Result<LoadedOp> {
    load_op_async(device, Precision::Exact, case.op, &case.args, &case.outputs).await
}

/// The outputs, then every state after the call.
async fn results(loaded: &mut LoadedOp) -> Result<Vec<HostTensor>> {
    let outputs = loaded.method.run_async(&loaded.inputs).await?;
    let mut results: Vec<_> = outputs.iter().filter_map(|output| output.tensor().cloned()).collect();
    for &state in &loaded.states {
        results.push(loaded.method.state(0, state).await?);
    }
    Ok(results)
}

/// What is further from the reference than the operator's accuracy allows.
fn first_difference(case: &Case, got: &[HostTensor], expected: &[HostTensor]) -> Option<String> {
    let accuracy = catalogue::lookup(case.op).map_or(Tolerance::EXACT, |op| op.accuracy.tolerance());
    got.iter().zip(expected).find_map(|(got, expected)| {
        // Kernels round 16-bit sums in another order.
        let half = if got.dtype() == DType::F16 { 4e-3 } else { 0.0 };
        let tolerance = Tolerance { atol: accuracy.atol + half, rtol: accuracy.rtol + half };
        match tolerance.compare(got, expected) {
            Ok(comparison) => comparison.worst.map(|worst| format!("give {} for {}", worst.got, worst.expected)),
            Err(difference) => Some(format!("give something else: {difference}")),
        }
    })
}
