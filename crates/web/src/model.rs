//! Language models: text in, text out.

use js_sys::{Array, Float32Array, Function, Promise, Uint8Array, Uint32Array};
use pteron_llm::{Assets, Event, Finish, Generate, Message, ModelOptions, Sampling, StopReason};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::future_to_promise;

use crate::error::{Result, WebError};
use crate::program::{Program, listener};
use crate::turns::Turns;
use crate::value::{gpu_bytes, object, property};

/// A loaded language model.
#[wasm_bindgen]
#[derive(Clone, Debug)]
pub struct Model(pteron_llm::Model);

/// A chat on a model, with a key-value cache of its own.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Conversation {
    model: pteron_llm::Model,
    conversation: Turns<pteron_llm::Conversation>,
}

/// Stops a generation from elsewhere.
#[wasm_bindgen]
#[derive(Clone, Debug, Default)]
pub struct Cancel(pteron_llm::Cancel);

#[wasm_bindgen]
impl Cancel {
    /// A handle that has not been used.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Stops every generation that has this handle.
    pub fn cancel(&self) {
        self.0.cancel();
    }
}

#[wasm_bindgen]
impl Program {
    /// Loads a method of the program as a language model, with the files that lie beside it.
    pub fn model(
        &self,
        tokenizer: Option<Uint8Array>,
        config: Option<Uint8Array>,
        template: Option<String>,
        method: Option<String>,
        on_progress: JsValue,
    ) -> Promise {
        let (program, device) = (self.program.clone(), self.device.device.clone());
        future_to_promise(async move {
            let config = config.map(|config| config.to_vec());
            let assets = match tokenizer {
                Some(tokenizer) => Assets::from_parts(&tokenizer.to_vec(), config.as_deref(), template.as_deref()),
                None => Ok(Assets::default()),
            };
            let options = ModelOptions::default()
                .with_device(device)
                .with_assets(assets.map_err(WebError::from)?)
                .with_method(method)
                .with_on_progress(listener(&on_progress));
            let model = pteron_llm::Model::load_async(&program, options).await.map_err(WebError::from)?;
            Ok(Model(model).into())
        })
    }
}

#[wasm_bindgen]
impl Model {
    /// What fits into the model.
    pub fn limits(&self) -> JsValue {
        let limits = self.0.limits();
        object([
            ("vocabulary", (limits.vocabulary as f64).into()),
            ("context", (limits.context as f64).into()),
            ("chunk", (limits.chunk as f64).into()),
        ])
    }

    /// Whether it has a chat template.
    #[wasm_bindgen(js_name = hasTemplate)]
    pub fn has_template(&self) -> bool {
        self.0.template().is_some()
    }

    /// What a user should know about how it runs.
    pub fn notes(&self) -> Vec<String> {
        self.0.notes().to_vec()
    }

    /// The tokens of a prompt: a text, or messages.
    pub fn encode(&self, prompt: JsValue) -> Result<Vec<u32>, JsValue> {
        Ok(ids(&self.0, &prompt)?)
    }

    /// The text of tokens.
    pub fn decode(&self, ids: Vec<u32>) -> Result<String, JsValue> {
        let none = || WebError::argument("text needs a tokenizer, and the model was loaded without one");
        Ok(self.0.tokenizer().ok_or_else(none)?.decode(&ids))
    }

    /// The memory on the GPU, with the caches of all conversations.
    #[wasm_bindgen(js_name = gpuBytes)]
    pub fn gpu_bytes(&self) -> Promise {
        let model = self.0.clone();
        future_to_promise(async move { Ok(gpu_bytes(model.gpu_bytes_async().await)) })
    }

    /// Begins a conversation.
    pub fn conversation(&self) -> Promise {
        let model = self.0.clone();
        future_to_promise(async move {
            let conversation = model.conversation_async().await.map_err(WebError::from)?;
            Ok(Conversation { model, conversation: Turns::new(conversation) }.into())
        })
    }
}

#[wasm_bindgen]
impl Conversation {
    /// Generates an answer to a whole prompt. `on_event` gets `("prefill", tokens, of)`, `("token", id, text)` and
    /// `("rest", text)` as it grows. The promise is for how it ended.
    pub fn generate(&self, prompt: JsValue, options: JsValue, cancel: &Cancel, on_event: Function) -> Promise {
        let asked = ids(&self.model, &prompt).and_then(|ids| Ok((ids, generate_from_js(&options)?)));
        let (ids, generate) = match asked {
            Ok((ids, generate)) => (ids, generate.with_cancel(cancel.0.clone())),
            Err(error) => return Promise::reject(&error.into()),
        };
        let (conversation, turn) = (self.conversation.clone(), self.conversation.turn());
        future_to_promise(async move {
            let run = async |conversation: &mut pteron_llm::Conversation| {
                let tell = |event: Event<'_>| {
                    let [kind, first, second] = match event {
                        Event::Prefill { tokens, of } => ["prefill".into(), tokens.into(), of.into()],
                        Event::Token { id, text } => ["token".into(), id.into(), text.into()],
                        Event::Rest { text } => ["rest".into(), text.into(), JsValue::UNDEFINED],
                        _ => return,
                    };
                    // What a listener throws is its own affair.
                    let _ = on_event.call3(&JsValue::UNDEFINED, &kind, &first, &second);
                };
                let finish = conversation.generate_async(&ids, &generate, tell).await?;
                Ok(finish_to_js(&finish, ids.len()))
            };
            Ok(conversation.exclusively(turn, run).await?)
        })
    }

    /// The tokens that the cache holds.
    pub fn ids(&self) -> Promise {
        self.with(|conversation| Uint32Array::from(conversation.ids()).into())
    }

    /// Forgets all but the first `count` tokens.
    pub fn rewind(&self, count: u32) -> Promise {
        self.with(move |conversation| {
            conversation.rewind(count as usize);
            JsValue::UNDEFINED
        })
    }

    fn with(&self, work: impl FnOnce(&mut pteron_llm::Conversation) -> JsValue + 'static) -> Promise {
        let (conversation, turn) = (self.conversation.clone(), self.conversation.turn());
        future_to_promise(async move {
            let work = async |conversation: &mut pteron_llm::Conversation| Ok(work(conversation));
            Ok(conversation.exclusively(turn, work).await?)
        })
    }

    /// Feeds a whole prompt and gives the logits after it.
    pub fn logits(&self, prompt: JsValue) -> Promise {
        let ids = match ids(&self.model, &prompt) {
            Ok(ids) => ids,
            Err(error) => return Promise::reject(&error.into()),
        };
        let (conversation, turn) = (self.conversation.clone(), self.conversation.turn());
        future_to_promise(async move {
            let run = async |conversation: &mut pteron_llm::Conversation| {
                let logits = conversation.logits_async(&ids, None).await?;
                Ok(Float32Array::from(logits.as_slice()).into())
            };
            Ok(conversation.exclusively(turn, run).await?)
        })
    }
}

