//! tiktoken files: base64 tokens with their ranks.
//!
//! A file has neither the pattern that cuts text nor the special tokens. Both are known for some models, which their
//! number of ranks tells.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::ranks::Ranks;
use crate::error::{Error, Result};

/// How Llama 3 cuts text before it merges bytes.
pub(super) const LLAMA3_PATTERN: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";

/// How Qwen does: each digit alone.
const QWEN_PATTERN: &str =
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";

/// How `cl100k_base` does.
const CL100K_PATTERN: &str = r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s";

/// How `o200k_base` and Llama 4 do: a word ends where capitals begin.
const O200K_PATTERN: &str = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+";

/// A model whose file is known by its number of ranks.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Known {
    name: &'static str,
    ranks: usize,
    pattern: &'static str,
    /// Special tokens that have a name, by their distance from the last rank; the others are reserved.
    specials: &'static [(u32, &'static str)],
    beginning: Option<&'static str>,
    /// Tokens that end a text or a turn.
    ends: &'static [&'static str],
}

pub(super) const LLAMA3: Known = Known {
    name: "Llama 3",
    ranks: 128_000,
    pattern: LLAMA3_PATTERN,
    specials: &[
        (0, "<|begin_of_text|>"),
        (1, "<|end_of_text|>"),
        (4, "<|finetune_right_pad_id|>"),
        (5, "<|step_id|>"),
        (6, "<|start_header_id|>"),
        (7, "<|end_header_id|>"),
        (8, "<|eom_id|>"),
        (9, "<|eot_id|>"),
        (10, "<|python_tag|>"),
        (256, "<|image|>"),
    ],
    beginning: Some("<|begin_of_text|>"),
    ends: &["<|end_of_text|>", "<|eom_id|>", "<|eot_id|>"],
};

static KNOWN: [Known; 5] = [
    LLAMA3,
    Known {
        name: "Llama 4",
        ranks: 200_000,
        pattern: O200K_PATTERN,
        specials: &[
            (0, "<|begin_of_text|>"),
            (1, "<|end_of_text|>"),
            (2, "<|fim_prefix|>"),
            (3, "<|fim_middle|>"),
            (4, "<|fim_suffix|>"),
            (5, "<|header_start|>"),
            (6, "<|header_end|>"),
            (7, "<|eom|>"),
            (8, "<|eot|>"),
            (9, "<|step|>"),
            (16, "<|python_start|>"),
            (17, "<|python_end|>"),
            (18, "<|finetune_right_pad|>"),
            (80, "<|image_start|>"),
            (81, "<|image_end|>"),
            (84, "<|tile_x_separator|>"),
            (85, "<|tile_y_separator|>"),
            (90, "<|image|>"),
            (92, "<|patch|>"),
            (1142, "<|reasoning_thinking_start|>"),
            (1143, "<|reasoning_thinking_end|>"),
        ],
        beginning: Some("<|begin_of_text|>"),
        ends: &["<|end_of_text|>", "<|eom|>", "<|eot|>"],
    },
    Known {
        name: "Qwen",
        ranks: 151_643,
        pattern: QWEN_PATTERN,
        specials: &[(0, "<|endoftext|>"), (1, "<|im_start|>"), (2, "<|im_end|>")],
        beginning: None,
        ends: &["<|endoftext|>", "<|im_end|>"],
    },
    Known {
        name: "cl100k_base",
        ranks: 100_256,
        pattern: CL100K_PATTERN,
        specials: &[
            (1, "<|endoftext|>"),
            (2, "<|fim_prefix|>"),
            (3, "<|fim_middle|>"),
            (4, "<|fim_suffix|>"),
            (20, "<|endofprompt|>"),
        ],
        beginning: None,
        ends: &["<|endoftext|>"],
    },
    // The names are those of gpt-oss, which has all of the others'.
    Known {
        name: "o200k_base",
        ranks: 199_998,
        pattern: O200K_PATTERN,
        specials: &[
            (0, "<|startoftext|>"),
            (1, "<|endoftext|>"),
            (4, "<|return|>"),
            (5, "<|constrain|>"),
            (7, "<|channel|>"),
            (8, "<|start|>"),
            (9, "<|end|>"),
            (10, "<|message|>"),
            (14, "<|call|>"),
            (20, "<|endofprompt|>"),
        ],
        beginning: None,
        ends: &["<|endoftext|>", "<|return|>", "<|call|>"],
    },
];

/// A tokenizer that was read, which model's it is, and its tokens that begin and end a text.
#[derive(Debug)]
pub(super) struct Tiktoken {
    pub(super) ranks: Ranks,
    pub(super) known: &'static Known,
    pub(super) beginning: Option<u32>,
    pub(super) ends: Vec<u32>,
}

