//! Finding the tokenizer and the chat template among files.

use std::path::Path;

use crate::error::{Error, Result};
use crate::model::Assets;

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
        let config = read_if_there(&folder.join("tokenizer_config.json"))?;
        let template = read_if_there(&folder.join("chat_template.jinja"))?;
        let template = template.as_deref().map(String::from_utf8_lossy);
        Assets::from_parts(&read(path)?, config.as_deref(), template.as_deref())
    }
}

fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|source| Error::Io { name: path.display().to_string(), source })
}

/// The content of a file that need not be there.
fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>> {
    if path.is_file() { read(path).map(Some) } else { Ok(None) }
}
