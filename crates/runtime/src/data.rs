//! The files of a program: its own, and those with external data.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;

use crate::error::{Error, Result};
use crate::graph::{DataRef, Joined, Permuted, Scaled};
use crate::source::{self, Source};

/// The files that data references name by number: 0 is the program's own.
#[derive(Clone, Default)]
pub(crate) struct DataFiles(pub(crate) Vec<Arc<dyn Source>>);

impl std::fmt::Debug for DataFiles {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.iter().map(|file| file.name())).finish()
    }
}

impl DataFiles {
    /// Says so where a file, whose bytes may lie in its own memory, was written since it was opened.
    pub(crate) fn check(&self) -> Result<()> {
        let check = |file: &Arc<dyn Source>| file.check().map_err(|source| Error::Io { name: file.name(), source });
        self.0.iter().try_for_each(check)
    }

    /// A range of a file.
    pub(crate) async fn read(&self, file: usize, range: Range<u64>) -> Result<Bytes> {
        let file =
            self.0.get(file).ok_or_else(|| Error::Program("a reference to a file that is not open".to_owned()))?;
        source::read(&**file, range).await
    }

    /// The first `length` bytes of referenced data.
    pub(crate) async fn load(&self, data: &DataRef, length: u64) -> Result<Bytes> {
        let short = || Error::Program("data is shorter than its tensor".to_owned());
        match data {
            DataRef::Bytes(bytes) => {
                let length = usize::try_from(length).map_err(|_| short())?;
                if length <= bytes.len() { Ok(bytes.slice(..length)) } else { Err(short()) }
            }
            DataRef::File(file, range) => {
                let end = range.start.checked_add(length).filter(|&end| end <= range.end).ok_or_else(short)?;
                self.read(*file, range.start..end).await
            }
            DataRef::Joined(joined) => {
                let joined = self.join(joined, 0..joined.rows).await?;
                let length = usize::try_from(length).map_err(|_| short())?;
                if length <= joined.len() { Ok(joined.slice(..length)) } else { Err(short()) }
            }
            DataRef::Permuted(permuted) => {
                let bytes = permuted.sizes.iter().product::<usize>() * permuted.element;
                // Data is nested no deeper than it was made, so this ends.
                let plain = Box::pin(self.load(&permuted.data, bytes as u64)).await?;
                let ordered = permuted.reorder(&plain);
                if ordered.len() as u64 == length { Ok(ordered.into()) } else { Err(short()) }
            }
            DataRef::Scaled(scaled) => {
                let plain = Box::pin(self.load(&scaled.data, length)).await?;
                Ok(scaled.multiply(&plain).ok_or_else(short)?.into())
            }
        }
    }

    /// A piece of the first `length` bytes of referenced data, which ends where [`DataRef::piece_end`] says.
    pub(crate) async fn load_piece(&self, data: &DataRef, piece: Range<u64>, length: u64) -> Result<Bytes> {
        let short = || Error::Program("data is shorter than its tensor".to_owned());
        let slice = |bytes: &Bytes, start: u64| {
            let start = usize::try_from(piece.start - start).ok()?;
            let end = usize::try_from(piece.end - piece.start).ok()?.checked_add(start)?;
            (end <= bytes.len()).then(|| bytes.slice(start..end))
        };
        match data {
            DataRef::Bytes(bytes) => slice(bytes, 0).ok_or_else(short),
            DataRef::File(file, range) => {
                let within = |at: u64| range.start.checked_add(at).filter(|&at| at <= range.end).ok_or_else(short);
                self.read(*file, within(piece.start)?..within(piece.end)?).await
            }
            DataRef::Joined(joined) if joined.rows == 1 => {
                let (mut found, mut start) = (Vec::new(), 0);
                for (part, bytes) in &joined.parts {
                    let (from, to) = (piece.start.max(start), piece.end.min(start + bytes));
                    if from < to {
                        let piece = Box::pin(self.load_piece(part, from - start..to - start, *bytes)).await?;
                        found.extend_from_slice(&piece);
                    }
                    start += bytes;
                }
                if found.len() as u64 == piece.end - piece.start { Ok(found.into()) } else { Err(short()) }
            }
            DataRef::Joined(joined) => {
                let row = joined.row_bytes().max(1);
                let rows = piece.start / row..piece.end.div_ceil(row).min(joined.rows);
                let start = rows.start * row;
                slice(&self.join(joined, rows).await?, start).ok_or_else(short)
            }
            DataRef::Permuted(_) | DataRef::Scaled(_) => slice(&self.load(data, length).await?, 0).ok_or_else(short),
        }
    }

