//! Damages tokenizer files and chat templates in many ways: whatever comes out, reading and using it neither panics, nor
//! takes long, nor allocates beyond measure.

#[path = "../../pte/tests/counting/mod.rs"]
mod counting;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use counting::{ALLOCATED, PEAK};
use pteron_llm::{Config, Message, Random, Template, Tokenizer};
use serde_json::{Value, json};

/// One test at a time, since they share the count.
static ALONE: Mutex<()> = Mutex::new(());

/// Bytes and time that one damaged file may take. Compiled patterns are most of both.
const MOST_BYTES: usize = 64 << 20;
const MOST_TIME: Duration = Duration::from_secs(5);

const TEXT: &str = "A wing, 翼 <mark>  <s>it's\n\n\t1234 É e\u{301} ﬁ of the sea</s>    a";

fn below(random: &mut Random, bound: usize) -> usize {
    usize::try_from(random.bits() % bound.max(1) as u64).unwrap()
}

/// Runs something, and complains where it panics, takes long or takes much memory.
fn watched(bytes: &[u8], run: impl FnOnce()) {
    let (before, started) = (ALLOCATED.load(Relaxed), Instant::now());
    PEAK.store(before, Relaxed);
    let done = catch_unwind(AssertUnwindSafe(run));
    let (taken, grown) = (started.elapsed(), PEAK.load(Relaxed).saturating_sub(before));
    let shown = String::from_utf8_lossy(bytes.get(..bytes.len().min(3000)).unwrap_or_default());
    assert!(done.is_ok(), "it panics: {shown}");
    assert!(taken < MOST_TIME, "it takes {taken:?}: {shown}");
    assert!(grown < MOST_BYTES, "it takes {grown} bytes: {shown}");
}

/// Reads a tokenizer and uses all of it.
fn exercise(bytes: &[u8]) {
    watched(bytes, || {
        let Ok(tokenizer) = Tokenizer::from_bytes(bytes) else { return };
        let ids = tokenizer.encode(TEXT).unwrap_or_default();
        let _ = (tokenizer.decode(&ids), tokenizer.vocabulary(), tokenizer.id("<s>"));
        let mut stream = tokenizer.stream();
        for id in [0, 1, 2, 90, 300, 341, 342, u32::MAX] {
            stream.push(id);
        }
        stream.finish();
    });
}

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(pteron_testkit::fixtures().join("llm").join(name)).expect("the fixture is there")
}

#[test]
fn damaged_bytes_are_errors_or_tokenizers() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut random = Random::new(9);
    for (name, mutants) in [
        ("tokenizers/bpe.model", 4000),
        ("tokenizers/unigram.model", 4000),
        ("tokenizers/symbols.model", 4000),
        ("tokenizers/small.tiktoken", 1000),
        ("tokenizers/byte_level.json", 1000),
        ("tokenizers/scores.json", 2000),
    ] {
        let whole = fixture(name);
        for _ in 0..mutants {
            let mut damaged = whole.clone();
            for _ in 0..=below(&mut random, 3) {
                let at = below(&mut random, damaged.len());
                match below(&mut random, 8) {
                    0 => damaged.truncate(at.max(1)),
                    1 => drop(damaged.drain(at..damaged.len().min(at + below(&mut random, 40)))),
                    2 => {
                        let piece: Vec<u8> = whole.iter().skip(at).take(below(&mut random, 40)).copied().collect();
                        let at = below(&mut random, damaged.len());
                        damaged.splice(at..at, piece);
                    }
                    3 | 4 => damaged[at] ^= 1 << below(&mut random, 8),
                    _ => damaged[at] = [0, 1, 0x7f, 0x80, 0xff, b'"', b'0', b'\n'][below(&mut random, 8)],
                }
                if damaged.is_empty() {
                    damaged.push(0);
                }
            }
            exercise(&damaged);
        }
    }
}

/// A value that is apt to be wrong where it lands.
fn wrong(random: &mut Random) -> Value {
    let values = [
        Value::Null,
        json!(true),
        json!(0),
        json!(-1),
        json!(u32::MAX),
        json!(u64::MAX),
        json!(1e300),
        json!(""),
        json!("a"),
        json!(" "),
        json!("▁"),
        json!("\u{0}"),
        json!("A".repeat(2000)),
        json!("(?=a)"),
        json!(".*"),
        json!(r"(\w+\s?)+$(?!x)"),
        json!(r"(?:\w{100}){100}"),
        json!(r"(?<a>\g<a>?x)"),
        json!([]),
        json!({}),
        json!([[], {}]),
        json!({"type": "Sequence"}),
        json!({"String": ""}),
        json!({"Regex": "|"}),
    ];
    values[below(random, values.len())].clone()
}

/// A node of a value, at random; tables of tokens are entered seldom, so that the steps are damaged most.
fn node<'a>(value: &'a mut Value, random: &mut Random) -> &'a mut Value {
    let children = match &*value {
        Value::Array(list) => list.len(),
        Value::Object(map) => map.len(),
        _ => 0,
    };
    if children == 0 || below(random, 5) == 0 || (children > 50 && below(random, 2) == 0) {
        return value;
    }
    let at = below(random, children);
    let child = match value {
        Value::Array(list) => list.get_mut(at),
        Value::Object(map) => map.values_mut().nth(at),
        _ => None,
    };
    node(child.unwrap(), random)
}

