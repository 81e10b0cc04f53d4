//! What can be wrong with a file.

/// The result of everything that reads a file.
pub type Result<T> = std::result::Result<T, Error>;

/// What is wrong with a file, and where.
///
/// Errors are values: no input makes this crate panic.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The bytes are some other format.
    #[error("this is no {expected}: it holds `{found}` where the identifier belongs")]
    Identifier {
        /// The format that was asked for.
        expected: &'static str,
        /// What stands in the place of its identifier.
        found: String,
    },
    /// There are fewer bytes than the file itself says.
    #[error("{at} ends early: it takes {needed} bytes and {available} are there")]
    Truncated {
        /// The part that ends early.
        at: String,
        /// Bytes it takes.
        needed: u64,
        /// Bytes there are.
        available: u64,
    },
    /// The flatbuffer is broken: an offset, a length or a text that it holds is impossible.
    #[error("{at}: {table}.{field} at byte {offset} of the flatbuffer: {reason}")]
    Flatbuffer {
        /// The part that was being read.
        at: String,
        /// The table's name in the schema.
        table: &'static str,
        /// The field's name in the schema.
        field: &'static str,
        /// Where the table begins.
        offset: usize,
        /// What is wrong with the field.
        reason: String,
    },
    /// An index points outside the list it belongs to.
    #[error("{at}: {what} {index} is out of range, there are {count}")]
    Index {
        /// The part that holds the index.
        at: String,
        /// What is counted by the index.
        what: &'static str,
        /// The index.
        index: i64,
        /// How many there are.
        count: u64,
    },
    /// A range of bytes lies outside the data it belongs to.
    #[error("{at}: {length} bytes from byte {start} on are not within its {limit} bytes")]
    Bounds {
        /// The data that the range belongs to.
        at: String,
        /// Where the range begins.
        start: u64,
        /// How long the range is.
        length: u64,
        /// How long the data is.
        limit: u64,
    },
    /// Something is absent that cannot be.
    #[error("{at}: {what} is missing")]
    Missing {
        /// The part that lacks it.
        at: String,
        /// What it lacks.
        what: &'static str,
    },
    /// A code that this version does not know.
    #[error("{at}: {what} {code} is not supported")]
    Code {
        /// The part that holds the code.
        at: String,
        /// What the code stands for.
        what: &'static str,
        /// The code.
        code: i64,
    },
    /// A value that contradicts the format.
    #[error("{at}: {reason}")]
    Invalid {
        /// The part that holds the value.
        at: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// The kind of an [`Error`], for callers that decide by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The bytes are some other format.
    Format,
    /// The file is cut off.
    Truncated,
    /// The file contradicts itself.
    Corrupt,
    /// The file may be sound, and uses what this version does not know.
    Unsupported,
}

impl Error {
    /// What kind of error this is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::Identifier { .. } => ErrorKind::Format,
            Error::Truncated { .. } => ErrorKind::Truncated,
            Error::Code { .. } => ErrorKind::Unsupported,
            _ => ErrorKind::Corrupt,
        }
    }
}

/// Says where a flatbuffer error happened.
pub(crate) trait At<T> {
    fn at(self, place: impl FnOnce() -> String) -> Result<T>;
}

impl<T> At<T> for planus::Result<T> {
    fn at(self, place: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|error| flatbuffer(&error, place()))
    }
}

/// Apart from [`At`], which has code for each type that is read.
#[cold]
#[inline(never)]
fn flatbuffer(error: &planus::Error, at: String) -> Error {
    Error::Flatbuffer {
        at,
        table: error.source_location.type_,
        field: error.source_location.method,
        offset: error.source_location.byte_offset,
        reason: error.error_kind.to_string().to_ascii_lowercase(),
    }
}

/// A text from the file as an error shows it: in backquotes, and not at any length.
pub(crate) fn quoted(text: &str) -> String {
    const SHOWN: usize = 80;
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("`{shown}`")
}

/// Checks an index from the file against the length of its list.
pub(crate) fn index(index: i64, count: usize, what: &'static str, at: impl FnOnce() -> String) -> Result<u32> {
    match u32::try_from(index) {
        Ok(checked) if u64::from(checked) < count as u64 => Ok(checked),
        _ => Err(Error::Index { at: at(), what, index, count: count as u64 }),
    }
}

/// The bytes of `data` from `start` on, `length` long.
pub(crate) fn slice(data: &[u8], start: u64, length: u64, at: impl FnOnce() -> String) -> Result<&[u8]> {
    let range = || {
        let start = usize::try_from(start).ok()?;
        data.get(start..start.checked_add(usize::try_from(length).ok()?)?)
    };
    range().ok_or_else(|| Error::Bounds { at: at(), start, length, limit: data.len() as u64 })
}

/// The range of `length` bytes that begins `start` bytes into `outer`.
pub(crate) fn subrange(
    outer: &std::ops::Range<u64>,
    start: u64,
    length: u64,
    at: impl FnOnce() -> String,
) -> Result<std::ops::Range<u64>> {
    let range = || {
        let first = outer.start.checked_add(start)?;
        let end = first.checked_add(length)?;
        (end <= outer.end).then_some(first..end)
    };
    range().ok_or_else(|| Error::Bounds { at: at(), start, length, limit: outer.end.saturating_sub(outer.start) })
}

/// Reads a little-endian number at `offset`, if the bytes hold it.
pub(crate) fn number<const N: usize>(bytes: &[u8], offset: usize) -> Option<[u8; N]> {
    bytes.get(offset..)?.first_chunk().copied()
}

/// Checks the four-letter identifier of a flatbuffer file against a prefix.
pub(crate) fn identifier(bytes: &[u8], prefix: &[u8], expected: &'static str) -> Result<()> {
    let Some(found) = number::<4>(bytes, 4) else {
        return Err(Error::Truncated { at: expected.into(), needed: 8, available: bytes.len() as u64 });
    };
    if found.starts_with(prefix) {
        return Ok(());
    }
    Err(Error::Identifier { expected, found: found.escape_ascii().to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(quoted("forward"), "`forward`");
        assert!(quoted(&"x".repeat(1 << 20)).len() < 100);
    }

    #[test]
    fn ranges_do_not_wrap() {
        let at = || "test".to_string();
        assert_eq!(subrange(&(10..20), 4, 6, at).unwrap(), 14..20);
        for (start, length) in [(4, 7), (u64::MAX, 1), (1, u64::MAX), (u64::MAX, u64::MAX)] {
            assert!(matches!(subrange(&(10..20), start, length, at), Err(Error::Bounds { .. })));
            assert!(slice(&[0; 10], start, length, at).is_err());
        }
    }

    #[test]
    fn texts_say_what_and_where() {
        let error = index(-1, 3, "value", || "method `forward`, inputs".into()).unwrap_err();
        assert_eq!(error.to_string(), "method `forward`, inputs: value -1 is out of range, there are 3");
        assert_eq!(error.kind(), ErrorKind::Corrupt);
        let error = identifier(b"\0\0\0\0ELF\x7f", b"ET", "program").unwrap_err();
        assert_eq!(error.to_string(), "this is no program: it holds `ELF\\x7f` where the identifier belongs");
        assert_eq!(error.kind(), ErrorKind::Format);
    }
}
