//! `--pipeline-cache`.

use std::path::{Path, PathBuf};

use crate::{command, json, succeed, text};

/// Runs a program with the cache chosen so, and with this folder for the user's caches.
fn run(chosen: &[&str], user: &Path) -> String {
    let arguments = ["run", "demo/embedding/model.pte", "--random", "0=3", "--device", "gpu", "--json"];
    let ran = command(&arguments).args(chosen).env("XDG_CACHE_HOME", user).output().expect("the command starts");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    json(&String::from_utf8(ran.stdout).unwrap())["outputs"].to_string()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn compiled_kernels_are_kept_where_it_says() {
    let report = json(&succeed(&["doctor", "--device", "gpu", "--json"]));
    let features = report["adapters"][0]["features"].to_string();
    // The outcome of the self-test, and what the driver keeps where it has a cache of its own.
    let kept = 1 + usize::from(features.contains("pipeline-cache"));

    let (user, chosen) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let folder = chosen.path().join("made/by/the/command");
    let expected = run(&["--pipeline-cache", "off"], user.path());
    assert!(files(&user.path().join("pteron")).is_empty(), "nothing is kept");

    assert_eq!(run(&["--pipeline-cache", text(&folder)], user.path()), expected);
    assert_eq!(files(&folder).len(), kept);
    assert!(files(&user.path().join("pteron")).is_empty(), "it is kept elsewhere");

    assert_eq!(run(&[], user.path()), expected);
    assert_eq!(files(&user.path().join("pteron")).len(), kept);

    for file in files(&folder) {
        std::fs::write(file, b"this is no cache").unwrap();
    }
    assert_eq!(run(&["--pipeline-cache", text(&folder)], user.path()), expected, "a damaged cache is made anew");
    let without = chosen.path().join("without");
    assert_eq!(run(&["--pipeline-cache", text(&without), "--no-self-test"], user.path()), expected);
    assert_eq!(files(&without).len(), kept - 1, "nothing was tested");
    let unwritable = Path::new("/proc/no folder can be made here");
    assert_eq!(run(&["--pipeline-cache", text(unwritable)], user.path()), expected, "it costs time only");
}
