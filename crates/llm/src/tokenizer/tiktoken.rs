//! Llama 3's `tokenizer.model`: a tiktoken file of base64 tokens with their ranks.

use std::collections::HashMap;

use fancy_regex::Regex;

use super::merge::merge;
use super::special::{Part, Specials};
use crate::error::{Error, Result};

/// How Llama 3 cuts text before it merges bytes.
const LLAMA3_PATTERN: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";

/// Ranks in Llama 3's file; its special tokens follow them.
const LLAMA3_RANKS: usize = 128_000;

/// Special tokens of Llama 3 that have a name, by their distance from the last rank; the others are reserved.
const LLAMA3_SPECIALS: [(u32, &str); 10] = [
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
];

/// Tokens that end a text or a turn.
const LLAMA3_ENDS: [&str; 3] = ["<|end_of_text|>", "<|eom_id|>", "<|eot_id|>"];

/// Byte-pair merging over the stretches that a pattern cuts.
#[derive(Debug)]
pub(super) struct Tiktoken {
    /// The bytes of each token.
    tokens: Vec<Vec<u8>>,
    ranks: HashMap<Vec<u8>, u32>,
    pattern: Regex,
    specials: Specials,
    named: &'static [&'static str],
}

/// Whether the first line is a base64 word and a number.
pub(super) fn looks_like(bytes: &[u8]) -> bool {
    let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    read_line(line).is_some()
}

impl Tiktoken {
    /// Reads Llama 3's file.
    pub(super) fn llama3(bytes: &[u8]) -> Result<Tiktoken> {
        let tokens = read_tokens(bytes)?;
        if tokens.len() != LLAMA3_RANKS {
            return Err(Error::Tokenizer(format!(
                "this tiktoken file has {} ranks, and Llama 3's has {LLAMA3_RANKS}; the special tokens of others are \
                 not in the file, so give the model's tokenizer.json",
                tokens.len()
            )));
        }
        Tiktoken::new(tokens, LLAMA3_PATTERN, &LLAMA3_SPECIALS, &LLAMA3_ENDS)
    }

