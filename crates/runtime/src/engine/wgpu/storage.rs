//! Memory that kernels use: freed with its last owner, also in a browser.

use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::{Arc, Mutex};

/// A buffer that kernels can use. Clones are the same buffer.
#[derive(Clone, Debug)]
pub(crate) struct Storage(Arc<Owned>);

#[derive(Debug)]
struct Owned {
    buffer: wgpu::Buffer,
    retired: Retired,
    /// Bytes behind what is to be used, which tests look at.
    guard: u64,
}

impl Storage {
    /// Takes a buffer over. It is retired when the last clone is dropped.
    pub(super) fn new(buffer: wgpu::Buffer, retired: &Retired) -> Storage {
        Storage::with_guard(buffer, retired, 0)
    }

    /// Like [`Storage::new`], of a buffer whose last bytes are a guard.
    #[cfg_attr(
        target_arch = "wasm32",
        expect(clippy::arc_with_non_send_sync, reason = "natively it is both, and one type serves both targets")
    )]
    pub(super) fn with_guard(buffer: wgpu::Buffer, retired: &Retired, guard: u64) -> Storage {
        Storage(Arc::new(Owned { buffer, retired: retired.clone(), guard }))
    }

    /// The bytes that are to be used.
    pub(super) fn size(&self) -> u64 {
        self.0.buffer.size() - self.0.guard
    }

    /// The bytes that a launch binds of so many, which begin at an offset: those of a guard too, where they are followed by one
    /// and nothing else keeps the kernel from it.
    pub(super) fn bound_bytes(&self, offset: u64, bytes: u64, trusted: bool) -> u64 {
        if trusted && offset + bytes == self.size() { bytes + self.0.guard } else { bytes }
    }

    /// How many have it.
    #[cfg(feature = "fault-injection")]
    pub(super) fn owners(&self) -> usize {
        Arc::strong_count(&self.0)
    }
}

impl Deref for Storage {
    type Target = wgpu::Buffer;

    fn deref(&self) -> &wgpu::Buffer {
        &self.0.buffer
    }
}

impl PartialEq for Storage {
    fn eq(&self, other: &Storage) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Storage {}

impl Hash for Storage {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        self.retired.take(&self.buffer);
    }
}

/// Buffers that nobody owns any more and that commands which are not submitted may name.
///
/// Natively wgpu frees a buffer with its last handle. In a browser that is left to the garbage collector, which does not
/// know how much memory a handle stands for, so buffers are destroyed there; but never while commands are recorded, since
/// those could not be submitted any more.
#[derive(Clone, Debug, Default)]
pub(super) struct Retired(Arc<Mutex<Waiting>>);

#[derive(Debug, Default)]
struct Waiting {
    /// Recordings that are not submitted.
    recordings: usize,
    buffers: Vec<wgpu::Buffer>,
    /// Whether buffers are left alone, because an application may hold them.
    is_foreign: bool,
}

impl Retired {
    /// For a device of an application, whose buffers are left to it.
    #[cfg_attr(
        target_arch = "wasm32",
        expect(clippy::arc_with_non_send_sync, reason = "natively it is both, and one type serves both targets")
    )]
    pub(super) fn of(is_foreign: bool) -> Retired {
        Retired(Arc::new(Mutex::new(Waiting { is_foreign, ..Waiting::default() })))
    }

    fn take(&self, buffer: &wgpu::Buffer) {
        if !cfg!(target_arch = "wasm32") {
            return;
        }
        let Ok(mut waiting) = self.0.lock() else { return };
        match waiting.recordings {
            _ if waiting.is_foreign => {}
            0 => buffer.destroy(),
            _ => waiting.buffers.push(buffer.clone()),
        }
    }

    /// Takes note that commands are recorded.
    pub(super) fn recording(&self) -> Recording {
        if let Ok(mut waiting) = self.0.lock() {
            waiting.recordings += 1;
        }
        Recording(self.clone())
    }
}

/// Commands that are being recorded. It is dropped when they are submitted or given up.
#[derive(Debug)]
pub(super) struct Recording(Retired);

impl Drop for Recording {
    fn drop(&mut self) {
        let Ok(mut waiting) = self.0.0.lock() else { return };
        waiting.recordings -= 1;
        if waiting.recordings == 0 {
            waiting.buffers.drain(..).for_each(|buffer| buffer.destroy());
        }
    }
}
