//! Programs that ask for more than they are allowed.

use std::path::Path;

use pteron_runtime::{Device, Program, Spec};

use crate::{fixtures, refuse, succeed, text};

const DEMO: &str = "demo/embedding/model.pte";

/// A program with one word of its file damaged, so that it loads and declares an input of more than 32 gigabytes.
fn with_huge_input(program: &Path) -> Option<Vec<u8>> {
    let good = std::fs::read(program).unwrap();
    (0..good.len() / 4 * 4).step_by(4).find_map(|at| {
        let mut damaged = good.clone();
        damaged[at..at + 4].copy_from_slice(&0x7fff_fff0u32.to_le_bytes());
        let method = Program::from_bytes(damaged.clone()).ok()?.on(&Device::cpu()).method("forward").ok()?;
        let is_huge = |input: &Spec| matches!(input, Spec::Tensor { shape, .. } if shape.numel() >= 1 << 33);
        method.inputs().iter().any(is_huge).then_some(damaged)
    })
}

#[test]
fn random_inputs_are_not_made_by_what_a_damaged_file_declares() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("damaged.pte");
    for program in ["ops/layer_norm/dynamic", "ops/linear/dynamic"] {
        let damaged = with_huge_input(&fixtures().join(program).join("model.pte")).expect("damage makes an input huge");
        std::fs::write(&path, damaged).unwrap();
        for device in ["cpu", "gpu"] {
            let error = refuse(&["run", text(&path), "--random", "--device", device]);
            assert!(error.contains("a set of random inputs needs "), "{error}");
            assert!(error.contains("--max-host-bytes"), "{error}");
        }
    }
}

#[test]
fn what_needs_more_than_is_allowed_is_refused() {
    let on = |device, option, value| refuse(&["run", DEMO, "--random", "--device", device, option, value]);
    let error = on("gpu", "--max-gpu-bytes", "4K");
    assert!(error.contains("bytes on the GPU, and 4096 are allowed: Limits::gpu_bytes (--max-gpu-bytes)"), "{error}");
    let error = on("cpu", "--max-host-bytes", "16");
    assert!(error.contains("bytes in host memory, and 16 are allowed"), "{error}");
    let error = on("cpu", "--max-nodes", "0");
    assert!(error.contains("nodes, and 0 are allowed: Limits::nodes (--max-nodes) allows more"), "{error}");
    let error = on("cpu", "--max-values", "1");
    assert!(error.contains("--max-values"), "{error}");
    let error = on("cpu", "--max-call-seconds", "0");
    assert!(error.contains("the call took longer than 0ns"), "{error}");
    let error = refuse(&["inspect", DEMO, "--max-gpu-bytes", "many"]);
    assert!(error.contains("--max-gpu-bytes"), "{error}");
    succeed(&["run", DEMO, "--random", "--device", "cpu", "--max-host-bytes", "2M", "--max-nodes", "9"]);
}
