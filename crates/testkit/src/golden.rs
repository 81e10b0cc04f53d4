//! Golden runs of language models: prompts, the ids that follow them, and logits, fed and run freely.
//!
//! A golden is a `golden.json` or `NAME.golden.json` beside its program. Its logits lie in `golden.safetensors` or
//! `NAME.safetensors`: row 0 after the prompt and row i after feeding generated id i − 1, all rows or the first ones.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use pteron_runtime::{Device, Error, HostTensor, Method, MethodOptions, Precision, Program, Spec};
use serde::Deserialize;

use crate::case::{CaseError, read_named_tensors};

/// Golden runs of one program.
#[derive(Clone, Debug)]
pub struct Golden {
    /// The file that it was read from.
    pub path: PathBuf,
    /// The program.
    pub program: PathBuf,
    runs: Vec<Run>,
    logits: BTreeMap<String, HostTensor>,
    bars: Bars,
}

#[derive(Clone, Debug, Deserialize)]
struct Run {
    name: String,
    prompt_ids: Vec<i64>,
    generated_ids: Vec<i64>,
    top2_gap: Vec<f64>,
}

#[derive(Deserialize)]
struct Description {
    pte: String,
    cases: Vec<Run>,
    /// How far logits may be off, where that is not the default.
    logits_atol: Option<f64>,
}

/// What counts as right.
#[derive(Clone, Copy, Debug)]
struct Bars {
    /// How far a logit may be off.
    logits: f64,
    /// Below this gap between the two best logits either may win.
    gap: f64,
}

/// How a golden was followed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Followed {
    /// The largest difference of a logit.
    pub max_abs: f64,
    /// Steps that were compared.
    pub steps: usize,
}

/// How prompts are fed, how precisely, and how much of it.
#[derive(Clone, Copy, Debug)]
pub struct Feeding {
    /// The most ids in one call.
    pub chunk: usize,
    /// How the method is loaded.
    pub precision: Precision,
    /// The most steps of each run that are followed.
    pub steps: usize,
}

impl Default for Feeding {
    fn default() -> Feeding {
        Feeding { chunk: usize::MAX, precision: Precision::Exact, steps: usize::MAX }
    }
}

/// Why a golden was not followed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GoldenError {
    /// The program did not run.
    #[error(transparent)]
    Run(#[from] Error),
    /// It ran and gave something else.
    #[error("{0}")]
    Wrong(String),
}

/// Every golden at or below a path, sorted.
pub fn goldens(path: &Path) -> Vec<PathBuf> {
    let is_golden = |path: &Path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name == "golden.json" || name.ends_with(".golden.json")
    };
    let mut found = Vec::new();
    if path.is_file() && is_golden(path) {
        found.push(path.to_owned());
    } else if let Ok(entries) = std::fs::read_dir(path) {
        found.extend(entries.flatten().flat_map(|entry| goldens(&entry.path())));
    }
    found.sort();
    found
}

impl Golden {
    /// Reads a golden and its logits.
    pub fn read(path: &Path) -> Result<Golden, CaseError> {
        let text = std::fs::read(path).map_err(|source| CaseError::Io { path: path.to_owned(), source })?;
        let description: Description = serde_json::from_slice(&text)
            .map_err(|e| CaseError::Content { path: path.to_owned(), reason: e.to_string() })?;
        let folder = path.parent().unwrap_or(Path::new("."));
        let stem = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let stem = stem.strip_suffix(".golden.json").or(stem.strip_suffix(".json")).unwrap_or(stem);
        let logits = read_named_tensors(&folder.join(format!("{stem}.safetensors")))?;
        // 16-bit activations move logits by more than 32-bit ones, which the goldens were computed with.
        let half = description.pte.contains("fp16");
        let bars = Bars {
            logits: description.logits_atol.unwrap_or(if half { 3e-2 } else { 2e-3 }),
            gap: if half { 2e-2 } else { 1e-3 },
        };
        let (program, runs) = (folder.join(&description.pte), description.cases);
        Ok(Golden { path: path.to_owned(), program, runs, logits, bars })
    }

