//! The program of a `.pte` file: methods, segments, named data and constants.

use std::fmt;
use std::ops::Range;

use planus::{ReadAsRoot, Vector};

use crate::error::{At, Error, Result, quoted, slice, subrange};
use crate::generated::program as raw;
use crate::head::Head;
use crate::method::Method;

type Tables<'a, T> = Vector<'a, planus::Result<T>>;

/// A view of a program: nothing is copied, and every access is checked.
///
/// Only the flatbuffer has to be in memory; what lies in segments is given as ranges of the file.
///
/// A flatbuffer may refer to one list from many places, so the lists of a small file can expand to many times its size.
/// A caller that expands them should bound the total, say by a multiple of [`flatbuffer_len`](Program::flatbuffer_len).
///
/// ```no_run
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let file = std::fs::read("model.pte")?;
/// let program = pteron_pte::Program::parse(&file, file.len() as u64)?;
/// for method in program.methods() {
///     let method = method?;
///     println!("{}: {} values, inputs {:?}", method.name(), method.values(), method.inputs()?);
/// }
/// # Ok(()) }
/// ```
#[derive(Clone, Copy)]
pub struct Program<'a> {
    flatbuffer: &'a [u8],
    file_len: u64,
    segment_base: Option<u64>,
    version: u32,
    plans: Tables<'a, raw::ExecutionPlanRef<'a>>,
    constant_buffer: Tables<'a, raw::BufferRef<'a>>,
    inline_data: Tables<'a, raw::InlineDataRef<'a>>,
    segments: Tables<'a, raw::DataSegmentRef<'a>>,
    constant_segment: Option<raw::SubsegmentOffsetsRef<'a>>,
    mutable_segments: Tables<'a, raw::SubsegmentOffsetsRef<'a>>,
    named_data: Tables<'a, raw::NamedDataRef<'a>>,
}

/// Where the bytes of something are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blob<'a> {
    /// In the flatbuffer.
    Inline(&'a [u8]),
    /// In the file, from its start.
    File(Range<u64>),
}

