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
    tolerance: LogitTolerance,
}

#[derive(Clone, Debug, Deserialize)]
struct Run {
    name: String,
    prompt_ids: Vec<i64>,
    generated_ids: Vec<i64>,
    top2_gap: Vec<f64>,
    /// How far logits of this run may be off, where that is not the golden's.
    logits_atol: Option<f64>,
    /// Below which gap either id may win in this run, where that is not the golden's.
    choice_gap: Option<f64>,
}

#[derive(Deserialize)]
struct Description {
    pte: String,
    cases: Vec<Run>,
    /// How far logits may be off, where that is not the default.
    logits_atol: Option<f64>,
    /// Below which gap of the two best logits either may win, where that is not the default.
    choice_gap: Option<f64>,
}

/// What counts as right.
#[derive(Clone, Copy, Debug)]
struct LogitTolerance {
    /// How far a logit may be off.
    logits: f64,
    /// Below this gap between the two best logits either may win.
    gap: f64,
}

/// How a golden was followed.
#[derive(Clone, Copy, Debug, Default)]
pub struct GoldenComparison {
    /// The largest difference of a logit.
    pub max_abs: f64,
    /// Steps whose logits were compared: those that the golden has logits of.
    pub logits: usize,
    /// Steps whose best id was compared: those at which the two best logits are far enough apart.
    pub choices: usize,
    /// Steps of free runs whose id was compared.
    pub free: usize,
}

/// How prompts are fed, how precisely, and how much of it.
#[derive(Clone, Copy, Debug)]
pub struct GoldenOptions {
    /// The most ids in one call.
    pub chunk: usize,
    /// How the method is loaded.
    pub precision: Precision,
    /// The most steps of each run that are followed.
    pub steps: usize,
}

impl Default for GoldenOptions {
    fn default() -> GoldenOptions {
        GoldenOptions { chunk: usize::MAX, precision: Precision::Exact, steps: usize::MAX }
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
        let tolerance = LogitTolerance {
            logits: description.logits_atol.unwrap_or(if half { 3e-2 } else { 2e-3 }),
            gap: description.choice_gap.unwrap_or(if half { 2e-2 } else { 1e-3 }),
        };
        let (program, runs) = (folder.join(&description.pte), description.cases);
        if let Some(run) = runs.iter().find(|run| run.top2_gap.len() != run.generated_ids.len()) {
            let reason = format!("{} has not as many gaps as ids", run.name);
            return Err(CaseError::Content { path: path.to_owned(), reason });
        }
        Ok(Golden { path: path.to_owned(), program, runs, logits, tolerance })
    }

    /// Follows every run: fed with the golden's ids, logits and best ids must be its own; run freely, the ids must be,
    /// up to the first step at which two logits are too close to tell. A run of which nothing can be compared is an error.
    pub async fn follow(&self, device: &Device, options: &GoldenOptions) -> Result<GoldenComparison, GoldenError> {
        let loading = MethodOptions::default().with_precision(options.precision);
        let program = Program::open(&self.program)?.on(device);
        let mut method = program.load_async("forward", &loading).await?;
        let tolerance = match options.precision {
            Precision::Exact => self.tolerance,
            _ => LogitTolerance { logits: self.tolerance.logits.max(5e-2), gap: self.tolerance.gap.max(5e-2) },
        };
        let mut followed = GoldenComparison::default();
        for run in &self.runs {
            let before = followed;
            let tolerance = LogitTolerance {
                logits: run.logits_atol.unwrap_or(tolerance.logits),
                gap: run.choice_gap.unwrap_or(tolerance.gap),
            };
            self.feed(&mut method, run, tolerance, options, &mut followed).await?;
            method.reset()?;
            followed.free += run_freely(&mut method, run, tolerance, options).await?;
            method.reset()?;
            if followed.logits == before.logits || followed.choices == before.choices {
                return Err(GoldenError::Wrong(format!("{}: there is nothing to compare", run.name)));
            }
        }
        match self.runs.is_empty() {
            true => Err(GoldenError::Wrong("the golden has no run".to_owned())),
            false => Ok(followed),
        }
    }

