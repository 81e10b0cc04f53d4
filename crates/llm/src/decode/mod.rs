//! From logits to tokens: the strategies, and what every one of them does with a token.

pub(crate) mod host;

use std::time::Duration;

use web_time::Instant;

use crate::generate::{Event, Generate, StopReason};
use crate::model::Model;
use crate::stops::{Passed, Stops};
use crate::tokenizer::TextStream;

/// Takes chosen tokens one by one, gives their text out, and says when to stop.
pub(crate) struct Acceptor<'a, F> {
    options: &'a Generate,
    model: &'a Model,
    on_event: F,
    stream: Option<TextStream>,
    stops: Stops,
    pub(crate) ids: Vec<u32>,
    pub(crate) text: String,
    /// When the first token and the last were chosen.
    first: Option<Instant>,
    last: Option<Instant>,
}

impl<'a, F: FnMut(Event<'_>)> Acceptor<'a, F> {
    pub(crate) fn new(model: &'a Model, options: &'a Generate, on_event: F) -> Acceptor<'a, F> {
        Acceptor {
            options,
            model,
            on_event,
            stream: model.tokenizer().map(|tokenizer| tokenizer.stream()),
            stops: Stops::new(&options.stop),
            ids: Vec::new(),
            text: String::new(),
            first: None,
            last: None,
        }
    }

    /// Tells how far the prompt is.
    pub(crate) fn prefilled(&mut self, tokens: usize, of: usize) {
        (self.on_event)(Event::Prefill { tokens, of });
    }

    /// Whether as many tokens as asked for were taken.
    pub(crate) fn is_full(&self) -> bool {
        self.options.max_new_tokens.is_some_and(|most| self.ids.len() >= most)
    }

    /// Takes a token; a reason says that it is the last.
    pub(crate) fn accept(&mut self, id: u32) -> Option<StopReason> {
        let now = Instant::now();
        self.first.get_or_insert(now);
        self.last = Some(now);
        self.ids.push(id);
        let text = self.stream.as_mut().map(|stream| stream.push(id)).unwrap_or_default();
        let (text, stopped) = match self.stops.push(&text) {
            Passed::Text(text) => (text, false),
            Passed::Stopped(text) => (text, true),
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

    /// Gives out what was held back. Nothing follows a stop string.
    pub(crate) fn finish(&mut self, reason: StopReason) {
        if reason == StopReason::StopString {
            return;
        }
        let rest = self.stream.as_mut().map(TextStream::finish).unwrap_or_default();
        let (Passed::Text(mut rest) | Passed::Stopped(mut rest)) = self.stops.push(&rest);
        rest += &self.stops.finish();
        if !rest.is_empty() {
            self.text += &rest;
            (self.on_event)(Event::Rest { text: &rest });
        }
    }

    /// From `start` until the first token, and from there until the last.
    pub(crate) fn times(&self, start: Instant) -> (Option<Duration>, Duration) {
        let first = self.first.map(|first| first.duration_since(start));
        let decode = self.first.zip(self.last).map(|(first, last)| last.duration_since(first));
        (first, decode.unwrap_or_default())
    }
}
