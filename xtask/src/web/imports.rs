//! Short names for what a module calls of its script. The generator's end in sixteen random digits each, in both files,
//! which no compressor makes smaller.

use std::collections::HashMap;
use std::convert::Infallible;

use anyhow::{Result, anyhow, ensure};
use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{ImportSection, Module};
use wasmparser::{ImportSectionReader, Parser, Payload};

/// The same module and script, with numbers in the place of the names that only they share.
pub(crate) fn numbered(module: &[u8], script: &str) -> Result<(Vec<u8>, String)> {
    let mut names = HashMap::new();
    for payload in Parser::new(0).parse_all(module) {
        if let Payload::ImportSection(section) = payload? {
            for import in section.into_imports() {
                let number = format!("f{}", names.len());
                names.entry(import?.name.to_owned()).or_insert(number);
            }
        }
    }
    let (mut lines, mut found) = (String::with_capacity(script.len()), 0);
    for line in script.split_inclusive('\n') {
        let defined = line.split_once(':').and_then(|(name, rest)| Some((names.get(name.trim())?, rest)));
        match defined {
            Some((number, rest)) => {
                found += 1;
                lines.push_str(&format!("{number}:{rest}"));
            }
            None => lines.push_str(line),
        }
    }
    ensure!(found == names.len(), "a module imports {} functions, and its script defines {found}", names.len());
    let mut written = Module::new();
    Numbered { names }
        .parse_core_module(&mut written, Parser::new(0), module)
        .map_err(|error| anyhow!("the module cannot be written with other names: {error}"))?;
    Ok((written.finish(), lines))
}

struct Numbered {
    names: HashMap<String, String>,
}

impl Reencode for Numbered {
    type Error = Infallible;

    fn parse_import_section(
        &mut self,
        imports: &mut ImportSection,
        section: ImportSectionReader<'_>,
    ) -> Result<(), Error> {
        for import in section.into_imports() {
            let import = import?;
            let kind = self.entity_type(import.ty)?;
            imports.import(import.module, &self.names[import.name], kind);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (import "" "long" (func)) (func call 0)
    fn module(name: &[u8; 4]) -> Vec<u8> {
        let header = b"\0asm\x01\0\0\0".as_slice();
        let import = [b"\x02\x09\x01\0\x04", name.as_slice(), b"\0\0"].concat();
        [header, b"\x01\x04\x01\x60\0\0", &import, b"\x03\x02\x01\0", b"\x0a\x06\x01\x04\0\x10\0\x0b"].concat()
    }

    #[test]
    fn both_files_have_the_same_names() {
        let script = "const imports = {\n    long: function(a) {\n        long(a);\n    },\n};\n";
        let (module, script) = numbered(&module(b"long"), script).expect("both are written");
        assert_eq!(script, "const imports = {\nf0: function(a) {\n        long(a);\n    },\n};\n");
        assert!(module.windows(7).any(|bytes| bytes == b"\x01\0\x02f0\0\0"), "{module:?}");
    }

    #[test]
    fn a_function_that_the_script_does_not_define_is_an_error() {
        let error = numbered(&module(b"long"), "const imports = {\n};\n").expect_err("it has no name");
        assert_eq!(error.to_string(), "a module imports 1 functions, and its script defines 0");
    }
}
