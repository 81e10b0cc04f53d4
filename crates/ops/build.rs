//! Validates every variant of every WGSL kernel and turns what the shaders say into Rust: see `build/`.

use std::path::{Path, PathBuf};

#[path = "build/emit.rs"]
mod emit;
#[path = "src/preprocess.rs"]
mod preprocess;
#[path = "build/reflect.rs"]
mod reflect;
#[expect(dead_code, reason = "only the names and the WGSL are needed here")]
#[path = "src/pointwise/rows/mod.rs"]
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
    let module = |row: &rows::Row, names: [&str; 3]| {
        let function = |ty: &str, expression: &str| {
            let result =
                if row.truth { format!("select({ty}(0), {ty}(1), {expression})") } else { expression.to_owned() };
            let [x, y, z] = names;
            format!("fn apply({x}: {ty}, {y}: {ty}, {z}: {ty}) -> {ty} {{\n    return {result};\n}}\n")
        };
        let imports: String = row.uses.iter().map(|name| format!("#import {name}\n")).collect();
        let float = row.float.map_or(String::new(), |formula| function("f32", formula.wgsl));
        let int = row.int.map_or(String::new(), |formula| function("i32", formula.wgsl));
        (row.variant.to_owned(), format!("{imports}#if T_i32 || T_byte\n{int}#else\n{float}#endif\n"))
    };
    let delegated = |row: &&rows::Row| !row.is_host();
    let binary = rows::BINARY.iter().filter(delegated).map(|row| module(row, ["a", "b", "alpha"]));
    binary.chain(rows::UNARY.iter().filter(delegated).map(|row| module(row, ["x", "p", "q"]))).collect()
}

/// Whether a kernel can have this combination of axis values. Only the pointwise rows rule some out.
fn is_possible(axes: &[(&str, &str)]) -> bool {
    let value = |axis: &str| axes.iter().find(|pair| pair.0 == axis).map_or("", |pair| pair.1);
    let named = |row: &&rows::Row| row.variant == value("EXPRESSION");
    let unary = rows::UNARY.iter().find(named);
    let Some(row) = unary.or_else(|| rows::BINARY.iter().find(named)) else { return true };
    let formula = if matches!(value("T"), "f32" | "f16") { row.float.is_some() } else { row.int.is_some() };
    let walk = match value("WALK") {
        "one" => true,
        "flat" => unary.is_none(),
        _ => unary.is_none() && value("QUAD") == "off",
    };
    formula && !row.is_host() && walk && row.truth == (value("R") == "truth")
}
