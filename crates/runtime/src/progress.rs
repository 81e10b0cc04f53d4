//! Telling how far a method is loaded.

use std::fmt;
use std::sync::Arc;

/// What loading a method is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadProgress {
    /// Constants go to the device.
    Upload {
        /// Bytes of the files that have gone.
        bytes: u64,
        /// Bytes that go.
        of: u64,
    },
    /// Kernels are compiled.
    Compile {
        /// Graphs whose kernels are.
        graphs: usize,
        /// Graphs of the method.
        of: usize,
    },
}

/// Who is told. Natively any thread may tell.
#[cfg(not(target_arch = "wasm32"))]
type Listener = dyn Fn(LoadProgress) + Send + Sync;
/// Who is told.
#[cfg(target_arch = "wasm32")]
type Listener = dyn Fn(LoadProgress);

/// Who is told how far a method is loaded; nobody unless said. Clones tell the same.
#[derive(Clone, Default)]
pub struct OnProgress(Option<Arc<Listener>>);

impl OnProgress {
    /// Tells this function.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn new(listener: impl Fn(LoadProgress) + Send + Sync + 'static) -> OnProgress {
        OnProgress(Some(Arc::new(listener)))
    }

    /// Tells this function.
    #[cfg(target_arch = "wasm32")]
    pub fn new(listener: impl Fn(LoadProgress) + 'static) -> OnProgress {
        OnProgress(Some(Arc::new(listener)))
    }

    pub(crate) fn tell(&self, progress: LoadProgress) {
        if let Some(listener) = &self.0 {
            listener(progress);
        }
    }
}

impl fmt::Debug for OnProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "OnProgress(told)" } else { "OnProgress(nobody)" })
    }
}

/// Whether the same function is told.
impl PartialEq for OnProgress {
    fn eq(&self, other: &OnProgress) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (None, None) => true,
            _ => false,
        }
    }
}
