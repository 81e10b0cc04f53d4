//! A language model: a program, its tokenizer, and what fits into it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pteron_runtime::{Device, GpuBytes, MethodOptions, OnProgress, Precision, Program};
use web_time::Instant;

use crate::config::Config;
use crate::conversation::Conversation;
use crate::engine::{Engine, Hints};
use crate::error::{Error, Result};
use crate::metadata::Metadata;
use crate::template::{Message, Template};
use crate::tokenizer::Tokenizer;

/// What a model needs to speak in text. Without a tokenizer it speaks in token ids.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Assets {
    /// Text to tokens and back.
    pub tokenizer: Option<Tokenizer>,
    /// Messages to text.
    pub template: Option<Template>,
}

impl Assets {
    /// Reads a tokenizer, and where they are given the `tokenizer_config.json` and the chat template beside it.
    ///
    /// Without a template it is the configuration's; Llama 3's tokenizer brings its own.
    pub fn from_parts(tokenizer: &[u8], config: Option<&[u8]>, template: Option<&str>) -> Result<Assets> {
        let config = config.map_or_else(|| Ok(Config::default()), Config::from_json)?;
        let tokenizer = Tokenizer::from_bytes(tokenizer)?.with_config(&config);
        let template = match template {
            Some(source) => Some(Template::new(source, &config)?),
            None => Template::from_config(&config)?,
        };
        let template = match template {
            None if tokenizer.is_llama3() => Some(Template::llama3()?),
            template => template,
        };
        Ok(Assets { tokenizer: Some(tokenizer), template })
    }

    /// With this tokenizer.
    #[must_use]
    pub fn with_tokenizer(self, tokenizer: impl Into<Option<Tokenizer>>) -> Assets {
        Assets { tokenizer: tokenizer.into(), ..self }
    }

    /// With this chat template.
    #[must_use]
    pub fn with_template(self, template: impl Into<Option<Template>>) -> Assets {
        Assets { template: template.into(), ..self }
    }
}

/// How a model is loaded.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ModelOptions {
    /// Where it runs; unless said, on the program's device, or on the [shared](Device::shared) one.
    pub device: Option<Device>,
    /// Its method; `forward` unless said.
    pub method: Option<String>,
    /// The output of its method that holds the logits; found among several unless said.
    pub logits: Option<usize>,
    /// How closely it must follow 32-bit arithmetic.
    pub precision: Precision,
    /// Its tokenizer and chat template.
    pub assets: Assets,
    /// Who is told how far it is loaded.
    pub on_progress: OnProgress,
}

impl ModelOptions {
    /// On this device.
    #[must_use]
    pub fn with_device(self, device: impl Into<Option<Device>>) -> ModelOptions {
        ModelOptions { device: device.into(), ..self }
    }

    /// With this method.
    #[must_use]
    pub fn with_method(self, method: impl Into<Option<String>>) -> ModelOptions {
        ModelOptions { method: method.into(), ..self }
    }

    /// With logits in this output.
    #[must_use]
    pub fn with_logits(self, logits: impl Into<Option<usize>>) -> ModelOptions {
        ModelOptions { logits: logits.into(), ..self }
    }

    /// With this precision.
    #[must_use]
    pub fn with_precision(self, precision: Precision) -> ModelOptions {
        ModelOptions { precision, ..self }
    }

    /// With this listener, which is told how far it is loaded.
    #[must_use]
    pub fn with_on_progress(self, on_progress: OnProgress) -> ModelOptions {
        ModelOptions { on_progress, ..self }
    }

    /// With this tokenizer and chat template.
    #[must_use]
    pub fn with_assets(self, assets: Assets) -> ModelOptions {
        ModelOptions { assets, ..self }
    }
}

/// What fits into a model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Tokens of the vocabulary; ids are below it.
    pub vocabulary: usize,
    /// Tokens that a conversation holds.
    pub context: usize,
    /// The most tokens in one call.
    pub chunk: usize,
    /// Tokens that end a text.
    pub ends: Vec<u32>,
    /// The token that begins a text, where one is known.
    pub beginning: Option<u32>,
}

/// A loaded language model. Clones are the same model.
#[derive(Clone, Debug)]
pub struct Model(Arc<Loaded>);

#[derive(Debug)]
struct Loaded {
    /// The method that all conversations share.
    engine: Arc<Engine>,
    device: Mutex<Device>,
    assets: Assets,
    limits: Limits,
    load: Duration,
}

