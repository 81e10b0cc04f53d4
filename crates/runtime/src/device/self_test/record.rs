//! What self-tests found, kept from one run of the process to the next.

use std::path::PathBuf;

use super::{Feature, Wrong};
use crate::device::{Device, DeviceOptions};
use crate::engine::wgpu::write_whole;

/// Where the outcome for an adapter, its driver, what is used of it, and this version of the kernels is kept.
#[derive(Debug)]
pub(super) struct Record {
    path: PathBuf,
    /// What the outcome holds for.
    subject: String,
}

impl Record {
    /// Nothing where there is no adapter, or no place to keep it.
    pub(super) fn of(device: &Device, options: &DeviceOptions) -> Option<Record> {
        let (adapter, folder) = (device.adapter()?, options.pipeline_cache.folder()?);
        let caps = device.caps();
        let subject = format!(
            "pteron {}, {}, {}, {}, {caps:?}",
            env!("CARGO_PKG_VERSION"),
            adapter.backend,
            adapter.name,
            adapter.driver
        );
        // A line of its own in the file.
        let subject = subject.replace(['\n', '\r'], " ");
        Some(Record { path: folder.join(format!("self-test-{:016x}", hash(&subject))), subject })
    }

    /// The outcome, where it is known: nothing was wrong, or something.
    pub(super) fn read(&self) -> Option<Option<Wrong>> {
        let text = std::fs::read_to_string(&self.path).ok()?;
        let outcome = text.strip_prefix(&self.subject)?.strip_prefix('\n')?.strip_suffix('\n')?;
        if outcome == "passed" {
            return Some(None);
        }
        let (without, what) = outcome.strip_prefix("without ")?.split_once(": ")?;
        let without = Feature::ALL.into_iter().find(|feature| feature.to_string() == without)?;
        Some(Some(Wrong { what: what.to_owned(), without: Some(without) }))
    }

    /// Keeps an outcome. One that leaves no way to use the device is looked for again the next time.
    pub(super) fn write(&self, found: Option<&Wrong>) {
        let outcome = match found {
            None => "passed".to_owned(),
            Some(Wrong { what, without: Some(feature) }) => format!("without {feature}: {}", what.replace('\n', " ")),
            Some(Wrong { without: None, .. }) => return,
        };
        if let Err(error) = write_whole(&self.path, format!("{}\n{outcome}\n", self.subject).as_bytes()) {
            tracing::debug!(%error, path = %self.path.display(), "the outcome of the self-test was not saved");
        }
    }
}

/// FNV-1a, which is the same in every version of the standard library.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
