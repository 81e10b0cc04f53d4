//! What a self-test found, as a line of text.

use super::{Feature, Wrong};
use crate::device::Device;

/// What an outcome holds for: an adapter and its driver, what is used of it, and this version of the kernels. Nothing where there
/// is no adapter.
pub(super) fn subject(device: &Device) -> Option<String> {
    let (adapter, caps) = (device.adapter()?, device.caps());
    Some(line(&format!(
        "pteron {}, {}, {}, {}, {caps:?}",
        env!("CARGO_PKG_VERSION"),
        adapter.backend,
        adapter.name,
        adapter.driver
    )))
}

/// The line of an outcome. One that leaves no way to use the device has none, and is looked for again the next time.
pub(super) fn write(found: Option<&Wrong>) -> Option<String> {
    match found {
        None => Some("passed".to_owned()),
        Some(Wrong { what, without }) => without.map(|feature| line(&format!("without {}: {what}", feature.name()))),
    }
}

/// The outcome of a line, where it is one: nothing was wrong, or something.
pub(super) fn read(line: &str) -> Option<Option<Wrong>> {
    if line == "passed" {
        return Some(None);
    }
    let (without, what) = line.strip_prefix("without ")?.split_once(": ")?;
    let without = Feature::ALL.into_iter().find(|feature| feature.name() == without)?;
    Some(Some(Wrong { what: what.to_owned(), without: Some(without) }))
}

fn line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
