//! Cuts text by a pattern of a `tokenizer.json`: a line of the bytes, and the rest of them is the text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pteron_llm::Tokenizer;
use serde_json::json;

fuzz_target!(|bytes: &str| {
    let (pattern, text) = bytes.split_once('\n').unwrap_or((bytes, "It's a wing,  of 1234 翼"));
    let split = json!({"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated"});
    let model = json!({"type": "WordLevel", "vocab": {"?": 0}, "unk_token": "?"});
    let file = json!({"pre_tokenizer": split, "model": model}).to_string();
    if let Ok(tokenizer) = Tokenizer::from_bytes(file.as_bytes()) {
        let _ = tokenizer.encode(text);
    }
});
