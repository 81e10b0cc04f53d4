//! Golden runs of language models on every engine, with prompts fed whole, in chunks of odd sizes, and id by id: those of
//! the fixtures, and those that lie beside a checkout, in `shared/models` and `shared/xnnpack`.

use std::path::PathBuf;

use pteron_runtime::{Device, DeviceChoice};
use pteron_testkit::{Golden, GoldenOptions, fixtures, goldens, shared};

/// Goldens that must lie beside a checkout, where there is such a folder: small enough for every engine. More may lie in
/// `shared/models/families` and `shared/xnnpack/llm`.
const LISTED: &str = include_str!("goldens.txt");

/// Those that are committed: prompts at a position, and at a position for each id with the logits of all.
const COMMITTED: [&str; 2] = ["llm/tiny/golden.json", "programs/language_model/each_position/golden.json"];

/// The committed ones first.
fn small() -> Vec<PathBuf> {
    let committed = COMMITTED.map(|path| fixtures().join(path));
    let folders = ["models/families", "xnnpack/llm"].into_iter().filter_map(shared);
    let mut beside: Vec<_> =
        LISTED.lines().filter_map(shared).chain(folders.flat_map(|folder| goldens(&folder))).collect();
    beside.sort();
    beside.dedup();
    committed.into_iter().chain(beside).collect()
}

fn check(device: &Device) {
    for path in small() {
        let golden = Golden::read(&path).unwrap_or_else(|e| panic!("{e}"));
        // Those beside a checkout are many.
        let chunks: &[usize] = if path.starts_with(fixtures()) { &[usize::MAX, 7, 3, 1] } else { &[usize::MAX, 3] };
        for &chunk in chunks {
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
