//! `pteron demo`.

use crate::{json, succeed};

#[test]
fn it_writes_what_pytorch_wrote_on_every_device() {
    for device in ["cpu", "gpu"] {
        let report = json(&succeed(&["demo", "--device", device, "--json"]));
        assert_eq!(report["passed"], true);
        let checks = report["checks"].as_array().unwrap();
        assert!(!checks.is_empty());
        for check in checks {
            assert!(check["wrong_at"].is_null() && !check["text"].as_str().unwrap().is_empty(), "{check}");
        }
        assert!(report["timings"]["decode_tok_s"].as_f64() > Some(0.0));
        assert_eq!(report["dispatches_per_token"].as_u64() > Some(0), device == "gpu");
    }
}

#[test]
fn it_shows_what_it_did() {
    let shown = succeed(&["demo", "--device", "cpu"]);
    let report = json(&succeed(&["demo", "--device", "cpu", "--json"]));
    let drawn = report["drawn"].as_str().unwrap();
    for expected in ["loaded an embedded language model", "device cpu", drawn, "PyTorch's: PASS", "tokens/s"] {
        assert!(shown.contains(expected), "{shown}");
    }
}
