//! Loading language models, and telling how fast they were.

use std::ops::Range;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pteron_llm::{Assets, Config, Finish, Generate, Model, ModelOptions, Sampling, StopReason, Template, Timings};
use pteron_runtime::{Read, Source};
use serde::Serialize;

use crate::args::{AnswerArgs, ModelArgs};
use crate::failure::Usage;
use crate::open;
use crate::output::{count, duration, milliseconds};

/// Loads a model with its tokenizer, and shows how far it is.
pub(crate) fn load(arguments: &ModelArgs) -> Result<Model> {
    let assets = assets(arguments)?;
    let bar = progress_bar();
    let watched = bar.clone();
    let program = open::program_through(&arguments.program, |file| Arc::new(ProgressSource { file, bar: watched }))?;
    let device = open::device(&arguments.device)?;
    let precision = arguments.precision.into();
    let model = Model::load(
        &program,
        ModelOptions::default().with_device(device).with_precision(precision).with_assets(assets),
    );
    bar.finish_and_clear();
    model.with_context(|| arguments.program.file.display().to_string())
}

fn assets(arguments: &ModelArgs) -> Result<Assets> {
    let mut assets = match &arguments.tokenizer {
        Some(path) => Assets::open(path).with_context(|| path.display().to_string())?,
        None => Assets::beside(&arguments.program.file)?,
    };
    if let Some(path) = &arguments.template {
        let source = std::fs::read_to_string(path);
        let source = source.map_err(|error| Usage::error(format!("{}: {error}", path.display())))?;
        assets.template = Some(Template::new(&source, &special_tokens(arguments)?)?);
    }
    Ok(assets)
}

/// The special tokens that a template may name, by the configuration beside the tokenizer.
fn special_tokens(arguments: &ModelArgs) -> Result<Config> {
    let beside = arguments.tokenizer.as_ref().unwrap_or(&arguments.program.file);
    match std::fs::read(beside.with_file_name("tokenizer_config.json")) {
        Ok(bytes) => Ok(Config::from_json(&bytes)?),
        Err(_) => Ok(Config::default()),
    }
}

/// What is asked of every answer.
pub(crate) fn options(arguments: &AnswerArgs, sampling: Sampling) -> Generate {
    Generate::default()
        .with_sampling(sampling)
        .with_max_new_tokens(arguments.max_new_tokens)
        .with_stop(arguments.stop.clone())
        .with_ignore_end(arguments.ignore_eos)
        .with_chunk(arguments.chunk)
}

/// How long an answer took, as JSON has it.
#[derive(Debug, Serialize)]
pub(crate) struct TimingReport {
    pub(crate) load_ms: f64,
    prefill_tokens: usize,
    reused_tokens: usize,
    prefill_ms: f64,
    prefill_tok_s: Option<f64>,
    /// From the call until the first token.
    ttft_ms: Option<f64>,
    /// Tokens after the first.
    decode_tokens: usize,
    decode_ms: f64,
    decode_tok_s: Option<f64>,
}

impl TimingReport {
    pub(crate) fn new(model: &Model, timings: &Timings) -> TimingReport {
        TimingReport {
            load_ms: milliseconds(model.load_time()),
            prefill_tokens: timings.prefill_tokens,
            reused_tokens: timings.reused_tokens,
            prefill_ms: milliseconds(timings.prefill),
            prefill_tok_s: timings.prefill_rate(),
            ttft_ms: timings.first_token.map(milliseconds),
            decode_tokens: timings.decode_tokens,
            decode_ms: milliseconds(timings.decode),
            decode_tok_s: timings.decode_rate(),
        }
    }
}

/// One line about an answer: how long it is, how fast it came, and why it ended.
pub(crate) fn summary(finish: &Finish) -> String {
    format!("{}, {}", speed(finish), reason(finish.reason))
}

/// How long an answer is, and how fast it came.
pub(crate) fn speed(finish: &Finish) -> String {
    let timings = &finish.timings;
    let mut parts = vec![count(finish.ids.len(), "token")];
    parts.extend(timings.decode_rate().map(|rate| format!("{rate:.1} tokens/s")));
    parts.extend(timings.first_token.map(|time| format!("first after {}", duration(time))));
    parts.join(", ")
}

fn reason(reason: StopReason) -> &'static str {
    match reason {
        StopReason::EndOfText(_) => "the model ended the text",
        StopReason::StopString => "a stop string ended the text",
        StopReason::StopId(_) => "a stop token ended the text",
        StopReason::MaxTokens => "as many as asked for (--max-new-tokens)",
        StopReason::ContextFull => "the context is full",
        StopReason::Cancelled => "cancelled",
        other => other.name(),
    }
}

/// A bar on standard error, which shows itself on a terminal only.
fn progress_bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("loading {bar:40} {bytes}/{total_bytes} {elapsed}") {
        bar.set_style(style);
    }
    bar
}

/// A file, and a bar that shows how much of it was read.
struct ProgressSource {
    file: Arc<dyn Source>,
    bar: ProgressBar,
}

impl Source for ProgressSource {
    fn name(&self) -> String {
        self.file.name()
    }

    fn len(&self) -> u64 {
        self.file.len()
    }

    fn read(&self, range: Range<u64>) -> Read<'_> {
        self.bar.set_length(self.file.len());
        // Parts of the file may be read twice, and the bar must not pass its end.
        self.bar.set_position((self.bar.position() + range.end.saturating_sub(range.start)).min(self.file.len()));
        self.file.read(range)
    }

    fn check(&self) -> std::io::Result<()> {
        self.file.check()
    }
}
