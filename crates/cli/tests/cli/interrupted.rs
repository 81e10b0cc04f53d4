//! Commands that are ended from outside, at any moment: what they leave behind is whole, and the next command is as good as ever.
//!
//! `PTERON_LONG=1` ends more of them.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::{Ran, command, text};

const MODEL: &str = "llm/tiny/model.pte";
/// Longer than any of these commands takes.
const MOST_TIME: Duration = Duration::from_secs(120);

/// Moments from the start of a command to its end, in an order without a pattern.
fn moments(most: Duration) -> Vec<Duration> {
    let count = if std::env::var_os("PTERON_LONG").is_some() { 200 } else { 16 };
    let most = u32::try_from(most.as_millis()).expect("a short time");
    let moment = |number: u32| number.wrapping_mul(0x9e37_79b9) % (most + most / 8 + 1);
    (0..count).map(|number| Duration::from_millis(moment(number).into())).collect()
}

fn quiet(mut command: Command) -> Command {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Whether commands that this process starts are deaf to Ctrl-C, as those that a script starts in the background.
fn ignores_interrupts() -> bool {
    const SIGINT: u32 = 2;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask >> (SIGINT - 1) & 1 == 1)
}

/// Waits for the end of a command that must come to it.
fn end(mut child: Child) -> std::process::ExitStatus {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            return status;
        }
        assert!(started.elapsed() < MOST_TIME, "it hangs");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn outputs_of_a_killed_command_are_whole_or_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let (cache, output) = (folder.path().join("cache"), folder.path().join("out.safetensors"));
    let run = |output: &Path| {
        let arguments = ["run", "demo/embedding/model.pte", "--random", "0=3", "--device", "gpu", "--output"];
        let mut command = command(&arguments);
        command.arg(output).args(["--pipeline-cache", text(&cache)]);
        quiet(command)
    };
    let timed = || {
        let started = Instant::now();
        assert!(run(&output).status().unwrap().success());
        started.elapsed()
    };
    // The first compiles all kernels and tests the driver.
    let [first, later] = [timed(), timed()];
    let whole = std::fs::read(&output).unwrap();
    std::fs::remove_file(&output).unwrap();
    let mut killed = 0;
    for (number, (early, late)) in moments(later).into_iter().zip(moments(first)).enumerate() {
        let moment = if number % 2 == 0 { late } else { early };
        if number % 2 == 0 {
            std::fs::remove_dir_all(&cache).unwrap_or_default();
        }
        let mut child = run(&output).spawn().unwrap();
        std::thread::sleep(moment);
        child.kill().unwrap();
        killed += usize::from(!child.wait().unwrap().success());
        if let Ok(left) = std::fs::read(&output) {
            assert!(left == whole, "{} of {} bytes after {moment:?}", left.len(), whole.len());
            std::fs::remove_file(&output).unwrap();
        }
        // Whatever lies in the cache, the next command takes no harm.
        let after = run(&folder.path().join("after.safetensors")).output().unwrap();
        assert!(after.status.success(), "{}", String::from_utf8_lossy(&after.stderr));
        assert!(after.stderr.is_empty() || !String::from_utf8_lossy(&after.stderr).contains("WARN"));
        assert!(std::fs::read(folder.path().join("after.safetensors")).unwrap() == whole);
    }
    assert!(killed > 4, "only {killed} commands were killed");
    eprintln!("{killed} commands were killed");
    // What was half written bears another name, and nobody reads it.
    let names = files(folder.path()).into_iter().chain(files(&cache));
    let partial =
        names.filter(|path| path.to_string_lossy().contains("partial") || path.extension().is_some_and(|e| e == "tmp"));
    assert!(partial.count() <= killed);
}

#[test]
fn ctrl_c_at_any_moment_ends_a_command_in_good_time() {
    let generate = || {
        let arguments = ["generate", MODEL, "--device", "gpu", "--prompt-ids", "5,6,7,8,9,10,11,12", "--ignore-eos"];
        let mut command = command(&arguments);
        command.args(["--max-new-tokens", "40"]);
        quiet(command)
    };
    let started = Instant::now();
    let whole = Ran::from(generate().output().unwrap());
    assert_eq!(whole.code, 0, "{}", whole.stderr);
    let mut codes = std::collections::BTreeMap::<_, usize>::new();
    for moment in moments(started.elapsed()) {
        let child = generate().spawn().unwrap();
        std::thread::sleep(moment);
        // It may be at its end.
        let _ = Command::new("sh").args(["-c", &format!("kill -INT {} 2>/dev/null", child.id())]).status();
        let status = end(child);
        // While it loads it ends at once; an answer is given as far as it came.
        assert!(matches!(status.code(), None | Some(0 | 130)), "{status} after {moment:?}");
        *codes.entry(status.code()).or_default() += 1;
    }
    eprintln!("exit codes after Ctrl-C: {codes:?}");
    let interrupted = codes.keys().any(|code| *code != Some(0));
    assert!(interrupted || ignores_interrupts(), "no command was interrupted while it loaded");
    let again = Ran::from(generate().output().unwrap());
    assert_eq!((again.code, again.stdout), (0, whole.stdout));
}
