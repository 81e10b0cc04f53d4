//! What the build makes of a kernel's header, and which mistakes it refuses, each with file and line.

#![expect(dead_code, reason = "the files of the build are here as a whole")]

#[path = "../build/header.rs"]
mod header;
#[path = "../build/names.rs"]
mod names;
#[expect(unreachable_pub, reason = "the library exports it")]
#[path = "../src/preprocess.rs"]
mod preprocess;
#[path = "../build/reflect.rs"]
mod reflect;
#[path = "../build/variants.rs"]
mod variants;

use header::{Header, Kind, Source};
use names::Module;
use preprocess::Requirements;
use variants::Kernel;

/// The last lines of a kernel that writes nothing.
const MAIN: &str = "@compute @workgroup_size(64) fn main() {}\n";

fn source(name: &str, text: &str) -> Source {
    Source { name: name.to_owned(), path: format!("src/{name}.wgsl"), text: text.to_owned() }
}

/// A kernel made of these header lines and this text, with modules by name and text.
fn build(text: &str, modules: &[(&str, &str)]) -> Result<Kernel, String> {
    let module = |&(name, text): &(&str, &str)| {
        let source = source(name, text);
        let header = Header::read(&source, Kind::Module, &[])?;
        Ok(Module { source, header })
    };
    let modules = modules.iter().map(module).collect::<Result<Vec<_>, String>>()?;
    names::check_modules(&modules)?;
    let source = source("kernel", &format!("//! Nothing.\n{text}{MAIN}"));
    let header = Header::read(&source, Kind::Kernel, &[])?;
    variants::kernel(source, header, &modules, |_| true)
}

#[track_caller]
fn refused(text: &str, modules: &[(&str, &str)], error: &str) {
    let found = build(text, modules).unwrap_err();
    assert!(found.contains(error), "expected {error:?}, got {found:?}");
}

