//! The header that delegates' data begins with: where the graph is, and the constants behind it.

use crate::error::{Error, Result, identifier, number, slice};

/// The parts of a delegate's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame<'a> {
    /// The graph.
    pub(crate) flatbuffer: &'a [u8],
    /// Constants; files that keep them elsewhere have none here.
    pub(crate) inline: &'a [u8],
}

impl<'a> Frame<'a> {
    /// Reads the header, which begins with four zeros and then `magic`.
    pub(crate) fn parse(blob: &'a [u8], magic: &[u8; 4], expected: &'static str) -> Result<Frame<'a>> {
        const HEADER: usize = 30;
        let header = || "the delegate's header".to_string();
        identifier(blob, magic, expected)?;
        let fields = || {
            Some((
                u16::from_le_bytes(number(blob, 8)?),
                u32::from_le_bytes(number(blob, 10)?),
                u32::from_le_bytes(number(blob, 14)?),
                u32::from_le_bytes(number(blob, 18)?),
                u64::from_le_bytes(number(blob, 22)?),
            ))
        };
        let Some((size, graph_offset, graph_size, bytes_offset, bytes_size)) = fields() else {
            return Err(Error::Truncated { at: header(), needed: HEADER as u64, available: blob.len() as u64 });
        };
        if usize::from(size) < HEADER {
            return Err(Error::Invalid { at: header(), reason: format!("it says that it is {size} bytes long") });
        }
        let flatbuffer =
            slice(blob, u64::from(graph_offset), u64::from(graph_size), || "the graph in the delegate's data".into())?;
        // Without inline constants the offset is only where they would be.
        let inline = match bytes_size {
            0 => &[],
            _ => slice(blob, u64::from(bytes_offset), bytes_size, || "the constants in the delegate's data".into())?,
        };
        Ok(Frame { flatbuffer, inline })
    }
}

/// Copies of a delegate's data, each with a header that is wrong in one place, and what was written there.
#[cfg(test)]
pub(crate) fn damaged(blob: &[u8], wrong_magic: &[u8; 4]) -> Vec<(String, Vec<u8>)> {
    let damages = [
        (4, wrong_magic.to_vec()),
        (8, 29u16.to_le_bytes().to_vec()),
        (10, u32::MAX.to_le_bytes().to_vec()),
        (14, u32::MAX.to_le_bytes().to_vec()),
        (14, 4u32.to_le_bytes().to_vec()),
        (18, u32::MAX.to_le_bytes().to_vec()),
        (22, u64::MAX.to_le_bytes().to_vec()),
        (22, 25u64.to_le_bytes().to_vec()),
    ];
    let damage = |(at, bytes): (usize, Vec<u8>)| {
        let mut wrong = blob.to_vec();
        wrong[at..at + bytes.len()].copy_from_slice(&bytes);
        (format!("{bytes:?} at {at}"), wrong)
    };
    damages.into_iter().map(damage).collect()
}
