//! Finding the tokenizer and the chat template among files.

use std::path::Path;

use crate::config::Config;
use crate::error::{Error, Result};
use crate::model::Assets;
use crate::template::Template;
use crate::tokenizer::Tokenizer;

/// Names of tokenizer files, in the order in which they are looked for.
const TOKENIZERS: [&str; 3] = ["tokenizer.json", "tokenizer.model", "tekken.json"];

impl Assets {
    /// Finds a tokenizer and a chat template in the folder of a model, where there are any.
    pub fn beside(model: impl AsRef<Path>) -> Result<Assets> {
        let folder = model.as_ref().parent().unwrap_or(Path::new(""));
        match TOKENIZERS.iter().map(|name| folder.join(name)).find(|path| path.is_file()) {
            Some(path) => Assets::open(path),
            None => Ok(Assets::default()),
        }
    }

    /// Reads a tokenizer, and the chat template in its folder where there is one.
    ///
    /// The template is `chat_template.jinja`, or in `tokenizer_config.json`; Llama 3's tokenizer brings its own.
    pub fn open(tokenizer: impl AsRef<Path>) -> Result<Assets> {
        let path = tokenizer.as_ref();
        let folder = path.parent().unwrap_or(Path::new(""));
        let config = match read_if_there(&folder.join("tokenizer_config.json"))? {
            Some(bytes) => Config::from_json(&bytes)?,
            None => Config::default(),
        };
        let tokenizer = Tokenizer::from_bytes(&read(path)?)?.with_config(&config);
        let template = match read_if_there(&folder.join("chat_template.jinja"))? {
            Some(bytes) => Some(Template::new(&String::from_utf8_lossy(&bytes), &config)?),
            None => Template::from_config(&config)?,
        };
        let template = match template {
            None if tokenizer.is_llama3() => Some(Template::llama3()?),
            template => template,
        };
        Ok(Assets { tokenizer: Some(tokenizer), template })
    }
}

fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|source| Error::Io { name: path.display().to_string(), source })
}

/// The content of a file that need not be there.
fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>> {
    if path.is_file() { read(path).map(Some) } else { Ok(None) }
}
