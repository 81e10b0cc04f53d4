//! Renders a short chat with bytes as its template.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pteron_llm::{Config, Message, Template};

fuzz_target!(|source: &str| {
    if let Ok(template) = Template::new(source, &Config::default()) {
        let _ = template.render(&[Message::new("user", " Hello "), Message::new("assistant", "Hi.")], true);
    }
});
