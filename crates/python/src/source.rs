//! Where programs come from: paths, bytes and open files; how far loading has come.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use pteron::{MemorySource, Program, Read, Source};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};

use crate::{buffer, errors};

/// What a program was opened from.
#[derive(Clone)]
pub(crate) enum Origin {
    Path(PathBuf),
    Bytes(Bytes),
}

impl Origin {
    /// A path, an object with bytes, or an open file, which is read to its end.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Origin> {
        let py = object.py();
        if object.is_instance_of::<PyString>() || object.hasattr("__fspath__")? {
            let path = py.import("os")?.getattr("path")?.getattr("abspath")?.call1((object,))?;
            return Ok(Origin::Path(path.extract()?));
        }
        if buffer::is_buffer(object) {
            return buffer::bytes(object).map(Origin::Bytes);
        }
        if object.hasattr("read")? {
            let text = || errors::wrong_type("the file gives text, not bytes: open it with mode \"rb\"");
            if object.is_instance(&py.import("io")?.getattr("TextIOBase")?)? {
                return Err(text());
            }
            let bytes = object.call_method0("read")?.cast_into::<PyBytes>().map_err(|_| text())?;
            return buffer::bytes(bytes.as_any()).map(Origin::Bytes);
        }
        let given = object.get_type().qualname()?;
        Err(errors::wrong_type(&format!("a program is a path, bytes or an open file, and {given} was given")))
    }

    /// Files with data: one, or several in a list.
    pub(crate) fn several(data: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Origin>> {
        let Some(data) = data else { return Ok(Vec::new()) };
        if data.is_instance_of::<PyList>() || data.is_instance_of::<PyTuple>() {
            return data.try_iter()?.map(|file| Origin::of(&file?)).collect();
        }
        Ok(vec![Origin::of(data)?])
    }

    /// What `of` makes the same origin of.
    pub(crate) fn object<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self {
            Origin::Path(path) => path.as_os_str().into_pyobject(py)?.into_any(),
            Origin::Bytes(bytes) => PyBytes::new(py, bytes).into_any(),
        })
    }

    fn source(&self) -> pteron::Result<MemorySource> {
        match self {
            Origin::Path(path) => MemorySource::map(path),
            Origin::Bytes(bytes) => Ok(MemorySource::new(bytes.clone())),
        }
    }
}

/// A program with its data files, and how far their bytes have been read.
pub(crate) fn open(program: &Origin, data: &[Origin]) -> pteron::Result<(Program, Arc<Loaded>)> {
    let (file, data) = (program.source()?, data.iter().map(Origin::source).collect::<pteron::Result<Vec<_>>>()?);
    let of = data.iter().fold(file.len(), |sum, source| sum.saturating_add(source.len()));
    let loaded = Arc::new(Loaded { read: AtomicU64::new(0), of });
    let watched = |source| Arc::new(Watched { source, loaded: loaded.clone() });
    let mut program = Program::from_source(watched(file))?;
    for source in data {
        program = program.with_data_source(watched(source))?;
    }
    Ok((program, loaded))
}

/// How many bytes of a program and its data files have been read.
pub(crate) struct Loaded {
    read: AtomicU64,
    of: u64,
}

impl Loaded {
    /// How many bytes were read so far, and of how many; parts may be read more than once.
    pub(crate) fn so_far(&self) -> (u64, u64) {
        (self.read.load(Ordering::Relaxed), self.of)
    }
}

/// A source that counts what is read of it.
struct Watched {
    source: MemorySource,
    loaded: Arc<Loaded>,
}

impl Source for Watched {
    fn name(&self) -> String {
        self.source.name()
    }

    fn len(&self) -> u64 {
        self.source.len()
    }

    fn read(&self, range: std::ops::Range<u64>) -> Read<'_> {
        self.loaded.read.fetch_add(range.end.saturating_sub(range.start), Ordering::Relaxed);
        self.source.read(range)
    }

    fn check(&self) -> std::io::Result<()> {
        self.source.check()
    }
}

/// Shows how far loading has come, where it takes long and somebody looks.
pub(crate) struct Progress {
    loaded: Arc<Loaded>,
    started: Instant,
    before: u64,
    /// Python's line of text, once there is one.
    line: Option<Py<PyAny>>,
}

impl Progress {
    /// How long loading takes before it is shown.
    const PATIENCE: Duration = Duration::from_secs(1);

    pub(crate) fn new(loaded: &Arc<Loaded>) -> Progress {
        let (before, _) = loaded.so_far();
        Progress { loaded: loaded.clone(), started: Instant::now(), before, line: None }
    }

    /// Shows how far it has come by now.
    pub(crate) fn tick(&mut self, py: Python<'_>) -> PyResult<()> {
        if self.started.elapsed() < Progress::PATIENCE {
            return Ok(());
        }
        if self.line.is_none() {
            self.line = Some(py.import("pteron._progress")?.getattr("Line")?.call0()?.unbind());
        }
        let (read, of) = self.loaded.so_far();
        match &self.line {
            Some(line) => line.bind(py).call_method1("show", (read.saturating_sub(self.before).min(of), of)).map(drop),
            None => Ok(()),
        }
    }

    /// Takes the line away.
    pub(crate) fn end(self, py: Python<'_>) -> PyResult<()> {
        self.line.map_or(Ok(()), |line| line.bind(py).call_method0("clear").map(drop))
    }
}
