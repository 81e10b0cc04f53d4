//! Files that are written whole or not at all.

use std::io::{Result, Write as _};
use std::path::Path;

/// Writes a file beside the old one and renames it, so that nobody ever reads half of it, whatever ends this process.
///
/// What is there and no plain file, such as a pipe, is written to as it is.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return std::fs::write(path, bytes);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.partial", std::process::id()));
    let partial = folder.join(name);
    let written = std::fs::File::create(&partial)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| std::fs::rename(&partial, path));
    if written.is_err() {
        // It may not even be there.
        let _ = std::fs::remove_file(&partial);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_nothing_lies_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.npy");
        write(&path, b"first").unwrap();
        write(&path, b"second, and longer").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"second, and longer");
        assert!(write(&folder.path().join("missing/out.npy"), b"x").is_err());
        // A folder is in the way.
        std::fs::create_dir(folder.path().join("taken")).unwrap();
        assert!(write(&folder.path().join("taken"), b"x").is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
