//! The WGSL preprocessor: `#import`, `#if`, `#else`, `#endif`, `#for`, `#end`.
//!
//! `build.rs` and the running program share this file, so what was validated is what runs. A kernel is rendered for one
//! value of each axis that its header declares. An axis whose value is an element type becomes an `alias`, and one whose
//! value is a number a constant; an axis that is imported by name is replaced by the module it names. `#if AXIS_value`
//! tests for one value, `#if AXIS` for `on`; `!` turns a test round, and `||` joins tests of which one must hold.
//! `#for i in AXIS` repeats the lines up to its `#end` that many times, with `$i` counting from 0: matrices of matrix
//! units cannot be elements of an array.

use std::fmt::Write as _;

/// One value for each axis of a kernel, in the order of its header.
pub(crate) type Axes<'a> = [(&'a str, &'a str)];

/// What a device must have for a kernel to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requirements {
    /// 16-bit floats.
    pub f16: bool,
    /// Subgroup operations.
    pub subgroups: bool,
    /// Matrix units.
    pub matrix: bool,
}

/// A line for the preprocessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Directive<'a> {
    /// The tests, of which one must hold.
    If(&'a str),
    Else,
    EndIf,
    /// A module, or the axis that names it.
    Import(&'a str),
    /// The name of the counter, and a number or the axis that has it.
    For(&'a str, &'a str),
    End,
}

/// A kernel's text without directives, and the modules that are part of it, each once.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) text: String,
    pub(crate) imported: Vec<String>,
}

/// Reads a line, where it is one for the preprocessor.
pub(crate) fn directive(line: &str) -> Option<Result<Directive<'_>, &'static str>> {
    let line = line.trim().strip_prefix('#')?;
    let (name, argument) = line.split_once(' ').unwrap_or((line, ""));
    let argument = argument.trim();
    Some(Ok(match name {
        "if" => Directive::If(argument),
        "else" => Directive::Else,
        "endif" => Directive::EndIf,
        "import" => Directive::Import(argument),
        "for" => match argument.split_once(" in ") {
            Some((counter, count)) => Directive::For(counter.trim(), count.trim()),
            None => return Some(Err("#for needs `name in count`")),
        },
        "end" => Directive::End,
        _ => return Some(Err("unknown directive")),
    }))
}

/// The tests of an `#if`: whether each must hold, and its name.
pub(crate) fn tests(argument: &str) -> impl Iterator<Item = (bool, &str)> {
    argument.split("||").map(|test| match test.trim().strip_prefix('!') {
        Some(name) => (false, name.trim()),
        None => (true, test.trim()),
    })
}

/// The axis that a test names, by its position, and the value that the test is for.
pub(crate) fn named<'t, 'a>(test: &'t str, axes: impl Iterator<Item = &'a str>) -> Option<(usize, &'t str)> {
    let value = |axis| match test.strip_prefix(axis)? {
        "" => Some("on"),
        rest => rest.strip_prefix('_'),
    };
    axes.enumerate().find_map(|(position, axis)| Some((position, value(axis)?)))
}

/// What stands before a kernel's text: the extensions that it needs, its types and its numbers.
pub(crate) fn prelude(axes: &Axes<'_>, requires: Requirements) -> String {
    let mut out = String::new();
    if requires.f16 {
        out.push_str("enable f16;\n");
    }
    // Subgroups need no directive: naga takes them without one, and does not know theirs.
    if requires.matrix {
        out.push_str("enable wgpu_cooperative_matrix;\n");
    }
    for (axis, ty) in axes.iter().filter_map(|&(axis, value)| Some((axis, type_of(value)?))) {
        let _ = writeln!(out, "alias {axis} = {ty};");
    }
    for (axis, value) in axes.iter().filter(|(_, value)| value.parse::<u32>().is_ok()) {
        let _ = writeln!(out, "const {axis} = {value}u;");
    }
    out
}

/// The WGSL type of an axis value that is an element type. Bytes live four to a word.
pub(crate) fn type_of(value: &str) -> Option<&'static str> {
    Some(match value {
        "f32" => "f32",
        "f16" => "f16",
        "i32" => "i32",
        "byte" => "u32",
        _ => return None,
    })
}

/// Expands the directives of a kernel.
///
/// `module` gives the text of an imported module. An unknown directive, axis or module and an unbalanced block are errors
/// that name the line.
pub(crate) fn expand<'m>(
    source: &str,
    axes: &Axes<'_>,
    module: impl Fn(&str) -> Option<&'m str>,
) -> Result<Body, String> {
    let mut body = Body { text: String::with_capacity(source.len() * 2), imported: Vec::new() };
    append(source, axes, &module, &mut body)?;
    Ok(body)
}

