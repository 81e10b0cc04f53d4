//! What tests put around tensors, to learn whether a kernel touches what is not its own.
//!
//! Kernels whose header says that they are trusted run without bounds checks. Behind each buffer of tensors there is a guard:
//! words in the same allocation that no tensor has, and that trusted kernels have bound as well, since some drivers check
//! what is bound. A write shows there, and a read shows as NaN in the results. Where accesses are watched instead, kernels
//! count each index that is not below the length of what is bound, negative ones among them.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use pteron_ops::kernel::Kernel;
use pteron_tensor::{DType, Shape};

use super::device::Gpu;
use super::faults::Faults;
use super::readback::download;
use super::record::{DeviceTensor, Recorder};
use super::storage::Storage;
use crate::error::{Error, Result};

/// Words of a guard.
const WORDS: usize = 4 << 10;
/// What it is filled with: a NaN, and no index that anything has.
const WORD: u32 = 0xffc0_dead;

/// How accesses outside tensors are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// Kernels are as always, and what lies behind tensors is looked at.
    Poisoned,
    /// Kernels count the accesses.
    Watched,
}

/// The guards of a device, and the trusted kernels that were compiled among them.
#[derive(Debug, Default)]
pub(super) struct Guards(Mutex<Option<Set>>);

#[derive(Debug)]
struct Set {
    guard: Guard,
    /// What buffers are for, and the buffers.
    buffers: Vec<(String, Storage)>,
    /// What watched kernels count in.
    outside: Storage,
    trusted: BTreeSet<&'static str>,
}

impl Guards {
    fn with<T>(&self, work: impl FnOnce(&mut Set) -> T) -> Option<T> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).as_mut().map(work)
    }
}

/// What is compiled in the place of a kernel's text, where there are guards.
pub(super) fn guarded_source(faults: &Faults, kernel: &Kernel, source: String) -> Result<String, String> {
    if !kernel.trusted {
        return Ok(source);
    }
    faults.guards().with(|set| set.trusted.insert(kernel.name));
    if is_watched(faults, kernel) { kernel.watched(&source) } else { Ok(source) }
}

/// Whether the accesses of a kernel are counted.
pub(super) fn is_watched(faults: &Faults, kernel: &Kernel) -> bool {
    kernel.trusted && faults.guards().with(|set| set.guard) == Some(Guard::Watched)
}

impl Gpu {
    /// Guards every buffer of tensors that is made from here on, and every kernel that is compiled.
    pub(crate) fn set_guards(&self, guard: Guard) {
        let outside = self.storage("outside", 16);
        self.write(&outside, 0, &[0; 16]);
        let set = Set { guard, buffers: Vec::new(), outside, trusted: BTreeSet::new() };
        *self.faults.guards().0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(set);
    }

    /// A buffer with a guard behind it, where there are to be guards.
    pub(super) fn guarded(&self, descriptor: &wgpu::BufferDescriptor<'_>) -> Option<Storage> {
        self.faults.guards().with(|_| ())?;
        let guard = 4 * WORDS as u64;
        let buffer = self.buffer(wgpu::BufferDescriptor { size: descriptor.size + guard, ..descriptor.clone() });
        self.write(&buffer, descriptor.size, &WORD.to_le_bytes().repeat(WORDS));
        let storage = Storage::with_guard(buffer, &self.retired, guard);
        let label = descriptor.label.unwrap_or_default().to_owned();
        self.faults.guards().with(|set| set.buffers.push((label, storage.clone())));
        Some(storage)
    }

    /// What a watched kernel counts in.
    pub(super) fn outside(&self, kernel: &Kernel) -> Option<Storage> {
        let outside = || self.faults.guards().with(|set| set.outside.clone());
        is_watched(&self.faults, kernel).then(outside).flatten()
    }

    /// The number of guards, and the trusted kernels that were compiled; an error where a kernel touched what is not its own.
    /// Buffers that nobody has any more are let go.
    pub(crate) fn check_guards(self: &Arc<Gpu>) -> Result<(usize, BTreeSet<&'static str>)> {
        let taken = self.faults.guards().with(|set| {
            let buffers = set.buffers.clone();
            set.buffers.retain(|(_, storage)| storage.owners() > 2);
            (buffers, set.outside.clone(), set.trusted.clone())
        });
        let Some((buffers, outside, trusted)) = taken else { return Ok((0, BTreeSet::new())) };
        let counts = self.words(&outside, 0, 4)?;
        if let [count, storage, index, _] = counts[..]
            && count > 0
        {
            return Err(Error::Device(format!(
                "{count} accesses outside tensors, one of binding {storage} at {index}"
            )));
        }
        for (label, storage) in &buffers {
            let words = self.words(storage, storage.size(), WORDS)?;
            if let Some(word) = words.iter().position(|word| *word != WORD) {
                let (at, size) = (4 * word, storage.size());
                return Err(Error::Device(format!(
                    "{:08x} was written {at} bytes past the end of a buffer of {size} bytes for {label}",
                    words[word]
                )));
            }
        }
        Ok((buffers.len(), trusted))
    }

    /// Words of a buffer, when all work is done.
    fn words(self: &Arc<Gpu>, storage: &Storage, at: u64, count: usize) -> Result<Vec<u32>> {
        let shape = Shape::new(&[count])?;
        // Readback copies from the beginning of a buffer.
        let copy = self.buffer(wgpu::BufferDescriptor {
            label: Some("guard"),
            size: 4 * count as u64,
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        let mut recorder = Recorder::new(self.clone());
        recorder.encoder().copy_buffer_to_buffer(storage, at, &copy, 0, 4 * count as u64);
        let copy = Storage::new(copy, &self.retired);
        let words = DeviceTensor::new(self.clone(), copy, DType::I32, shape);
        let read = crate::block_on(download(&mut recorder, &[words]))?.tensors()?;
        let bytes = read.iter().flat_map(|words| words.bytes().chunks_exact(4));
        Ok(bytes.filter_map(|word| word.try_into().ok()).map(u32::from_le_bytes).collect())
    }
}