    async fn feed(
        &self,
        method: &mut Method,
        run: &Run,
        tolerance: LogitTolerance,
        options: &GoldenOptions,
        followed: &mut GoldenComparison,
    ) -> Result<(), GoldenError> {
        let wrong = |what: String| GoldenError::Wrong(format!("{}: {what}", run.name));
        let key = format!("{}.logits", run.name);
        let golden = self.logits.get(&key).ok_or_else(|| wrong(format!("the golden has no {key}")))?;
        let (vocabulary, golden) = (golden.shape().last().copied().unwrap_or(0), golden.to_f64s());
        let mut position = 0;
        for (step, (&id, &gap)) in run.generated_ids.iter().zip(&run.top2_gap).enumerate().take(options.steps) {
            let ids = if step == 0 { &run.prompt_ids[..] } else { &run.generated_ids[step - 1..step] };
            let logits = advance(method, ids, &mut position, options.chunk).await?;
            if logits.len() != vocabulary {
                return Err(wrong(format!("step {step} gives {} logits, expected {vocabulary}", logits.len())));
            }
            // A golden may have the logits of its first steps only.
            if let Some(expected) = golden.get(step * vocabulary..(step + 1) * vocabulary) {
                let largest = largest_difference(&logits, expected);
                followed.max_abs = followed.max_abs.max(largest);
                followed.logits += 1;
                if largest.is_nan() || largest > tolerance.logits {
                    let bar = tolerance.logits;
                    return Err(wrong(format!("at step {step} a logit is off by {largest:.2e}, more than {bar:.0e}")));
                }
            }
            if gap >= tolerance.gap {
                followed.choices += 1;
                if best(&logits) != id {
                    return Err(wrong(format!("step {step} gives id {}, expected {id}", best(&logits))));
                }
            }
        }
        Ok(())
    }
}

/// The largest difference between two rows; NaN where there is one, which must not pass for small.
fn largest_difference(got: &[f64], expected: &[f64]) -> f64 {
    let differences = got.iter().zip(expected).map(|(got, expected)| (got - expected).abs());
    differences.fold(0.0, |a: f64, b| if b > a || b.is_nan() { b } else { a })
}

/// Feeds what the method itself chooses; how many steps could be compared.
async fn run_freely(
    method: &mut Method,
    run: &Run,
    tolerance: LogitTolerance,
    options: &GoldenOptions,
) -> Result<usize, GoldenError> {
    let mut position = 0;
    let mut next = run.prompt_ids.clone();
    for (step, (&id, &gap)) in run.generated_ids.iter().zip(&run.top2_gap).enumerate().take(options.steps) {
        if gap < tolerance.gap {
            return Ok(step);
        }
        let got = best(&advance(method, &next, &mut position, options.chunk).await?);
        if got != id {
            return Err(GoldenError::Wrong(format!(
                "{}: run freely, step {step} gives id {got}, expected {id}",
                run.name
            )));
        }
        next = vec![got];
    }
    Ok(run.generated_ids.len().min(options.steps))
}

