//! `pteron demo`.

use crate::{json, succeed};

#[test]
fn it_passes_on_every_device() {
    for device in ["cpu", "gpu"] {
        let report = json(&succeed(&["demo", "--device", device, "--json"]));
        assert_eq!(report["passed"], true);
        assert!(report["expected"]["wrong"].is_null());
        assert_eq!(report["reference"].is_null(), device == "cpu");
        assert_eq!(report["dispatches"].as_u64() > Some(0), device == "gpu");
    }
}

#[test]
fn it_shows_what_it_did() {
    let shown = succeed(&["demo", "--device", "cpu"]);
    for expected in
        ["loaded an embedded program", "embedding_q4gsw", "against PyTorch's values:     PASS", "median call"]
    {
        assert!(shown.contains(expected), "{shown}");
    }
}
