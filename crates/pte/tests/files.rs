//! Visits every program, data file and bundle that the checkout holds.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use pteron_pte::{ErrorKind, visit_all, visit_front};

/// Folders to look in, relative to the crate; the ones outside the repository are optional.
const FOLDERS: [&str; 4] =
    ["../../fixtures", "../../../shared/conformance", "../../../shared/models", "../../../shared/xnnpack"];

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ext| ext == "pte" || ext == "ptd" || ext == "bpte") {
            files.push(path);
        }
    }
}

#[test]
fn every_file_opens_and_every_part_of_it_is_sound() {
    let mut files = Vec::new();
    for folder in FOLDERS {
        collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut files);
    }
    files.sort();
    let (mut nodes, mut values) = (0, 0);
    for path in &files {
        let file = File::open(path).unwrap();
        // SAFETY: nobody writes to the files of the checkout while the tests run.
        let bytes = unsafe { memmap2::Mmap::map(&file) }.unwrap();
        let result = if path.to_string_lossy().ends_with(".skel.pte") {
            // A program whose segments were cut off.
            assert_eq!(visit_all(&bytes).unwrap_err().kind(), ErrorKind::Truncated);
            visit_front(&bytes, 1 << 40)
        } else {
            visit_all(&bytes)
        };
        let seen = result.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(!seen.exhausted, "{}", path.display());
        nodes += seen.nodes;
        values += seen.values + seen.graph_values;
    }
    eprintln!("{} files, {nodes} nodes, {values} values", files.len());
}