/// Whether the first line is a base64 word and a number.
pub(super) fn looks_like(bytes: &[u8]) -> bool {
    let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    read_line(line).is_some()
}

impl Tiktoken {
    /// Reads the file of a model that is known.
    pub(super) fn parse(bytes: &[u8]) -> Result<Tiktoken> {
        let tokens = read_tokens(bytes)?;
        let known = KNOWN.iter().find(|known| known.ranks == tokens.len()).ok_or_else(|| {
            let known: Vec<String> = KNOWN.iter().map(|known| format!("{} has {}", known.name, known.ranks)).collect();
            Error::Tokenizer(format!(
                "this tiktoken file has {} ranks, which is no model's that is known ({}); the special tokens of others \
                 are not in the file, so give the model's tokenizer.json",
                tokens.len(),
                known.join(", ")
            ))
        })?;
        let first = u32::try_from(tokens.len()).unwrap_or(u32::MAX);
        let specials = known.specials.iter().map(|&(offset, name)| (name.to_owned(), first.saturating_add(offset)));
        let ranks = Ranks::new(tokens, 0, known.pattern, specials)?;
        let beginning = known.beginning.and_then(|name| ranks.id(name));
        let ends = known.ends.iter().filter_map(|name| ranks.id(name)).collect();
        Ok(Tiktoken { ranks, known, beginning, ends })
    }
}

/// The tokens of a file, in the order of their ranks.
fn read_tokens(bytes: &[u8]) -> Result<Vec<Vec<u8>>> {
    let mut tokens = Vec::new();
    for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let (token, rank) = read_line(line).ok_or_else(|| {
            Error::Tokenizer(format!("line {number} of the tiktoken file is no base64 word with its rank"))
        })?;
        if rank != tokens.len() {
            return Err(Error::Tokenizer(format!(
                "line {number} of the tiktoken file has rank {rank}, expected {}",
                tokens.len()
            )));
        }
        tokens.push(token);
    }
    Ok(tokens)
}

/// The token and the rank of a line.
fn read_line(line: &[u8]) -> Option<(Vec<u8>, usize)> {
    let mut words = line.trim_ascii().split(|&byte| byte == b' ');
    let token = STANDARD.decode(words.next()?).ok()?;
    let rank = std::str::from_utf8(words.next()?).ok()?.parse().ok()?;
    (words.next().is_none() && !token.is_empty()).then_some((token, rank))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_those_of_tiktoken() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/llm/tokenizers");
        let tokens = read_tokens(&std::fs::read(folder.join("small.tiktoken")).unwrap()).unwrap();
        let tokenizer = Ranks::new(tokens, 0, LLAMA3_PATTERN, []).unwrap();
        let cases: serde_json::Value =
            serde_json::from_slice(&std::fs::read(folder.join("cases.json")).unwrap()).unwrap();
        let cases = cases["tiktoken"].as_array().unwrap();
        assert!(cases.len() > 5);
        for case in cases {
            let ids = tokenizer.encode(case["text"].as_str().unwrap()).unwrap();
            assert_eq!(serde_json::json!(ids), case["ids"], "{case}");
            let bytes: Vec<u8> = ids.iter().flat_map(|&id| tokenizer.bytes(id).to_vec()).collect();
            assert_eq!(case["decoded"], String::from_utf8(bytes).unwrap());
        }
    }

    #[test]
    fn files_are_checked_line_by_line() {
        assert_eq!(read_tokens(b"IQ== 0\nIg== 1\r\n\n").unwrap(), [b"!", b"\""]);
        for (file, expected) in [
            ("IQ== 0\nIg== 2\n", "line 2"),
            ("IQ== 0\n?? 1", "line 2"),
            ("IQ== 0\nI=Q= 1", "line 2"),
            ("IQ 0", "line 1"),
            ("IQ== 0 0", "line 1"),
        ] {
            assert!(read_tokens(file.as_bytes()).unwrap_err().to_string().contains(expected), "{file}");
        }
        let error = Tiktoken::parse(b"IQ== 0\nIg== 1\n").unwrap_err().to_string();
        assert!(error.contains("has 2 ranks") && error.contains("tokenizer.json"), "{error}");
    }

    #[test]
    fn every_known_model_can_be_told_and_built() {
        for known in &KNOWN {
            assert_eq!(KNOWN.iter().filter(|other| other.ranks == known.ranks).count(), 1, "{}", known.name);
            let specials = known.specials.iter().map(|&(id, name)| (name.to_owned(), id));
            let ranks = Ranks::new(Vec::new(), 0, known.pattern, specials).unwrap();
            assert!(known.ends.iter().chain(&known.beginning).all(|name| ranks.id(name).is_some()), "{}", known.name);
        }
    }
}
