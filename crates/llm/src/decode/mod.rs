//! From logits to tokens: the strategies, and what every one of them does with a token.

pub(crate) mod device;
pub(crate) mod host;
mod pace;

use web_time::Instant;

use crate::generate::{Event, Finish, Generate, StopReason};
use crate::model::Model;
use crate::stop_filter::{Filtered, StopFilter};
use crate::timings::Timings;
use crate::tokenizer::TextStream;

/// Takes chosen tokens one by one, gives their text out, and says when to stop.
pub(crate) struct Acceptor<'a, F> {
    options: &'a Generate,
    model: &'a Model,
    on_event: F,
    stream: Option<TextStream>,
    stops: StopFilter,
    ids: Vec<u32>,
    text: String,
    /// Tokens of the prompt, and how many of them are in the cache since when.
    prompt: usize,
    fed: usize,
    fed_at: Option<Instant>,
    /// When the first token and the last were chosen.
    first: Option<Instant>,
    last: Option<Instant>,
}

impl<'a, F: FnMut(Event<'_>)> Acceptor<'a, F> {
    pub(crate) fn new(model: &'a Model, options: &'a Generate, on_event: F, prompt: usize) -> Acceptor<'a, F> {
        Acceptor {
            options,
            model,
            on_event,
            stream: model.tokenizer().map(|tokenizer| tokenizer.stream()),
            stops: StopFilter::new(&options.stop),
            ids: Vec::new(),
            text: String::new(),
            prompt,
            fed: 0,
            fed_at: None,
            first: None,
            last: None,
        }
    }

    /// Tells how many tokens of the prompt are in the cache.
    pub(crate) fn prefilled(&mut self, tokens: usize) {
        self.fed = tokens;
        self.fed_at = Some(Instant::now());
        (self.on_event)(Event::Prefill { tokens, of: self.prompt });
    }

    /// How many tokens may still be taken.
    pub(crate) fn room(&self) -> usize {
        self.options.max_new_tokens.map_or(usize::MAX, |most| most.saturating_sub(self.ids.len()))
    }

    /// Whether as many tokens as asked for were taken.
    pub(crate) fn is_full(&self) -> bool {
        self.room() == 0
    }

    /// Takes a token; a reason says that it is the last.
    pub(crate) fn accept(&mut self, id: u32) -> Option<StopReason> {
        let now = Instant::now();
        self.first.get_or_insert(now);
        self.last = Some(now);
        self.ids.push(id);
        let text = self.stream.as_mut().map(|stream| stream.push(id)).unwrap_or_default();
        let (text, stopped) = match self.stops.push(&text) {
            Filtered::Text(text) => (text, false),
            Filtered::Stopped(text) => (text, true),
        };
        self.text += &text;
        (self.on_event)(Event::Token { id, text: &text });
        if stopped {
            Some(StopReason::StopString)
        } else if self.options.stop_ids.contains(&id) {
            Some(StopReason::StopId(id))
        } else if !self.options.ignore_end && self.model.limits().ends.contains(&id) {
            Some(StopReason::EndOfText(id))
        } else {
            self.is_full().then_some(StopReason::MaxTokens)
        }
    }

    /// Gives out what was held back, and tells how it went. Nothing follows a stop string.
    pub(crate) fn finish(mut self, reason: StopReason, start: Instant, reused: usize) -> Finish {
        if reason != StopReason::StopString {
            let rest = self.stream.as_mut().map(TextStream::finish).unwrap_or_default();
            let (Filtered::Text(mut rest) | Filtered::Stopped(mut rest)) = self.stops.push(&rest);
            rest += &self.stops.finish();
            if !rest.is_empty() {
                self.text += &rest;
                (self.on_event)(Event::Rest { text: &rest });
            }
        }
        let since = |moment: Option<Instant>| moment.map(|moment| moment.duration_since(start));
        let decode = self.first.zip(self.last).map(|(first, last)| last.duration_since(first));
        let timings = Timings {
            prefill_tokens: self.fed.saturating_sub(reused),
            reused_tokens: reused,
            prefill: since(self.fed_at).unwrap_or_default(),
            first_token: since(self.first),
            decode_tokens: self.ids.len().saturating_sub(1),
            decode: decode.unwrap_or_default(),
        };
        Finish { reason, ids: self.ids, text: self.text, timings }
    }
}
