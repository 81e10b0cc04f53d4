//! Templates that loop, patterns that explode, and names without end: each is an error or an answer in bounded time and memory.

#[path = "../../pte/tests/counting/mod.rs"]
mod counting;

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use counting::{ALLOCATED, PEAK};
use pteron_llm::{Config, Message, Template, Tokenizer};
use serde_json::json;

/// One test at a time, since they share the count.
static ALONE: Mutex<()> = Mutex::new(());

const MOST_BYTES: usize = 256 << 20;
/// Tests are not optimized, and ten million steps of a template take some seconds then.
const MOST_TIME: Duration = Duration::from_secs(60);

fn bounded<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let (before, started) = (ALLOCATED.load(Relaxed), Instant::now());
    PEAK.store(before, Relaxed);
    let result = work();
    let (taken, grown) = (started.elapsed(), PEAK.load(Relaxed).saturating_sub(before));
    assert!(taken < MOST_TIME, "{what} takes {taken:?}");
    assert!(grown < MOST_BYTES, "{what} takes {grown} bytes");
    result
}

#[test]
fn templates_that_do_not_end_are_errors() {
    for source in [
        "{% for a in range(100000) %}{% for b in range(100000) %}{% set c = a * b %}{% endfor %}{% endfor %}",
        "{% for a in range(100000) %}{% for b in range(100000) %}xxxxxxxxxxxxxxxx{% endfor %}{% endfor %}",
        "{% macro f(x) %}{{ f(x) }}{% endmacro %}{{ f(1) }}",
        "{% macro f(x) %}{{ f(x) }}{{ f(x) }}{% endmacro %}{{ f(1) }}",
        "{% for a in range(10) recursive %}{{ loop(range(10)) }}{% endfor %}",
        "{{ 'x' * 1000000000000 }}",
        "{{ ['x'] * 1000000000000 }}",
        "{{ range(1000000000000) | list }}",
        "{{ range(1000000000) | join('x') }}",
        "{{ 'x' | indent(1000000000000) }}",
        "{{ messages | tojson(indent=1000000000000) }}",
        "{{ messages | batch(1000000000000, 0) }}",
        "{{ messages | slice(1000000000000) }}",
        "{{ '%01000000000000d' | format(1) }}",
        "{{ '{:>1000000000000}'.format(1) }}",
        "{% include 'chat' %}",
    ] {
        bounded(source, || {
            let Ok(template) = Template::new(source, &Config::default()) else { return };
            let rendered = template.render(&[Message::new("user", "Hello")], true);
            assert!(rendered.is_err(), "{source} gives {} bytes", rendered.unwrap_or_default().len());
        });
    }
}

#[test]
fn templates_of_deep_nesting_are_errors_or_text() {
    for (open, close) in [("{{ (", ") }}"), ("[", "]"), ("not ", ""), ("-", ""), ("a.", "a")] {
        for depth in [100, 20_000] {
            let inner =
                open.trim_start_matches("{{ ").repeat(depth) + "1" + &close.trim_end_matches(" }}").repeat(depth);
            let source = format!("{{{{ {inner} }}}}");
            bounded(open, || {
                let template = Template::new(&source, &Config::default());
                let _ = template.map(|template| template.render(&[Message::new("user", "Hello")], true));
            });
        }
    }
}

fn tokenizer(pattern: &str) -> Option<Tokenizer> {
    let split = json!({"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated"});
    let model = json!({"type": "WordLevel", "vocab": {"?": 0}, "unk_token": "?"});
    Tokenizer::from_bytes(json!({"pre_tokenizer": split, "model": model}).to_string().as_bytes()).ok()
}

#[test]
fn patterns_that_explode_end() {
    let many = "a".repeat(20_000) + "!" + &"ab ".repeat(1000);
    let nested = "(".repeat(4000) + "a" + &")".repeat(4000);
    for pattern in [
        "(a+)+$",
        "(a|aa)+$",
        "(a*)*b",
        "(?=(a+))*b",
        "((a{1,100}){1,100}){1,100}",
        "(?:a{1000}){1000}",
        "[\\p{L}\\p{N}]{1000}{1000}",
        "(a+)\\1+$",
        "(?<=a{0,1000}b)c",
        "(((((a*)*)*)*)*)*$",
        &nested,
        &format!("[{}]", "\\p{L}".repeat(3000)),
    ] {
        let shown = &pattern[..pattern.len().min(60)];
        bounded(shown, || {
            let Some(tokenizer) = tokenizer(pattern) else { return };
            let _ = tokenizer.encode(&many);
        });
    }
}

#[test]
fn names_and_lists_without_end_cost_no_more_than_their_file() {
    let name = "n".repeat(1 << 20);
    let vocab: serde_json::Map<_, _> = (0..5000).map(|id| (format!("t{id}"), json!(id))).collect();
    let added: Vec<_> = (0..5000).map(|id| json!({"id": id, "content": format!("<{id}>"), "special": true})).collect();
    let steps: Vec<_> = (0..100_000).map(|_| json!({"type": "NFC"})).collect();
    for (what, file) in [
        ("a name", json!({"model": {"type": "WordLevel", "vocab": {name.as_str(): 0}, "unk_token": name}})),
        ("a type", json!({"model": {"type": name}})),
        (
            "an id",
            json!({"model": {"type": "WordLevel", "vocab": {"a": u32::MAX, "b": 4_000_000_000u32}, "unk_token": "a"}}),
        ),
        ("added", json!({"added_tokens": added, "model": {"type": "WordLevel", "vocab": vocab, "unk_token": "t0"}})),
        (
            "steps",
            json!({"normalizer": {"type": "Sequence", "normalizers": steps}, "model": {"type": "BPE", "vocab": {}, "merges": []}}),
        ),
        ("merges", json!({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": vec!["a a"; 100_000]}})),
    ] {
        let bytes = file.to_string();
        bounded(what, || {
            let Ok(tokenizer) = Tokenizer::from_bytes(bytes.as_bytes()) else { return };
            let ids = tokenizer.encode(&"nt1 <7> ".repeat(1000)).unwrap_or_default();
            let _ = tokenizer.decode(&ids);
        });
    }
}
