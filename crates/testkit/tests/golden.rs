//! Golden runs of language models that lie beside a checkout, in `shared/models`, on every engine, with prompts fed whole,
//! in chunks of odd sizes, and id by id.

use std::path::{Path, PathBuf};

use pteron_runtime::{Device, DeviceChoice};
use pteron_testkit::{Feeding, Golden, goldens};

/// The goldens whose program is small enough for every engine.
fn small() -> Vec<PathBuf> {
    goldens(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/tiny"))
}

fn check(device: &Device) {
    for path in small() {
        let golden = Golden::read(&path).expect("goldens are readable");
        for chunk in [usize::MAX, 7, 3, 1] {
            let feeding = Feeding { chunk, ..Feeding::default() };
            let followed = pollster::block_on(golden.follow(device, &feeding));
            let followed = followed.unwrap_or_else(|e| panic!("{}, {chunk} at a time: {e}", path.display()));
            assert!(followed.steps > 0, "{} has no step", path.display());
        }
    }
}

#[test]
fn reference() {
    check(&Device::cpu());
}

#[test]
fn gpu() {
    check(&Device::open(&DeviceChoice::Gpu).expect("there is an adapter"));
}
