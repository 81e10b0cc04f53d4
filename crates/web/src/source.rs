//! Files that stay on JavaScript's side until they are read.

use std::io;
use std::ops::Range;

use bytes::Bytes;
use js_sys::{Function, Promise, Uint8Array};
use pteron_runtime::{Read, Source};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use crate::error::{Result, WebError, message};
use crate::value::{array_kind, property};

/// A file of JavaScript: an object with a `name`, a `size`, and `read(start, end)`, which gives a `Uint8Array` or a promise
/// of one. Only what is read is copied into wasm's memory, and constants only a piece at a time.
pub(crate) struct JsSource {
    name: String,
    size: u64,
    reader: JsValue,
    read: Function,
}

impl JsSource {
    /// A source over a reader of JavaScript.
    pub(crate) fn new(reader: JsValue) -> Result<JsSource> {
        let wrong = || WebError::argument("a file has a name, a size and read(start, end)");
        let read: Function = property(&reader, "read").dyn_into().map_err(|_| wrong())?;
        let name = property(&reader, "name").as_string().ok_or_else(wrong)?;
        let size = property(&reader, "size").as_f64().filter(|size| *size >= 0.0 && size.fract() == 0.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and not negative")]
        let size = size.ok_or_else(wrong)? as u64;
        Ok(JsSource { name, size, reader, read })
    }
}

impl Source for JsSource {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn len(&self) -> u64 {
        self.size
    }

    fn read(&self, range: Range<u64>) -> Read<'_> {
        let (start, end) = (JsValue::from(range.start as f64), JsValue::from(range.end as f64));
        match self.read.call2(&self.reader, &start, &end) {
            Err(error) => Read::Ready(Err(io::Error::other(message(&error)))),
            Ok(value) => match value.dyn_into::<Promise>() {
                Err(value) => Read::Ready(bytes(&value)),
                Ok(promise) => Read::Later(Box::pin(async {
                    let value = JsFuture::from(promise).await.map_err(|error| io::Error::other(message(&error)))?;
                    bytes(&value)
                })),
            },
        }
    }
}

fn bytes(value: &JsValue) -> io::Result<Bytes> {
    if array_kind(value).as_deref() != Some("Uint8Array") {
        return Err(io::Error::other("what was read is no Uint8Array"));
    }
    Ok(value.unchecked_ref::<Uint8Array>().to_vec().into())
}
