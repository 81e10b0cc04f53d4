//! What holds for every command.

use crate::{MISSING, Ran, command, pteron, refuse, succeed};

#[test]
fn help_shows_examples() {
    for name in ["inspect", "run", "verify", "bench", "generate", "chat", "doctor", "demo", "web", "completions", "man"]
    {
        let help = succeed(&[name, "--help"]);
        assert!(help.contains("EXAMPLES") && help.contains("--json"), "{help}");
    }
}

#[test]
fn bad_usage_is_2() {
    assert_eq!(pteron(&[]).code, 2);
    assert_eq!(pteron(&["fly"]).code, 2);
    assert_eq!(pteron(&["inspect"]).code, 2);
    assert!(refuse(&["run", "--random", "demo/embedding/model.pte"]).contains("put FILE before this option"));
}

#[test]
fn missing_and_broken_files_are_2() {
    for name in ["inspect", "run", "bench"] {
        assert!(refuse(&[name, "no_such.pte"]).contains(&format!("no_such.pte: {MISSING}")));
        assert!(refuse(&[name, "demo/embedding/case.json"]).contains("this is no .pte, .ptd or .bpte file"));
        assert!(refuse(&[name, "demo"]).contains("is a folder"));
    }
    let folder = tempfile::tempdir().unwrap();
    let cut = folder.path().join("cut.pte");
    let whole = std::fs::read(crate::fixtures().join("demo/embedding/model.pte")).unwrap();
    std::fs::write(&cut, &whole[..5000]).unwrap();
    assert!(refuse(&["inspect", crate::text(&cut)]).contains("ends early"));
    std::fs::write(&cut, []).unwrap();
    refuse(&["run", crate::text(&cut)]);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let ran = crate::without_reader(&["verify", "ops/mul", "--device", "cpu", "-v"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
}

/// Environment in which no Vulkan driver is found.
#[cfg(target_os = "linux")]
fn without_adapters(arguments: &[&str]) -> Ran {
    let mut command = command(arguments);
    command.env("VK_DRIVER_FILES", "/nonexistent.json").env("VK_ICD_FILENAMES", "/nonexistent.json");
    command.output().unwrap().into()
}

#[test]
#[cfg(target_os = "linux")]
fn auto_falls_back_and_says_so_in_one_line() {
    let ran = without_adapters(&["run", "demo/embedding/model.pte", "--random", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(crate::json(&ran.stdout)["device"], "cpu (reference engine)");
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("no WebGPU adapter was found"));
}

#[test]
#[cfg(target_os = "linux")]
fn gpu_never_falls_back() {
    let ran = without_adapters(&["run", "demo/embedding/model.pte", "--random", "--device", "gpu"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("no WebGPU adapter was found: install"), "{}", ran.stderr);
}

#[test]
#[cfg(target_os = "linux")]
fn doctor_says_why_there_is_no_gpu() {
    let ran = without_adapters(&["doctor"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains("VK_DRIVER_FILES names /nonexistent.json, which does not exist"), "{}", ran.stdout);
    assert!(ran.stdout.contains("adapters: none"));
}
