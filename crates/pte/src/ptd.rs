//! External data: a `.ptd` file of named tensors and other bytes.

use std::fmt;
use std::ops::Range;

use planus::{ReadAsRoot, Vector};
use pteron_tensor::DType;

use crate::dtype::scalar_type;
use crate::error::{At, Error, Result, identifier, number, quoted, slice, subrange};
use crate::generated::flat_tensor as raw;
use crate::value::{Sizes, check_dim_order};

type Tables<'a, T> = Vector<'a, planus::Result<T>>;

/// A view of a `.ptd` file.
#[derive(Clone, Copy)]
pub struct DataFile<'a> {
    flatbuffer: &'a [u8],
    file_len: u64,
    segment_base: u64,
    version: u32,
    segments: Tables<'a, raw::DataSegmentRef<'a>>,
    entries: Tables<'a, raw::NamedDataRef<'a>>,
}

impl<'a> DataFile<'a> {
    /// Opens a whole file.
    pub fn parse(bytes: &'a [u8]) -> Result<DataFile<'a>> {
        DataFile::parse_front(bytes, bytes.len() as u64)
    }

    /// Bytes worth reading first.
    pub const HEAD: usize = 48;

    /// Bytes of the header and the flatbuffer by the first [`HEAD`](DataFile::HEAD) bytes of a file, and no more than the
    /// file has. What is no data file is told when it is opened.
    pub fn front_size(first: &[u8], file_len: u64) -> u64 {
        let end = || u64::from_le_bytes(number(first, 16)?).checked_add(u64::from_le_bytes(number(first, 24)?));
        end().unwrap_or(0).max(Self::HEAD as u64).min(file_len)
    }

    /// Opens a file of `file_len` bytes of which the first are here: the header and all of the flatbuffer.
    pub fn parse_front(bytes: &'a [u8], file_len: u64) -> Result<DataFile<'a>> {
        const HEADER: u32 = 40;
        let header = || "the data file's header".to_string();
        identifier(bytes, b"FT", "external data file")?;
        let magic = number::<4>(bytes, 8);
        if magic != Some(*b"FH01") {
            return Err(Error::Missing { at: "external data file".into(), what: "its `FH01` header" });
        }
        let fields = || {
            Some((
                u32::from_le_bytes(number(bytes, 12)?),
                u64::from_le_bytes(number(bytes, 16)?),
                u64::from_le_bytes(number(bytes, 24)?),
                u64::from_le_bytes(number(bytes, 32)?),
                u64::from_le_bytes(number(bytes, 40)?),
            ))
        };
        let Some((length, offset, size, segment_base, data_size)) = fields() else {
            return Err(Error::Truncated { at: header(), needed: 48, available: bytes.len() as u64 });
        };
        if length < HEADER {
            return Err(Error::Invalid { at: header(), reason: format!("it says that it is {length} bytes long") });
        }
        // The flatbuffer's own offsets count from the start of the file, header included.
        let end = offset.checked_add(size).filter(|&end| end <= file_len);
        let flatbuffer = slice(bytes, 0, end.unwrap_or(u64::MAX), || "the table of an external data file".into())?;
        subrange(&(0..file_len), segment_base, data_size, || "the segments of an external data file".into())?;
        let at = || "external data file".to_string();
        let root = raw::FlatTensorRef::read_as_root(flatbuffer).at(at)?;
        Ok(DataFile {
            flatbuffer,
            file_len,
            segment_base,
            version: root.version().at(at)?,
            segments: root.segments().at(at)?.unwrap_or_else(Vector::new_empty),
            entries: root.named_data().at(at)?.unwrap_or_else(Vector::new_empty),
        })
    }

    /// The version that the file's schema has by its own account.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Bytes of the flatbuffer: what a caller can measure its work by.
    pub fn flatbuffer_len(&self) -> usize {
        self.flatbuffer.len()
    }

    /// The data in the file, in file order.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = Result<Entry<'a>>> + use<'a> {
        let file = *self;
        self.entries.iter().enumerate().map(move |(index, entry)| {
            let at = || format!("external data {index}");
            let entry = entry.at(at)?;
            let key = entry.key().at(at)?.ok_or_else(|| Error::Missing { at: at(), what: "its key" })?;
            let range = file.segment(entry.segment_index().at(at)?, &at)?;
            let layout = entry.tensor_layout().at(at)?.map(|layout| Layout { layout, key });
            Ok(Entry { key, range, layout })
        })
    }

    /// The data of this name. Several lookups are cheaper through a map of [`entries`](DataFile::entries).
    pub fn find(&self, key: &str) -> Result<Option<Entry<'a>>> {
        for entry in self.entries() {
            let entry = entry?;
            if entry.key == key {
                return Ok(Some(entry));
            }
        }
        Ok(None)
    }

