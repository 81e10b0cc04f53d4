//! Decoding on the GPU: it chooses the token and feeds it to the next call, and the host reads behind.

use std::collections::VecDeque;

use super::Acceptor;
use crate::conversation::Conversation;
use crate::engine::{PendingDraw, Tokens};
use crate::error::{Error, Result};
use crate::generate::{Event, Generate, StopReason};

/// The most calls in flight: one that runs, one behind it so that the GPU never waits, and one that the host reads.
const IN_FLIGHT: usize = 3;

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
    let mut pending = PendingDraws { draws: VecDeque::new(), options, position: conversation.ids.len(), step: 0 };
    pending.submit(conversation, Tokens::Host(last), last.len()).await?;
    let (mut fed, mut prefilled) = (last.to_vec(), false);
    loop {
        if options.cancel.is_cancelled() {
            return Ok(StopReason::Cancelled);
        }
        pending.fill(conversation, acceptor.room()).await?;
        let Some(draw) = pending.draws.pop_front() else {
            // Another conversation overwrote the token in between; the host knows it.
            pending.submit(conversation, Tokens::Host(&fed), 1).await?;
            continue;
        };
        let id = draw.read().await?;
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

/// Calls that were submitted and not read.
struct PendingDraws<'a> {
    draws: VecDeque<PendingDraw>,
    options: &'a Generate,
    /// Where the next call's tokens stand.
    position: usize,
    /// The number of the next draw.
    step: usize,
}

impl PendingDraws<'_> {
    /// Submits calls on the tokens that the ones before draw, as long as there is room for tokens.
    async fn fill(&mut self, conversation: &mut Conversation, room: usize) -> Result<()> {
        while self.draws.len() < IN_FLIGHT.min(room) && !conversation.is_full(self.position) {
            let Some(token) = self.draws.back().and_then(PendingDraw::token_on_device) else { return Ok(()) };
            if !self.submit(conversation, Tokens::Device(token), 1).await? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Submits a call; whether it was is told.
    async fn submit(&mut self, conversation: &mut Conversation, tokens: Tokens<'_>, count: usize) -> Result<bool> {
        let settings = self.options.sampling.on_device(self.step).unwrap_or_default();
        let Some(draw) = conversation.session.draw(tokens, self.position, settings).await? else {
            return Ok(false);
        };
        self.draws.push_back(draw);
        self.position += count;
        self.step += 1;
        Ok(true)
    }
}
