//! Where a program's bytes come from.

use std::future::Future;
use std::ops::Range;
use std::pin::Pin;

use bytes::Bytes;

use crate::error::{Error, Result};

/// Something that bytes can be read from at any offset: a mapped file, a vector, a blob in a browser.
///
/// Constants are read in pieces and go straight to the GPU, so a source need not fit memory.
pub trait Source: MaybeSend {
    /// A name for error messages.
    fn name(&self) -> String;

    /// The number of bytes.
    fn len(&self) -> u64;

    /// Whether there are no bytes.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of a range that lies within [`len`](Source::len).
    fn read(&self, range: Range<u64>) -> Read<'_>;

    /// Says so where what was read, and is still used, may have been changed since by somebody else.
    fn check(&self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Bytes that are there, or that will be.
pub enum Read<'a> {
    /// They are there.
    Ready(std::io::Result<Bytes>),
    /// They come later, as in a browser.
    Later(Later<'a>),
}

/// Bytes that come later. Natively who awaits them may change threads.
#[cfg(not(target_arch = "wasm32"))]
pub type Later<'a> = Pin<Box<dyn Future<Output = std::io::Result<Bytes>> + Send + 'a>>;
/// Bytes that come later. Natively who awaits them may change threads.
#[cfg(target_arch = "wasm32")]
pub type Later<'a> = Pin<Box<dyn Future<Output = std::io::Result<Bytes>> + 'a>>;

impl std::fmt::Debug for Read<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Read::Ready(bytes) => f.debug_tuple("Ready").field(bytes).finish(),
            Read::Later(_) => f.write_str("Later"),
        }
    }
}

/// `Send` and `Sync` on native targets, nothing in a browser, whose objects belong to one thread.
#[cfg(not(target_arch = "wasm32"))]
pub trait MaybeSend: Send + Sync {}
#[cfg(not(target_arch = "wasm32"))]
impl<T: Send + Sync + ?Sized> MaybeSend for T {}
/// `Send` and `Sync` on native targets, nothing in a browser, whose objects belong to one thread.
#[cfg(target_arch = "wasm32")]
pub trait MaybeSend {}
#[cfg(target_arch = "wasm32")]
impl<T: ?Sized> MaybeSend for T {}

/// Reads a range, which must lie within the source.
pub(crate) async fn read(source: &dyn Source, range: Range<u64>) -> Result<Bytes> {
    let fail = |source_error| Error::Io { name: source.name(), source: source_error };
    if range.start > range.end || range.end > source.len() {
        return Err(fail(std::io::ErrorKind::UnexpectedEof.into()));
    }
    let wanted = range.end - range.start;
    let bytes = match source.read(range) {
        Read::Ready(bytes) => bytes.map_err(fail)?,
        Read::Later(bytes) => bytes.await.map_err(fail)?,
    };
    if bytes.len() as u64 == wanted { Ok(bytes) } else { Err(fail(std::io::ErrorKind::UnexpectedEof.into())) }
}

/// Bytes in memory, or mapped into it.
#[derive(Clone, Debug)]
pub struct MemorySource {
    name: String,
    bytes: Bytes,
    #[cfg(not(target_arch = "wasm32"))]
    mapped: Option<std::sync::Arc<MappedFile>>,
}

/// A file that is mapped, and what it was then.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Debug)]
struct MappedFile {
    file: std::fs::File,
    length: u64,
    modified: Option<std::time::SystemTime>,
}

#[cfg(not(target_arch = "wasm32"))]
impl MappedFile {
    /// Says so where the file was written since. Memory that is mapped from a file which became shorter is not there any more, and
    /// whoever looks at it is ended by the system.
    fn check(&self) -> std::io::Result<()> {
        let now = self.file.metadata()?;
        if now.len() == self.length && now.modified().ok() == self.modified {
            return Ok(());
        }
        Err(std::io::Error::other("the file was written after it was opened: open it again"))
    }
}

impl MemorySource {
    /// A source over bytes.
    pub fn new(bytes: impl Into<Bytes>) -> MemorySource {
        MemorySource {
            name: "program".to_owned(),
            bytes: bytes.into(),
            #[cfg(not(target_arch = "wasm32"))]
            mapped: None,
        }
    }

    /// Maps a file. Nothing is read until it is needed.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn map(path: &std::path::Path) -> Result<MemorySource> {
        let name = path.display().to_string();
        let fail = |source| Error::Io { name: name.clone(), source };
        let file = std::fs::File::open(path).map_err(fail)?;
        let about = file.metadata().map_err(fail)?;
        if about.is_dir() {
            // Reading one says so with the system's own number.
            let refused = std::io::Read::read(&mut &file, &mut [0]).err();
            return Err(fail(refused.unwrap_or_else(|| std::io::ErrorKind::IsADirectory.into())));
        }
        // SAFETY: a mapping is sound as long as nobody shortens or rewrites the file while it is open. Every call looks
        // whether somebody did before it; what is left is the time of a call, and every mapping reader lives with that.
        #[expect(unsafe_code, reason = "files are mapped, not read")]
        let map = unsafe { memmap2::Mmap::map(&file) }.map_err(fail)?;
        let mapped = MappedFile { file, length: about.len(), modified: about.modified().ok() };
        Ok(MemorySource { name, bytes: Bytes::from_owner(map), mapped: Some(mapped.into()) })
    }
}

impl Source for MemorySource {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn check(&self) -> std::io::Result<()> {
        self.mapped.as_ref().map_or(Ok(()), |mapped| mapped.check())
    }

    fn read(&self, range: Range<u64>) -> Read<'_> {
        if let Err(error) = self.check() {
            return Read::Ready(Err(error));
        }
        let slice = || {
            let range = usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?;
            (range.start <= range.end && range.end <= self.bytes.len()).then(|| self.bytes.slice(range))
        };
        Read::Ready(slice().ok_or_else(|| std::io::ErrorKind::UnexpectedEof.into()))
    }
}
