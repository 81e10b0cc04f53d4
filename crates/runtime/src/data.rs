//! The files of a program: its own, and those with external data.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;

use crate::error::{Error, Result};
use crate::graph::{DataRef, Joined};
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
