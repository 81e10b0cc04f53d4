//! Reads bytes as a tokenizer file of any kind, and goes from text to tokens and back with it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pteron_llm::Tokenizer;

const TEXT: &str = "A wing, 翼 <mark>  <s>it's\n\n\t1234 É e\u{301} ﬁ of the sea</s>    a";

fuzz_target!(|bytes: &[u8]| {
    let Ok(tokenizer) = Tokenizer::from_bytes(bytes) else { return };
    let ids = tokenizer.encode(TEXT).unwrap_or_default();
    let _ = tokenizer.decode(&ids);
    let mut stream = tokenizer.stream();
    for id in (0..8).chain([300, u32::MAX]) {
        stream.push(id);
    }
    stream.finish();
});
