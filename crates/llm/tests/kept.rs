//! Files that fuzzing found or reached far with, each read as its target reads it.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use pteron_llm::{Config, Message, Template, Tokenizer};
use serde_json::json;

const TEXT: &str = "A wing, 翼 <mark>  <s>it's\n\n\t1234 É e\u{301} ﬁ of the sea</s>    a";

/// Does something with each file that is kept for a target.
fn each(target: &str, work: impl Fn(&[u8])) {
    let folder = pteron_testkit::fixtures().join("../fuzz/kept").join(target);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("the folder is readable").path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "nothing is kept for {target}");
    for path in paths {
        let started = Instant::now();
        work(&std::fs::read(&path).expect("it is readable"));
        assert!(started.elapsed() < Duration::from_secs(20), "{} took {:?}", path.display(), started.elapsed());
    }
}

#[test]
fn kept_tokenizers_are_read() {
    each("tokenizer", |bytes| {
        let Ok(tokenizer) = Tokenizer::from_bytes(bytes) else { return };
        let ids = tokenizer.encode(TEXT).unwrap_or_default();
        let _ = tokenizer.decode(&ids);
        let mut stream = tokenizer.stream();
        for id in (0..8).chain([300, u32::MAX]) {
            stream.push(id);
        }
        stream.finish();
    });
}

#[test]
fn kept_patterns_end() {
    each("pattern", |bytes| {
        let Ok(file) = std::str::from_utf8(bytes) else { return };
        let (pattern, text) = file.split_once('\n').unwrap_or((file, "It's a wing,  of 1234 翼"));
        let split = json!({"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated"});
        let model = json!({"type": "WordLevel", "vocab": {"?": 0}, "unk_token": "?"});
        let file = json!({"pre_tokenizer": split, "model": model}).to_string();
        if let Ok(tokenizer) = Tokenizer::from_bytes(file.as_bytes()) {
            let _ = tokenizer.encode(text);
        }
    });
}

#[test]
fn kept_templates_end() {
    each("template", |bytes| {
        let Ok(source) = std::str::from_utf8(bytes) else { return };
        if let Ok(template) = Template::new(source, &Config::default()) {
            let _ = template.render(&[Message::new("user", " Hello "), Message::new("assistant", "Hi.")], true);
        }
    });
}
