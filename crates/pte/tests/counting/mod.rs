//! An allocator that counts, for tests of how much memory something takes.
#![allow(dead_code, reason = "a test looks at what it needs")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The bytes that are allocated. What a driver allocates is its own, and does not count.
pub(crate) static ALLOCATED: AtomicUsize = AtomicUsize::new(0);
/// The most that ever were, since a test set it last.
pub(crate) static PEAK: AtomicUsize = AtomicUsize::new(0);

struct Counting;

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = ALLOCATED.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(now, Relaxed);
        // SAFETY: the caller's contract is the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        ALLOCATED.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's contract is the system allocator's.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Pages of the process, with all that drivers have taken, where the system tells.
pub(crate) fn pages() -> Option<u64> {
    std::fs::read_to_string("/proc/self/statm").ok()?.split(' ').nth(1)?.parse().ok()
}