impl Blob<'_> {
    /// How many bytes there are.
    pub fn len(&self) -> u64 {
        match self {
            Blob::Inline(bytes) => bytes.len() as u64,
            Blob::File(range) => range.end.saturating_sub(range.start),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Bytes of the file that have a name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NamedData<'a> {
    /// The name.
    pub key: &'a str,
    /// Where the bytes are in the file.
    pub range: Range<u64>,
    /// The segment that they are.
    pub segment: u32,
}

impl<'a> Program<'a> {
    /// Opens the program in the first bytes of a file: at least [`Head::program_size`] of them, or the whole file.
    pub fn parse(bytes: &'a [u8], file_len: u64) -> Result<Program<'a>> {
        let at = || "program".to_string();
        let head = Head::parse(bytes, file_len)?;
        let flatbuffer = slice(bytes, 0, head.program_size, at).map_err(|_| Error::Truncated {
            at: "the program".into(),
            needed: head.program_size,
            available: bytes.len() as u64,
        })?;
        let root = raw::ProgramRef::read_as_root(flatbuffer).at(at)?;
        Ok(Program {
            flatbuffer,
            file_len,
            segment_base: head.segment_base,
            version: root.version().at(at)?,
            plans: root.execution_plan().at(at)?.unwrap_or_else(Vector::new_empty),
            constant_buffer: root.constant_buffer().at(at)?.unwrap_or_else(Vector::new_empty),
            inline_data: root.backend_delegate_data().at(at)?.unwrap_or_else(Vector::new_empty),
            segments: root.segments().at(at)?.unwrap_or_else(Vector::new_empty),
            constant_segment: root.constant_segment().at(at)?,
            mutable_segments: root.mutable_data_segments().at(at)?.unwrap_or_else(Vector::new_empty),
            named_data: root.named_data().at(at)?.unwrap_or_else(Vector::new_empty),
        })
    }

    /// The version that the program's schema has by its own account.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Bytes of the flatbuffer: what a caller can measure its work by.
    pub fn flatbuffer_len(&self) -> usize {
        self.flatbuffer.len()
    }

    /// The length of the file, as given to [`Program::parse`].
    pub fn file_len(&self) -> u64 {
        self.file_len
    }

    /// The methods, in file order.
    pub fn methods(&self) -> impl ExactSizeIterator<Item = Result<Method<'a>>> + use<'a> {
        let program = *self;
        self.plans.iter().enumerate().map(move |(index, plan)| Method::new(program, index, plan))
    }

    /// The method with this name.
    pub fn method(&self, name: &str) -> Result<Option<Method<'a>>> {
        for method in self.methods() {
            let method = method?;
            if method.name() == name {
                return Ok(Some(method));
            }
        }
        Ok(None)
    }

    /// How many segments there are.
    pub fn segments(&self) -> usize {
        self.segments.len()
    }

    /// Where a segment is in the file.
    pub fn segment(&self, index: u32) -> Result<Range<u64>> {
        let at = || format!("segment {index}");
        let Some(segment) = usize::try_from(index).ok().and_then(|index| self.segments.get(index)) else {
            let count = self.segments.len() as u64;
            return Err(Error::Index { at: "program".into(), what: "segment", index: i64::from(index), count });
        };
        let segment = segment.at(at)?;
        let (offset, size) = (segment.offset().at(at)?, segment.size().at(at)?);
        match self.segment_base {
            Some(base) => subrange(&(base..self.file_len), offset, size, || {
                format!("{}, counted from byte {base} of the file", at())
            }),
            // Exporters leave the header out when every segment is empty.
            None if size == 0 => Ok(0..0),
            None => Err(Error::Missing { at: at(), what: "the extended header that says where segments begin" }),
        }
    }

    /// The data in this file that has names, in file order.
    pub fn named_data(&self) -> impl ExactSizeIterator<Item = Result<NamedData<'a>>> + use<'a> {
        let program = *self;
        self.named_data.iter().enumerate().map(move |(index, data)| {
            let at = || format!("named data {index}");
            let data = data.at(at)?;
            let key = data.key().at(at)?.ok_or_else(|| Error::Missing { at: at(), what: "its key" })?;
            let segment = data.segment_index().at(at)?;
            Ok(NamedData { key, range: program.segment(segment)?, segment })
        })
    }

    /// Where the data of this name is in the file. Several lookups are cheaper through a map of
    /// [`named_data`](Program::named_data).
    pub fn find_named(&self, key: &str) -> Result<Option<Range<u64>>> {
        for data in self.named_data() {
            let data = data?;
            if data.key == key {
                return Ok(Some(data.range));
            }
        }
        Ok(None)
    }

    /// The bytes of constant number `buffer_index`, as a tensor of `nbytes` reads them.
    pub fn constant(&self, buffer_index: u32, nbytes: u64) -> Result<Blob<'a>> {
        let at = || format!("constant {buffer_index}");
        if let Some(constants) = self.constant_segment
            && constants.offsets().at(at)?.is_some_and(|offsets| !offsets.is_empty())
        {
            return self.subsegment(constants, buffer_index, nbytes, &at);
        }
        let Some(buffer) = usize::try_from(buffer_index).ok().and_then(|index| self.constant_buffer.get(index)) else {
            let (index, count) = (i64::from(buffer_index), self.constant_buffer.len() as u64);
            return Err(Error::Index { at: "program".into(), what: "constant", index, count });
        };
        let bytes = buffer.and_then(|buffer| buffer.storage()).at(at)?.unwrap_or_default();
        slice(bytes, 0, nbytes, at).map(Blob::Inline)
    }

    /// The initial bytes of mutable tensor number `buffer_index` of a set, as a tensor of `nbytes` reads them.
    pub fn mutable_initial(&self, set: u64, buffer_index: u32, nbytes: u64) -> Result<Blob<'a>> {
        let at = || format!("mutable data {buffer_index} of set {set}");
        let Some(offsets) = usize::try_from(set).ok().and_then(|set| self.mutable_segments.get(set)) else {
            let (index, count) = (i64::try_from(set).unwrap_or(i64::MAX), self.mutable_segments.len() as u64);
            return Err(Error::Index { at: at(), what: "set of mutable data", index, count });
        };
        self.subsegment(offsets.at(at)?, buffer_index, nbytes, &at)
    }

    fn subsegment(
        &self,
        subsegments: raw::SubsegmentOffsetsRef<'a>,
        buffer_index: u32,
        nbytes: u64,
        at: &dyn Fn() -> String,
    ) -> Result<Blob<'a>> {
        let offsets = subsegments.offsets().at(at)?.unwrap_or_else(Vector::new_empty);
        let Some(offset) = usize::try_from(buffer_index).ok().and_then(|index| offsets.get(index)) else {
            let (index, count) = (i64::from(buffer_index), offsets.len() as u64);
            return Err(Error::Index { at: at(), what: "offset", index, count });
        };
        let index = subsegments.segment_index().at(at)?;
        let segment = self.segment(index)?;
        subrange(&segment, offset, nbytes, || format!("{} in segment {index}", at())).map(Blob::File)
    }

    /// The bytes of delegate data that lies in the flatbuffer.
    pub(crate) fn inline_data(&self, index: u32, at: &dyn Fn() -> String) -> Result<&'a [u8]> {
        let Some(data) = usize::try_from(index).ok().and_then(|index| self.inline_data.get(index)) else {
            let count = self.inline_data.len() as u64;
            return Err(Error::Index { at: at(), what: "inline delegate data", index: i64::from(index), count });
        };
        Ok(data.and_then(|data| data.data()).at(at)?.unwrap_or_default())
    }
}

