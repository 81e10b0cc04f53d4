//! `pteron bench --llm`: how fast a language model reads a prompt and answers.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use pteron_llm::{Conversation, Generate, Model, ModelOptions, Random, Timings};
use serde::Serialize;

use crate::args::BenchArgs;
use crate::commands::Outcome;
use crate::failure::Usage;
use crate::host_memory::anonymous_bytes;
use crate::open;
use crate::output::{Output, bytes, launches, milliseconds, note};

/// A device that idles takes a while to run at full speed.
const WARM_UP: Duration = Duration::from_secs(1);

#[derive(Debug, Serialize)]
struct Report {
    file: String,
    device: String,
    software: bool,
    prompt_tokens: usize,
    gen_tokens: usize,
    depth: usize,
    chunk: usize,
    repetitions: usize,
    prefill_tok_s: f64,
    decode_tok_s: f64,
    ttft_ms: f64,
    load_ms: f64,
    /// All memory on the GPU: the weights, the keys and values, and what calls of this size need besides.
    gpu_bytes: u64,
    weight_bytes: u64,
    cache_bytes: u64,
    scratch_bytes: u64,
    /// Memory of the process after loading, mapped files aside, where the system tells.
    host_bytes: Option<u64>,
    dispatches_per_token: u64,
    /// Every repetition, in the order in which they ran.
    runs: Vec<RunReport>,
}

#[derive(Debug, Serialize)]
struct RunReport {
    prefill_ms: f64,
    ttft_ms: f64,
    decode_ms: f64,
}

pub(crate) fn run(arguments: &BenchArgs, output: &mut Output) -> Result<Outcome> {
    let program = open::program(&arguments.program)?;
    let device = open::device(&arguments.device)?;
    let options = ModelOptions::default()
        .with_device(device)
        .with_method(arguments.method.clone())
        .with_precision(arguments.precision.into());
    let model = Model::load(&program, options).with_context(|| arguments.program.file.display().to_string())?;
    let host_bytes = anonymous_bytes();
    let mut conversation = model.conversation()?;
    model.notes().iter().for_each(|text| note(format_args!("note: {text}")));

    let bench = Bench::new(arguments, &model)?;
    let warm = Instant::now();
    bench.time(&mut conversation)?;
    while warm.elapsed() < WARM_UP {
        bench.time(&mut conversation)?;
    }
    let mut runs = Vec::with_capacity(arguments.language.repetitions);
    for _ in 0..arguments.language.repetitions {
        runs.push(bench.time(&mut conversation)?);
    }
    let held = model.gpu_bytes();
    let median = |time: fn(&Timings) -> Duration| median(runs.iter().map(time).collect());
    let rate = |tokens: usize, time: Duration| tokens as f64 / time.as_secs_f64().max(f64::MIN_POSITIVE);
    let report = Report {
        file: arguments.program.file.display().to_string(),
        device: model.device().name().to_owned(),
        software: model.device().adapter().is_none_or(|adapter| adapter.software),
        prompt_tokens: arguments.language.prompt_tokens,
        gen_tokens: arguments.language.generate,
        depth: bench.depth,
        chunk: bench.options.chunk.unwrap_or(usize::MAX).min(model.limits().chunk),
        repetitions: runs.len(),
        prefill_tok_s: rate(arguments.language.prompt_tokens, median(|timings| timings.prefill)),
        decode_tok_s: rate(arguments.language.generate, median(|timings| timings.decode)),
        ttft_ms: milliseconds(median(|timings| timings.first_token.unwrap_or_default())),
        load_ms: milliseconds(model.load_time()),
        gpu_bytes: held.total(),
        weight_bytes: held.constants,
        cache_bytes: held.state,
        scratch_bytes: held.scratch,
        host_bytes,
        dispatches_per_token: conversation.dispatches(),
        runs: runs.iter().map(RunReport::new).collect(),
    };
    report.show(output)?;
    output.document(&report)?;
    Ok(Outcome::Success)
}

/// What is timed, over and over.
struct Bench {
    /// The tokens in the cache, and the prompt after them.
    prompt: Vec<u32>,
    depth: usize,
    options: Generate,
}

impl Bench {
    fn new(arguments: &BenchArgs, model: &Model) -> Result<Bench> {
        let language = &arguments.language;
        let limits = model.limits();
        // The first token comes with the prompt, and the last is not fed.
        let needed = language.depth.saturating_add(language.prompt_tokens).saturating_add(language.generate);
        if needed > limits.context {
            return Err(Usage::error(format!(
                "--depth {} with --prompt-tokens {} and --gen {} takes {needed} tokens, and the context holds {}",
                language.depth, language.prompt_tokens, language.generate, limits.context
            )));
        }
        let mut random = Random::new(arguments.inputs.seed);
        let vocabulary = u32::try_from(limits.vocabulary).unwrap_or(u32::MAX);
        let id = |_| u32::try_from(random.bits() % u64::from(vocabulary)).unwrap_or(0);
        let prompt = (0..language.depth + language.prompt_tokens).map(id).collect();
        // One more than is timed: the first comes with the prompt.
        let options = Generate::default()
            .with_max_new_tokens(language.generate + 1)
            .with_ignore_end(true)
            .with_chunk(language.chunk);
        Ok(Bench { prompt, depth: language.depth, options })
    }

    /// Feeds the prompt after the tokens in the cache, and answers.
    fn time(&self, conversation: &mut Conversation) -> Result<Timings> {
        conversation.rewind(self.depth);
        if self.depth > 0 {
            conversation.logits(&self.prompt[..self.depth], self.options.chunk)?;
        }
        Ok(conversation.generate(&self.prompt, &self.options, |_| {})?.timings)
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

impl RunReport {
    fn new(timings: &Timings) -> RunReport {
        RunReport {
            prefill_ms: milliseconds(timings.prefill),
            ttft_ms: milliseconds(timings.first_token.unwrap_or_default()),
            decode_ms: milliseconds(timings.decode),
        }
    }
}

impl Report {
    fn show(&self, output: &mut Output) -> Result<()> {
        output.line(format_args!("{} on {}", self.file, self.device))?;
        if self.software {
            output.line("  computed in software: these times say nothing about a GPU")?;
        }
        let host = self.host_bytes.map(|host| format!(", {} on the host", bytes(host))).unwrap_or_default();
        output.line(format_args!(
            "  load {:.0} ms; on the GPU {} of weights, {} of keys and values, {} of scratch{host}",
            self.load_ms,
            bytes(self.weight_bytes),
            bytes(self.cache_bytes),
            bytes(self.scratch_bytes)
        ))?;
        output.line(format_args!(
            "  prompt of {} after {} in chunks of {}: {:.1} tokens/s, first token after {:.1} ms",
            self.prompt_tokens, self.depth, self.chunk, self.prefill_tok_s, self.ttft_ms
        ))?;
        output.line(format_args!(
            "  answer of {}: {:.1} tokens/s, {} a token (median of {})",
            self.gen_tokens,
            self.decode_tok_s,
            launches(self.dispatches_per_token),
            self.repetitions
        ))
    }
}
