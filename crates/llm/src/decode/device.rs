//! Decoding on the GPU: it chooses the token and feeds it to the next call, and the host reads behind.

use std::collections::VecDeque;

use web_time::Instant;

use super::Acceptor;
use super::pace::Pace;
use crate::conversation::Conversation;
use crate::engine::{PendingDraw, Tokens};
use crate::error::{Error, Result};
use crate::generate::{Event, Generate, StopReason};

/// The most submits in flight: one that runs, one behind it so that the GPU never waits, and, where they are of one token,
/// one that the host reads.
const IN_FLIGHT: usize = 2;
const IN_FLIGHT_OF_ONE: usize = 3;

/// Feeds the last chunk of a prompt, and generates tokens until there is a reason to stop.
///
/// A token is fed before the host knows it. What was fed after the last token that counts is as good as not there: the
/// cache is overwritten from the conversation's tokens on.
pub(crate) async fn decode<F: FnMut(Event<'_>)>(
    conversation: &mut Conversation,
    last: &[u32],
    options: &Generate,
    acceptor: &mut Acceptor<'_, F>,
) -> Result<StopReason> {
    let mut pending = PendingDraws {
        draws: VecDeque::new(),
        options,
        position: conversation.ids.len(),
        step: 0,
        pace: Pace::default(),
    };
    pending.submit(conversation, Tokens::Host(last), last.len(), 1).await?;
    let (mut fed, mut prefilled) = (last.to_vec(), false);
    loop {
        if options.cancel.is_cancelled() {
            return Ok(StopReason::Cancelled);
        }
        pending.fill(conversation, acceptor.room()).await?;
        let Some(Draw { draw, of }) = pending.draws.pop_front() else {
            // Another conversation overwrote the token in between; the host knows it.
            pending.submit(conversation, Tokens::Host(&fed), 1, 1).await?;
            continue;
        };
        let id = draw.read().await?;
        if let Some(tokens) = of {
            pending.pace.done(tokens, Instant::now());
        }
        conversation.ids.append(&mut fed);
        if !prefilled {
            prefilled = true;
            acceptor.prefilled(conversation.ids.len());
        }
        if acceptor.is_full() {
            return Ok(StopReason::MaxTokens);
        }
        if options.cancel.is_cancelled() {
            return Ok(StopReason::Cancelled);
        }
        // What was submitted after a call without a token computed nothing that counts, whatever it reports.
        let id = id.ok_or(Error::NotFinite { tokens: conversation.ids.len() })?;
        if let Some(reason) = acceptor.accept(id) {
            return Ok(reason);
        }
        if conversation.is_full(conversation.ids.len()) {
            return Ok(StopReason::ContextFull);
        }
        fed.push(id);
    }
}

/// A call that was submitted and not read.
struct Draw {
    draw: PendingDraw,
    /// The calls of its submit, where it is the first of them: they are done together.
    of: Option<usize>,
}

/// Calls that were submitted and not read.
struct PendingDraws<'a> {
    draws: VecDeque<Draw>,
    options: &'a Generate,
    /// Where the next call's tokens stand.
    position: usize,
    /// The number of the next draw.
    step: usize,
    pace: Pace,
}

impl PendingDraws<'_> {
    /// Submits of which a call was not read.
    fn in_flight(&self) -> usize {
        let is_rest = self.draws.front().is_some_and(|first| first.of.is_none());
        self.draws.iter().filter(|draw| draw.of.is_some()).count() + usize::from(is_rest)
    }

    /// Submits calls on the tokens that the ones before draw, as long as there is room for tokens.
    async fn fill(&mut self, conversation: &mut Conversation, room: usize) -> Result<()> {
        loop {
            let together = self.pace.tokens().min(room.saturating_sub(self.draws.len()));
            let in_context = (self.position..).take_while(|&position| !conversation.is_full(position));
            let calls = in_context.take(together).count();
            let most = if together == 1 { IN_FLIGHT_OF_ONE } else { IN_FLIGHT };
            if calls == 0 || self.in_flight() >= most {
                return Ok(());
            }
            let Some(token) = self.draws.back().and_then(|last| last.draw.token_on_device()) else { return Ok(()) };
            if !self.submit(conversation, Tokens::Device(token), 1, calls).await? {
                return Ok(());
            }
        }
    }

    /// Submits calls, of which the first takes `count` tokens and each other one; whether they were is told.
    async fn submit(
        &mut self,
        conversation: &mut Conversation,
        tokens: Tokens<'_>,
        count: usize,
        calls: usize,
    ) -> Result<bool> {
        let settings = |step| self.options.sampling.on_device(step).unwrap_or_default();
        let settings: Vec<_> = (self.step..self.step + calls).map(settings).collect();
        let Some(draws) = conversation.session.draw(tokens, self.position, &settings).await? else {
            return Ok(false);
        };
        let draw = |(number, draw)| Draw { draw, of: (number == 0).then_some(calls) };
        self.draws.extend(draws.into_iter().enumerate().map(draw));
        self.position += count + calls - 1;
        self.step += calls;
        Ok(true)
    }
}
