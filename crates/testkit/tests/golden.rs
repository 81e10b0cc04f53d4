//! Golden runs of language models on every engine, with prompts fed whole, in chunks of odd sizes, and id by id: those of
//! the fixtures, and those that lie beside a checkout, in `shared/models`.

use std::path::PathBuf;

use pteron_runtime::{Device, DeviceChoice};
use pteron_testkit::{Golden, GoldenOptions, fixtures, shared};

/// The goldens beside a checkout whose programs are small enough for every engine. Where there is such a folder, each of
/// them must be there.
const SHARED: [&str; 2] = ["models/tiny/tiny_q4_ctx64.golden.json", "models/tiny/tiny_q4_ctx64_fp16.golden.json"];

/// The committed ones first.
fn small() -> Vec<PathBuf> {
    let committed = fixtures().join("llm/tiny/golden.json");
    std::iter::once(committed).chain(SHARED.into_iter().filter_map(shared)).collect()
}

fn check(device: &Device) {
    for path in small() {
        let golden = Golden::read(&path).unwrap_or_else(|e| panic!("{e}"));
        for chunk in [usize::MAX, 7, 3, 1] {
            let options = GoldenOptions { chunk, ..GoldenOptions::default() };
            let followed = pteron_runtime::block_on(golden.follow(device, &options));
            followed.unwrap_or_else(|e| panic!("{}, {chunk} at a time: {e}", path.display()));
        }
    }
}

#[test]
fn reference() {
    check(&Device::cpu());
}

fn gpu() -> Device {
    Device::open(DeviceChoice::Gpu).expect("tests need a WebGPU adapter: see the README")
}

#[test]
fn small_models_on_the_gpu() {
    check(&gpu());
}

/// The program of the demo, which the binary carries.
#[test]
fn the_demo_on_the_gpu() {
    let golden = Golden::read(&fixtures().join("../crates/cli/demo/golden.json")).expect("the golden is readable");
    let followed =
        pteron_runtime::block_on(golden.follow(&gpu(), &GoldenOptions::default())).expect("the golden is followed");
    // It has the logits of eight steps, and the ids of 64.
    assert_eq!(followed.logits, 3 * 8);
    assert!(followed.choices > 3 * 32, "{followed:?}");
}
