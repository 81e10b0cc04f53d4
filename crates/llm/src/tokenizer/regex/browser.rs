//! Expressions by the browser's own engine, so that no page downloads another.
//!
//! A search can be ended between two finds, not within one.

use std::ops::Range;

use js_sys::{Array, Function, JsString, Reflect, RegExp};
use wasm_bindgen::{JsCast, JsValue};

use super::dialect;

/// A compiled expression.
#[derive(Debug)]
pub(super) struct Compiled {
    expression: RegExp,
    exec: Function,
}

impl Compiled {
    pub(super) fn new(expression: &str) -> Result<Compiled, String> {
        let translated = dialect::translate(expression)?;
        let arguments = Array::of2(&translated.into(), &"gv".into());
        let constructor: Function = property(&js_sys::global(), "RegExp").dyn_into().map_err(|_| missing())?;
        let made = Reflect::construct(&constructor, &arguments).map_err(|error| message(&error))?;
        let exec = property(&made, "exec").dyn_into().map_err(|_| missing())?;
        Ok(Compiled { expression: made.dyn_into().map_err(|_| missing())?, exec })
    }

    /// Where it is found, from left to right and without overlap.
    pub(super) fn find(&self, text: &str) -> impl Iterator<Item = Result<Range<usize>, String>> {
        let searched = JsString::from(text);
        let mut places = Places::new(text);
        self.expression.set_last_index(0);
        std::iter::from_fn(move || {
            let found = match self.exec.call1(&self.expression, &searched) {
                Ok(found) if found.is_null() => return None,
                Ok(found) => found,
                Err(error) => return Some(Err(message(&error))),
            };
            let end = self.expression.last_index();
            let start = unit(property(&found, "index").as_f64());
            if start == end {
                // Nothing was found here; the search goes on one character later.
                let step = searched.code_point_at(end).as_f64().map_or(1, |point| if point > 65535.0 { 2 } else { 1 });
                self.expression.set_last_index(end.saturating_add(step));
            }
            Some(Ok(places.byte(start)..places.byte(end)))
        })
    }
}

/// Turns places in UTF-16, which come in order, into places in UTF-8.
struct Places<'t> {
    rest: std::str::Chars<'t>,
    unit: u32,
    byte: usize,
}

impl<'t> Places<'t> {
    fn new(text: &'t str) -> Places<'t> {
        Places { rest: text.chars(), unit: 0, byte: 0 }
    }

    fn byte(&mut self, unit: u32) -> usize {
        while self.unit < unit {
            let Some(character) = self.rest.next() else { break };
            self.unit = self.unit.saturating_add(if character.len_utf16() == 2 { 2 } else { 1 });
            self.byte = self.byte.saturating_add(character.len_utf8());
        }
        self.byte
    }
}

fn property(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &JsString::from(name)).unwrap_or(JsValue::UNDEFINED)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in a string of JavaScript")]
fn unit(number: Option<f64>) -> u32 {
    number.unwrap_or_default() as u32
}

fn missing() -> String {
    "this browser has no regular expressions".to_owned()
}

fn message(thrown: &JsValue) -> String {
    thrown.dyn_ref::<js_sys::Error>().map_or_else(|| "it is refused".to_owned(), |error| error.message().into())
}