    /// Rows of matrices that are joined row by row.
    async fn join(&self, joined: &Joined, rows: Range<u64>) -> Result<Bytes> {
        let count = usize::try_from(rows.end.saturating_sub(rows.start)).unwrap_or(0);
        let mut parts = Vec::with_capacity(joined.parts.len());
        for (part, row_bytes) in &joined.parts {
            let piece = rows.start * row_bytes..rows.end * row_bytes;
            // A part of a joined matrix is never joined itself, so this ends.
            let bytes = Box::pin(self.load_piece(part, piece, joined.rows * row_bytes)).await?;
            parts.push((bytes, usize::try_from(*row_bytes).unwrap_or(usize::MAX)));
        }
        if let [(only, _)] = parts.as_slice() {
            return Ok(only.clone());
        }
        let mut joined = Vec::with_capacity(parts.iter().map(|(bytes, _)| bytes.len()).sum());
        for row in 0..count {
            for (bytes, row_bytes) in &parts {
                joined.extend_from_slice(&bytes[row * row_bytes..][..*row_bytes]);
            }
        }
        Ok(joined.into())
    }
}

impl Joined {
    /// Bytes of a row of all matrices.
    fn row_bytes(&self) -> u64 {
        self.parts.iter().map(|(_, row_bytes)| row_bytes).sum()
    }
}

impl DataRef {
    /// Where its first byte is, in the order in which files are best read.
    pub(crate) fn position(&self) -> (usize, u64) {
        match self {
            DataRef::Bytes(_) => (0, 0),
            DataRef::File(file, range) => (*file, range.start),
            DataRef::Joined(joined) => joined.parts.first().map_or((0, 0), |(part, _)| part.position()),
            DataRef::Permuted(permuted) => permuted.data.position(),
            DataRef::Scaled(scaled) => scaled.data.position(),
        }
    }

    /// Where a piece that begins at `start` ends, so that it holds about `wanted` bytes and can be loaded by itself. Pieces
    /// but the last are whole words in any type.
    pub(crate) fn piece_end(&self, start: u64, wanted: u64) -> u64 {
        /// Elements of a byte that make a word.
        const WORD: u64 = 4;
        match self {
            DataRef::Bytes(_) | DataRef::File(..) => start.saturating_add(wanted),
            DataRef::Joined(joined) if joined.parts.iter().all(|(part, _)| part.is_plain()) => {
                // One row may be everything there is.
                let row = if joined.rows == 1 { 1 } else { joined.row_bytes().max(1) };
                let rows = (wanted / row).max(1).next_multiple_of(WORD);
                start.saturating_add(rows.saturating_mul(row))
            }
            DataRef::Joined(_) | DataRef::Permuted(_) | DataRef::Scaled(_) => u64::MAX,
        }
    }

    /// Whether any part of it can be had without the rest.
    fn is_plain(&self) -> bool {
        matches!(self, DataRef::Bytes(_) | DataRef::File(..))
    }
}

impl Permuted {
    /// The elements in their new order; nothing where these are not all of them.
    fn reorder(&self, bytes: &[u8]) -> Vec<u8> {
        match self.element {
            1 => self.reorder_elements(bytes.as_chunks::<1>().0),
            2 => self.reorder_elements(bytes.as_chunks::<2>().0),
            4 => self.reorder_elements(bytes.as_chunks::<4>().0),
            8 => self.reorder_elements(bytes.as_chunks::<8>().0),
            _ => Vec::new(),
        }
    }

    fn reorder_elements<const N: usize>(&self, elements: &[[u8; N]]) -> Vec<u8> {
        if elements.len() != self.sizes.iter().product::<usize>() {
            return Vec::new();
        }
        let step = |dim: usize| self.sizes[dim + 1..].iter().product::<usize>();
        let axes: Vec<_> = self.order.iter().map(|&dim| (self.sizes[dim], step(dim))).collect();
        let Some((&(count, step), outer)) = axes.split_last() else { return Vec::new() };
        let rows: usize = outer.iter().map(|axis| axis.0).product();
        let mut ordered = vec![[0; N]; rows * self.padded];
        for (row, line) in ordered.chunks_exact_mut(self.padded.max(1)).enumerate() {
            let (mut rest, mut start) = (row, 0);
            for &(size, step) in outer.iter().rev() {
                start += rest % size * step;
                rest /= size;
            }
            for (i, element) in line.iter_mut().take(count).enumerate() {
                *element = elements[start + i * step];
            }
        }
        ordered.into_flattened()
    }
}

