//! Prompts, messages and options as Python gives them.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

use pteron::llm::{Cancel, Generate, Message, Model, Sampling};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyString};

use crate::errors;

/// The tokens of a prompt, which is a text or tokens.
pub(super) fn prompt(model: &Model, prompt: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
    if let Ok(text) = prompt.cast::<PyString>() {
        return model.encode(&text.to_cow()?).map_err(errors::language);
    }
    tokens(prompt).ok_or_else(|| errors::wrong_type("a prompt is a text, or a list of tokens"))
}

/// Tokens in a list or an array; bytes, which are numbers too, are no tokens.
pub(super) fn tokens(ids: &Bound<'_, PyAny>) -> Option<Vec<u32>> {
    let bytes = ids.is_instance_of::<PyBytes>() || ids.is_instance_of::<PyByteArray>();
    if bytes { None } else { ids.extract().ok() }
}

/// Messages: dictionaries of `role` and `content`, or pairs of them.
pub(super) fn messages(messages: &Bound<'_, PyAny>) -> PyResult<Vec<Message>> {
    let wrong = || errors::wrong_type("a message is a dictionary with the strings role and content");
    let message = |item: PyResult<Bound<'_, PyAny>>| -> PyResult<Message> {
        let item = item?;
        let (role, content): (String, String) = if let Ok(entries) = item.cast::<PyDict>() {
            let entry = |name| entries.get_item(name)?.ok_or_else(wrong)?.extract().map_err(|_| wrong());
            (entry("role")?, entry("content")?)
        } else {
            item.extract().map_err(|_| wrong())?
        };
        Ok(Message::new(role, content))
    };
    if messages.is_instance_of::<PyString>() {
        return Err(errors::wrong_type("a chat is a list of messages: generate continues a plain text"));
    }
    messages.try_iter().map_err(|_| wrong())?.map(message).collect()
}

/// What can be said of a generation.
const OPTIONS: [&str; 10] = [
    "max_new_tokens",
    "temperature",
    "top_k",
    "top_p",
    "min_p",
    "repetition_penalty",
    "seed",
    "stop",
    "stop_ids",
    "ignore_eos",
];

/// A seed that is another each time.
fn any_seed() -> u32 {
    // The keys of a new state come from the system's random numbers.
    let [a, b, c, d, ..] = RandomState::new().build_hasher().finish().to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

/// What a generation is asked for.
pub(super) fn parse(options: Option<&Bound<'_, PyDict>>) -> PyResult<Generate> {
    let mut sampling = Sampling::default().with_seed(any_seed());
    let mut generate = Generate::default().with_cancel(Cancel::new());
    for (name, value) in options.into_iter().flatten() {
        let name: String = name.extract()?;
        match name.as_str() {
            _ if value.is_none() && OPTIONS.contains(&name.as_str()) => {}
            "max_new_tokens" => generate = generate.with_max_new_tokens(Some(value.extract()?)),
            "temperature" => sampling = sampling.with_temperature(value.extract()?),
            "top_k" => sampling = sampling.with_top_k(value.extract()?),
            "top_p" => sampling = sampling.with_top_p(value.extract()?),
            "min_p" => sampling = sampling.with_min_p(value.extract()?),
            "repetition_penalty" => sampling = sampling.with_repetition_penalty(value.extract()?),
            "seed" => sampling = sampling.with_seed(value.extract()?),
            "stop" if value.is_instance_of::<PyString>() => generate = generate.with_stop([value.extract::<String>()?]),
            "stop" => generate = generate.with_stop(value.extract::<Vec<String>>()?),
            "stop_ids" => generate = generate.with_stop_ids(value.extract::<Vec<u32>>()?),
            "ignore_eos" => generate = generate.with_ignore_end(value.extract()?),
            _ => return Err(PyTypeError::new_err(format!("there is no option {name:?} of a generation"))),
        }
    }
    sampling.check().map_err(errors::language)?;
    Ok(generate.with_sampling(sampling))
}
