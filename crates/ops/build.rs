//! Checks and validates every variant of every WGSL kernel and turns what the shaders say into Rust: see `build/`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Writes a line into a string.
macro_rules! put {
    ($out:expr, $($arg:tt)*) => { let _ = writeln!($out, $($arg)*); };
}

#[path = "build/choices.rs"]
mod choices;
#[path = "build/emit.rs"]
mod emit;
#[path = "build/header.rs"]
mod header;
#[path = "build/names.rs"]
mod names;
#[expect(unreachable_pub, reason = "the library exports it")]
#[path = "src/preprocess.rs"]
mod preprocess;
#[path = "build/reflect.rs"]
mod reflect;
#[expect(dead_code, unreachable_pub, reason = "only the names and the WGSL are needed here")]
#[path = "src/pointwise/rows/mod.rs"]
mod rows;
#[path = "build/variants.rs"]
mod variants;

use header::{Header, Kind, Source};
use names::Module;

fn main() {
    for watched in ["src", "build", "build.rs"] {
        println!("cargo::rerun-if-changed={watched}");
    }
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("set by cargo")).join("kernels.rs");
    match generate(&root) {
        Ok(generated) => std::fs::write(&out, generated).unwrap_or_else(|e| panic!("{}: {e}", out.display())),
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    }
}

/// The Rust of every kernel below a crate's folder.
fn generate(root: &Path) -> Result<String, String> {
    let names: Vec<_> = rows::Expression::NAMES.iter().map(|name| snake(name)).collect();
    let mut modules = Vec::new();
    for source in expression_modules().into_iter().chain([activation_module(), chain_module()]) {
        let header = Header::read(&source, Kind::Module, &names)?;
        modules.push(Module { source, header });
    }
    let mut kernels = Vec::new();
    for path in wgsl_files(&root.join("src")) {
        let is_module = path.parent().is_some_and(|folder| folder.ends_with("wgsl"));
        let source = read(root, &path)?;
        let header = Header::read(&source, if is_module { Kind::Module } else { Kind::Kernel }, &names)?;
        if is_module {
            modules.push(Module { source, header });
        } else {
            kernels.push((source, header));
        }
    }
    names::check_modules(&modules)?;
    let kernel = |(source, header)| variants::kernel(source, header, &modules, is_possible);
    let kernels = kernels.into_iter().map(kernel).collect::<Result<Vec<_>, _>>()?;
    emit::kernels(&kernels, &modules)
}

fn read(root: &Path, path: &Path) -> Result<Source, String> {
    let shown = path.strip_prefix(root).unwrap_or(path).display().to_string();
    let text = std::fs::read_to_string(path).map_err(|e| format!("{shown}: {e}"))?;
    let name = path.file_stem().and_then(|stem| stem.to_str()).ok_or_else(|| format!("{shown}: not a name"))?;
    Ok(Source { name: name.to_owned(), path: shown, text })
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
fn expression_modules() -> Vec<Source> {
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
        let axis = "//! axes: T = f32 | f16 | i32 | byte\n";
        let text = format!("{axis}{imports}#if T_i32 || T_byte\n{int}#else\n{float}#endif\n");
        let name = name_of(row);
        Source { path: format!("row {name} of src/pointwise/rows"), name, text }
    };
    let binary = rows::BINARY.iter().map(|row| module(row, ["a", "b", "alpha"]));
    binary.chain(rows::UNARY.iter().map(|row| module(row, ["x", "p", "q"]))).collect()
}

