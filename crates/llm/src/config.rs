//! `tokenizer_config.json`: the names of special tokens, and the chat template.

use serde::Deserialize;
use serde_json::Value;

use crate::error::{Error, Result};

/// What a `tokenizer_config.json` says that concerns chats.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Config {
    /// The token that begins a text.
    pub bos_token: Option<String>,
    /// The token that ends a text.
    pub eos_token: Option<String>,
    /// The chat template; the one named `default` where there are several.
    pub chat_template: Option<String>,
}

/// The file, in which a token is a string or an object with its content.
#[derive(Deserialize)]
struct File {
    #[serde(default)]
    bos_token: Value,
    #[serde(default)]
    eos_token: Value,
    #[serde(default)]
    chat_template: Value,
}

impl Config {
    /// Reads a `tokenizer_config.json`.
    pub fn from_json(bytes: &[u8]) -> Result<Config> {
        let file: File = serde_json::from_slice(bytes)
            .map_err(|error| Error::Tokenizer(format!("tokenizer_config.json: {error}")))?;
        Ok(Config {
            bos_token: token(&file.bos_token),
            eos_token: token(&file.eos_token),
            chat_template: template(&file.chat_template),
        })
    }
}

fn token(value: &Value) -> Option<String> {
    value.as_str().or_else(|| value.get("content")?.as_str()).map(str::to_owned)
}

fn template(value: &Value) -> Option<String> {
    let named = |name: &str| value.as_array()?.iter().find(|entry| entry["name"] == name)?.get("template")?.as_str();
    value.as_str().or_else(|| named("default")).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_of_tokens_and_templates_are_read() {
        let plain =
            Config::from_json(br#"{"bos_token": "<s>", "eos_token": null, "chat_template": "{{ 1 }}"}"#).unwrap();
        assert_eq!((plain.bos_token.as_deref(), plain.eos_token.as_deref()), (Some("<s>"), None));
        assert_eq!(plain.chat_template.as_deref(), Some("{{ 1 }}"));
        let objects = Config::from_json(
            br#"{"eos_token": {"content": "</s>", "lstrip": false},
                 "chat_template": [{"name": "tool_use", "template": "a"}, {"name": "default", "template": "b"}]}"#,
        );
        let objects = objects.unwrap();
        assert_eq!((objects.eos_token.as_deref(), objects.chat_template.as_deref()), (Some("</s>"), Some("b")));
        assert_eq!(Config::from_json(b"{}").unwrap(), Config::default());
        assert!(Config::from_json(b"7").is_err());
    }
}
