//! `pteron generate`.

use std::io::{Read as _, Write as _};
use std::process::Stdio;

use crate::{MISSING, Ran, command, fixtures, json, pteron, refuse, succeed, text};

const MODEL: &str = "llm/tiny/model.pte";

/// The first prompt of the fixture, and what PyTorch generated.
fn golden() -> (String, Vec<u64>) {
    let golden = json(&std::fs::read_to_string(fixtures().join("llm/tiny/golden.json")).unwrap());
    let case = &golden["cases"][1];
    let ids = |value: &serde_json::Value| value.as_array().unwrap().iter().map(|id| id.as_u64().unwrap()).collect();
    let prompt: Vec<u64> = ids(&case["prompt_ids"]);
    (prompt.iter().map(u64::to_string).collect::<Vec<_>>().join(","), ids(&case["generated_ids"]))
}

#[test]
fn tokens_are_those_of_pytorch_on_every_device() {
    let (prompt, expected) = golden();
    for device in ["cpu", "gpu"] {
        let arguments = ["generate", MODEL, "--prompt-ids", &prompt, "--ignore-eos", "--max-new-tokens", "24"];
        let report = json(&succeed(&[&arguments[..], &["--device", device, "--json", "--chunk", "5"]].concat()));
        assert_eq!(report["generated_ids"], serde_json::json!(expected));
        assert_eq!((report["stop_reason"].as_str(), report["stop_id"].is_null()), (Some("max_tokens"), true));
        assert_eq!(report["timings"]["prefill_tokens"], 11);
        assert_eq!(report["timings"]["decode_tokens"], 23);
        assert!(report["timings"]["ttft_ms"].as_f64() > Some(0.0));
        assert!(report["device"].as_str().is_some_and(|name| name.contains("cpu") == (device == "cpu")));
    }
}

#[test]
fn a_prompt_is_text_from_an_argument_or_from_standard_input() {
    let arguments = ["generate", MODEL, "--device", "cpu", "--max-new-tokens", "8", "--ignore-eos"];
    let given = pteron(&[&arguments[..], &["--prompt", "The river"]].concat());
    assert_eq!(given.code, 0, "{}", given.stderr);
    assert!(given.stderr.contains("8 tokens, ") && given.stderr.contains("tokens/s, first after"), "{}", given.stderr);

    let mut child = command(&[&arguments[..], &["--prompt", "-"]].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"The river\n").unwrap();
    let read = Ran::from(child.wait_with_output().unwrap());
    assert_eq!((read.code, read.stdout), (0, given.stdout));
}

#[test]
fn chats_go_through_the_template() {
    let arguments = ["generate", MODEL, "--device", "cpu", "--max-new-tokens", "1", "--json", "--prompt", "A wing?"];
    let ids = |more: &[&str]| json(&succeed(&[&arguments[..], more].concat()))["prompt_ids"].clone();
    let (plain, chat, system) = (ids(&[]), ids(&["--chat"]), ids(&["--system", "Be brief."]));
    assert!(plain != chat && chat != system);
    // Beginning of the text, and the beginning of an answer.
    assert_eq!((chat[0].as_u64(), chat.as_array().unwrap().last().unwrap().as_u64()), (Some(0), Some(3)));

    let folder = tempfile::tempdir().unwrap();
    let template = folder.path().join("chat.jinja");
    std::fs::write(&template, "{{ bos_token }}{{ messages[0].content }}").unwrap();
    let own = ids(&["--chat", "--template", text(&template)]);
    assert_eq!(own[0], 0);
    assert_eq!(own.as_array().unwrap()[1..], plain.as_array().unwrap()[..]);
    std::fs::write(&template, "{% if %}").unwrap();
    let broken = refuse(&[&arguments[..], &["--chat", "--template", text(&template)]].concat());
    assert!(broken.contains("the chat template") && broken.contains("line 1"), "{broken}");
}

#[test]
fn seeds_and_stop_strings_are_kept_to() {
    let arguments = ["generate", MODEL, "--device", "cpu", "--max-new-tokens", "30", "--ignore-eos", "--prompt", "A"];
    let run = |more: &[&str]| json(&succeed(&[&arguments[..], more, &["--json"]].concat()));
    let seven = run(&["--temperature", "1.2", "--seed", "7"]);
    assert_eq!(run(&["--temperature", "1.2", "--seed", "7"])["generated_ids"], seven["generated_ids"]);
    assert_ne!(run(&["--temperature", "1.2", "--seed", "8"])["generated_ids"], seven["generated_ids"]);
    assert_eq!((seven["seed"].as_u64(), run(&[])["seed"].as_u64()), (Some(7), Some(0)));
    // Without a seed every run has its own, and says which.
    let drawn = run(&["--top-k", "40"]);
    let again = run(&["--top-k", "40", "--seed", &drawn["seed"].to_string()]);
    assert_eq!(again["generated_ids"], drawn["generated_ids"]);

    let whole = run(&[])["text"].as_str().unwrap().to_owned();
    let stop: String = whole.chars().skip(4).take(2).collect();
    let stopped = run(&["--stop", &stop]);
    assert_eq!(
        (stopped["stop_reason"].as_str(), stopped["text"].as_str()),
        (Some("stop_string"), whole.split(&stop).next())
    );
}

