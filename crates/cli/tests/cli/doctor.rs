//! `pteron doctor`.

use crate::{json, refuse, succeed};

#[test]
fn adapters_and_kernels_are_listed() {
    let report = json(&succeed(&["doctor", "--json"]));
    let adapter = &report["adapters"][0];
    assert!(
        adapter["name"].is_string() && adapter["limits"]["max_binding_bytes"].as_u64() >= Some(128 << 20),
        "{report}"
    );
    assert_eq!(report["device"], adapter["name"]);
    assert!(report["bandwidth_gb_per_s"].as_f64() > Some(0.0), "{report}");
    assert!(report["kernels"]["usable"].as_u64() > Some(0));
    let shown = succeed(&["doctor"]);
    assert!(shown.contains("copy bandwidth: ") && shown.contains("largest binding"), "{shown}");
}

#[test]
fn the_reference_engine_has_no_kernels() {
    let report = json(&succeed(&["doctor", "--device", "cpu", "--json"]));
    assert!(report["kernels"].is_null() && report["bandwidth_gb_per_s"].is_null());
    assert!(refuse(&["doctor", "--device", "no such adapter"]).contains("no WebGPU adapter is named"));
}