/// The tokens of a prompt: a text, tokens, or messages with a role and a content.
fn ids(model: &pteron_llm::Model, prompt: &JsValue) -> Result<Vec<u32>> {
    if let Some(text) = prompt.as_string() {
        return Ok(model.encode(&text)?);
    }
    if let Some(ids) = prompt.dyn_ref::<Uint32Array>() {
        return Ok(ids.to_vec());
    }
    let wrong = || WebError::argument("a prompt is a text, a Uint32Array of tokens, or messages of role and content");
    let messages = prompt.dyn_ref::<Array>().ok_or_else(wrong)?.iter().map(|message| {
        let text = |name| property(&message, name).as_string().ok_or_else(wrong);
        Ok(Message::new(text("role")?, text("content")?))
    });
    Ok(model.encode_chat(&messages.collect::<Result<Vec<_>>>()?)?)
}

/// What a generation is asked for, by the names of its options in JavaScript.
fn generate_from_js(options: &JsValue) -> Result<Generate> {
    let given = |name: &str| Some(property(options, name)).filter(|value| !value.is_undefined() && !value.is_null());
    let number = |name: &str| match given(name) {
        None => Ok(None),
        Some(value) => value.as_f64().map(Some).ok_or_else(|| WebError::argument(format!("{name} is no number"))),
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be whole and to fit")]
    let count = |name: &str| match number(name)? {
        Some(count) if count.fract() != 0.0 || !(0.0..=f64::from(u32::MAX)).contains(&count) => {
            Err(WebError::argument(format!("{name} is {count}, and must be a whole number")))
        }
        count => Ok(count.map(|count| count as u32)),
    };
    #[expect(clippy::cast_possible_truncation, reason = "sampling is by f32")]
    let float = |name: &str, usual: f32| Ok::<_, WebError>(number(name)?.map_or(usual, |value| value as f32));
    let usual = Sampling::default();
    let sampling = Sampling::default()
        .with_temperature(float("temperature", usual.temperature)?)
        .with_top_k(count("topK")?.map_or(usual.top_k, |count| count as usize))
        .with_top_p(float("topP", usual.top_p)?)
        .with_min_p(float("minP", usual.min_p)?)
        .with_repetition_penalty(float("repetitionPenalty", usual.repetition_penalty)?)
        .with_seed(count("seed")?.unwrap_or(usual.seed));
    let stop = match given("stop") {
        None => Vec::new(),
        Some(stop) => {
            let strings = stop.dyn_ref::<Array>().map_or_else(|| Array::of1(&stop), Array::clone);
            let string = |stop: JsValue| stop.as_string().ok_or_else(|| WebError::argument("stop is no string"));
            strings.iter().map(string).collect::<Result<_>>()?
        }
    };
    Ok(Generate::default()
        .with_sampling(sampling)
        .with_max_new_tokens(count("maxTokens")?.map(|count| count as usize))
        .with_stop(stop)
        .with_ignore_end(given("ignoreEnd").is_some_and(|value| value.is_truthy())))
}

fn finish_to_js(finish: &Finish, prompt: usize) -> JsValue {
    let timings = &finish.timings;
    let milliseconds = |time: std::time::Duration| JsValue::from(time.as_secs_f64() * 1e3);
    let count = |count: usize| JsValue::from(count as f64);
    let usage = object([
        ("promptTokens", count(prompt)),
        ("reusedTokens", count(timings.reused_tokens)),
        ("completionTokens", count(finish.ids.len())),
        ("totalTokens", count(prompt + finish.ids.len())),
    ]);
    let rate = |rate: Option<f64>| rate.map_or(JsValue::NULL, JsValue::from);
    let timings = object([
        ("prefill", milliseconds(timings.prefill)),
        ("firstToken", timings.first_token.map_or(JsValue::NULL, milliseconds)),
        ("decode", milliseconds(timings.decode)),
        ("prefillTokensPerSecond", rate(timings.prefill_rate())),
        ("decodeTokensPerSecond", rate(timings.decode_rate())),
    ]);
    let reason = match finish.reason {
        StopReason::EndOfText(_) => "end",
        StopReason::StopString | StopReason::StopId(_) => "stop",
        StopReason::MaxTokens => "length",
        StopReason::ContextFull => "context",
        StopReason::Cancelled => "cancelled",
        _ => "other",
    };
    object([
        ("reason", reason.into()),
        ("text", finish.text.as_str().into()),
        ("ids", Uint32Array::from(finish.ids.as_slice()).into()),
        ("usage", usage),
        ("timings", timings),
    ])
}
