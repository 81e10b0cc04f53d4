//! The WGSL preprocessor: `#import`, `#if`, `#else`, `#endif`, `#for`, `#end`.
//!
//! `build.rs` and the running program share this file, so what was validated is what runs. A kernel is rendered for
//! one [`Variant`]: a value for each axis that its header declares. An axis whose value is a WGSL type becomes an
//! `alias`; an axis that is imported by name is replaced by the module it names; `#if AXIS_value` tests one,
//! `#if AXIS` tests for the value `on`, and `||` joins tests of which one must hold. An axis whose value is a number
//! becomes a constant. `#for i in AXIS` repeats the lines up to its `#end` that many times, with `$i` counting from 0:
//! matrices of matrix units cannot be elements of an array.

use std::fmt::Write as _;

/// One value for each axis of a kernel, in the order of its header.
pub(crate) type Axes<'a> = [(&'a str, &'a str)];

/// Renders a kernel to plain WGSL.
///
/// `module` gives the text of an imported module. An unknown directive, module or unbalanced block is an error that
/// names the line.
pub(crate) fn render<'m>(
    source: &str,
    axes: &Axes<'_>,
    module: impl Fn(&str) -> Option<&'m str>,
) -> Result<String, String> {
    let mut out = String::with_capacity(source.len() * 2);
    let types: Vec<_> = axes.iter().filter_map(|&(axis, value)| Some((axis, alias_of(value)?))).collect();
    let matrix = axes.iter().any(|&(_, value)| value == "matrix");
    if matrix || types.iter().any(|&(_, ty)| ty == "f16") {
        out.push_str("enable f16;\n");
    }
    if matrix {
        out.push_str("enable wgpu_cooperative_matrix;\n");
    }
    for (axis, ty) in types {
        let _ = writeln!(out, "alias {axis} = {ty};");
    }
    for (axis, value) in axes.iter().filter(|(_, value)| value.parse::<u32>().is_ok()) {
        let _ = writeln!(out, "const {axis} = {value}u;");
    }
    let mut imported = Vec::new();
    expand(source, axes, &module, &mut imported, &mut out)?;
    Ok(out)
}

/// The WGSL type that an axis value stands for. Bytes live four to a word.
fn alias_of(value: &str) -> Option<&'static str> {
    Some(match value {
        "f32" => "f32",
        "f16" => "f16",
        "i32" => "i32",
        "u32" | "byte" => "u32",
        _ => return None,
    })
}

fn expand<'m>(
    source: &str,
    axes: &Axes<'_>,
    module: &impl Fn(&str) -> Option<&'m str>,
    imported: &mut Vec<String>,
    out: &mut String,
) -> Result<(), String> {
    // One entry per open `#if`: whether its current branch is taken.
    let mut branches: Vec<bool> = Vec::new();
    let mut lines = source.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let fail = |what: &str| Err(format!("line {}: {what}: {line}", number + 1));
        let trimmed = line.trim_start();
        if trimmed.starts_with("//!") {
            continue;
        }
        let Some(directive) = trimmed.strip_prefix('#') else {
            if branches.iter().all(|&taken| taken) {
                out.push_str(line);
                out.push('\n');
            }
            continue;
        };
        let (name, argument) = directive.split_once(' ').unwrap_or((directive, ""));
        let argument = argument.trim();
        match name {
            "if" => branches.push(argument.split("||").any(|test| condition(test.trim(), axes))),
            "else" => match branches.last_mut() {
                Some(taken) => *taken = !*taken,
                None => return fail("#else without #if"),
            },
            "endif" => {
                if branches.pop().is_none() {
                    return fail("#endif without #if");
                }
            }
            "import" => {
                if !branches.iter().all(|&taken| taken) {
                    continue;
                }
                // An axis may choose the module.
                let name = axes.iter().find(|&&(axis, _)| axis == argument).map_or(argument, |&(_, value)| value);
                if imported.iter().any(|done| done == name) {
                    continue;
                }
                let Some(text) = module(name) else { return fail("no such module") };
                imported.push(name.to_owned());
                expand(text, axes, module, imported, out).map_err(|e| format!("in module {name}: {e}"))?;
            }
            "for" => {
                let Some((name, count)) = argument.split_once(" in ") else {
                    return fail("#for needs `name in count`");
                };
                let count = axes.iter().find(|&&(axis, _)| axis == count).map_or(count, |&(_, value)| value);
                let Ok(count) = count.parse::<u32>() else { return fail("#for needs a number") };
                let Some(body) = body(&mut lines) else { return fail("#for without #end") };
                if branches.iter().all(|&taken| taken) {
                    for index in 0..count {
                        let body = body.replace(&format!("${name}"), &index.to_string());
                        expand(&body, axes, module, imported, out)?;
                    }
                }
            }
            "end" => return fail("#end without #for"),
            _ => return fail("unknown directive"),
        }
    }
    if branches.is_empty() { Ok(()) } else { Err("#if without #endif".to_owned()) }
}

