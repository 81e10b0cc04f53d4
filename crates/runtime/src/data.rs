//! The files of a program: its own, and those with external data.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;

use crate::error::{Error, Result};
use crate::graph::{DataRef, Joined, Permuted};
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
                let joined = self.join(joined).await?;
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
        }
    }

    /// Matrices joined row by row.
    async fn join(&self, joined: &Joined) -> Result<Bytes> {
        let mut parts = Vec::with_capacity(joined.parts.len());
        for (part, row_bytes) in &joined.parts {
            // A part of a joined matrix is never joined itself, so this ends.
            let bytes = Box::pin(self.load(part, joined.rows * row_bytes)).await?;
            parts.push((bytes, usize::try_from(*row_bytes).unwrap_or(usize::MAX)));
        }
        let mut rows = Vec::with_capacity(parts.iter().map(|(bytes, _)| bytes.len()).sum());
        for row in 0..usize::try_from(joined.rows).unwrap_or(0) {
            for (bytes, row_bytes) in &parts {
                rows.extend_from_slice(&bytes[row * row_bytes..][..*row_bytes]);
            }
        }
        Ok(rows.into())
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