    fn segment(&self, index: u32, at: &dyn Fn() -> String) -> Result<Range<u64>> {
        let Some(segment) = usize::try_from(index).ok().and_then(|index| self.segments.get(index)) else {
            let (index, count) = (i64::from(index), self.segments.len() as u64);
            return Err(Error::Index { at: at(), what: "segment", index, count });
        };
        let segment = segment.at(at)?;
        subrange(&(self.segment_base..self.file_len), segment.offset().at(at)?, segment.size().at(at)?, || {
            format!("{} in segment {index}, which begins {} bytes into the file", at(), self.segment_base)
        })
    }
}

impl fmt::Debug for DataFile<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DataFile")
            .field("version", &self.version)
            .field("segments", &self.segments.len())
            .field("entries", &self.entries.len())
            .finish_non_exhaustive()
    }
}

/// Bytes of the file that have a name.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Entry<'a> {
    /// The name.
    pub key: &'a str,
    /// Where the bytes are in the file.
    pub range: Range<u64>,
    /// What tensor they are, if they are one.
    pub layout: Option<Layout<'a>>,
}

/// What tensor the bytes of an [`Entry`] are.
#[derive(Clone, Copy)]
pub struct Layout<'a> {
    layout: raw::TensorLayoutRef<'a>,
    key: &'a str,
}

impl<'a> Layout<'a> {
    /// The element type.
    pub fn dtype(&self) -> Result<DType> {
        scalar_type(self.layout.scalar_type().at(|| self.at())?, || self.at())
    }

    /// The sizes, outermost first; a negative one is an error.
    pub fn sizes(&self) -> Result<Sizes<'a>> {
        Sizes::check(self.layout.sizes().at(|| self.at())?, || self.at())
    }

    /// Bytes of a tensor of these sizes; not checked against the entry's range.
    pub fn nbytes(&self) -> Result<u64> {
        self.sizes()?.nbytes(self.dtype()?, || self.at())
    }

    /// The dimensions from outermost to innermost in memory: a permutation, or empty where the file does not say.
    pub fn dim_order(&self) -> Result<&'a [u8]> {
        let order = self.layout.dim_order().at(|| self.at())?.unwrap_or_default();
        check_dim_order(order, self.sizes()?.len(), || self.at())?;
        Ok(order)
    }

    fn at(&self) -> String {
        format!("external data {}", quoted(self.key))
    }
}

impl fmt::Debug for Layout<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Layout")
            .field("dtype", &self.dtype())
            .field("sizes", &self.sizes())
            .field("dim_order", &self.dim_order())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn entries_are_ranges_of_the_file() {
        let file = samples::data_file(&samples::flat_tensor(), &[5; 24]);
        let data = DataFile::parse(&file).unwrap();
        let base = (file.len() - 24) as u64;
        let entries: Vec<_> = data.entries().map(Result::unwrap).collect();
        assert_eq!((entries[0].key, entries[0].range.clone()), ("outer.weight", base..base + 16));
        let layout = entries[0].layout.unwrap();
        assert_eq!((layout.dtype().unwrap(), layout.nbytes().unwrap()), (DType::F32, 16));
        assert_eq!(data.find("blob").unwrap().unwrap().range, base + 16..base + 24);
        assert!(data.find("absent").unwrap().is_none());
        let front = DataFile::parse_front(&file[..data.flatbuffer_len()], file.len() as u64).unwrap();
        assert_eq!(front.entries().len(), 2);
    }

    #[test]
    fn what_does_not_fit_the_file_is_an_error() {
        let file = samples::data_file(&samples::flat_tensor(), &[5; 24]);
        for (at, value) in [(16, u64::MAX), (24, u64::MAX), (24, 1 << 40), (32, u64::MAX), (40, u64::MAX), (40, 25)] {
            let mut wrong = file.clone();
            wrong[at..at + 8].copy_from_slice(&value.to_le_bytes());
            assert!(DataFile::parse(&wrong).is_err(), "{value} at {at}");
        }
        let mut wrong = file.clone();
        wrong[8] = b'X';
        assert!(matches!(DataFile::parse(&wrong), Err(Error::Missing { .. })));
        wrong = file;
        wrong[12] = 39;
        assert!(matches!(DataFile::parse(&wrong), Err(Error::Invalid { .. })));
    }

    #[test]
    fn entries_outside_the_file_are_errors() {
        let mut table = samples::flat_tensor();
        table.segments.as_mut().unwrap()[0] = raw::DataSegment { offset: u64::MAX, size: 2 };
        table.named_data.as_mut().unwrap()[1].segment_index = 2;
        let file = samples::data_file(&table, &[5; 24]);
        let errors: Vec<_> = DataFile::parse(&file).unwrap().entries().map(Result::unwrap_err).collect();
        assert!(matches!(errors[0], Error::Bounds { .. }), "{}", errors[0]);
        assert!(matches!(errors[1], Error::Index { .. }), "{}", errors[1]);
    }
}