/// The lines up to the `#end` that belongs to a `#for` just read.
fn body<'s>(lines: &mut impl Iterator<Item = (usize, &'s str)>) -> Option<String> {
    let mut body = String::new();
    let mut depth = 0;
    for (_, line) in lines {
        match line.trim_start() {
            directive if directive.starts_with("#for ") => depth += 1,
            "#end" if depth == 0 => return Some(body),
            "#end" => depth -= 1,
            _ => {}
        }
        body.push_str(line);
        body.push('\n');
    }
    None
}

fn condition(argument: &str, axes: &Axes<'_>) -> bool {
    let (wanted, name) = match argument.strip_prefix('!') {
        Some(rest) => (false, rest.trim()),
        None => (true, argument),
    };
    let holds = axes.iter().any(|&(axis, value)| match name.strip_prefix(axis) {
        Some("") => value == "on",
        Some(rest) => rest.strip_prefix('_') == Some(value),
        None => false,
    });
    holds == wanted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(source: &str, axes: &Axes<'_>) -> Result<String, String> {
        render(source, axes, |name| (name == "sum" || name == "sum_fast").then_some("fn sum() {}\n"))
    }

    #[test]
    fn branches_follow_the_axes() {
        let source = "#if T_f16\nhalf\n#else\nfull\n#endif\n#if !WIDE\nnarrow\n#endif\n";
        assert_eq!(run(source, &[("T", "f32"), ("WIDE", "on")]).unwrap(), "alias T = f32;\nfull\n");
        assert_eq!(
            run(source, &[("T", "f16"), ("WIDE", "off")]).unwrap(),
            "enable f16;\nalias T = f16;\nhalf\nnarrow\n"
        );
    }

    #[test]
    fn one_of_several_tests_is_enough() {
        let source = "#if T_f16 || WIDE\nyes\n#else\nno\n#endif\n";
        assert_eq!(run(source, &[("T", "i8"), ("WIDE", "on")]).unwrap(), "yes\n");
        assert_eq!(run(source, &[("T", "i8"), ("WIDE", "off")]).unwrap(), "no\n");
    }

    #[test]
    fn imports_come_once_and_follow_an_axis() {
        assert_eq!(run("#import sum\n#import sum\n", &[]).unwrap(), "fn sum() {}\n");
        assert_eq!(run("#import SUM\n", &[("SUM", "sum_fast")]).unwrap(), "fn sum() {}\n");
    }

    #[test]
    fn lines_are_repeated_with_their_number() {
        let source = "#for i in ROWS\n#for j in 2\n$i$j\n#end\nrow $i\n#end\n";
        let text = run(source, &[("ROWS", "2")]).unwrap();
        assert_eq!(text, "const ROWS = 2u;\n00\n01\nrow 0\n10\n11\nrow 1\n");
    }

    #[test]
    fn mistakes_are_errors() {
        for (source, what) in [
            ("#import nothing", "no such module"),
            ("#endif", "#endif without #if"),
            ("#else", "#else without #if"),
            ("#if T", "#if without #endif"),
            ("#for i in many\n#end", "#for needs a number"),
            ("#for i in 2", "#for without #end"),
            ("#end", "#end without #for"),
            ("#define X", "unknown directive"),
        ] {
            let error = run(source, &[]).unwrap_err();
            assert!(error.contains(what), "{source}: {error}");
        }
    }
}
