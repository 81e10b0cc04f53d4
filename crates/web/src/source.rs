//! Bytes that stay on JavaScript's side until they are read.

use std::ops::Range;

use bytes::Bytes;
use js_sys::Uint8Array;
use pteron_runtime::{Read, Source};

/// A file in an array. Only what is read is copied into wasm's memory, and constants only a piece at a time.
pub(crate) struct ArraySource {
    name: &'static str,
    array: Uint8Array,
}

impl ArraySource {
    /// A source over an array, with a name for error messages.
    pub(crate) fn new(name: &'static str, array: Uint8Array) -> ArraySource {
        ArraySource { name, array }
    }
}

impl Source for ArraySource {
    fn name(&self) -> String {
        self.name.to_owned()
    }

    fn len(&self) -> u64 {
        u64::from(self.array.length())
    }

    fn read(&self, range: Range<u64>) -> Read<'_> {
        // An array that was detached since has the length 0.
        let slice = || {
            let (start, end) = (u32::try_from(range.start).ok()?, u32::try_from(range.end).ok()?);
            (start <= end && end <= self.array.length()).then(|| self.array.subarray(start, end).to_vec())
        };
        Read::Ready(slice().map(Bytes::from).ok_or_else(|| std::io::ErrorKind::UnexpectedEof.into()))
    }
}
