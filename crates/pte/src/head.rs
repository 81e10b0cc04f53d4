//! The first bytes of a `.pte` file: how much of it is the flatbuffer, and where its segments are.

use crate::error::{Error, Result, identifier, number};

/// What the first bytes of a `.pte` file say about the rest.
///
/// A caller that fetches a large file in pieces reads [`Head::SIZE`] bytes, then the first
/// [`program_size`](Head::program_size) bytes for [`Program::parse`](crate::Program::parse), then segments as it needs
/// them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Head {
    /// Bytes of flatbuffer from the start of the file; the whole file if it has no extended header.
    pub program_size: u64,
    /// Where the segments' offsets count from; nothing if the file has no segments.
    pub segment_base: Option<u64>,
    /// Bytes from the segment base to the end of the last segment, where the file says it.
    pub segment_data_size: Option<u64>,
}

impl Head {
    /// Bytes worth reading first.
    pub const SIZE: usize = 64;

    /// Reads the head from the first [`Head::SIZE`] bytes or more of a file, or from all of a smaller one.
    pub fn parse(first: &[u8], file_len: u64) -> Result<Head> {
        let place = || "the program's header".to_string();
        identifier(first, b"ET", "ExecuTorch program")?;
        if number(first, 8) != Some(*b"eh00") {
            return Ok(Head { program_size: file_len, segment_base: None, segment_data_size: None });
        }
        let truncated = |needed| Error::Truncated { at: place(), needed, available: first.len() as u64 };
        let length = u32::from_le_bytes(number(first, 12).ok_or_else(|| truncated(16))?);
        if length < 24 {
            return Err(Error::Invalid { at: place(), reason: format!("it says that it is {length} bytes long") });
        }
        let program_size = u64::from_le_bytes(number(first, 16).ok_or_else(|| truncated(24))?);
        let base = u64::from_le_bytes(number(first, 24).ok_or_else(|| truncated(32))?);
        let data_size = match length {
            32.. => Some(u64::from_le_bytes(number(first, 32).ok_or_else(|| truncated(40))?)),
            _ => None,
        };
        let within = |at: &str, needed: Option<u64>| match needed {
            Some(needed) if needed <= file_len => Ok(()),
            _ => Err(Error::Truncated { at: at.into(), needed: needed.unwrap_or(u64::MAX), available: file_len }),
        };
        within("the program", Some(program_size))?;
        if base == 0 {
            return Ok(Head { program_size, segment_base: None, segment_data_size: None });
        }
        if base < program_size {
            let reason = format!("the segments begin at byte {base}, within the program's {program_size} bytes");
            return Err(Error::Invalid { at: place(), reason });
        }
        within("the segment data", base.checked_add(data_size.unwrap_or(0)))?;
        Ok(Head { program_size, segment_base: Some(base), segment_data_size: data_size })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(length: u32, program_size: u64, base: u64, data_size: u64) -> Vec<u8> {
        let mut bytes = b"\0\0\0\0ET12eh00".to_vec();
        bytes.extend(length.to_le_bytes());
        bytes.extend([program_size, base, data_size].into_iter().flat_map(u64::to_le_bytes));
        bytes
    }

    #[test]
    fn a_file_without_header_is_all_program() {
        let head = Head::parse(b"\0\0\0\0ET12\0\0\0\0", 12).unwrap();
        assert_eq!(head, Head { program_size: 12, segment_base: None, segment_data_size: None });
    }

    #[test]
    fn the_header_says_where_segments_are() {
        let head = Head::parse(&header(32, 100, 128, 72), 200).unwrap();
        assert_eq!(head, Head { program_size: 100, segment_base: Some(128), segment_data_size: Some(72) });
        let head = Head::parse(&header(24, 100, 128, u64::MAX), 200).unwrap();
        assert_eq!(head.segment_data_size, None);
        assert_eq!(Head::parse(&header(32, 100, 0, 0), 100).unwrap().segment_base, None);
    }

    #[test]
    fn what_does_not_fit_the_file_is_an_error() {
        for (bytes, file_len) in [
            (header(23, 100, 128, 72), 200),
            (header(32, 201, 256, 0), 200),
            (header(32, u64::MAX, 0, 0), 200),
            (header(32, 100, 99, 0), 200),
            (header(32, 100, 201, 0), 200),
            (header(32, 100, 128, 73), 200),
            (header(32, 100, 128, u64::MAX), 200),
        ] {
            assert!(Head::parse(&bytes, file_len).is_err(), "{bytes:?}");
        }
        let whole = header(32, 100, 128, 72);
        for length in 0..whole.len() {
            // Eight to eleven bytes are a program without a header, which fails later.
            assert_eq!(Head::parse(&whole[..length], 200).is_err(), !(8..12).contains(&length));
        }
    }
}
