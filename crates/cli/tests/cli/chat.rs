//! `pteron chat`, with lines from a pipe in place of a terminal.

use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Stdio};

use crate::{Ran, command, refuse};

const MODEL: &str = "llm/tiny/model.pte";

/// A chat whose history lies in this folder.
fn chat(folder: &Path, more: &[&str]) -> Child {
    let mut command = command(&[&["chat", MODEL, "--seed", "1"], more].concat());
    command.env("XDG_DATA_HOME", folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Says lines, and lets the chat end.
fn say(folder: &Path, lines: &str) -> Ran {
    let mut child = chat(folder, &["--device", "cpu", "--ignore-eos", "--max-new-tokens", "8"]);
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran
}

fn answers(ran: &Ran) -> Vec<String> {
    ran.stdout.split_terminator('\n').map(str::to_owned).collect()
}

#[test]
fn questions_are_answered_and_commands_obeyed() {
    let folder = tempfile::tempdir().unwrap();
    let ran = say(folder.path(), "A wing?\n/regenerate\n\n/help\n/fly\n/reset\nA wing?\n/exit\nnever said\n");
    assert_eq!(ran.stderr.matches("8 tokens, ").count(), 3, "{}", ran.stderr);
    for expected in ["/system TEXT", "there is no command /fly", "a new chat", "model.pte on cpu"] {
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
}

#[test]
fn a_chat_remembers_and_a_new_one_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let answer = |lines: &str| say(folder.path(), lines).stdout;
    let first = answer("A wing?\n");
    assert_eq!(answer("/reset\nA wing?\n"), first);
    assert_ne!(answer("/system Be brief.\nA wing?\n"), first);
    assert_eq!(answer("/system Be brief.\n/system\nA wing?\n"), first);
    let both = answer("A wing?\nA wing?\n");
    assert!(both.starts_with(&first) && both != format!("{first}{first}"), "{both:?}");
    assert_ne!(answer("A wing?\n/regenerate\n"), format!("{first}{first}"), "another seed gives another answer");
}

#[test]
fn questions_are_kept_from_chat_to_chat() {
    let folder = tempfile::tempdir().unwrap();
    say(folder.path(), "A wing?\n");
    say(folder.path(), "A bird?\n");
    let history = std::fs::read_to_string(folder.path().join("pteron/chat_history.txt")).unwrap();
    assert!(history.contains("A wing?") && history.contains("A bird?"), "{history}");
}

#[test]
fn a_question_that_does_not_fit_is_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let long = "How many birds? ".repeat(40);
    let ran = say(folder.path(), &format!("{long}\nA wing?\n"));
    assert!(ran.stderr.contains("context holds 64") && ran.stderr.contains("/reset begins"), "{}", ran.stderr);
    assert_eq!(answers(&ran).last(), answers(&say(folder.path(), "A wing?\n")).last());
}

#[test]
fn what_is_missing_is_said_before_the_first_question() {
    assert!(refuse(&["chat", MODEL, "--device", "cpu", "--json"]).contains("generate --chat --json"));
    assert!(refuse(&["chat", MODEL, "--device", "cpu", "--temperature", "-1"]).contains("temperature"));
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("model.pte");
    std::fs::copy(crate::fixtures().join(MODEL), &model).unwrap();
    assert!(refuse(&["chat", crate::text(&model), "--device", "cpu"]).contains("--tokenizer FILE"));
    std::fs::copy(crate::fixtures().join("llm/tiny/tokenizer.json"), folder.path().join("tokenizer.json")).unwrap();
    assert!(refuse(&["chat", crate::text(&model), "--device", "cpu"]).contains("no chat template"));
}

#[test]
#[cfg(unix)]
fn ctrl_c_stops_the_answer_and_not_the_chat() {
    use std::io::Read as _;

    let folder = tempfile::tempdir().unwrap();
    let stopped = (0..20).any(|_| {
        let mut child = chat(folder.path(), &["--device", "gpu", "--max-new-tokens", "40", "--ignore-eos"]);
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"A wing?\n").unwrap();
        child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        crate::signal(&child, "INT");
        // The signal may come when the answer has ended and the next line is read; the answer is the longer wait.
        std::thread::sleep(std::time::Duration::from_millis(300));
        let goes_on = stdin.write_all(b"/help\n").is_ok();
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        if stderr.contains(", cancelled") {
            assert!(goes_on && output.status.success() && stderr.contains("/system TEXT"), "{stderr}");
            return true;
        }
        false
    });
    assert!(stopped, "Ctrl-C stops an answer");
}
