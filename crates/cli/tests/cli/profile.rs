//! `pteron profile`.

use std::fs;

use crate::{json, succeed, text};

const DEMO: &str = "demo/embedding/model.pte";
const LANGUAGE_MODEL: &str = "llm/tiny/model.pte";

#[test]
fn kernels_are_in_the_table_the_trace_and_the_dump() {
    let folder = tempfile::tempdir().unwrap();
    let (trace, dump) = (folder.path().join("trace.json"), folder.path().join("model.etdp"));
    let files = ["--trace", text(&trace), "--etdump", text(&dump)];
    let command = ["profile", DEMO, "--device", "gpu", "--shape", "0=16", "--calls", "2", "--json"];
    let report = json(&succeed(&[&command[..], &files].concat()));
    let calls = report["calls"].as_array().unwrap();
    assert_eq!(calls.len(), 2);
    let launches = calls[0]["launches"].as_u64().unwrap();
    assert!(launches > 0);
    let counted: u64 = report["kernels"].as_array().unwrap().iter().filter_map(|it| it["launches"].as_u64()).sum();
    assert_eq!(counted, 2 * launches);

    let trace = json(&fs::read_to_string(&trace).unwrap());
    let events = trace["traceEvents"].as_array().unwrap();
    let submits = events.iter().filter_map(|event| event["args"]["submits"].as_u64()).sum::<u64>();
    let submitted = events.iter().filter(|event| event["name"] == "submit").count() as u64;
    assert!(submits > 0 && submitted == submits, "{submitted} of {submits} submits");
    let on_track = |track: u64| events.iter().filter(move |event| event["ph"] == "X" && event["tid"] == track);
    assert_eq!(on_track(2).count() as u64, 2 * launches);
    // The load and the calls.
    assert_eq!(on_track(1).count(), 3);
    assert!(events.iter().any(|event| event["ph"] == "C" && event["args"]["constants"].as_u64() > Some(0)));
    for kernel in on_track(2) {
        let inside = |call: &&serde_json::Value| {
            let end = |event: &serde_json::Value| event["ts"].as_f64().unwrap() + event["dur"].as_f64().unwrap();
            kernel["ts"].as_f64() >= call["ts"].as_f64() && end(kernel) <= end(call) + 1.0
        };
        assert!(on_track(1).any(|call| inside(&call)), "{kernel} is outside every call");
    }

    let dump = fs::read(&dump).unwrap();
    assert_eq!(&dump[8..12], b"ED00");
    let has = |word: &str| dump.windows(word.len()).any(|window| window == word.as_bytes());
    for word in ["Method::execute", "DELEGATE_CALL", "Program::load_method", "ETVK_COPY_OUTPUTS", "\"dispatch_id\": 0}"]
    {
        assert!(has(word), "{word}");
    }
}

#[test]
fn the_reference_engine_has_calls_and_no_kernels() {
    let report = json(&succeed(&["profile", DEMO, "--device", "cpu", "--shape", "0=2", "--calls", "1", "--json"]));
    assert_eq!(report["calls"].as_array().map(Vec::len), Some(1));
    assert_eq!(report["kernels"].as_array().map(Vec::len), Some(0));
    let shown = succeed(&["profile", DEMO, "--device", "cpu", "--shape", "0=2"]);
    assert!(shown.contains("no timestamps"), "{shown}");
}

#[test]
fn tokens_of_a_language_model_are_spans() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace.json");
    let command = ["profile", LANGUAGE_MODEL, "--device", "cpu", "--llm", "--prompt-tokens", "4", "--gen", "3"];
    let report = json(&succeed(&[&command[..], &["--json", "--calls", "1", "--trace", text(&trace)]].concat()));
    // The prompt and each token.
    assert_eq!(report["tokens"].as_array().map(Vec::len), Some(4), "{}", report["tokens"]);
    let trace = json(&fs::read_to_string(&trace).unwrap());
    let tokens =
        trace["traceEvents"].as_array().unwrap().iter().filter(|event| event["tid"] == 3 && event["ph"] == "X");
    assert_eq!(tokens.count(), 4);
}
