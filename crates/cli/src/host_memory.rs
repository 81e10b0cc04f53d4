//! How much memory of its own the process takes while it does something. Mapped files do not count.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Does `work`, and tells by how many bytes anonymous memory had grown at most, where the system says so.
pub(crate) fn growth_during<T>(work: impl FnOnce() -> T) -> (T, Option<u64>) {
    let Some(before) = anonymous_bytes() else { return (work(), None) };
    let (peak, done) = (AtomicU64::new(before), AtomicBool::new(false));
    let watch = || {
        while !done.load(Ordering::Relaxed) {
            peak.fetch_max(anonymous_bytes().unwrap_or(0), Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    let result = std::thread::scope(|scope| {
        scope.spawn(watch);
        let result = work();
        done.store(true, Ordering::Relaxed);
        result
    });
    peak.fetch_max(anonymous_bytes().unwrap_or(0), Ordering::Relaxed);
    (result, Some(peak.into_inner().saturating_sub(before)))
}

/// Anonymous memory of this process, as Linux tells it.
pub(crate) fn anonymous_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_is_taken_and_given_back_counts() {
        let (_, growth) = growth_during(|| {
            let block = vec![1u8; 32 << 20];
            std::thread::sleep(Duration::from_millis(50));
            block.len()
        });
        if anonymous_bytes().is_some() {
            assert!(growth.is_some_and(|growth| growth >= 24 << 20), "{growth:?}");
        }
    }
}
