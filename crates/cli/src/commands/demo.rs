//! `pteron demo`: an embedded language model writes text, and its tokens are checked, with nothing installed.

use anyhow::{Context as _, Result};
use bytes::Bytes;
use pteron_llm::{Assets, Conversation, Event, Generate, Model, ModelOptions, Sampling, Tokenizer};
use pteron_runtime::Program;
use serde::{Deserialize, Serialize};

use crate::args::DemoArgs;
use crate::commands::Outcome;
use crate::language::{self, TimingReport};
use crate::open;
use crate::output::{Output, bytes, duration, launches};

const PROGRAM: &[u8] = include_bytes!("../../demo/model.pte");
const TOKENIZER: &[u8] = include_bytes!("../../demo/tokenizer.json");
const GOLDEN: &[u8] = include_bytes!("../../demo/golden.json");

/// The prompt to continue with tokens that are drawn, how many, and the seed of the draw.
const PROMPT: usize = 1;
const DRAWN: usize = 120;
const SEED: u32 = 3;

/// Below this gap between the two best logits either may win, and what follows differs.
const GAP: f64 = 1e-3;

/// What PyTorch generated with the same program.
#[derive(Deserialize)]
struct Golden {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    prompt_ids: Vec<u32>,
    generated_ids: Vec<u32>,
    /// How far the best logit was from the next, at each step.
    top2_gap: Vec<f64>,
}

#[derive(Debug, Serialize)]
struct Report {
    program_bytes: u64,
    device: String,
    load_ms: f64,
    dispatches_per_token: u64,
    /// What the model wrote when it drew tokens.
    drawn: String,
    timings: TimingReport,
    checks: Vec<CheckReport>,
    passed: bool,
}

/// A prompt that the model continued with the likeliest tokens, and whether those are PyTorch's.
#[derive(Debug, Serialize)]
struct CheckReport {
    prompt: String,
    text: String,
    generated_ids: Vec<u32>,
    expected_ids: Vec<u32>,
    /// The first step at which another token was chosen although the best was clear.
    wrong_at: Option<usize>,
}

pub(crate) fn run(arguments: &DemoArgs, output: &mut Output) -> Result<Outcome> {
    let golden: Golden = serde_json::from_slice(GOLDEN).context("the embedded tokens")?;
    let assets = Assets::default().with_tokenizer(Tokenizer::from_bytes(TOKENIZER)?);
    let device = open::device(&arguments.device)?;
    let program = Program::from_bytes(Bytes::from_static(PROGRAM))?;
    let model = Model::load(&program, ModelOptions::default().with_device(device).with_assets(assets))?;
    output.line(format_args!(
        "loaded an embedded language model of {} in {}",
        bytes(PROGRAM.len() as u64),
        duration(model.load_time())
    ))?;
    output.line(format_args!("device {}", model.device().name()))?;

    let mut conversation = model.conversation()?;
    let prompt = golden.cases.get(PROMPT).context("the embedded tokens lack a prompt")?;
    let (drawn, timings) = write(&mut conversation, prompt, output)?;
    let mut checks = Vec::with_capacity(golden.cases.len());
    for case in &golden.cases {
        checks.push(check(&mut conversation, case, output)?);
    }
    let report = Report {
        program_bytes: PROGRAM.len() as u64,
        device: model.device().name().to_owned(),
        load_ms: timings.load_ms,
        dispatches_per_token: conversation.dispatches(),
        passed: checks.iter().all(|check| check.wrong_at.is_none()),
        drawn,
        timings,
        checks,
    };
    if !model.device().is_cpu() {
        output.line(format_args!("{} a token", launches(report.dispatches_per_token)))?;
    }
    output.document(&report)?;
    Ok(if report.passed { Outcome::Success } else { Outcome::Failure })
}

/// Continues a prompt with tokens that are drawn, and shows the text as it comes.
fn write(conversation: &mut Conversation, case: &Case, output: &mut Output) -> Result<(String, TimingReport)> {
    let model = conversation.model().clone();
    let prompt = model.tokenizer().map(|tokenizer| tokenizer.decode(&case.prompt_ids)).unwrap_or_default();
    output.line("")?;
    output.text(&prompt)?;
    let sampling = Sampling::default().with_temperature(0.7).with_min_p(0.05).with_seed(SEED);
    let options = Generate::default().with_sampling(sampling).with_max_new_tokens(DRAWN).with_ignore_end(true);
    let mut written = Ok(());
    let finish = conversation.generate(&case.prompt_ids, &options, |event| {
        if let (Event::Token { text, .. } | Event::Rest { text }, Ok(())) = (event, &written) {
            written = output.text(text);
        }
    })?;
    written?;
    output.line(format_args!("\n\n  drawn with temperature 0.7: {}", language::speed(&finish)))?;
    Ok((format!("{prompt}{}", finish.text), TimingReport::new(&model, &finish.timings)))
}

/// Continues a prompt with the likeliest tokens, and compares them.
fn check(conversation: &mut Conversation, case: &Case, output: &mut Output) -> Result<CheckReport> {
    let model = conversation.model().clone();
    let prompt = model.tokenizer().map(|tokenizer| tokenizer.decode(&case.prompt_ids)).unwrap_or_default();
    let options = Generate::default().with_max_new_tokens(case.generated_ids.len()).with_ignore_end(true);
    let finish = conversation.generate(&case.prompt_ids, &options, |_| {})?;
    let wrong_at = first_wrong(case, &finish.ids);
    output.line(match wrong_at {
        None => format!("  {prompt:?}: {} likeliest tokens are PyTorch's: PASS", finish.ids.len()),
        Some(step) => format!("  {prompt:?}: token {step} is not PyTorch's: FAIL"),
    })?;
    Ok(CheckReport {
        prompt,
        wrong_at,
        expected_ids: case.generated_ids.clone(),
        text: finish.text,
        generated_ids: finish.ids,
    })
}

/// The first step with another token than PyTorch's, up to where two tokens were too close to tell.
fn first_wrong(case: &Case, ids: &[u32]) -> Option<usize> {
    let clear = case.top2_gap.iter().take_while(|gap| **gap >= GAP).count();
    let expected = case.generated_ids.iter().take(clear);
    expected.enumerate().find(|(step, id)| ids.get(*step) != Some(*id)).map(|(step, _)| step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_count_up_to_where_two_are_too_close() {
        let case = Case { prompt_ids: vec![1], generated_ids: vec![5, 6, 7], top2_gap: vec![1.0, 0.5, 1e-4] };
        assert_eq!(first_wrong(&case, &[5, 6, 8]), None);
        assert_eq!(first_wrong(&case, &[5, 7, 7]), Some(1));
        assert_eq!(first_wrong(&case, &[5]), Some(1));
    }
}
