//! Mistral's Tekken files: tokens with their ranks, the pattern that cuts text, and special tokens, in JSON.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

use super::ranks::Ranks;
use crate::error::{Error, Result};

#[derive(Deserialize)]
struct File {
    config: Config,
    vocab: Vec<Token>,
    special_tokens: Option<Vec<Special>>,
}

#[derive(Deserialize)]
struct Config {
    pattern: String,
    /// Tokens of the model, special ones included; the file may have more.
    default_vocab_size: usize,
    /// Ids before the first rank, whether they have a name or not.
    default_num_special_tokens: u32,
}

#[derive(Deserialize)]
struct Token {
    rank: usize,
    token_bytes: String,
}

#[derive(Deserialize)]
struct Special {
    rank: u32,
    token_str: String,
}

/// Special tokens of files that do not list them.
const SPECIALS: [&str; 20] = [
    "<unk>",
    "<s>",
    "</s>",
    "[INST]",
    "[/INST]",
    "[AVAILABLE_TOOLS]",
    "[/AVAILABLE_TOOLS]",
    "[TOOL_RESULTS]",
    "[/TOOL_RESULTS]",
    "[TOOL_CALLS]",
    "[IMG]",
    "<pad>",
    "[IMG_BREAK]",
    "[IMG_END]",
    "[PREFIX]",
    "[MIDDLE]",
    "[SUFFIX]",
    "[SYSTEM_PROMPT]",
    "[/SYSTEM_PROMPT]",
    "[TOOL_CONTENT]",
];

/// Reads a file whose JSON is sound.
pub(super) fn parse(bytes: &[u8]) -> Result<Ranks> {
    let file: File = serde_json::from_slice(bytes)
        .map_err(|error| Error::Tokenizer(format!("it looks like a Tekken file, but {error}")))?;
    let reserved = file.config.default_num_special_tokens;
    let count = file.config.default_vocab_size.saturating_sub(reserved as usize);
    if count > file.vocab.len() {
        return Err(Error::Tokenizer(format!(
            "the Tekken file has {} tokens, and its vocabulary of {} needs {count}",
            file.vocab.len(),
            file.config.default_vocab_size
        )));
    }
    let mut tokens = Vec::with_capacity(count);
    for token in file.vocab.iter().take(count) {
        let bytes =
            STANDARD.decode(&token.token_bytes).ok().filter(|_| token.rank == tokens.len()).ok_or_else(|| {
                Error::Tokenizer(format!("token {} of the Tekken file has no bytes, or another rank", tokens.len()))
            })?;
        tokens.push(bytes);
    }
    let specials: Vec<(String, u32)> = match file.special_tokens {
        Some(listed) => listed.into_iter().map(|special| (special.token_str, special.rank)).collect(),
        None => SPECIALS.iter().zip(0..).map(|(name, id)| ((*name).to_owned(), id)).collect(),
    };
    if let Some((name, id)) = specials.iter().find(|(_, id)| *id >= reserved) {
        return Err(Error::Tokenizer(format!("the Tekken file's {name} has id {id}, beyond the {reserved} reserved")));
    }
    Ranks::new(tokens, reserved, &file.config.pattern, specials)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(change: impl Fn(&mut serde_json::Value)) -> Vec<u8> {
        let mut file = serde_json::json!({
            "config": {"pattern": "[a-z]+|.", "default_vocab_size": 23, "default_num_special_tokens": 20, "version": "v3"},
            "vocab": [
                {"rank": 0, "token_bytes": "YQ==", "token_str": "a"},
                {"rank": 1, "token_bytes": "Yg==", "token_str": "b"},
                {"rank": 2, "token_bytes": "YWI=", "token_str": "ab"},
                {"rank": 3, "token_bytes": "YWJh", "token_str": "aba"},
            ],
        });
        change(&mut file);
        serde_json::to_vec(&file).unwrap()
    }

    #[test]
    fn ranks_follow_the_special_tokens_and_the_rest_is_left_out() {
        let tokenizer = parse(&file(|_| {})).unwrap();
        assert_eq!(tokenizer.encode("<s>abab[INST]a").unwrap(), [1, 22, 22, 3, 20]);
        assert_eq!((tokenizer.bytes(22), tokenizer.bytes(23), tokenizer.vocabulary()), (&b"ab"[..], &b""[..], 23));
        let listed = parse(&file(|file| {
            file["special_tokens"] = serde_json::json!([{"rank": 4, "token_str": "<x>", "is_control": true}]);
        }));
        assert_eq!(listed.unwrap().encode("<x>b").unwrap(), [4, 21]);
    }

    #[test]
    fn files_that_contradict_themselves_are_errors() {
        type Change = fn(&mut serde_json::Value);
        let changes: [(Change, &str); 5] = [
            (|file| file["config"]["default_vocab_size"] = 25.into(), "needs 5"),
            (|file| file["config"]["default_num_special_tokens"] = 19.into(), "[TOOL_CONTENT]"),
            (|file| file["vocab"][1]["rank"] = 7.into(), "token 1"),
            (|file| file["vocab"][1]["token_bytes"] = "?".into(), "token 1"),
            (|file| file["config"]["pattern"] = "(".into(), "cannot be used"),
        ];
        for (change, expected) in changes {
            let error = parse(&file(change)).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