    /// Tokens in the order of their ranks, the pattern that cuts text, special tokens after the last rank, and which
    /// of these end a text.
    fn new(
        tokens: Vec<Vec<u8>>,
        pattern: &str,
        specials: &[(u32, &str)],
        named: &'static [&'static str],
    ) -> Result<Tiktoken> {
        let pattern = Regex::new(pattern).map_err(|error| Error::Tokenizer(error.to_string()))?;
        let ranks: HashMap<_, _> = (0..).zip(&tokens).map(|(rank, token)| (token.clone(), rank)).collect();
        let first = u32::try_from(tokens.len()).unwrap_or(u32::MAX);
        let specials = specials.iter().map(|&(offset, name)| (name.to_owned(), first.saturating_add(offset)));
        Ok(Tiktoken { specials: Specials::new(specials.collect())?, tokens, ranks, pattern, named })
    }

    pub(super) fn encode(&self, text: &str) -> Result<Vec<u32>> {
        let mut ids = Vec::new();
        for part in self.specials.split(text)? {
            match part {
                Part::Special(id) => ids.push(id),
                Part::Text(text) => self.encode_text(text, &mut ids)?,
            }
        }
        Ok(ids)
    }

    fn encode_text(&self, text: &str, ids: &mut Vec<u32>) -> Result<()> {
        let rank = |bytes: &[u8]| self.ranks.get(bytes).copied();
        for word in self.pattern.find_iter(text) {
            let word = word.map_err(|error| Error::Tokenizer(error.to_string()))?.as_str().as_bytes();
            if let Some(id) = rank(word) {
                ids.push(id);
                continue;
            }
            for range in merge(word, (0..word.len()).map(|at| at..at + 1), rank) {
                let bytes = word.get(range).unwrap_or_default();
                let missing = || Error::Tokenizer(format!("it has no token for the bytes {bytes:02x?}"));
                ids.push(rank(bytes).ok_or_else(missing)?);
            }
        }
        Ok(())
    }

    /// The bytes of a token; special tokens have none.
    pub(super) fn bytes(&self, id: u32) -> &[u8] {
        self.tokens.get(id as usize).map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn vocabulary(&self) -> usize {
        self.tokens.len()
    }

    pub(super) fn id(&self, token: &str) -> Option<u32> {
        self.specials.id(token).or_else(|| self.ranks.get(token.as_bytes()).copied())
    }

    pub(super) fn beginning(&self) -> Option<u32> {
        self.specials.id("<|begin_of_text|>")
    }

    pub(super) fn ends(&self) -> Vec<u32> {
        self.named.iter().filter_map(|name| self.specials.id(name)).collect()
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
    let (token, rank) = (base64(words.next()?)?, std::str::from_utf8(words.next()?).ok()?.parse().ok()?);
    (words.next().is_none() && !token.is_empty()).then_some((token, rank))
}

/// The bytes of a base64 word with its padding.
fn base64(word: &[u8]) -> Option<Vec<u8>> {
    let padding = word.iter().rev().take_while(|&&byte| byte == b'=').count();
    if word.is_empty() || !word.len().is_multiple_of(4) || padding > 2 {
        return None;
    }
    let mut bytes = Vec::with_capacity(word.len() / 4 * 3);
    for group in word.chunks(4) {
        let mut bits = 0u32;
        for &digit in group {
            let value = match digit {
                b'A'..=b'Z' => digit - b'A',
                b'a'..=b'z' => digit - b'a' + 26,
                b'0'..=b'9' => digit - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                b'=' => 0,
                _ => return None,
            };
            bits = bits << 6 | u32::from(value);
        }
        bytes.extend_from_slice(&bits.to_be_bytes()[1..]);
    }
    bytes.truncate(bytes.len() - padding);
    // Padding in the middle would have been read as zeros.
    word[..word.len() - padding].iter().all(|&digit| digit != b'=').then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENDS: &[&str] = &["<|eot_id|>"];

    /// Every byte, then some merges.
    fn small() -> Tiktoken {
        let mut tokens: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
        tokens.extend(["in", "wing", " w", " wing", "翼", "12"].map(|text| text.as_bytes().to_vec()));
        Tiktoken::new(tokens, LLAMA3_PATTERN, &LLAMA3_SPECIALS, ENDS).unwrap()
    }

    fn parts(text: &str) -> Vec<String> {
        let tokenizer = small();
        let ids = tokenizer.encode(text).unwrap();
        ids.iter().map(|&id| String::from_utf8_lossy(tokenizer.bytes(id)).into_owned()).collect()
    }

    #[test]
    fn text_is_cut_and_merged_by_rank() {
        // A whole word is one token, although no merges lead to it: "wing" needs "w" + "ing".
        assert_eq!(parts("wing wing"), ["wing", " wing"]);
        assert_eq!(parts("wings"), ["w", "in", "g", "s"]);
        assert_eq!(parts("1234"), ["12", "3", "4"]);
        // The last space of several belongs to the word that follows.
        assert_eq!(parts("a  wing"), ["a", " ", " wing"]);
        assert_eq!(parts("翼"), ["翼"]);
    }

    #[test]
    fn special_tokens_are_found_in_text_and_have_none() {
        let tokenizer = small();
        let first = u32::try_from(tokenizer.vocabulary()).unwrap();
        assert_eq!(tokenizer.encode("<|begin_of_text|>a<|eot_id|>").unwrap(), [first, 97, first + 9]);
        assert_eq!(tokenizer.bytes(first), b"");
        assert_eq!((tokenizer.beginning(), tokenizer.ends()), (Some(first), vec![first + 9]));
    }

    #[test]
    fn ids_are_those_of_tiktoken() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/llm/tokenizers");
        let tokens = read_tokens(&std::fs::read(folder.join("small.tiktoken")).unwrap()).unwrap();
        let tokenizer = Tiktoken::new(tokens, LLAMA3_PATTERN, &[], ENDS).unwrap();
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
    fn base64_is_read() {
        for (word, bytes) in
            [("IQ==", Some("!")), ("IHc=", Some(" w")), ("d2luZw==", Some("wing")), ("YWJj", Some("abc"))]
        {
            assert_eq!(base64(word.as_bytes()).as_deref(), bytes.map(str::as_bytes), "{word}");
        }
        for wrong in ["", "IQ", "IQ=", "I===", "I=Q=", "IQ.=", "===="] {
            assert_eq!(base64(wrong.as_bytes()), None, "{wrong}");
        }
    }

    #[test]
    fn files_are_checked_line_by_line() {
        assert_eq!(read_tokens(b"IQ== 0\nIg== 1\r\n\n").unwrap(), [b"!", b"\""]);
        for (file, expected) in [("IQ== 0\nIg== 2\n", "line 2"), ("IQ== 0\n?? 1", "line 2"), ("IQ== 0 0", "line 1")] {
            assert!(read_tokens(file.as_bytes()).unwrap_err().to_string().contains(expected), "{file}");
        }
        let error = Tiktoken::llama3(b"IQ== 0\nIg== 1\n").unwrap_err().to_string();
        assert!(error.contains("has 2 ranks") && error.contains("tokenizer.json"), "{error}");
    }
}
