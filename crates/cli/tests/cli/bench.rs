//! `pteron bench`.

use crate::{MISSING, fixtures, json, pteron, refuse, succeed, text};

const DEMO: &str = "demo/embedding/model.pte";

#[test]
fn a_gpu_is_timed_and_checked() {
    let report = json(&succeed(&[
        "bench",
        DEMO,
        "--device",
        "gpu",
        "--shape",
        "0=16",
        "--warmup",
        "1",
        "--iterations",
        "3",
        "--repeat",
        "4",
        "--json",
    ]));
    assert_eq!(report["call"]["iterations"], 3);
    assert!(report["call"]["median_us"].as_f64() > Some(0.0));
    assert!(report["call"]["p95_us"].as_f64() >= report["call"]["median_us"].as_f64());
    assert_eq!(report["check"]["status"], "passed");
    // The whole call, and the two sets of a software adapter or up to four of another.
    assert!(report["check"]["calls"].as_u64() >= Some(2), "{}", report["check"]);
    assert_eq!(report["repeated"]["iterations"], 4);
    assert_eq!(
        report["launches"].as_array().map(|launches| launches.len() as u64),
        report["call"]["dispatches"].as_u64()
    );
    let traffic = report["kernels"][0]["traffic_bytes"].as_u64().unwrap();
    assert!(traffic > 16 * 2048 * 4, "{traffic}");
    assert!(report["bandwidth_gb_per_s"].as_f64() > Some(0.0));
}

#[test]
fn features_are_left_alone_where_asked() {
    let model = LANGUAGE_MODEL;
    let variants = |options: &[&str]| {
        let command = ["bench", model, "--device", "gpu", "--iterations", "1", "--repeat", "0", "--no-check", "--json"];
        let report = json(&succeed(&[&command, options].concat()));
        report["kernels"].as_array().unwrap().iter().map(|kernel| kernel["kernel"].to_string()).collect::<String>()
    };
    assert!(variants(&[]).contains("subgroup"));
    let without = variants(&["--without", "subgroups,matrix"]);
    assert!(!without.is_empty() && !without.contains("subgroup"), "{without}");
    assert!(refuse(&["bench", model, "--without", "wings"]).contains("possible values: f16, subgroups, matrix"));
}

#[test]
fn sets_take_turns_and_some_are_checked() {
    let report = json(&succeed(&[
        "bench",
        DEMO,
        "--device",
        "gpu",
        "--shape",
        "0=4",
        "--iterations",
        "1",
        "--repeat",
        "20",
        "--sets",
        "10",
        "--json",
    ]));
    assert_eq!(report["repeated"]["sets"], 10);
    assert_eq!(report["repeated"]["rotated_bytes"].as_u64().map(|bytes| bytes / (4 * 2048 * 4)), Some(10));
    // The whole call, and sets 0, 4, 8 and 9.
    assert_eq!(report["check"]["calls"], 5);
    assert_eq!(report["check"]["status"], "passed");
}

#[test]
fn the_reference_engine_is_timed_and_says_what_it_lacks() {
    let shown = succeed(&["bench", DEMO, "--device", "cpu", "--iterations", "2"]);
    assert!(
        shown.contains("whole call: median") && shown.contains("NOT checked: the reference engine itself"),
        "{shown}"
    );
}

#[test]
fn no_check_is_said() {
    let arguments = ["bench", DEMO, "--device", "gpu", "--iterations", "1", "--repeat", "0", "--no-check"];
    let shown = succeed(&arguments);
    assert!(shown.contains("NOT checked: --no-check was given") && !shown.contains("repeated:"), "{shown}");
}

#[test]
fn programs_of_several_parts_are_one_submit_whose_kernels_are_timed() {
    let program = "programs/delegates/mean_between/model.pte";
    let report = json(&succeed(&["bench", program, "--device", "gpu", "--iterations", "2", "--json"]));
    assert_eq!((&report["call"]["submits"], &report["call"]["host_round_trips"]), (&1.into(), &0.into()), "{report}");
    let launches = report["launches"].as_array().map(|launches| launches.len() as u64);
    assert_eq!(launches, report["call"]["dispatches"].as_u64(), "{report}");
    assert_eq!(report["check"]["status"], "passed");
}

#[test]
fn calls_whose_launches_were_recorded_ahead_are_counted() {
    let program = "programs/language_model/decoder/model.pte";
    let arguments =
        ["bench", program, "--device", "gpu", "--shape", "0=1x1", "--warmup", "1", "--iterations", "4", "--json"];
    let report = json(&succeed(&arguments));
    assert_eq!(report["call"]["recorded_ahead"], 3, "{report}");
    let report = json(&succeed(&["bench", DEMO, "--device", "gpu", "--iterations", "4", "--json"]));
    assert_eq!(report["call"]["recorded_ahead"], 0, "{report}");
}

#[test]
fn kernels_are_timed_where_the_host_computes_in_between() {
    let program = "programs/state/in_program_i64/model.pte";
    let report = json(&succeed(&["bench", program, "--device", "gpu", "--iterations", "2", "--json"]));
    assert_eq!(report["check"]["status"], "passed", "{report}");
    let launches = report["launches"].as_array().map(|launches| launches.len() as u64);
    assert_eq!(launches, report["call"]["dispatches"].as_u64(), "{report}");
}

