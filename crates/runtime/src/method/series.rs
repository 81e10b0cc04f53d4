//! Several calls in one submit, each on what the one before it gave.

use std::sync::Arc;

use super::delegates::PendingCommands;
use super::results::{Pending, Submitted};
use super::{Delegate, Method};
use crate::device::Kind;
use crate::engine::wgpu::{self as gpu, DeviceTensor, Gpu, KeptResults, RecordedCopies, Recorder, Storage};
use crate::error::Result;
use crate::graph::Step;
use crate::value::Value;

/// Calls that are recorded one after the other, to be submitted together.
#[derive(Debug)]
pub(super) struct OpenSeries {
    /// The commands, while no call is being recorded.
    recorder: Option<Recorder>,
    /// Where small results are kept while more calls are recorded.
    kept: KeptResults,
    /// What is to be read of each call.
    copies: Vec<RecordedCopies>,
}

/// A series that is under way. Dropped before its end, because nobody awaits it any more, it is submitted: the calls that
/// it has recorded count as made.
struct Series<'a>(&'a mut Method);

impl Series<'_> {
    /// Submits all calls. Results are read from here on.
    fn submit(&mut self, submitted: &mut [Submitted]) {
        let Some(OpenSeries { recorder: Some(mut recorder), kept, copies }) = self.0.series.take() else { return };
        self.0.kept_results = Some(kept.copy_out(&mut recorder));
        let gpu = recorder.gpu.clone();
        let (submission, outcome) = gpu.watch(|| recorder.submit());
        // What went wrong is told once, with the results that are read first.
        let mut outcomes = std::iter::once(outcome).chain(std::iter::repeat_with(|| gpu.watch(|| ()).1));
        for (call, copies) in submitted.iter_mut().zip(copies) {
            if let Some(outcome) = outcomes.next() {
                call.pending.reading = Some(copies.begin(submission.clone(), outcome));
            }
        }
    }
}

impl Drop for Series<'_> {
    fn drop(&mut self) {
        self.submit(&mut []);
    }
}

impl Method {
    /// Records calls until there are enough or one is refused, and submits them together.
    pub(super) async fn call_in_series(
        &mut self,
        calls: usize,
        wanted: &[usize],
        mut inputs: impl FnMut(usize, &[Value]) -> Vec<Value>,
    ) -> Result<Vec<Submitted>> {
        self.series = self.open_series()?;
        let mut series = Series(self);
        let mut submitted: Vec<Submitted> = Vec::with_capacity(calls);
        for number in 0..calls {
            let given = inputs(number, submitted.last().map_or(&[], Submitted::outputs));
            submitted.push(series.0.call_without_waiting(&given, wanted).await?);
        }
        series.submit(&mut submitted);
        Ok(submitted)
    }

    /// A series where nothing comes between the calls: a call is recorded as a whole or not at all.
    fn open_series(&mut self) -> Result<Option<OpenSeries>> {
        let is_delegate = |step: &&Step| matches!(step, Step::Delegate { .. });
        let is_whole = !self.submits_early && self.graph.steps.iter().filter(is_delegate).count() == 1;
        match &self.device.0 {
            Kind::Gpu(gpu) if is_whole => OpenSeries::new(gpu, self.kept_results.take()).map(Some),
            _ => Ok(None),
        }
    }

    /// The commands that the next call goes on with.
    pub(super) fn commands(&mut self) -> PendingCommands {
        let recorder = self.series.as_mut().and_then(|series| series.recorder.take());
        PendingCommands::new(&self.device, recorder, &self.limits)
    }

    /// Lets go of the commands of a call that was refused, and of no other.
    pub(super) fn give_up(&mut self, commands: PendingCommands) {
        if let Some(series) = &mut self.series
            && commands.counts().dispatches == 0
        {
            series.recorder = commands.recorder;
        }
    }

    /// Submits what is recorded, or keeps it where it is part of a series.
    pub(super) fn submit_or_keep(
        &mut self,
        mut commands: PendingCommands,
        tensors: Vec<DeviceTensor>,
    ) -> Result<Pending> {
        if self.series.is_none() {
            let pending = self.submit_commands(&mut commands, tensors)?;
            self.counts = commands.counts();
            return Ok(pending);
        }
        self.counts = commands.counts();
        let (tensors, types, owners) = self.with_statuses(&mut commands, tensors)?;
        if let (Some(series), Some(mut recorder)) = (&mut self.series, commands.recorder.take()) {
            let (wanted, statuses) = tensors.split_at(types.len());
            let kept = match owners.recorded.first().map(|&index| &self.delegates[index]) {
                Some(Delegate::Gpu(delegate)) => {
                    series.kept.keep(&mut recorder, wanted, delegate.status(), !statuses.is_empty())?
                }
                _ => None,
            };
            series.copies.push(match kept {
                Some(kept) => kept,
                None => gpu::record_copies(&mut recorder, &tensors)?,
            });
            recorder.begin_next_call();
            series.recorder = Some(recorder);
        }
        for index in owners.recorded {
            if let Delegate::Gpu(delegate) = &self.delegates[index] {
                delegate.end_leases();
            }
        }
        let (graph, call_time) = (self.graph.clone(), self.limits.call_time);
        Ok(Pending { graph, reading: None, types, flagged: owners.flagged, call_time })
    }
}

impl OpenSeries {
    fn new(gpu: &Arc<Gpu>, kept: Option<Storage>) -> Result<OpenSeries> {
        let kept = KeptResults::new(gpu.clone(), kept)?;
        Ok(OpenSeries { recorder: Some(Recorder::in_pieces(gpu.clone())), kept, copies: Vec::new() })
    }
}
