//! Kernels without the driver's bounds checks touch only what is theirs, over the random shapes of the properties.
//!
//! Each property runs twice on devices of its own: with words behind every tensor that no kernel may read or write, and with
//! kernels that count each access outside what is bound.

use pteron_ops::kernel::{Kernel, Requirements};
use pteron_ops::kernels;
use pteron_runtime::testing::device::{Guard, check_guards, set_guards};
use pteron_runtime::{Caps, Device, DeviceChoice, DeviceOptions, PipelineCache};

use crate::support::{Properties, gpu, on, operators_of};
use crate::{attention, conv, embedding, fused, matmul, matrix};

/// Cases of a property.
const CASES: u32 = 24;

/// Kernels that trust their indices, and what launches them: properties, and tests that are none.
type Launched = (&'static [&'static str], Properties, &'static [fn()]);

const LAUNCHED: [Launched; 6] = [
    (
        &[
            "attention_combine",
            "attention_halves",
            "attention_matrix",
            "attention_split",
            "attention_tiled",
            "rope_row",
            "rope_split",
        ],
        attention::PROPERTIES,
        &matrix::ATTENTION,
    ),
    (&["conv_depthwise", "conv_matrix", "conv_tiled"], conv::PROPERTIES, &conv::LARGER),
    (&["embedding_q4gsw"], embedding::PROPERTIES, &[]),
    (&["halves", "q4_few", "q4_matrix", "q4_row", "q4_row_of_parts"], fused::PROPERTIES, &matrix::LINEAR_LAYERS),
    (&["matmul_matrix", "matmul_tiled", "product_combine", "product_norm"], matmul::PROPERTIES, &matmul::DEEPER),
    (&["plain_copy"], &[], &[copy]),
];

fn copy() {
    gpu().measure_bandwidth().expect("the device copies");
}

/// A device with guards, of its own.
pub(crate) fn guarded(guard: Guard) -> &'static Device {
    guarded_by(guard, DeviceOptions::new(DeviceChoice::Gpu))
}

fn guarded_by(guard: Guard, options: DeviceOptions) -> &'static Device {
    let device = Device::open(options.with_pipeline_cache(PipelineCache::Off)).expect("tests need a WebGPU adapter");
    set_guards(&device, guard);
    Box::leak(Box::new(device))
}

fn runs(caps: &Caps, needs: Requirements) -> bool {
    let has = [(caps.f16, needs.f16), (caps.subgroups.is_some(), needs.subgroups), (caps.matrix, needs.matrix)];
    has.iter().all(|(has, needs)| *has || !needs)
}

fn trusted_kernels_touch_only_what_is_theirs(guard: Guard) {
    let device = guarded(guard);
    // Some kernels take the place of others where there are no subgroups.
    let plain = guarded_by(guard, DeviceOptions::new(DeviceChoice::Gpu).with_subgroups(false));
    // And others where products are large, or on matrix units.
    let units = guarded_by(guard, DeviceOptions::new(DeviceChoice::Gpu).with_matrix_always(true));
    let mut guards = 0;
    let mut run = |device: &'static Device, property: fn()| {
        on(device, || operators_of(property, CASES));
        let (seen, _) = check_guards(device).unwrap_or_else(|error| panic!("{guard:?}: {error}"));
        guards += seen;
    };
    for (_, properties, tests) in LAUNCHED {
        properties.iter().for_each(|(property, _)| run(device, *property));
        tests.iter().for_each(|test| run(device, *test));
    }
    for properties in [attention::PROPERTIES, fused::PROPERTIES] {
        properties.iter().for_each(|(property, _)| run(plain, *property));
    }
    matrix::PRODUCTS.iter().for_each(|test| run(units, *test));
    let (_, mut ran) = check_guards(device).expect("no guard was touched");
    for device in [plain, units] {
        ran.extend(check_guards(device).expect("no guard was touched").1);
    }
    let caps = device.caps();
    let possible = |kernel: &Kernel| {
        // They prepare what matrix units multiply, and need none themselves.
        let is_for_matrices = matches!(kernel.name, "halves" | "attention_halves");
        (caps.matrix || !is_for_matrices) && kernel.variants.iter().any(|variant| runs(&caps, variant.requires))
    };
    for kernel in kernels::ALL.iter().filter(|kernel| kernel.trusted) {
        let listed = LAUNCHED.iter().any(|(names, ..)| names.contains(&kernel.name));
        assert!(listed, "{} trusts its indices, and no property here launches it", kernel.name);
        assert!(!possible(kernel) || ran.contains(kernel.name), "{} was not launched", kernel.name);
    }
    eprintln!("{guard:?} on {}: {guards} guards, {} kernels: {ran:?}", device.name(), ran.len());
}

#[test]
fn trusted_kernels_leave_their_neighbours_alone() {
    trusted_kernels_touch_only_what_is_theirs(Guard::Poisoned);
}

#[test]
fn trusted_kernels_use_no_index_outside_their_tensors() {
    trusted_kernels_touch_only_what_is_theirs(Guard::Watched);
}
