//! Validates every variant of every WGSL kernel and turns what the shaders say into Rust: see `build/`.

use std::path::{Path, PathBuf};

#[path = "build/emit.rs"]
mod emit;
#[path = "src/preprocess.rs"]
mod preprocess;
#[path = "build/reflect.rs"]
mod reflect;
#[expect(dead_code, reason = "only the names and the WGSL are needed here")]
#[path = "src/pointwise/rows.rs"]
mod rows;

fn main() {
    let source = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("set by cargo")).join("src");
    for watched in ["src", "build", "build.rs"] {
        println!("cargo::rerun-if-changed={watched}");
    }
    let mut modules = expression_modules();
    let mut kernels = Vec::new();
    for path in wgsl_files(&source) {
        let name = path.file_stem().and_then(|stem| stem.to_str()).expect("kernel names are UTF-8").to_owned();
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        if path.parent().is_some_and(|folder| folder.ends_with("wgsl")) {
            modules.push((name, text));
        } else {
            kernels.push((path, name, text));
        }
    }
    let kernels: Vec<_> = kernels
        .into_iter()
        .map(|(path, name, text)| {
            reflect::kernel(&name, &text, &modules).unwrap_or_else(|error| panic!("{}:\n{error}", path.display()))
        })
        .collect();
    let generated = emit::kernels(&kernels, &modules).unwrap_or_else(|error| panic!("{error}"));
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("set by cargo")).join("kernels.rs");
    std::fs::write(&out, generated).unwrap_or_else(|e| panic!("{}: {e}", out.display()));
}

/// Every `.wgsl` file below `folder`, sorted.
fn wgsl_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for entry in entries {
        let path = entry.unwrap_or_else(|e| panic!("{}: {e}", folder.display())).path();
        if path.is_dir() {
            files.extend(wgsl_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "wgsl") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// One module per row of the pointwise tables: the function `apply`.
fn expression_modules() -> Vec<(String, String)> {
    let binary = rows::BINARY.iter().map(|row| {
        let text = format!(
            "#if T_i32\nalias ACC = i32;\n#else\nalias ACC = f32;\n#endif\n\
             fn apply(a: ACC, b: ACC, alpha: ACC) -> ACC {{\n    return {};\n}}\n",
            row.wgsl
        );
        (row.variant.to_owned(), text)
    });
    binary.collect()
}