impl Scaled {
    /// The elements times their factors; nothing where there are more or fewer of them.
    fn multiply(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let [groups, times, channels, inner] = self.sizes;
        let elements = bytes.as_chunks::<4>().0;
        if elements.len() != self.sizes.iter().product::<usize>() || self.factors.len() != groups * channels {
            return None;
        }
        let mut scaled = Vec::with_capacity(elements.len());
        for (row, elements) in elements.chunks_exact(inner.max(1)).enumerate() {
            let factor = f32::from_bits(self.factors[row / (times * channels) * channels + row % channels]);
            scaled.extend(elements.iter().map(|&bits| (f32::from_le_bytes(bits) * factor).to_le_bytes()));
        }
        Some(scaled.into_flattened())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_are_multiplied() {
        // Two groups of two channels of two elements, each three times.
        let ones = DataRef::Bytes([1.0f32; 24].iter().flat_map(|one| one.to_le_bytes()).collect::<Vec<_>>().into());
        let factors = [2.0f32, 3.0, 5.0, 7.0].map(f32::to_bits).to_vec();
        let data = DataRef::Scaled(Arc::new(Scaled { data: ones, sizes: [2, 3, 2, 2], factors }));
        let loaded = crate::block_on(DataFiles::default().load(&data, 96)).expect("the sizes agree");
        let elements: Vec<_> = loaded.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
        let group = |first, second| [first, first, second, second].repeat(3);
        assert_eq!(elements, [group(2.0, 3.0), group(5.0, 7.0)].concat());
        assert!(crate::block_on(DataFiles::default().load(&data, 92)).is_err(), "it is longer than that");
    }

    #[test]
    fn elements_are_reordered_and_filled_up() {
        // Two rows of three channels and two taps: channels come last, filled up to four.
        let elements: Vec<u8> = (0u16..12).flat_map(u16::to_le_bytes).collect();
        let data = DataRef::Bytes(elements.into());
        let permuted = Permuted { data, element: 2, sizes: vec![2, 3, 2], order: vec![0, 2, 1], padded: 4 };
        let data = DataRef::Permuted(Arc::new(permuted));
        let loaded = crate::block_on(DataFiles::default().load(&data, 32)).expect("the sizes agree");
        let elements: Vec<_> = loaded.as_chunks::<2>().0.iter().map(|&bytes| u16::from_le_bytes(bytes)).collect();
        assert_eq!(elements, [0, 2, 4, 0, 1, 3, 5, 0, 6, 8, 10, 0, 7, 9, 11, 0]);
        assert!(crate::block_on(DataFiles::default().load(&data, 24)).is_err(), "it is longer than that");
    }

    #[test]
    fn pieces_of_joined_data_are_the_whole() {
        let part = |seed: u8, bytes: u8| DataRef::Bytes((0..bytes).map(|at| at ^ seed).collect::<Vec<_>>().into());
        for (rows, parts) in
            [(6, vec![(part(1, 30), 5), (part(2, 18), 3)]), (1, vec![(part(3, 21), 21), (part(4, 27), 27)])]
        {
            let data = DataRef::Joined(Arc::new(Joined { rows, parts }));
            let whole = crate::block_on(DataFiles::default().load(&data, 48)).expect("it is all there");
            for wanted in [1, 7, 9, 48, 100] {
                let (mut pieces, mut at) = (Vec::new(), 0);
                while at < 48 {
                    let end = data.piece_end(at, wanted).min(48);
                    assert!(end == 48 || end.is_multiple_of(4), "pieces end with a word");
                    let piece = crate::block_on(DataFiles::default().load_piece(&data, at..end, 48));
                    pieces.extend_from_slice(&piece.expect("it is there"));
                    at = end;
                }
                assert_eq!(pieces, whole, "{rows} rows in pieces of {wanted}");
            }
            assert!(crate::block_on(DataFiles::default().load_piece(&data, 40..52, 52)).is_err(), "that is too far");
        }
    }
}
