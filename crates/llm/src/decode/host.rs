//! Decoding with the logits on the host: any sampling, one token after the other.

use super::Acceptor;
use crate::conversation::Conversation;
use crate::engine::Logits;
use crate::error::Result;
use crate::generate::{Event, Generate, StopReason};
use crate::sampling::Sampler;

/// Generates tokens from the logits after the prompt until there is a reason to stop.
pub(crate) async fn decode<F: FnMut(Event<'_>)>(
    conversation: &mut Conversation,
    mut logits: Logits,
    options: &Generate,
    acceptor: &mut Acceptor<'_, F>,
) -> Result<StopReason> {
    let mut sampler = Sampler::new(&options.sampling)?;
    if acceptor.is_full() {
        return Ok(StopReason::MaxTokens);
    }
    loop {
        if options.cancel.is_cancelled() {
            return Ok(StopReason::Cancelled);
        }
        let id = sampler.next(logits.as_slice(), conversation.ids())?;
        if let Some(reason) = acceptor.accept(id) {
            return Ok(reason);
        }
        if conversation.is_full() {
            return Ok(StopReason::ContextFull);
        }
        logits = conversation.step(id).await?;
    }
}