impl fmt::Debug for Program<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program")
            .field("version", &self.version)
            .field("methods", &self.plans.len())
            .field("segments", &self.segments.len())
            .field("named_data", &self.named_data.len())
            .finish_non_exhaustive()
    }
}

/// How errors name a method.
pub(crate) fn method_place(name: &str) -> String {
    format!("method {}", quoted(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    fn file() -> Vec<u8> {
        let (program, segments) = samples::segment_program();
        samples::with_header(&program, &segments)
    }

    #[test]
    fn segments_are_ranges_of_the_file() {
        let file = file();
        let program = Program::parse(&file, file.len() as u64).unwrap();
        let base = Head::parse(&file, file.len() as u64).unwrap().segment_base.unwrap();
        assert_eq!(program.segments(), 4);
        assert_eq!(program.segment(3).unwrap(), base + 96..base + 104);
        assert_eq!(program.find_named("bias").unwrap(), Some(base + 96..base + 104));
        assert_eq!(program.find_named("absent").unwrap(), None);
        assert_eq!(program.constant(1, 16).unwrap(), Blob::File(base + 16..base + 32));
        assert_eq!(program.mutable_initial(0, 1, 16).unwrap(), Blob::File(base + 80..base + 96));
        let error = program.constant(1, 17).unwrap_err().to_string();
        assert_eq!(error, "constant 1 in segment 0: 17 bytes from byte 16 on are not within its 32 bytes");
        for error in [
            program.segment(4).unwrap_err(),
            program.segment(u32::MAX).unwrap_err(),
            program.constant(2, 0).unwrap_err(),
            program.mutable_initial(1, 1, 0).unwrap_err(),
            program.mutable_initial(u64::MAX, 1, 0).unwrap_err(),
            program.mutable_initial(0, 2, 0).unwrap_err(),
        ] {
            assert!(matches!(error, Error::Index { .. }), "{error}");
        }
    }

    #[test]
    fn only_the_flatbuffer_has_to_be_here() {
        let file = file();
        let head = Head::parse(&file[..Head::SIZE], file.len() as u64).unwrap();
        let size = usize::try_from(head.program_size).unwrap();
        let program = Program::parse(&file[..size], file.len() as u64).unwrap();
        assert_eq!(program.segment(0).unwrap().start, head.segment_base.unwrap());
        let error = Program::parse(&file[..size - 1], file.len() as u64).unwrap_err();
        assert!(matches!(error, Error::Truncated { .. }), "{error}");
    }

    #[test]
    fn a_program_without_header_holds_its_constants() {
        let file = samples::finish(&samples::inline_program(), b"ET12");
        let program = Program::parse(&file, file.len() as u64).unwrap();
        let Blob::Inline(bytes) = program.constant(1, 4).unwrap() else { panic!("not inline") };
        assert_eq!(bytes, [0, 1, 2, 3]);
        assert!(matches!(program.constant(1, 17), Err(Error::Bounds { .. })));
        assert!(matches!(program.constant(2, 0), Err(Error::Index { .. })));
    }

    #[test]
    fn without_header_only_empty_segments_exist() {
        let segment = |size| raw::DataSegment { offset: 0, size };
        let program = raw::Program { segments: Some(vec![segment(0), segment(1)]), ..Default::default() };
        let file = samples::finish(&program, b"ET12");
        let program = Program::parse(&file, file.len() as u64).unwrap();
        assert_eq!(program.segment(0).unwrap(), 0..0);
        assert!(matches!(program.segment(1), Err(Error::Missing { .. })));
    }

    #[test]
    fn segments_outside_the_file_are_errors() {
        for (offset, size) in [(0, 1 << 40), (1 << 40, 0), (u64::MAX, 1), (u64::MAX, u64::MAX), (8, u64::MAX)] {
            let (mut program, segments) = samples::segment_program();
            program.segments.as_mut().unwrap()[3] = raw::DataSegment { offset, size };
            let file = samples::with_header(&program, &segments);
            let program = Program::parse(&file, file.len() as u64).unwrap();
            assert!(matches!(program.segment(3), Err(Error::Bounds { .. })));
            assert!(program.named_data().all(|data| data.is_err()));
        }
    }

    #[test]
    fn methods_are_found_by_name() {
        let file = file();
        let program = Program::parse(&file, file.len() as u64).unwrap();
        assert_eq!(program.methods().len(), 1);
        assert_eq!(program.method("forward").unwrap().unwrap().values(), 16);
        assert!(program.method("backward").unwrap().is_none());
    }
}
