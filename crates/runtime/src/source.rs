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
}

impl MemorySource {
    /// A source over bytes.
    pub fn new(bytes: impl Into<Bytes>) -> MemorySource {
        MemorySource { name: "program".to_owned(), bytes: bytes.into() }
    }

    /// Maps a file. Nothing is read until it is needed.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn map(path: &std::path::Path) -> Result<MemorySource> {
        let name = path.display().to_string();
        let fail = |source| Error::Io { name: name.clone(), source };
        let file = std::fs::File::open(path).map_err(fail)?;
        // SAFETY: a mapping is sound as long as nobody shortens or rewrites the file while it is open. Model files are
        // replaced by renaming, not in place; every mapping reader lives with this.
        #[expect(unsafe_code, reason = "files are mapped, not read")]
        let map = unsafe { memmap2::Mmap::map(&file) }.map_err(fail)?;
        Ok(MemorySource { name, bytes: Bytes::from_owner(map) })
    }
}

impl Source for MemorySource {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read(&self, range: Range<u64>) -> Read<'_> {
        let slice = || {
            let range = usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?;
            (range.start <= range.end && range.end <= self.bytes.len()).then(|| self.bytes.slice(range))
        };
        Read::Ready(slice().ok_or_else(|| std::io::ErrorKind::UnexpectedEof.into()))
    }
}
