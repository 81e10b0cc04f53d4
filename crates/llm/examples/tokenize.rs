//! A driver of `tools/tokenizers/compare.py`: the ids of texts, their text again, and how long it takes.
//!
//! `cargo run --release -p pteron-llm --example tokenize -- TOKENIZER TEXTS.json [FILE]`
#![expect(clippy::print_stdout, reason = "an example says what it found")]

use std::error::Error;
use std::time::Instant;

use pteron_llm::Tokenizer;
use serde_json::json;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [tokenizer, texts, rest @ ..] = arguments.as_slice() else {
        return Err("give a tokenizer and a JSON list of texts".into());
    };
    let bytes = std::fs::read(tokenizer)?;
    let started = Instant::now();
    let tokenizer = match Tokenizer::from_bytes(&bytes) {
        Ok(tokenizer) => tokenizer,
        Err(error) => {
            println!("{}", json!({"error": error.to_string()}));
            return Ok(());
        }
    };
    let load = started.elapsed().as_secs_f64();
    let texts: Vec<String> = serde_json::from_slice(&std::fs::read(texts)?)?;
    let (mut ids, mut decoded) = (Vec::new(), Vec::new());
    for text in &texts {
        match tokenizer.encode_as_is(text) {
            Ok(tokens) => {
                decoded.push(tokenizer.decode(&tokens));
                ids.push(json!(tokens));
            }
            Err(error) => {
                decoded.push(String::new());
                ids.push(json!(error.to_string()));
            }
        }
    }
    let mut speed = None;
    if let Some(file) = rest.first() {
        let text = std::fs::read_to_string(file)?;
        let started = Instant::now();
        let tokens = tokenizer.encode_as_is(&text)?.len();
        speed = Some(json!([text.len() as f64 / 1e6 / started.elapsed().as_secs_f64(), tokens]));
    }
    println!("{}", json!({"load": load, "ids": ids, "decoded": decoded, "speed": speed}));
    Ok(())
}
