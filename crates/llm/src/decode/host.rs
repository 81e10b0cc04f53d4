//! Decoding with the logits on the host: any sampling, one token after the other.

use super::Acceptor;
use crate::conversation::Conversation;
use crate::error::Result;
use crate::generate::{Event, Generate, StopReason};
use crate::sampling::Sampler;

/// Feeds the last chunk of a prompt, and generates tokens until there is a reason to stop.
pub(crate) async fn decode<F: FnMut(Event<'_>)>(
    conversation: &mut Conversation,
    last: &[u32],
    options: &Generate,
    acceptor: &mut Acceptor<'_, F>,
) -> Result<StopReason> {
    let mut sampler = Sampler::new(&options.sampling)?;
    let mut logits = conversation.session.logits(last, conversation.ids.len()).await?;
    conversation.ids.extend_from_slice(last);
    acceptor.prefilled(conversation.ids.len());
    if acceptor.is_full() {
        return Ok(StopReason::MaxTokens);
    }
    loop {
        if options.cancel.is_cancelled() {
            return Ok(StopReason::Cancelled);
        }
        let id = sampler.next(logits.as_slice(), &conversation.ids)?;
        if let Some(reason) = acceptor.accept(id) {
            return Ok(reason);
        }
        if conversation.is_full(conversation.ids.len()) {
            return Ok(StopReason::ContextFull);
        }
        logits = conversation.session.logits(&[id], conversation.ids.len()).await?;
        conversation.ids.push(id);
    }
}
