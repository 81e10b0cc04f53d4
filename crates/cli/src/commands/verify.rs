//! `pteron verify`: conformance cases, each judged by its own tolerance.

use std::path::{Path, PathBuf};

use anyhow::Result;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pteron_runtime::Device;
use pteron_testkit::{Found, Golden, GoldenError, GoldenOptions, Status, discover_each, goldens, verify};
use serde::Serialize;

use crate::args::VerifyArgs;
use crate::commands::Outcome;
use crate::failure::Usage;
use crate::open;
use crate::output::Output;

/// What `--json` prints. Infinite errors become null.
#[derive(Debug, Default, Serialize)]
struct Report {
    cases: Vec<CaseReport>,
    passed: usize,
    failed: usize,
    unsupported: usize,
    errors: usize,
    device: String,
}

#[derive(Debug, Serialize)]
struct CaseReport {
    path: String,
    status: &'static str,
    max_abs: f64,
    max_rel: f64,
    dispatches: u64,
    message: String,
}

/// How many ids of a prompt are fed at a time: all, an odd number, one.
const CHUNKS: [usize; 3] = [usize::MAX, 7, 1];

pub(crate) fn run(arguments: &VerifyArgs, output: &mut Output) -> Result<Outcome> {
    let (cases, goldens) = find(arguments)?;
    let device = open::device(&arguments.device)?;
    let mut report = Report { device: device.name().to_owned(), ..Report::default() };
    let bar = progress_bar((cases.len() + goldens.len() * CHUNKS.len()) as u64);
    for (path, case) in cases {
        let method = case.as_ref().ok().map(|case| case.method.clone());
        let judged = match case {
            Ok(case) => {
                let outcome = verify(&case, &device);
                report.count(outcome.status);
                CaseReport {
                    path: path.display().to_string(),
                    status: outcome.status.name(),
                    max_abs: outcome.max_abs,
                    max_rel: outcome.max_rel,
                    dispatches: outcome.dispatches,
                    message: outcome.message,
                }
            }
            Err(error) => {
                report.count(Status::Error);
                let (path, message) = (path.display().to_string(), error.to_string());
                let status = Status::Error.name();
                CaseReport { path, status, max_abs: 0.0, max_rel: 0.0, dispatches: 0, message }
            }
        };
        if judged.status != Status::Pass.name() || arguments.verbose {
            bar.suspend(|| output.line(judged.line(method.as_deref())))?;
        }
        report.cases.push(judged);
        bar.inc(1);
    }
    for path in goldens {
        for chunk in CHUNKS {
            let (status, judged) = judge(&path, chunk, arguments, &device);
            report.count(status);
            if status != Status::Pass || arguments.verbose {
                bar.suspend(|| output.line(judged.line(None)))?;
            }
            report.cases.push(judged);
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    output.line(report.summary())?;
    output.document(&report)?;
    Ok(if report.passed == report.cases.len() { Outcome::Success } else { Outcome::Failure })
}

/// Follows a golden with its prompts fed in chunks.
fn judge(path: &Path, chunk: usize, arguments: &VerifyArgs, device: &Device) -> (Status, CaseReport) {
    let options = GoldenOptions { chunk, precision: arguments.precision.into(), ..GoldenOptions::default() };
    let followed = Golden::read(path).map_err(|error| (Status::Error, error.to_string())).and_then(|golden| {
        match pteron_runtime::block_on(golden.follow(device, &options)) {
            Ok(followed) => Ok(followed),
            Err(GoldenError::Wrong(what)) => Err((Status::Fail, what)),
            Err(error) => Err((Status::Error, error.to_string())),
        }
    });
    let (status, max_abs, message) = match followed {
        Ok(followed) => (Status::Pass, followed.max_abs, String::new()),
        Err((status, message)) => (status, f64::NAN, message),
    };
    let fed = if chunk == usize::MAX { "whole prompts".to_owned() } else { format!("prompts {chunk} ids at a time") };
    let path = format!("{}, {fed}", path.display());
    (status, CaseReport { path, status: status.name(), max_abs, max_rel: 0.0, dispatches: 0, message })
}

/// The cases and goldens to run, each path's sorted.
fn find(arguments: &VerifyArgs) -> Result<(Vec<Found>, Vec<PathBuf>)> {
    let mut cases: Vec<Found> = Vec::new();
    let mut followed = Vec::new();
    for path in &arguments.paths {
        let of_path = goldens(path);
        match discover_each(path) {
            Ok(found) => cases.extend(found),
            // A golden alone is no case.
            Err(_) if !of_path.is_empty() => {}
            Err(error) => return Err(error.into()),
        }
        followed.extend(of_path);
    }
    let among = cases.len() + followed.len();
    if let Some(filter) = &arguments.filter {
        cases.retain(|(path, _)| path.to_string_lossy().contains(filter));
        followed.retain(|path| path.to_string_lossy().contains(filter));
    }
    if cases.is_empty() && followed.is_empty() {
        let paths: Vec<_> =
            arguments.paths.iter().map(PathBuf::as_path).map(|path| path.display().to_string()).collect();
        let paths = paths.join(", ");
        return Err(Usage::error(match &arguments.filter {
            Some(filter) if among > 0 => format!("none of the {among} cases in {paths} has {filter:?} in its path"),
            _ => format!("there is no case in {paths}: give .bpte files, folders with a case.json, or trees of them"),
        }));
    }
    Ok((cases, followed))
}

/// A bar on standard error, which shows itself on a terminal only.
fn progress_bar(length: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {elapsed}") {
        bar.set_style(style);
    }
    bar
}

impl Report {
    fn count(&mut self, status: Status) {
        match status {
            Status::Pass => self.passed += 1,
            Status::Fail => self.failed += 1,
            Status::Unsupported => self.unsupported += 1,
            Status::Error => self.errors += 1,
        }
    }

    fn summary(&self) -> String {
        let largest = |error: fn(&CaseReport) -> f64| self.cases.iter().map(error).fold(0.0, f64::max);
        format!(
            "{}: {} passed, {} failed, {} unsupported, {} in error; largest error {:.3e} absolute, {:.3e} relative; on {}",
            if self.passed == self.cases.len() { "PASS" } else { "FAIL" },
            self.passed,
            self.failed,
            self.unsupported,
            self.errors,
            largest(|case| case.max_abs),
            largest(|case| case.max_rel),
            self.device
        )
    }
}

impl CaseReport {
    fn line(&self, method: Option<&str>) -> String {
        let verdict = match self.status {
            "pass" => "PASS",
            "fail" => "FAIL",
            "unsupported" => "UNSUPPORTED",
            _ => "ERROR",
        };
        let method = method.filter(|&name| name != "forward").map(|name| format!(" ({name})")).unwrap_or_default();
        let errors = match self.status {
            "pass" | "fail" => format!("  max abs {:.3e}, max rel {:.3e}", self.max_abs, self.max_rel),
            _ => String::new(),
        };
        let message = if self.message.is_empty() { String::new() } else { format!(": {}", self.message) };
        format!("{verdict}  {}{method}{errors}{message}", self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infinite_errors_are_valid_json() {
        let case = CaseReport {
            path: "x".to_owned(),
            status: "fail",
            max_abs: f64::INFINITY,
            max_rel: f64::NAN,
            dispatches: 1,
            message: String::new(),
        };
        let text = serde_json::to_string(&case).unwrap();
        assert!(text.contains(r#""max_abs":null,"max_rel":null"#), "{text}");
    }
}
