//! Writes what each target starts from into `corpus`: the files of the fixtures, and the delegates' data within them.

use std::fs;
use std::path::{Path, PathBuf};

use pteron_pte::Program;

/// Files beyond this have more weights than structure.
const MOST_BYTES: u64 = 16 << 10;

fn main() -> std::io::Result<()> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (fixtures, corpus) = (here.join("../fixtures"), here.join("corpus"));
    let mut files = Vec::new();
    walk(&fixtures, &mut files)?;
    let put = |target: &str, number: usize, bytes: &[u8]| -> std::io::Result<()> {
        let folder = corpus.join(target);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(format!("seed-{number}")), bytes)
    };
    for (number, path) in files.iter().enumerate() {
        let bytes = fs::read(path)?;
        let tokenizers = path.starts_with(fixtures.join("llm"));
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("pte") => {
                put("pte", number, &bytes)?;
                put("run", number, &bytes)?;
                for (target, data) in delegates(&bytes) {
                    put(target, number, data)?;
                }
            }
            Some("ptd") => put("ptd", number, &bytes)?,
            Some("bpte") => put("bpte", number, &bytes)?,
            Some("npy" | "safetensors") => put("tensors", number, &bytes)?,
            Some("json" | "model" | "tiktoken") if tokenizers => put("tokenizer", number, &bytes)?,
            _ => {}
        }
    }
    let array = b"\x93NUMPY\x01\x00\x36\x00{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}\0\0\x80?\0\0\0@";
    put("tensors", 0, array)?;
    for (number, pattern) in PATTERNS.iter().enumerate() {
        put("pattern", number, pattern.as_bytes())?;
    }
    for (number, template) in TEMPLATES.iter().enumerate() {
        put("template", number, template.as_bytes())?;
    }
    Ok(())
}

/// Small files of a folder and those below it, in the order of their names.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<std::io::Result<Vec<_>>>()?;
    entries.sort_by_key(|entry| entry.path());
    for entry in entries {
        let (path, metadata) = (entry.path(), entry.metadata()?);
        if metadata.is_dir() {
            walk(&path, files)?;
        } else if metadata.len() <= MOST_BYTES {
            files.push(path);
        }
    }
    Ok(())
}

/// The data of a program's delegates, and the targets that read it: a program ends where the file does, or before segments.
fn delegates(bytes: &[u8]) -> Vec<(&'static str, &[u8])> {
    let mut found = Vec::new();
    if Program::parse(bytes, bytes.len() as u64).is_err() {
        return found;
    }
    for (at, window) in bytes.windows(4).enumerate() {
        let target = match window {
            b"VH00" | b"VK00" => "delegate",
            b"XH00" | b"XN00" | b"XN01" => "xnnpack",
            _ => continue,
        };
        // Both begin with a word before their name.
        if let Some(data) = at.checked_sub(4).and_then(|start| bytes.get(start..)) {
            found.push((target, data));
        }
    }
    // The first is a header, where there is one, and it leads to the rest.
    found.truncate(1);
    found
}

const PATTERNS: [&str; 5] = [
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
    "(a+)+$\naaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab",
    "\\b(?<year>\\d{4})-\\k<year>\n2026-2026",
    "(?<=a)b{2,}|[[:alpha:]&&[^x]]",
];

const TEMPLATES: [&str; 4] = [
    "{% for message in messages %}<|{{ message.role }}|>{{ message.content | trim }}{{ eos_token }}{% endfor %}",
    "{%- macro show(m) -%}{{ m['content'].split()[0] }}{%- endmacro -%}{{ bos_token }}{{ show(messages[0]) }}",
    "{% set ns = namespace(n=0) %}{% for i in range(9) %}{% set ns.n = ns.n + i %}{% endfor %}{{ ns.n }}",
    "{% if messages[0].role != 'user' %}{{ raise_exception('no user') }}{% endif %}{{ messages | tojson(indent=2) }}",
];
