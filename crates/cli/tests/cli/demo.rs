//! `pteron demo`.

use crate::{json, succeed};

#[test]
fn it_writes_what_pytorch_wrote_on_every_device() {
    for device in ["cpu", "gpu"] {
        let report = json(&succeed(&["demo", "--device", device, "--json"]));
        assert_eq!(report["passed"], true);
        let texts = report["texts"].as_array().unwrap();
        assert!(!texts.is_empty());
        for text in texts {
            assert!(text["wrong_at"].is_null() && !text["text"].as_str().unwrap().is_empty(), "{text}");
            assert!(text["timings"]["decode_tok_s"].as_f64() > Some(0.0));
        }
        assert_eq!(report["dispatches_per_token"].as_u64() > Some(0), device == "gpu");
    }
}

#[test]
fn it_shows_what_it_did() {
    let shown = succeed(&["demo", "--device", "cpu"]);
    let text = json(&succeed(&["demo", "--device", "cpu", "--json"]))["texts"][0].clone();
    let continued = format!("{}{}", text["prompt"].as_str().unwrap(), text["text"].as_str().unwrap());
    for expected in ["loaded an embedded language model", "device cpu", &continued, "PyTorch's: PASS", "tokens/s"] {
        assert!(shown.contains(expected), "{shown}");
    }
}
