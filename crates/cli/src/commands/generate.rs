//! `pteron generate`: one answer to one prompt.

use std::io::Read as _;

use anyhow::{Context as _, Result};
use pteron_llm::{Event, Message, Model, Sampling, StopReason};
use serde::Serialize;

use crate::args::GenerateArgs;
use crate::commands::Outcome;
use crate::failure::Usage;
use crate::interrupt;
use crate::language::{self, TimingReport};
use crate::output::{Output, note};

#[derive(Debug, Serialize)]
struct Report {
    file: String,
    device: String,
    prompt_ids: Vec<u32>,
    generated_ids: Vec<u32>,
    text: String,
    stop_reason: &'static str,
    /// The token that ended the text, where one did.
    stop_id: Option<u32>,
    seed: u32,
    timings: TimingReport,
}

pub(crate) fn run(arguments: &GenerateArgs, output: &mut Output) -> Result<Outcome> {
    // Before loading, which may take long.
    let prompt = prompt_text(arguments)?;
    let sampling = arguments.sampling.sampling(&Sampling::default());
    sampling.check()?;
    interrupt::watch()?;
    let model = language::load(&arguments.model)?;
    let prompt_ids = prompt_ids(arguments, prompt, &model)?;
    let options = language::options(&arguments.answer, sampling);
    let mut conversation = model.conversation()?;
    model.notes().iter().for_each(|text| note(format_args!("note: {text}")));

    let mut written = Ok(());
    let finish = interrupt::during(&options.cancel, || {
        conversation.generate(&prompt_ids, &options, |event| {
            if let (Event::Token { text, .. } | Event::Rest { text }, Ok(())) = (event, &written) {
                written = output.text(text);
                if written.is_err() {
                    options.cancel.cancel();
                }
            }
        })
    })?;
    written?;
    output.line("")?;
    if !output.is_json() {
        note(language::summary(&finish));
    }
    output.document(&Report {
        file: arguments.model.program.file.display().to_string(),
        device: model.device().name().to_owned(),
        prompt_ids,
        stop_reason: finish.reason.name(),
        stop_id: match finish.reason {
            StopReason::EndOfText(id) | StopReason::StopId(id) => Some(id),
            _ => None,
        },
        seed: options.sampling.seed,
        timings: TimingReport::new(&model, &finish.timings),
        generated_ids: finish.ids,
        text: finish.text,
    })?;
    Ok(Outcome::Success)
}

/// The prompt as text, where it is one.
fn prompt_text(arguments: &GenerateArgs) -> Result<Option<String>> {
    match arguments.prompt.as_deref() {
        Some("-") => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).context("cannot read the prompt from standard input")?;
            // Editors and `echo` end a file with a newline that is no part of the text.
            let text = text.strip_suffix('\n').map_or(text.as_str(), |text| text.strip_suffix('\r').unwrap_or(text));
            Ok(Some(text.to_owned()))
        }
        prompt => Ok(prompt.map(str::to_owned)),
    }
}

fn prompt_ids(arguments: &GenerateArgs, prompt: Option<String>, model: &Model) -> Result<Vec<u32>> {
    let Some(prompt) = prompt else {
        return Ok(arguments.prompt_ids.as_ref().map(|ids| ids.0.clone()).unwrap_or_default());
    };
    if model.tokenizer().is_none() {
        return Err(Usage::error(
            "no tokenizer was found beside the model: give one with --tokenizer FILE, or the prompt with --prompt-ids",
        ));
    }
    if !arguments.chat && arguments.system.is_none() {
        return Ok(model.encode(&prompt)?);
    }
    let system = arguments.system.iter().map(|text| Message::new("system", text));
    let messages: Vec<_> = system.chain([Message::new("user", prompt)]).collect();
    Ok(model.encode_chat(&messages)?)
}
