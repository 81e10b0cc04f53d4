//! `pteron verify`.

use std::path::Path;

use crate::{MISSING, copy_folder, fixtures, json, pteron, refuse, succeed, text};

#[test]
fn a_case_a_bundle_and_a_tree_pass() {
    for path in [
        "demo/embedding",
        "demo/embedding/case.json",
        "formats/bundled/linear/model.bpte",
        "formats",
        "programs/inputs/no_tensors_between",
    ] {
        let summary = succeed(&["verify", path, "--device", "cpu"]);
        assert!(summary.starts_with("PASS: ") && summary.ends_with("on cpu (reference engine)\n"), "{summary}");
    }
}

#[test]
fn json_has_every_case() {
    let report = json(&succeed(&["verify", "ops/mul", "--device", "gpu", "--json"]));
    let cases = report["cases"].as_array().unwrap();
    assert_eq!(report["passed"], cases.len());
    assert!(!cases.is_empty());
    for case in cases {
        assert_eq!(case["status"], "pass");
        assert!(case["max_abs"].is_number() && case["max_rel"].is_number() && case["message"] == "", "{case}");
    }
    assert!(cases.iter().any(|case| case["dispatches"].as_u64() > Some(0)), "nothing ran on the GPU");
    assert_eq!((&report["failed"], &report["unsupported"], &report["errors"]), (&json("0"), &json("0"), &json("0")));
    assert_ne!(report["device"], "cpu (reference engine)");
}

/// A copy of the demo case whose last expected value is wrong.
fn spoiled(folder: &Path, value: f32) {
    copy_folder(&fixtures().join("demo/embedding"), folder);
    let path = folder.join("step0.expected.safetensors");
    let mut bytes = std::fs::read(&path).unwrap();
    let at = bytes.len() - 4;
    bytes[at..].copy_from_slice(&value.to_le_bytes());
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn a_wrong_output_fails_and_does_not_hide_the_others() {
    let folder = tempfile::tempdir().unwrap();
    copy_folder(&fixtures().join("demo/embedding"), &folder.path().join("right"));
    spoiled(&folder.path().join("wrong"), 1e3);
    spoiled(&folder.path().join("infinite"), f32::INFINITY);
    copy_folder(&fixtures().join("demo/embedding"), &folder.path().join("broken"));
    std::fs::write(folder.path().join("broken/case.json"), "{").unwrap();

    let ran = pteron(&["verify", text(folder.path()), "--device", "cpu"]);
    assert_eq!(ran.code, 1);
    let lines: Vec<_> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), 4, "{}", ran.stdout);
    assert!(lines[0].starts_with("ERROR  ") && lines[0].contains("broken"), "{}", lines[0]);
    assert!(lines[2].starts_with("FAIL  ") && lines[2].contains("element 10239 is"), "{}", lines[2]);
    assert!(lines[3].starts_with("FAIL: 1 passed, 2 failed, 0 unsupported, 1 in error"), "{}", lines[3]);

    let ran = pteron(&["verify", text(folder.path()), "--device", "cpu", "--json"]);
    assert_eq!(ran.code, 1);
    let report = json(&ran.stdout);
    let of = |name: &str| {
        let cases = report["cases"].as_array().unwrap();
        cases.iter().find(|case| case["path"].as_str().is_some_and(|path| path.ends_with(name))).unwrap().clone()
    };
    assert_eq!([&of("right")["status"], &of("wrong")["status"], &of("broken")["status"]], ["pass", "fail", "error"]);
    assert!(of("wrong")["max_abs"].as_f64() > Some(900.0));
    assert!(of("infinite")["max_abs"].is_null());
}

#[test]
fn the_tolerance_is_the_case_s_own() {
    let folder = tempfile::tempdir().unwrap();
    copy_folder(&fixtures().join("demo/embedding"), folder.path());
    let path = folder.path().join("step0.expected.safetensors");
    let mut bytes = std::fs::read(&path).unwrap();
    let at = bytes.len() - 4;
    let last = f32::from_le_bytes(bytes[at..].try_into().unwrap());
    // The case allows 1e-6 of the expected value.
    bytes[at..].copy_from_slice(&(last * 1.000_01).to_le_bytes());
    std::fs::write(&path, bytes).unwrap();
    assert_eq!(pteron(&["verify", text(folder.path()), "--device", "cpu"]).code, 1);
    let case = folder.path().join("case.json");
    let loose = std::fs::read_to_string(&case).unwrap().replace("1e-06", "1e-04");
    std::fs::write(&case, loose).unwrap();
    assert_eq!(pteron(&["verify", text(folder.path()), "--device", "cpu"]).code, 0);
}

#[test]
fn an_unsupported_program_is_told_from_a_wrong_one() {
    let folder = tempfile::tempdir().unwrap();
    copy_folder(&fixtures().join("ops/mul/broadcast_row"), folder.path());
    let path = folder.path().join("model.pte");
    let mut bytes = std::fs::read(&path).unwrap();
    let at = bytes.windows(15).position(|window| window == b"aten.mul.Tensor").unwrap();
    bytes[at..at + 15].copy_from_slice(b"aten.fly.Tensor");
    std::fs::write(&path, bytes).unwrap();
    let ran = pteron(&["verify", text(folder.path()), "--device", "cpu", "--json"]);
    assert_eq!(ran.code, 1);
    let report = json(&ran.stdout);
    assert_eq!((&report["cases"][0]["status"], &report["unsupported"]), (&"unsupported".into(), &1.into()));
    assert!(report["cases"][0]["message"].as_str().unwrap().contains("aten.fly.Tensor"));
}

#[test]
fn filters_choose_by_path() {
    let report = json(&succeed(&["verify", "ops", "--filter", "mul/broadcast", "--device", "cpu", "--json"]));
    let cases = report["cases"].as_array().unwrap();
    assert!(!cases.is_empty());
    assert!(cases.iter().all(|case| case["path"].as_str().unwrap().contains("mul/broadcast")));
    let verbose = succeed(&["verify", "ops", "--filter", "mul/broadcast", "--device", "cpu", "--verbose"]);
    assert_eq!(verbose.lines().filter(|line| line.starts_with("PASS  ")).count(), cases.len());
}

#[test]
fn nothing_to_read_is_2() {
    let empty = tempfile::tempdir().unwrap();
    assert!(refuse(&["verify", text(empty.path())]).contains("there is no case in"));
    assert!(refuse(&["verify", "no_such_folder"]).contains(&format!("no_such_folder: {MISSING}")));
    assert!(refuse(&["verify", "demo/embedding/model.pte"]).contains("this is no case"));
    assert!(refuse(&["verify", "ops", "--filter", "nothing has this name"]).contains("has \"nothing has this name\""));
    assert_eq!(pteron(&["verify"]).code, 2);
}