/// The module `activation`: the rows that other kernels apply to their results, by number.
fn activation_module() -> Source {
    let (mut imports, mut cases) = (String::new(), String::new());
    for (number, expression) in (1..).zip(rows::ACTIVATIONS) {
        let named = rows::UNARY.iter().find(|row| row.expression == *expression);
        let Some((row, formula)) = named.and_then(|row| Some((row, row.float?))) else { continue };
        imports.extend(row.uses.iter().map(|name| format!("#import {name}\n")));
        cases += &format!("        case {number}u: {{ return {}; }}\n", formula.wgsl);
    }
    let function = format!(
        "/// An activation of `x` with its two numbers.\nfn activated(kind: u32, x: f32, p: f32, q: f32) -> f32 {{\n    \
         switch kind {{\n{cases}        default: {{ return x; }}\n    }}\n}}\n"
    );
    let path = "activations of src/pointwise/rows".to_owned();
    Source { path, name: "activation".to_owned(), text: format!("{imports}{function}") }
}

/// The links of a chain: `linked` computes the row of a number, or chooses between operands.
fn chain_module() -> Source {
    let (mut imports, mut functions, mut cases) = (Vec::new(), String::new(), String::new());
    for (number, expression) in (1..).zip(rows::CHAINED) {
        let binary = rows::BINARY.iter().map(|row| (row, ["a", "b", "alpha"]));
        let mut all = binary.chain(rows::UNARY.iter().map(|row| (row, ["x", "p", "q"])));
        let found =
            all.find_map(|(row, names)| Some((row, names, row.float?)).filter(|_| row.expression == *expression));
        let Some((row, [x, y, z], formula)) = found else { continue };
        imports.extend(row.uses.iter().filter(|name| !imports.contains(*name)).copied().collect::<Vec<_>>());
        let value = formula.wgsl;
        let value = if row.truth { format!("select(0.0, 1.0, {value})") } else { value.to_owned() };
        let parameters = format!("{x}: f32, {y}: f32, {z}: f32");
        put!(functions, "fn link_{number}({parameters}) -> f32 {{\n    return {value};\n}}");
        put!(cases, "        case {number}u: {{ return link_{number}(x, y, z); }}");
    }
    for (number, value) in
        (rows::CHAINED.len() + 1..).zip(["z, y, !(x == 0.0)", "z, x, !(y == 0.0)", "x, z, !(y == 0.0)"])
    {
        put!(cases, "        case {number}u: {{ return select({value}); }}");
    }
    let imports: String = imports.iter().map(|name| format!("#import {name}\n")).collect();
    let switch = format!("    switch code {{\n{cases}        default: {{ return x; }}\n    }}\n");
    let linked = format!("fn linked(code: u32, x: f32, y: f32, z: f32) -> f32 {{\n{switch}}}\n");
    let text = format!("{imports}{functions}{linked}");
    Source { path: "the rows of src/pointwise/rows/chained.rs".to_owned(), name: "chain_links".to_owned(), text }
}

/// What kernels call a row.
fn name_of(row: &rows::Row) -> String {
    snake(rows::Expression::NAMES[row.expression as usize])
}

/// `SomeName` as `some_name`.
fn snake(name: &str) -> String {
    let letter = |(at, c): (usize, char)| {
        let gap = (at > 0 && c.is_ascii_uppercase()).then_some('_');
        gap.into_iter().chain([c.to_ascii_lowercase()])
    };
    name.char_indices().flat_map(letter).collect()
}

/// Whether a kernel can have this combination of axis values. Only the pointwise rows rule some out.
fn is_possible(axes: &[(&str, &str)]) -> bool {
    let value = |axis: &str| axes.iter().find(|pair| pair.0 == axis).map_or("", |pair| pair.1);
    let named = |row: &&rows::Row| name_of(row) == value("EXPRESSION");
    let unary = rows::UNARY.iter().find(named);
    let Some(row) = unary.or_else(|| rows::BINARY.iter().find(named)) else { return true };
    let formula = if matches!(value("T"), "f32" | "f16") { row.float.is_some() } else { row.int.is_some() };
    let walk = match value("WALK") {
        "one" => true,
        "flat" => unary.is_none(),
        _ => unary.is_none() && value("QUAD") == "off",
    };
    formula && walk && row.truth == (value("R") == "truth")
}