/// A step of every kind, in place of those that a file has.
fn all_steps() -> Value {
    let kinds = |name: &str, kinds: &[&str]| -> Value {
        let steps = kinds.iter().map(|kind| {
            json!({
                "type": kind, "pattern": {"Regex": r"\s+(?!\S)|[a-z]"}, "content": "b", "behavior": "MergedWithNext",
                "replacement": "▁", "prepend_scheme": "first", "prepend": "_", "delimiter": "-", "length": 3, "start": 1,
                "stop": 1, "precompiled_charsmap": "BAAAAAAAAABhAA==", "prefix": "##",
            })
        });
        let steps: Vec<Value> = steps.collect();
        json!({"type": "Sequence", name: steps})
    };
    let normalizers = [
        "NFC",
        "NFD",
        "NFKC",
        "NFKD",
        "Lowercase",
        "StripAccents",
        "Strip",
        "Prepend",
        "Replace",
        "Precompiled",
        "BertNormalizer",
        "ByteLevel",
    ];
    let splitters = [
        "ByteLevel",
        "Metaspace",
        "Split",
        "Digits",
        "Whitespace",
        "WhitespaceSplit",
        "Punctuation",
        "BertPreTokenizer",
        "CharDelimiterSplit",
        "FixedLength",
    ];
    let decoders = ["Replace", "ByteFallback", "Strip", "Metaspace", "WordPiece", "ByteLevel"];
    json!({
        "normalizer": kinds("normalizers", &normalizers), "pre_tokenizer": kinds("pretokenizers", &splitters),
        "decoder": kinds("decoders", &decoders),
    })
}

#[test]
fn damaged_values_are_errors_or_tokenizers() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut random = Random::new(11);
    for name in ["gemma", "byte_level", "scores", "pieces"] {
        let mut whole: Value = serde_json::from_slice(&fixture(&format!("tokenizers/{name}.json"))).unwrap();
        for round in 0..2500 {
            if round == 1000 {
                let steps = all_steps();
                for (name, steps) in steps.as_object().unwrap() {
                    whole[name] = steps.clone();
                }
            }
            let mut damaged = whole.clone();
            for _ in 0..=below(&mut random, 3) {
                let other = node(&mut damaged, &mut random).clone();
                let target = node(&mut damaged, &mut random);
                match below(&mut random, 4) {
                    0 => *target = other,
                    1 => match target {
                        Value::Array(list) if !list.is_empty() => drop(list.remove(below(&mut random, list.len()))),
                        Value::Object(map) if !map.is_empty() => {
                            let key = map.keys().nth(below(&mut random, map.len())).cloned();
                            map.remove(&key.unwrap());
                        }
                        Value::String(text) => drop(text.pop()),
                        _ => {}
                    },
                    2 => match target {
                        Value::Array(list) => list.push(other),
                        Value::String(text) => text.push_str(&other.to_string()),
                        Value::Number(number) => *target = json!(number.as_i64().unwrap_or(0).wrapping_add(1)),
                        _ => {}
                    },
                    _ => *target = wrong(&mut random),
                }
            }
            exercise(&serde_json::to_vec(&damaged).unwrap());
        }
    }
}

#[test]
fn damaged_templates_are_errors_or_text() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    const PIECES: [&str; 40] = [
        "{{",
        "}}",
        "{%",
        "%}",
        "{#",
        "#}",
        "-%}",
        "for ",
        "in ",
        "if ",
        "endif",
        "endfor",
        "else",
        "set ",
        "macro f(x)",
        "endmacro",
        "messages",
        "message",
        ".content",
        "['role']",
        "loop.index",
        "range(9)",
        "f(1)",
        "|length",
        "|tojson",
        "|replace('a','aaaa')",
        "*",
        "**",
        "99999999999",
        "'a'",
        "[",
        "]",
        "(",
        ")",
        "~",
        "-1",
        " ",
        "{",
        "namespace(x=1)",
        ".split()",
    ];
    let source = "{% macro f(x) %}{{ x * 3 }}{% endmacro %}{%- for message in messages %}{% set ns = namespace(x=loop.index) %}\
        {% if message.role == 'user' %}{{ f(message['content'])|trim|upper }}{% else %}{{ message.content.strip()|tojson }}\
        {% endif %}{{ '%s' % ns.x }}{%- endfor %}{{ bos_token ~ messages[0:1]|length ~ range(3)|join(',') }}";
    let chat = [Message::new("user", " Hello "), Message::new("assistant", "a".repeat(50))];
    let mut random = Random::new(13);
    for _ in 0..6000 {
        let mut damaged = source.to_owned();
        for _ in 0..=below(&mut random, 4) {
            let starts: Vec<usize> = damaged.char_indices().map(|(at, _)| at).chain([damaged.len()]).collect();
            let at = starts[below(&mut random, starts.len())];
            let end = starts[below(&mut random, starts.len())].clamp(at, damaged.len().min(at + 12));
            let piece = if below(&mut random, 4) == 0 { "" } else { PIECES[below(&mut random, PIECES.len())] };
            let keeps = below(&mut random, 2) == 0;
            damaged.replace_range(if keeps { at..at } else { at..end }, piece);
        }
        watched(damaged.as_bytes(), || {
            if let Ok(template) = Template::new(&damaged, &Config::default()) {
                let _ = template.render(&chat, true);
            }
        });
    }
}
