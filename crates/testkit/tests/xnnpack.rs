//! What nodes of XNNPACK become.

use std::collections::BTreeMap;

use pteron_runtime::survey::survey;
use pteron_runtime::{Caps, Program};
use pteron_testkit::{Case, fixtures};

/// How often the graphs of a fixture have each operator.
fn operators(name: &str) -> BTreeMap<&'static str, usize> {
    let case = Case::read(&fixtures().join("xnnpack").join(name)).expect("the fixture is readable");
    let program = Program::open(&case.program).expect("the program opens");
    let uses = pteron_runtime::block_on(survey(&program, &case.method, &Caps::unlimited())).expect("it lowers");
    let mut counts = BTreeMap::new();
    uses.iter().for_each(|used| *counts.entry(used.op).or_default() += 1);
    counts
}

#[test]
fn images_stay_as_they_come() {
    for name in ["network", "upsampled", "half", "int8_per_channel", "int8_per_tensor"] {
        let found = operators(name);
        assert!(!found.contains_key("aten.permute_copy.default"), "{name} moves elements: {found:?}");
    }
}

#[test]
fn bytes_stay_bytes() {
    let found = operators("int8_per_channel");
    for op in [
        "quantized_decomposed.quantize_per_tensor.default",
        "pteron.bytes_convolution.default",
        "pteron.bytes_convolution_depthwise.default",
        "pteron.bytes_add.default",
        "pteron.bytes_mean.default",
        "pteron.bytes_linear.default",
        "quantized_decomposed.dequantize_per_tensor.default",
    ] {
        assert_eq!(found.get(op), Some(&1), "{op} in {found:?}");
    }
}

#[test]
fn rows_are_rounded_for_layers_with_weights_of_integers() {
    let found = operators("int4_per_group");
    assert_eq!(found.get("et_vk.linear_q4gsw.default"), Some(&2), "{found:?}");
    assert_eq!(found.get("pteron.round_rows.default"), Some(&2), "{found:?}");
    assert_eq!(found.get("aten.linear.default"), Some(&1), "{found:?}");
}