    /// Follows every run: fed with the golden's ids, logits and best ids must be its own; run freely, the ids must be,
    /// up to the first step at which two logits are too close to tell.
    pub async fn follow(&self, device: &Device, feeding: &Feeding) -> Result<Followed, GoldenError> {
        let options = MethodOptions { precision: feeding.precision, ..MethodOptions::default() };
        let program = Program::open(&self.program)?.on(device);
        let mut method = program.method_with_async("forward", &options).await?;
        let bars = match feeding.precision {
            Precision::Exact => self.bars,
            _ => Bars { logits: self.bars.logits.max(5e-2), gap: self.bars.gap.max(5e-2) },
        };
        let mut followed = Followed::default();
        for run in &self.runs {
            self.feed(&mut method, run, bars, feeding, &mut followed).await?;
            method.reset()?;
            run_freely(&mut method, run, bars, feeding).await?;
            method.reset()?;
        }
        Ok(followed)
    }

    async fn feed(
        &self,
        method: &mut Method,
        run: &Run,
        bars: Bars,
        feeding: &Feeding,
        followed: &mut Followed,
    ) -> Result<(), GoldenError> {
        let wrong = |what: String| GoldenError::Wrong(format!("{}: {what}", run.name));
        let key = format!("{}.logits", run.name);
        let golden = self.logits.get(&key).ok_or_else(|| wrong(format!("the golden has no {key}")))?;
        let (vocabulary, golden) = (golden.shape().last().copied().unwrap_or(0), golden.to_f64s());
        let mut position = 0;
        for (step, &id) in run.generated_ids.iter().enumerate().take(feeding.steps) {
            let ids = if step == 0 { &run.prompt_ids[..] } else { &run.generated_ids[step - 1..step] };
            let logits = advance(method, ids, &mut position, feeding.chunk).await?;
            // A golden may have the logits of its first steps only.
            let expected = golden.get(step * vocabulary..(step + 1) * vocabulary).unwrap_or(&logits);
            let differences = logits.iter().zip(expected).map(|(got, expected)| (got - expected).abs());
            // NaN must not pass for small.
            let largest = differences.fold(0.0, |a: f64, b| if b > a || b.is_nan() { b } else { a });
            followed.max_abs = followed.max_abs.max(largest);
            followed.steps += 1;
            if logits.len() != vocabulary || largest.is_nan() || largest > bars.logits {
                return Err(wrong(format!(
                    "at step {step} a logit is off by {largest:.2e}, more than {:.0e}",
                    bars.logits
                )));
            }
            let gap = run.top2_gap.get(step).copied().unwrap_or(f64::INFINITY);
            if best(&logits) != id && gap >= bars.gap {
                return Err(wrong(format!("step {step} gives id {}, expected {id}", best(&logits))));
            }
        }
        Ok(())
    }
}

async fn run_freely(method: &mut Method, run: &Run, bars: Bars, feeding: &Feeding) -> Result<(), GoldenError> {
    let mut position = 0;
    let mut next = run.prompt_ids.clone();
    for (step, (&id, &gap)) in run.generated_ids.iter().zip(&run.top2_gap).enumerate().take(feeding.steps) {
        if gap < bars.gap {
            return Ok(());
        }
        let got = best(&advance(method, &next, &mut position, feeding.chunk).await?);
        if got != id {
            return Err(GoldenError::Wrong(format!(
                "{}: run freely, step {step} gives id {got}, expected {id}",
                run.name
            )));
        }
        next = vec![got];
    }
    Ok(())
}

/// Feeds ids in chunks, and gives the logits after the last.
async fn advance(method: &mut Method, ids: &[i64], position: &mut i64, chunk: usize) -> Result<Vec<f64>, Error> {
    let most = match method.inputs().first() {
        Some(Spec::Tensor { shape, .. }) => shape.last().copied().unwrap_or(1).max(1),
        _ => 1,
    };
    let mut logits = Vec::new();
    for ids in ids.chunks(chunk.clamp(1, most)) {
        let tokens = HostTensor::from_slice(ids, &[1, ids.len()])?;
        let outputs = method.run_async(&[tokens.into(), HostTensor::from_slice(&[*position], &[1])?.into()]).await?;
        logits = outputs.first().and_then(|output| output.tensor()).map(HostTensor::to_f64s).unwrap_or_default();
        *position += i64::try_from(ids.len()).unwrap_or(i64::MAX);
    }
    Ok(logits)
}

/// The index of the largest logit, of equals the first.
fn best(logits: &[f64]) -> i64 {
    let mut best = 0;
    for (index, logit) in logits.iter().enumerate() {
        if logit.total_cmp(&logits[best]).is_gt() {
            best = index;
        }
    }
    i64::try_from(best).unwrap_or(i64::MAX)
}