impl Model {
    /// Loads a model and waits for it.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn load(program: &Program, options: ModelOptions) -> Result<Model> {
        pteron_runtime::block_on(Model::load_async(program, options))
    }

    /// Loads a model: its constants go to the device, and everything that can be refused is refused.
    #[cfg_attr(
        target_arch = "wasm32",
        expect(clippy::arc_with_non_send_sync, reason = "natively it is both, and one type serves both targets")
    )]
    pub async fn load_async(program: &Program, options: ModelOptions) -> Result<Model> {
        let start = Instant::now();
        let ModelOptions { device, method, logits, precision, assets, on_progress } = options;
        let metadata = Metadata::read(program).await?;
        if metadata.cache == Some(false) {
            return Err(Error::Program("it has no key-value cache: export it with -kv".to_owned()));
        }
        let device = match device.as_ref().or(program.device()) {
            Some(device) => device.clone(),
            None => Device::shared_async().await?,
        };
        let program = program.clone().on(&device);
        let method = method.unwrap_or_else(|| "forward".to_owned());
        if let (Some(tokenizer), Some(vocabulary)) = (&assets.tokenizer, metadata.vocabulary) {
            // Known before the constants are moved, which may take long.
            check_tokenizer(tokenizer, vocabulary)?;
        }
        let hints = Hints { logits, vocabulary: metadata.vocabulary };
        let options = MethodOptions::default().with_precision(precision).with_on_progress(on_progress);
        let engine = Engine::load(&program, &method, &options, hints).await?;
        let limits = limits(&engine, &metadata, assets.tokenizer.as_ref());
        if let Some(tokenizer) = &assets.tokenizer {
            check_tokenizer(tokenizer, limits.vocabulary)?;
        }
        let (load, engine, device) = (start.elapsed(), Arc::new(engine), Mutex::new(device));
        Ok(Model(Arc::new(Loaded { engine, device, assets, limits, load })))
    }

    /// Begins a conversation and waits for it.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn conversation(&self) -> Result<Conversation> {
        pteron_runtime::block_on(self.conversation_async())
    }

    /// Begins a conversation, with a key-value cache of its own.
    pub async fn conversation_async(&self) -> Result<Conversation> {
        Ok(Conversation::new(self.clone(), self.0.engine.session().await?))
    }

    /// What fits into the model.
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// The device that it runs on.
    pub fn device(&self) -> Device {
        self.0.device.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Loads the model anew in the place of one whose device is lost, and waits for it.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn restore(&self, program: &Program) -> Result<()> {
        pteron_runtime::block_on(self.restore_async(program))
    }

    /// Loads the model anew from its program in the place of one whose device is lost: see [`Program::restore`].
    ///
    /// All clones and conversations go on from there. Caches are empty, so each conversation feeds its next prompt from the
    /// beginning.
    pub async fn restore_async(&self, program: &Program) -> Result<()> {
        let device = self.0.engine.restore(program).await?;
        *self.0.device.lock().unwrap_or_else(PoisonError::into_inner) = device;
        Ok(())
    }

    /// The tokenizer, where it was given one.
    pub fn tokenizer(&self) -> Option<&Tokenizer> {
        self.0.assets.tokenizer.as_ref()
    }

    /// The chat template, where it was given one.
    pub fn template(&self) -> Option<&Template> {
        self.0.assets.template.as_ref()
    }

    /// The memory on the GPU, with the caches of all conversations.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn gpu_bytes(&self) -> GpuBytes {
        pteron_runtime::block_on(self.gpu_bytes_async())
    }

    /// The memory on the GPU, with the caches of all conversations.
    pub async fn gpu_bytes_async(&self) -> GpuBytes {
        self.0.engine.gpu_bytes().await
    }

    /// What a user should know about how the model runs on its device.
    pub fn notes(&self) -> &[String] {
        self.0.engine.notes()
    }

    /// How long loading took.
    pub fn load_time(&self) -> Duration {
        self.0.load
    }

    /// The tokens of a plain prompt.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>> {
        self.need_tokenizer()?.encode(text)
    }

    /// The text of tokens. Special tokens have none, and bytes that are no character become U+FFFD.
    pub fn decode(&self, ids: &[u32]) -> Result<String> {
        Ok(self.need_tokenizer()?.decode(ids))
    }

    /// The tokens of a chat, up to where the answer begins.
    pub fn encode_chat(&self, messages: &[Message]) -> Result<Vec<u32>> {
        let template = self.template().ok_or(Error::Missing(
            "the model has no chat template: give a tokenizer_config.json that has one, or a template file",
        ))?;
        self.need_tokenizer()?.encode_as_is(&template.render(messages, true)?)
    }

    fn need_tokenizer(&self) -> Result<&Tokenizer> {
        self.tokenizer().ok_or(Error::Missing("text needs a tokenizer, and the model was loaded without one"))
    }

    /// Says whether a whole prompt can be fed.
    pub(crate) fn check_prompt(&self, ids: &[u32]) -> Result<()> {
        let Limits { vocabulary, context, .. } = *self.limits();
        if ids.is_empty() {
            return Err(Error::EmptyPrompt);
        }
        if let Some((index, &id)) = ids.iter().enumerate().find(|(_, id)| **id as usize >= vocabulary) {
            return Err(Error::UnknownToken { id, index, vocabulary });
        }
        if ids.len() > context {
            return Err(Error::PromptTooLong { tokens: ids.len(), context });
        }
        Ok(())
    }
}

fn check_tokenizer(tokenizer: &Tokenizer, vocabulary: usize) -> Result<()> {
    match tokenizer.vocabulary() {
        known if known > vocabulary => {
            let id = u32::try_from(known - 1).unwrap_or(u32::MAX);
            Err(Error::WrongTokenizer { id, vocabulary })
        }
        _ => Ok(()),
    }
}

fn limits(engine: &Engine, metadata: &Metadata, tokenizer: Option<&Tokenizer>) -> Limits {
    let signature = engine.signature();
    let mut ends = metadata.ends.clone();
    ends.extend(tokenizer.into_iter().flat_map(Tokenizer::ends));
    ends.sort_unstable();
    ends.dedup();
    Limits {
        vocabulary: signature.vocabulary,
        // A program that does not tell is sure to hold what one call takes.
        context: metadata.context.unwrap_or(signature.chunk),
        chunk: signature.chunk.min(metadata.context.unwrap_or(usize::MAX)),
        ends,
        beginning: metadata.beginning.or(tokenizer.and_then(Tokenizer::beginning)),
    }
}