fn append<'m>(
    source: &str,
    axes: &Axes<'_>,
    module: &impl Fn(&str) -> Option<&'m str>,
    out: &mut Body,
) -> Result<(), String> {
    // One entry per open `#if`: whether its current branch is taken.
    let mut branches: Vec<bool> = Vec::new();
    let mut lines = source.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let fail = |what: &str| Err(format!("line {}: {what}: {line}", number + 1));
        let taken = branches.iter().all(|&taken| taken);
        let value_of = |name| axes.iter().find(|&&(axis, _)| axis == name).map_or(name, |&(_, value)| value);
        let directive = match directive(line) {
            Some(Ok(directive)) => directive,
            Some(Err(what)) => return fail(what),
            None => {
                if taken && !line.trim_start().starts_with("//!") {
                    out.text.push_str(line);
                    out.text.push('\n');
                }
                continue;
            }
        };
        match directive {
            Directive::If(argument) => {
                let mut holds = false;
                for (wanted, test) in tests(argument) {
                    let Some((axis, value)) = named(test, axes.iter().map(|axis| axis.0)) else {
                        return fail("no such axis");
                    };
                    holds |= (axes[axis].1 == value) == wanted;
                }
                branches.push(holds);
            }
            Directive::Else => match branches.last_mut() {
                Some(taken) => *taken = !*taken,
                None => return fail("#else without #if"),
            },
            Directive::EndIf => {
                if branches.pop().is_none() {
                    return fail("#endif without #if");
                }
            }
            Directive::Import(name) => {
                let name = value_of(name);
                if !taken || out.imported.iter().any(|done| done == name) {
                    continue;
                }
                let Some(text) = module(name) else { return fail("no such module") };
                out.imported.push(name.to_owned());
                append(text, axes, module, out).map_err(|e| format!("in module {name}: {e}"))?;
            }
            Directive::For(counter, count) => {
                let Ok(count) = value_of(count).parse::<u32>() else { return fail("#for needs a number") };
                let Some(body) = body(&mut lines) else { return fail("#for without #end") };
                let repeats = if taken { count } else { 0 };
                for index in 0..repeats {
                    let body = body.replace(&format!("${counter}"), &index.to_string());
                    append(&body, axes, module, out)?;
                }
            }
            Directive::End => return fail("#end without #for"),
        }
    }
    if branches.is_empty() { Ok(()) } else { Err("#if without #endif".to_owned()) }
}

/// The lines up to the `#end` that belongs to a `#for` just read.
fn body<'s>(lines: &mut impl Iterator<Item = (usize, &'s str)>) -> Option<String> {
    let mut body = String::new();
    let mut depth = 0;
    for (_, line) in lines {
        match directive(line) {
            Some(Ok(Directive::For(..))) => depth += 1,
            Some(Ok(Directive::End)) if depth == 0 => return Some(body),
            Some(Ok(Directive::End)) => depth -= 1,
            _ => {}
        }
        body.push_str(line);
        body.push('\n');
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(source: &str, axes: &Axes<'_>) -> Result<String, String> {
        expand(source, axes, |name| (name == "sum" || name == "sum_fast").then_some("fn sum() {}\n"))
            .map(|body| body.text)
    }

    #[test]
    fn branches_follow_the_axes() {
        let source = "#if T_f16\nhalf\n#else\nfull\n#endif\n#if !WIDE\nnarrow\n#endif\n";
        assert_eq!(run(source, &[("T", "f32"), ("WIDE", "on")]).unwrap(), "full\n");
        assert_eq!(run(source, &[("T", "f16"), ("WIDE", "off")]).unwrap(), "half\nnarrow\n");
    }

    #[test]
    fn one_of_several_tests_is_enough() {
        let source = "#if T_f16 || WIDE\nyes\n#else\nno\n#endif\n";
        assert_eq!(run(source, &[("T", "f32"), ("WIDE", "on")]).unwrap(), "yes\n");
        assert_eq!(run(source, &[("T", "f32"), ("WIDE", "off")]).unwrap(), "no\n");
    }

    #[test]
    fn imports_come_once_and_follow_an_axis() {
        assert_eq!(run("#import sum\n#import sum\n", &[]).unwrap(), "fn sum() {}\n");
        let body = expand("#import SUM\n", &[("SUM", "sum_fast")], |name| (name == "sum_fast").then_some(""));
        assert_eq!(body.unwrap().imported, ["sum_fast"]);
    }

    #[test]
    fn lines_are_repeated_with_their_number() {
        let source = "#for i in ROWS\n#for j in 2\n$i$j\n#end\nrow $i\n#end\n";
        assert_eq!(run(source, &[("ROWS", "2")]).unwrap(), "00\n01\nrow 0\n10\n11\nrow 1\n");
    }

    #[test]
    fn extensions_types_and_numbers_come_first() {
        let axes = [("T", "f16"), ("Q", "byte"), ("ROWS", "2"), ("WIDE", "on")];
        let types = "alias T = f16;\nalias Q = u32;\nconst ROWS = 2u;\n";
        assert_eq!(prelude(&axes, Requirements::default()), types);
        let all = Requirements { f16: true, subgroups: true, matrix: true };
        assert_eq!(prelude(&axes, all), format!("enable f16;\nenable wgpu_cooperative_matrix;\n{types}"));
    }

    #[test]
    fn mistakes_are_errors() {
        for (source, what) in [
            ("#import nothing", "no such module"),
            ("#endif", "#endif without #if"),
            ("#else", "#else without #if"),
            ("#if T", "#if without #endif"),
            ("#if WIDE\n#endif", "no such axis"),
            ("#if T || !U_f16\n#endif", "no such axis"),
            ("#for i in many\n#end", "#for needs a number"),
            ("#for i", "#for needs `name in count`"),
            ("#for i in 2", "#for without #end"),
            ("#end", "#end without #for"),
            ("#define X", "unknown directive"),
        ] {
            let error = run(source, &[("T", "f32")]).unwrap_err();
            assert!(error.contains(what), "{source}: {error}");
        }
    }
}
