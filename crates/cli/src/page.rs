//! The files of the page that `pteron web` serves: those that are part of the command, or those of a folder.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// A file that is part of the command.
struct File {
    path: &'static str,
    /// Whether its bytes are compressed with gzip.
    compressed: bool,
    bytes: &'static [u8],
}

const FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/site.rs"));

/// Files that `pteron demo` has too, so that they are here once.
const DEMO: &[File] = &[
    File { path: "demo/model.pte", compressed: false, bytes: include_bytes!("../demo/model.pte") },
    File { path: "demo/tokenizer.json", compressed: false, bytes: include_bytes!("../demo/tokenizer.json") },
    File {
        path: "demo/tokenizer_config.json",
        compressed: false,
        bytes: include_bytes!("../demo/tokenizer_config.json"),
    },
];

/// Where the page's files come from.
#[derive(Debug)]
pub(crate) enum Page {
    Embedded,
    Folder(PathBuf),
}

/// A file as it is sent.
#[derive(Debug)]
pub(crate) struct Content {
    pub(crate) bytes: Cow<'static, [u8]>,
    pub(crate) kind: &'static str,
    /// Whether the bytes are compressed with gzip.
    pub(crate) compressed: bool,
}

impl Page {
    /// The page that is part of the command; nothing where it was built without.
    pub(crate) fn embedded() -> Option<Page> {
        FILES.iter().any(|file| file.path == "index.html").then_some(Page::Embedded)
    }

    /// The file of an address such as `/style.css`; that of a folder is its `index.html`.
    pub(crate) fn file(&self, address: &str) -> Option<Content> {
        let path = address.split(['?', '#']).next()?.strip_prefix('/')?;
        let path = if path.is_empty() { "index.html" } else { path };
        let kind = kind(path);
        match self {
            Page::Embedded => {
                let file = FILES.iter().chain(DEMO).find(|file| file.path == path)?;
                Some(Content { bytes: Cow::Borrowed(file.bytes), kind, compressed: file.compressed })
            }
            Page::Folder(folder) => {
                let plain = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', ':', '%']);
                let inside = path.split('/').all(plain).then(|| folder.join(path))?;
                Some(Content { bytes: Cow::Owned(std::fs::read(inside).ok()?), kind, compressed: false })
            }
        }
    }
}

/// What a browser must know of a file.
fn kind(path: &str) -> &'static str {
    match Path::new(path).extension().and_then(|extension| extension.to_str()) {
        Some("css") => "text/css; charset=utf-8",
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("png") => "image/png",
        Some("svg") => "image/svg+xml",
        Some("wasm") => "application/wasm",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_of_the_folder_is_a_file_of_the_page() {
        let page = Page::Folder(Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
        assert!(page.file("/lib.rs?version=1").is_some_and(|file| file.kind == "application/octet-stream"));
        for address in
            ["/../Cargo.toml", "/./lib.rs", "//lib.rs", "lib.rs", "/%2e%2e/Cargo.toml", "/commands", "/nothing", "/"]
        {
            assert!(page.file(address).is_none(), "{address}");
        }
    }

    #[test]
    fn the_demo_is_there_once() {
        assert!(Page::Embedded.file("/demo/model.pte").is_some_and(|file| file.bytes.len() > 1 << 20));
        assert!(FILES.iter().all(|file| DEMO.iter().all(|demo| demo.path != file.path)));
    }
}
