//! `pteron run`.

use crate::{MISSING, json, refuse, succeed, text};

const DEMO: &str = "demo/embedding/model.pte";

#[test]
fn files_go_in_and_come_out() {
    let folder = tempfile::tempdir().unwrap();
    let (out, array) = (folder.path().join("out.safetensors"), folder.path().join("out.npy"));
    let inputs = "demo/embedding/step0.inputs.safetensors";
    for device in ["cpu", "gpu"] {
        let report = json(&succeed(&[
            "run",
            DEMO,
            "--input",
            inputs,
            "--output",
            text(&out),
            "--output",
            &format!("0={}", text(&array)),
            "--device",
            device,
            "--json",
        ]));
        assert_eq!(report["outputs"][0]["shape"], json("[5, 2048]"));
        assert_eq!(report["files"].as_array().map(Vec::len), Some(2));
        let expected = std::fs::read(crate::fixtures().join("demo/embedding/step0.expected.safetensors")).unwrap();
        let data = 5 * 2048 * 4;
        let written = std::fs::read(&out).unwrap();
        assert!(written.ends_with(&expected[expected.len() - data..]), "wrong on {device}");
        assert!(std::fs::read(&array).unwrap().ends_with(&expected[expected.len() - data..]), "wrong on {device}");
    }
}

#[test]
fn an_array_goes_in() {
    let folder = tempfile::tempdir().unwrap();
    let ids = folder.path().join("ids.npy");
    let header = "{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }";
    let mut file = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    file.extend(format!("{header:<117}\n").bytes());
    file.extend([7i64, 0].iter().flat_map(|id| id.to_le_bytes()));
    std::fs::write(&ids, file).unwrap();
    let by_number = succeed(&["run", DEMO, "--input", &format!("0={}", text(&ids)), "--device", "cpu"]);
    let by_itself = succeed(&["run", DEMO, "--input", text(&ids), "--device", "cpu"]);
    let output = |text: &str| text.lines().last().map(str::to_owned);
    assert_eq!(output(&by_number), output(&by_itself));
    assert!(by_number.contains("output 0: f32[2, 2048]"), "{by_number}");
}

#[test]
fn random_inputs_follow_the_seed() {
    let run = |seed| json(&succeed(&["run", DEMO, "--random", "0=3", "--seed", seed, "--device", "cpu", "--json"]));
    assert_eq!(run("1")["outputs"], run("1")["outputs"]);
    assert_ne!(run("1")["outputs"], run("2")["outputs"]);
    assert_eq!(run("1")["outputs"][0]["shape"], json("[3, 2048]"));
    assert!(succeed(&["run", DEMO, "--random", "--device", "cpu"]).contains("f32[64, 2048]"));
}

#[test]
fn numbers_are_made_up_as_the_program_was_exported() {
    let program = "programs/inputs/no_tensors_between/model.pte";
    let run = |more: &[&str]| {
        let arguments = ["run", program, "--random", "--device", "cpu", "--json"];
        json(&succeed(&[&arguments[..], more].concat()))["outputs"].clone()
    };
    assert_eq!(run(&[]), run(&["--input", "1=2.5", "--input", "4=4", "--input", "5=true"]));
    let alone = refuse(&["run", program, "--random", "0=3x2", "--random", "3=2", "--device", "cpu"]);
    assert!(alone.contains("input 1 is a float: give it with --input 1=VALUE, or --random"), "{alone}");
}

#[test]
fn what_a_program_draws_follows_the_seed() {
    let folder = "programs/portable/randn_shown";
    let (program, inputs) = (format!("{folder}/model.pte"), format!("{folder}/step0.inputs.safetensors"));
    let run = |seed| {
        json(&succeed(&["run", &program, "--input", &inputs, "--seed", seed, "--device", "cpu", "--json"]))["outputs"]
            .clone()
    };
    assert_eq!(run("1"), run("1"));
    assert_ne!(run("1"), run("2"));
}

#[test]
fn methods_are_chosen_by_name() {
    let program = "programs/two_methods/shift/model.pte";
    let unknown = refuse(&["run", program, "--method", "fly", "--random", "--device", "cpu"]);
    assert!(unknown.contains("no method \"fly\": it has") && unknown.contains("shift"), "{unknown}");
    succeed(&["run", program, "--method", "shift", "--random", "--device", "cpu"]);
}

#[test]
fn wrong_inputs_are_2_and_say_what_is_right() {
    for (arguments, expected) in [
        (&["--random", "0=65"][..], "input 0 takes at most [64], and [65] was given"),
        (&["--random", "1=2"], "there is no input 1: the method takes 1"),
        (&[], "input 0 is missing: give it with --input 0=FILE"),
        (&["--input", "0=x.bin"], "name a .safetensors or a .npy file"),
        (&["--input", "0=x.npy"], &format!("x.npy: {MISSING}")),
        (&["--input", "demo/embedding/step0.expected.safetensors"], "input 0: its shape is [5, 2048]"),
        (&["--random", "--output", "y.txt"], "name a .safetensors or a .npy file"),
        (&["--random", "--output", "3=y.npy"], "there is no output 3"),
        (&["--random", "--device", "no such adapter"], "no WebGPU adapter is named"),
    ] {
        let device = if arguments.contains(&"--device") { &[][..] } else { &["--device", "cpu"] };
        let error = refuse(&[&["run", DEMO], arguments, device].concat());
        assert!(error.contains(expected), "{arguments:?}: {error}");
    }
}

#[test]
fn an_index_out_of_range_is_an_error_on_every_device() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ids.safetensors");
    let header = r#"{"0":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}}"#;
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.bytes().chain(512i64.to_le_bytes()));
    std::fs::write(&file, bytes).unwrap();
    for device in ["cpu", "gpu"] {
        let error = refuse(&["run", DEMO, "--input", text(&file), "--device", device]);
        assert!(error.contains("512"), "{error}");
    }
}