#[test]
fn state_is_set_back_before_the_check() {
    for case in ["in_delegate", "in_delegate_from_nonzero", "in_program", "in_program_from_nonzero", "mutated_input"] {
        let program = format!("programs/state/{case}/model.pte");
        let report =
            json(&succeed(&["bench", &program, "--device", "gpu", "--iterations", "2", "--repeat", "2", "--json"]));
        assert_eq!(report["check"]["status"], "passed", "{report}");
    }
}

#[test]
fn a_skeleton_is_filled_by_its_manifest() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.skel.pte");
    let whole = std::fs::read(fixtures().join(DEMO)).unwrap();
    // The table, which is the last segment but one, and the scales after it are left out.
    let report = json(&succeed(&["inspect", DEMO, "--json"]));
    let sizes: Vec<usize> = (0..2)
        .map(|i| usize::try_from(report["methods"][0]["constants"][i]["bytes"].as_u64().unwrap()).unwrap())
        .collect();
    let first = whole.len() - sizes.iter().sum::<usize>();
    let (table, scales) = segment_offsets(&whole, &sizes);
    std::fs::write(&path, &whole[..first.min(table).min(scales)]).unwrap();
    let manifest = serde_json::json!({"full_bytes": whole.len(), "dropped": [
        {"role": "q4_weight", "file_offset": table, "size": sizes[0]},
        {"role": "embedding_scales[V,K/g]", "file_offset": scales, "size": sizes[1]},
    ]});
    std::fs::write(folder.path().join("model.skel.json"), manifest.to_string()).unwrap();

    let arguments = ["bench", text(&path), "--device", "gpu", "--shape", "0=8", "--iterations", "1", "--json"];
    assert!(refuse(&arguments).contains("add --fill-missing"));
    let report = json(&succeed(&[&arguments[..], &["--fill-missing"]].concat()));
    assert_eq!(report["check"]["status"], "passed");
    std::fs::remove_file(folder.path().join("model.skel.json")).unwrap();
    assert!(refuse(&[&arguments[..], &["--fill-missing"]].concat()).contains(&format!("model.skel.json: {MISSING}")));
}

/// Where the table and the scales of the demo begin.
fn segment_offsets(whole: &[u8], sizes: &[usize]) -> (usize, usize) {
    let program = pteron_pte::Program::parse(whole, whole.len() as u64).unwrap();
    let start = |size: usize| {
        let mut data = program.named_data().map(Result::unwrap);
        let range = data.find(|data| data.range.end - data.range.start == size as u64).unwrap().range;
        usize::try_from(range.start).unwrap()
    };
    (start(sizes[0]), start(sizes[1]))
}

#[test]
fn wrong_arguments_are_2() {
    assert!(refuse(&["bench", DEMO, "--device", "cpu", "--shape", "0=65"]).contains("takes at most [64]"));
    assert!(refuse(&["bench", DEMO, "--device", "cpu", "--method", "fly"]).contains("no method \"fly\""));
    assert_eq!(pteron(&["bench", DEMO, "--iterations", "0"]).code, 2);
    let given =
        ["bench", DEMO, "--input", "demo/embedding/step0.inputs.safetensors", "--shape", "0=5", "--device", "cpu"];
    assert!(refuse(&given).contains("has the shape of what --input gives"));
}

const LANGUAGE_MODEL: &str = "llm/tiny/model.pte";

#[test]
fn a_language_model_is_timed_in_tokens_per_second() {
    let arguments = ["bench", LANGUAGE_MODEL, "--llm", "--prompt-tokens", "12", "--gen", "4", "--depth", "20"];
    for device in ["cpu", "gpu"] {
        let more = ["--chunk", "5", "--repetitions", "3", "--device", device, "--json"];
        let report = json(&succeed(&[&arguments[..], &more].concat()));
        for figure in ["prefill_tok_s", "decode_tok_s", "ttft_ms", "load_ms"] {
            assert!(report[figure].as_f64() > Some(0.0), "{figure}: {report}");
        }
        assert_eq!(report["runs"].as_array().map(Vec::len), Some(3));
        assert_eq!((report["depth"].as_u64(), report["chunk"].as_u64()), (Some(20), Some(5)));
        for figure in ["gpu_bytes", "dispatches_per_token"] {
            assert_eq!(report[figure].as_u64() > Some(0), device == "gpu", "{figure}: {report}");
        }
    }
    let shown = succeed(&[&arguments[..], &["--device", "cpu", "--repetitions", "1"]].concat());
    assert!(shown.contains("prompt of 12 after 20") && shown.contains("answer of 4"), "{shown}");
}

#[test]
fn a_language_model_has_a_context_and_options_of_its_own() {
    let refused = |more: &[&str]| refuse(&[&["bench", LANGUAGE_MODEL, "--device", "cpu"], more].concat());
    let error = refused(&["--llm", "--prompt-tokens", "60", "--gen", "4", "--depth", "1"]);
    assert!(error.contains("takes 65 tokens, and the context holds 64"), "{error}");
    assert!(refused(&["--prompt-tokens", "6"]).contains("--llm"));
    assert!(refused(&["--llm", "--iterations", "6"]).contains("cannot be used with"));
    assert!(refused(&["--llm", "--gen", "0"]).contains("a number above 0"));
}