/// Feeds ids in chunks, and gives the logits after the last. A method takes the position of the first id of a call, or of
/// each, and may give the logits after each.
async fn advance(method: &mut Method, ids: &[i64], position: &mut i64, chunk: usize) -> Result<Vec<f64>, Error> {
    let most = |input: Option<&Spec>| match input {
        Some(Spec::Tensor { shape, .. }) => shape.last().copied().unwrap_or(1).max(1),
        _ => 1,
    };
    let (most_ids, most_positions) = (most(method.inputs().first()), most(method.inputs().get(1)));
    let mut logits = Vec::new();
    for ids in ids.chunks(chunk.clamp(1, most_ids)) {
        let end = position.saturating_add(i64::try_from(ids.len()).unwrap_or(i64::MAX));
        let positions: Vec<i64> = if most_positions > 1 { (*position..end).collect() } else { vec![*position] };
        let positions = HostTensor::from_slice(&positions, &[positions.len()])?;
        let tokens = HostTensor::from_slice(ids, &[1, ids.len()])?;
        let outputs = method.run_async(&[tokens.into(), positions.into()]).await?;
        let all = outputs.first().and_then(|output| output.tensor());
        let vocabulary = all.and_then(|all| all.shape().last().copied()).unwrap_or(0);
        logits = all.map(HostTensor::to_f64s).unwrap_or_default();
        logits.drain(..logits.len().saturating_sub(vocabulary));
        *position = end;
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

#[cfg(test)]
mod tests {
    use pteron_runtime::Shape;

    use super::*;
    use crate::places::fixtures;

    /// The committed golden, with the logits of its first steps only.
    fn with_rows(rows: usize) -> Golden {
        let mut golden = Golden::read(&fixtures().join("llm/tiny/golden.json")).expect("the golden is readable");
        for logits in golden.logits.values_mut() {
            let shape = Shape::new(&[rows, logits.shape()[1]]).expect("fewer rows");
            let values: Vec<_> = logits.to_f64s().into_iter().take(shape.numel()).collect();
            *logits = HostTensor::from_f64s(logits.dtype(), shape, values).expect("values fill the shape");
        }
        golden
    }

    fn follow(golden: &Golden) -> Result<GoldenComparison, GoldenError> {
        pteron_runtime::block_on(golden.follow(&Device::cpu(), &GoldenOptions { steps: 4, ..GoldenOptions::default() }))
    }

    #[test]
    fn only_what_is_compared_counts() {
        let followed = follow(&with_rows(2)).expect("the golden is followed");
        assert_eq!((followed.logits, followed.choices), (3 * 2, 3 * 4));
        assert!(followed.free > 0 && followed.free <= 3 * 4, "{followed:?}");
    }

    #[test]
    fn a_golden_says_how_far_it_can_be_followed() {
        let mut golden = with_rows(1);
        golden.tolerance.gap = f64::INFINITY;
        golden.runs[0].choice_gap = Some(1e-3);
        let error = follow(&golden).expect_err("every choice is too close to tell").to_string();
        assert_eq!(error, format!("{}: there is nothing to compare", golden.runs[1].name));
        let mut golden = with_rows(1);
        golden.runs[1].logits_atol = Some(0.0);
        let error = follow(&golden).expect_err("floats are not the same to the last bit").to_string();
        assert!(error.starts_with(&golden.runs[1].name), "{error}");
    }

    #[test]
    fn a_golden_that_compares_nothing_is_wrong() {
        let error = follow(&with_rows(0)).expect_err("there are no logits").to_string();
        assert!(error.contains("nothing to compare"), "{error}");
        let error = follow(&Golden { runs: Vec::new(), ..with_rows(2) }).expect_err("there is no run").to_string();
        assert!(error.contains("no run"), "{error}");
    }

    #[test]
    fn a_wrong_logit_or_id_is_told() {
        let mut golden = with_rows(2);
        for logits in golden.logits.values_mut() {
            let mut values = logits.to_f64s();
            values[5] += 0.01;
            *logits = HostTensor::from_f64s(logits.dtype(), *logits.shape(), values).expect("as many values");
        }
        let error = follow(&golden).expect_err("a logit is off").to_string();
        assert!(error.contains("at step 0 a logit is off by 1.00e-2"), "{error}");
        let mut golden = with_rows(1);
        golden.runs[0].generated_ids[3] += 1;
        let error = follow(&golden).expect_err("an id is another").to_string();
        assert!(error.contains("step 3 gives id"), "{error}");
    }
}
