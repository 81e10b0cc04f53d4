//! Where tests find their data: the fixtures of the checkout, and what lies beside it.

use std::path::{Path, PathBuf};

/// The folder of the fixtures: `$PTERON_FIXTURES`, or the checkout's own.
///
/// A test program that runs elsewhere than it was built finds them by the variable.
pub fn fixtures() -> PathBuf {
    let own = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    std::env::var_os("PTERON_FIXTURES").map_or_else(own, PathBuf::from)
}

/// A path in the folder of shared data, `$PTERON_SHARED` or `shared` beside the checkout; nothing where there is no such
/// folder. The path itself need not exist, so that what is lost from the folder is missed.
pub fn shared(path: &str) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("PTERON_SHARED").map_or_else(beside, PathBuf::from);
    folder.is_dir().then(|| folder.join(path))
}