#[test]
fn a_full_context_is_a_reason_to_stop() {
    let report =
        json(&succeed(&["generate", MODEL, "--device", "cpu", "--prompt-ids", "5,6", "--ignore-eos", "--json"]));
    assert_eq!(
        (report["stop_reason"].as_str(), report["generated_ids"].as_array().map(Vec::len)),
        (Some("context_full"), Some(63))
    );
}

#[test]
fn what_is_wrong_is_2_and_says_what_to_do() {
    let long = ["5"; 65].join(",");
    for (arguments, expected) in [
        (
            &["--prompt", "A", "--tokenizer", "llm/tokenizers/bpe.model"][..],
            "token 399 is outside the model's vocabulary of 352",
        ),
        (&["--prompt", "A", "--tokenizer", "llm/tiny/golden.json"], "some other JSON file: give tokenizer.json"),
        (&["--prompt", "A", "--tokenizer", "no_such.json"], &format!("no_such.json: {MISSING}")),
        (&["--prompt-ids", "1,352"], "token 352 at place 1 is outside"),
        (&["--prompt-ids", &long], "65 tokens, and the model's context holds 64"),
        (&["--prompt-ids", ""], "the prompt has no tokens"),
        (&["--prompt-ids", "1,x"], "\"x\" is no token id"),
        (&["--prompt", "A", "--top-p", "1.5"], "top-p is 1.5"),
        (&["--prompt", "A", "--chunk", "0"], "chunk is 0"),
        (&["--prompt", "A", "--stop", ""], "stop string is empty"),
        (&[], "--prompt <TEXT>"),
    ] {
        let error = refuse(&[&["generate", MODEL, "--device", "cpu"], arguments].concat());
        assert!(error.contains(expected), "{arguments:?}: {error}");
    }
    let other = pteron(&["generate", "demo/embedding/model.pte", "--device", "cpu", "--prompt-ids", "1"]);
    assert_eq!(other.code, 1);
    assert!(other.stderr.contains("no language model that runs here"), "{}", other.stderr);
    let alone = tempfile::tempdir().unwrap();
    let model = alone.path().join("model.pte");
    std::fs::copy(fixtures().join(MODEL), &model).unwrap();
    let error = refuse(&["generate", text(&model), "--device", "cpu", "--prompt", "A"]);
    assert!(error.contains("--tokenizer FILE"), "{error}");
}

#[test]
fn a_reader_that_goes_away_ends_it() {
    let ran = crate::without_reader(&["generate", MODEL, "--device", "cpu", "--prompt", "A", "--ignore-eos"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
}

/// A generation on the GPU, which takes a while, after its first text has come.
#[cfg(unix)]
fn started() -> (std::process::Child, Vec<u8>) {
    let mut child = command(&["generate", MODEL, "--device", "gpu", "--prompt-ids", "5,6", "--ignore-eos"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    (child, first.to_vec())
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_the_answer_with_the_text_so_far() {
    let whole = succeed(&["generate", MODEL, "--device", "gpu", "--prompt-ids", "5,6", "--ignore-eos"]);
    // The answer may be at its end before the signal is there; it is not each time.
    let cancelled = (0..20).find_map(|_| {
        let (child, first) = started();
        crate::signal(&child, "INT");
        let mut output = child.wait_with_output().unwrap();
        output.stdout.splice(..0, first);
        let ran = Ran::from(output);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.stderr.contains(", cancelled").then_some(ran)
    });
    let cancelled = cancelled.expect("Ctrl-C ends an answer");
    let shown = cancelled.stdout.strip_suffix('\n').unwrap().trim_end_matches('\u{fffd}');
    assert!(shown.len() + 1 < whole.len() && whole.starts_with(shown), "{shown:?} of {whole:?}");
}

#[test]
#[cfg(unix)]
fn ctrl_c_while_it_waits_ends_the_program() {
    // It waits for the prompt, and has nothing to stop.
    let mut child =
        command(&["generate", MODEL, "--device", "cpu", "--prompt", "-"]).stdin(Stdio::piped()).spawn().unwrap();
    crate::signal(&child, "INT");
    drop(child.stdin.take());
    let status = child.wait().unwrap();
    assert!(!status.success(), "{status}");
}

#[test]
#[cfg(unix)]
fn a_kill_at_any_moment_leaves_nothing_behind() {
    let (prompt, expected) = golden();
    let cache = tempfile::tempdir().unwrap();
    let arguments = ["generate", MODEL, "--device", "gpu", "--prompt-ids", &prompt, "--ignore-eos", "--json"];
    let generate = || {
        let mut command = command(&[&arguments[..], &["--max-new-tokens", "24"]].concat());
        command.env("XDG_CACHE_HOME", cache.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    // Compiled pipelines are kept on disk; whoever is killed writes them at some of these moments.
    for wait in [0, 50, 200, 400, 800] {
        let mut child = generate().spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(wait));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let ran = Ran::from(generate().output().unwrap());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(json(&ran.stdout)["generated_ids"], serde_json::json!(expected));
}
