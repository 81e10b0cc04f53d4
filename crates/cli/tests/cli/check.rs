//! `pteron check`.

use crate::{json, pteron, refuse, succeed};

#[test]
fn programs_that_compute_rightly_pass() {
    let report = json(&succeed(&["check", "llm/tiny/model.pte", "--shape", "0=1x3", "--device", "gpu", "--json"]));
    assert!(report["compared"].as_u64().is_some_and(|compared| compared > 5), "{report}");
    assert_eq!(report["findings"], json("[]"));
    let text = succeed(&["check", "programs/language_model/decoder/model.pte", "--device", "gpu", "--no-fuse"]);
    assert!(text.contains("nodes compared") && text.contains("outputs agree within"), "{text}");
}

#[test]
fn there_must_be_a_gpu_to_check() {
    let error = refuse(&["check", "llm/tiny/model.pte", "--device", "cpu"]);
    assert!(error.contains("compares a GPU with the reference engine"), "{error}");
}

#[test]
fn a_nan_is_found_where_it_arises() {
    // A square root of random numbers, some of which are negative.
    let folder = tempfile::tempdir().unwrap();
    let saved = folder.path().join("wrong");
    let ran = pteron(&["check", "ops/sqrt/shapes/model.pte", "--device", "gpu", "--save", crate::text(&saved)]);
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("wrong: aten.sqrt.default in ") && ran.stdout.contains("is NaN"), "{}", ran.stdout);
    for file in ["inputs.safetensors", "node_inputs.safetensors", "node_outputs.safetensors", "node.json"] {
        assert!(saved.join(file).is_file(), "{file}");
    }
}
