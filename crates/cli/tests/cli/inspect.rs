//! `pteron inspect`.

use crate::{fixtures, json, succeed, text};

#[test]
fn a_program_with_its_nodes() {
    insta::assert_snapshot!(succeed(&["inspect", "demo/embedding/model.pte", "--graph"]));
}

#[test]
fn an_xnnpack_program_with_its_nodes() {
    insta::assert_snapshot!(succeed(&["inspect", "xnnpack/int8_per_channel/model.pte", "--graph"]));
}

#[test]
fn the_same_as_json() {
    let report = json(&succeed(&["inspect", "demo/embedding/model.pte", "--json"]));
    assert_eq!(report["kind"], "pte");
    let method = &report["methods"][0];
    assert_eq!(method["name"], "forward");
    assert_eq!(method["inputs"][0]["dtype"], "i64");
    assert_eq!(method["inputs"][0]["bound"], "at most");
    assert_eq!(method["operators"][0]["supported"], true);
    assert_eq!(method["constant_bytes"], 512 * 1024 + 512 * 32 * 4);
    assert_eq!(method["memory"]["constants"], method["constant_bytes"]);
    assert!(method["problem"].is_null() && report["graphs"].is_null());
}

#[test]
fn operators_say_where_they_run_and_why() {
    let program = "programs/delegates/mean_between/model.pte";
    let report = json(&succeed(&["inspect", program, "--json", "--graph"]));
    let operators = report["methods"][0]["operators"].as_array().unwrap();
    let mean = operators.iter().find(|operator| operator["name"] == "aten::mean.out").unwrap();
    assert_eq!((&mean["place"], &mean["reason"]), (&"joined".into(), &serde_json::Value::Null));
    let joined = report["graphs"][0]["joined"][0].as_array().unwrap();
    let place = |op: &str| &joined.iter().find(|node| node["op"] == op).unwrap()["place"];
    assert_eq!(place("aten.mean.dim"), "instruction 0 of method forward");
    assert_eq!(place("aten.add.Tensor"), "node 0 of delegate 0 of method forward");
    let host = succeed(&["inspect", "programs/portable/nonzero/model.pte"]);
    assert!(host.contains("aten::nonzero.out  host  supported; there because it has no kernel for a GPU"), "{host}");
}

#[test]
fn bundles_and_data_files() {
    let bundle = succeed(&["inspect", "formats/bundled/linear/model.bpte"]);
    assert!(bundle.contains("bundled program") && bundle.contains("bundled: 1 case of forward"), "{bundle}");
    let data = json(&succeed(&["inspect", "formats/external_data/linear/model.ptd", "--json"]));
    assert_eq!(data["kind"], "ptd");
    assert!(data["entries"].as_array().is_some_and(|entries| !entries.is_empty()));
}

#[test]
fn external_data_decides_whether_a_program_runs() {
    let program = "formats/external_data/linear/model.pte";
    let without = succeed(&["inspect", program]);
    assert!(without.contains("runs here: no: the program needs external data"), "{without}");
    let with = succeed(&["inspect", program, "--data", "formats/external_data/linear/model.ptd"]);
    assert!(with.contains("runs here: yes"), "{with}");
}

#[test]
fn methods_without_instructions_show_their_values() {
    let report = json(&succeed(&["inspect", "programs/two_methods/scale/model.pte", "--json"]));
    let methods = report["methods"].as_array().unwrap();
    let value = |name: &str| &methods.iter().find(|method| method["name"] == name).unwrap()["outputs"][0]["value"];
    assert_eq!((value("get_negative"), value("get_ratio")), (&(-3).into(), &0.375.into()));
}

#[test]
fn state_is_part_of_the_memory() {
    for (case, bytes) in [("in_program", 12), ("in_delegate", 16)] {
        let report = json(&succeed(&["inspect", &format!("programs/state/{case}/model.pte"), "--json"]));
        assert_eq!(report["methods"][0]["memory"]["state"], bytes, "{case}");
    }
    let report = json(&succeed(&["inspect", "programs/portable/sum_middle/model.pte", "--json"]));
    assert_eq!(report["methods"][0]["memory"]["state"], 0);
}

#[test]
fn an_unknown_operator_is_shown_and_marked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.pte");
    let mut bytes = std::fs::read(fixtures().join("ops/mul/broadcast_row/model.pte")).unwrap();
    let name = b"aten.mul.Tensor";
    let at = bytes.windows(name.len()).position(|window| window == name).unwrap();
    bytes[at..at + name.len()].copy_from_slice(b"aten.fly.Tensor");
    std::fs::write(&path, bytes).unwrap();
    let shown = succeed(&["inspect", text(&path), "--graph"]);
    assert!(shown.contains("aten.fly.Tensor  delegate  UNSUPPORTED"), "{shown}");
    assert!(shown.contains("runs here: no: unsupported: aten.fly.Tensor"), "{shown}");
    let run = crate::pteron(&["run", text(&path), "--random", "--device", "cpu"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
}