#[test]
fn variants_are_all_combinations_but_the_exceptions() {
    let text = "//! variants: WIDE = on | off\n//! variants: LOAD = word | any\n//! except: WIDE = on, LOAD = any\n\
                #if WIDE || LOAD_any\n#endif\n";
    let kernel = build(text, &[]).unwrap();
    assert_eq!(kernel.variants.iter().map(|variant| variant.number).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(kernel.header.axes[0].values, ["off", "on"]);
}

#[test]
fn names_in_directives_must_be_known() {
    let axis = "//! variants: LOAD = word | any\n";
    for (text, error) in [
        ("#if LAOD_word\n#endif\n", "src/kernel.wgsl:3: LAOD_word is no axis"),
        ("#if LOAD_wrod\n#endif\n", "src/kernel.wgsl:3: axis LOAD is word or any, and never wrod"),
        ("#if LOAD\n#endif\n", "src/kernel.wgsl:3: axis LOAD is word or any, and never on"),
        ("\n#if LOAD_any || !X\n#endif\n", "src/kernel.wgsl:4: X is no axis"),
        ("#for i in N\n#end\n", "src/kernel.wgsl:3: N is neither a number nor an axis"),
        ("#for i in LOAD\n#end\n", "src/kernel.wgsl:3: axis LOAD has values that are no numbers"),
        ("#import LODA\n", "src/kernel.wgsl:3: LODA is no axis"),
        ("#import LOAD\n", "src/kernel.wgsl:3: there is no module word"),
        ("#import sum\n", "src/kernel.wgsl:3: there is no module sum"),
        ("#iff LOAD\n", "src/kernel.wgsl:3: unknown directive"),
    ] {
        refused(&format!("{axis}{text}"), &[], error);
    }
}

#[test]
fn names_in_headers_must_be_known() {
    let use_it = "#if LOAD_any\n#endif\n";
    for (line, error) in [
        ("//! except: LAOD = any", "src/kernel.wgsl:3: LAOD is no axis"),
        ("//! except: LOAD = yan", "src/kernel.wgsl:3: axis LOAD is word or any, and never yan"),
        ("//! except: LOAD", "src/kernel.wgsl:3: no `AXIS = value` in \"LOAD\""),
        ("//! requires: f61", "src/kernel.wgsl:3: \"f61\" is none of f16, subgroups, matrix"),
        ("//! requires: f16 where LAOD = any", "src/kernel.wgsl:3: LAOD is no axis"),
        ("//! variants: load = word", "src/kernel.wgsl:3: the name of an axis is in capitals"),
        ("//! variants: MODE = Fast", "src/kernel.wgsl:3: a value of an axis is in small letters"),
        ("//! variants: MODE = a | a", "src/kernel.wgsl:3: axis MODE has the value a twice"),
        ("//! variants: LOAD_X = a", "src/kernel.wgsl:3: axis LOAD_X cannot be told from axis LOAD"),
        ("//! axes: MODE = a | b", "src/kernel.wgsl:3: axes: is not for a kernel"),
    ] {
        refused(&format!("//! variants: LOAD = word | any\n{line}\n{use_it}"), &[], error);
    }
}

#[test]
fn an_axis_is_there_to_be_used() {
    refused("//! variants: T = f32 | f16\n// T\n", &[], "src/kernel.wgsl:2: axis T is not used");
    assert!(build("//! variants: T = f32\nvar<private> x: T;\n", &[]).is_ok());
    assert!(build("//! variants: T = f32\n#import sum\n", &[("sum", "fn sum(x: T) {}\n")]).is_ok());
    assert!(build("//! variants: ROWS = 2 | 4\nconst DOUBLE = 2u * ROWS;\n", &[]).is_ok());
    refused("", &[("sum", "//! Sums.\n//! axes: WIDE = on | off\n")], "src/sum.wgsl:2: axis WIDE is not used");
}

#[test]
fn a_module_says_what_it_asks_of_kernels() {
    let wide = "#if WIDE\n#endif\n";
    let asks = format!("//! axes: WIDE = on | off\n{wide}");
    refused("#import sum\n", &[("sum", wide)], "src/sum.wgsl:1: WIDE is no axis");
    refused(
        "#import sum\n",
        &[("sum", &asks)],
        "src/kernel.wgsl:1: the kernel has no axis WIDE; src/sum.wgsl:1: asks for it",
    );
    assert!(build("//! variants: WIDE = off\n#import sum\n", &[("sum", &asks)]).is_ok());

    let load = [("sum", "//! axes: LOAD = word | any\n#if LOAD_any\n#endif\n")];
    refused(
        "//! variants: LOAD = word | quad\n#import sum\n",
        &load,
        "src/sum.wgsl:1: the module does not know LOAD = quad",
    );
    let taken = "//! variants: LOAD = word | quad\n#if LOAD_word\n#import sum\n#endif\n";
    assert!(build(taken, &load).is_ok(), "only what imports the module must suit it");
}

#[test]
fn a_module_has_a_name_of_its_own() {
    refused("", &[("sum", "fn a() {}\n"), ("sum", "fn b() {}\n")], "src/sum.wgsl:1: src/sum.wgsl has this name too");
}

#[test]
fn an_optional_axis_may_be_left_out() {
    let text = "//! optional: ROPE = on | off\n#if !ROPE\nfn plain() {}\n#endif\n";
    let kernel = build("#import turn\n", &[("turn", text)]).unwrap();
    assert_eq!(kernel.header.axes[0].values, ["off"]);
    assert!(!kernel.header.axes[0].is_choice());
    let odd = "//! optional: MODE = a | b\n#if MODE_a\n#endif\n";
    refused("#import turn\n", &[("turn", odd)], "src/turn.wgsl:1: axis MODE is optional, so its values are on and off");
}

#[test]
fn a_kernel_requires_what_it_uses_and_nothing_else() {
    let adds = "fn sum(x: f32) -> f32 { return subgroupAdd(x); }\n";
    refused(adds, &[], "it uses subgroups, which no `requires:` says");
    refused("//! requires: f16, subgroups\n", &[], "src/kernel.wgsl:2: f16 is required, and not used");
    let kernel = build(&format!("//! requires: subgroups\n{adds}"), &[]).unwrap();
    assert_eq!(kernel.variants[0].requires, Requirements { subgroups: true, ..Requirements::default() });

    let half = "//! requires: f16\nvar<private> x: f16;\n";
    assert!(build(half, &[]).unwrap().variants[0].requires.f16);
    let typed = build("//! variants: T = f32 | f16\nvar<private> x: T;\n", &[]).unwrap();
    assert_eq!(typed.variants.iter().map(|variant| variant.requires.f16).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn a_requirement_can_depend_on_an_axis_and_come_from_a_module() {
    let adds = "fn sum(x: f32) -> f32 { return subgroupAdd(x); }\n";
    let shares = "fn sum(x: f32) -> f32 { return x; }\n";
    let text = format!(
        "//! variants: REDUCE = shared | subgroup\n//! requires: subgroups where REDUCE = subgroup\n\
         #if REDUCE_subgroup\n{adds}#else\n{shares}#endif\n"
    );
    let needs = |kernel: Kernel| kernel.variants.iter().map(|variant| variant.requires.subgroups).collect::<Vec<_>>();
    assert_eq!(needs(build(&text, &[]).unwrap()), [false, true]);
    let modules = [("by_memory", shares), ("by_subgroup", &format!("//! requires: subgroups\n{adds}"))];
    let kernel = build("//! variants: REDUCE = by_memory | by_subgroup\n#import REDUCE\n", &modules).unwrap();
    assert_eq!(needs(kernel), [false, true]);
}

#[test]
fn overrides_are_the_same_in_all_variants() {
    let kernel = build("override ROWS: u32 = 4u;\noverride STAGE: bool = true;\noverride TWICE = 2u * ROWS;\n", &[]);
    let names: Vec<_> = kernel.unwrap().interface.overrides.into_iter().map(|constant| constant.name).collect();
    assert_eq!(names, ["ROWS", "STAGE"]);
    let text = "//! variants: WIDE = on | off\n#if WIDE\noverride ROWS: u32 = 4u;\n#endif\n";
    refused(text, &[], "it has other bindings, params or overrides");
    refused("override ROWS: u32;\n", &[], "override ROWS needs a default");
    refused("override SCALE: f32 = 1.0;\n", &[], "override SCALE is neither u32 nor bool");
}
