//! Whether every name in directives and headers stands for something, and every axis is there for something.

use crate::header::{Axis, Clause, Header, Source, is_capitals};
use crate::preprocess::{self, Directive};

/// A file that kernels import.
#[derive(Debug)]
pub(crate) struct Module {
    pub(crate) source: Source,
    pub(crate) header: Header,
}

/// The module of a name.
pub(crate) fn module<'m>(modules: &'m [Module], name: &str) -> Option<&'m Module> {
    modules.iter().find(|module| module.source.name == name)
}

/// Checks modules by themselves, and that each has a name of its own.
pub(crate) fn check_modules(modules: &[Module]) -> Result<(), String> {
    for (at, module) in modules.iter().enumerate() {
        check_module(module)?;
        if let Some(other) = modules[..at].iter().find(|other| other.source.name == module.source.name) {
            return Err(module.source.error(1, format!("{} has this name too", other.source.path)));
        }
    }
    Ok(())
}

fn check_module(module: &Module) -> Result<(), String> {
    let Module { source, header } = module;
    check_directives(source, header)?;
    match header.axes.iter().find(|axis| !uses(source, &axis.name)) {
        Some(axis) => Err(source.error(axis.line, format!("axis {} is not used", axis.name))),
        None => Ok(()),
    }
}

/// Checks a kernel, and that it has what the modules which it may import ask for. Gives the names of optional axes that it
/// leaves out.
pub(crate) fn check_kernel(source: &Source, header: &Header, modules: &[Module]) -> Result<Vec<String>, String> {
    check_directives(source, header)?;
    for exception in &header.exceptions {
        check_clause(source, header, exception)?;
    }
    let imported = imported(source, header, modules)?;
    let mut left_out: Vec<String> = Vec::new();
    for module in &imported {
        for axis in module.header.axes.iter().filter(|axis| header.axis(&axis.name).is_none()) {
            if !axis.optional {
                let (name, asks) = (&axis.name, module.source.error(axis.line, "asks for it"));
                return Err(source.error(1, format!("the kernel has no axis {name}; {asks}")));
            }
            if !left_out.contains(&axis.name) {
                left_out.push(axis.name.clone());
            }
        }
    }
    let is_used = |axis: &&Axis| {
        let mut sources = imported.iter().map(|module| &module.source).chain([source]);
        sources.any(|source| uses(source, &axis.name))
    };
    match header.axes.iter().find(|axis| !is_used(axis)) {
        Some(axis) => Err(source.error(axis.line, format!("axis {} is not used", axis.name))),
        None => Ok(left_out),
    }
}

/// The modules that some variant of a kernel imports.
fn imported<'m>(source: &Source, header: &Header, modules: &'m [Module]) -> Result<Vec<&'m Module>, String> {
    let mut found: Vec<&Module> = Vec::new();
    let mut waiting = vec![source];
    while let Some(from) = waiting.pop() {
        for (line, directive) in directives(from)? {
            let Directive::Import(name) = directive else { continue };
            let names =
                header.axis(name).map_or_else(|| vec![name], |axis| axis.values.iter().map(String::as_str).collect());
            for name in names {
                let module =
                    module(modules, name).ok_or_else(|| from.error(line, format!("there is no module {name}")))?;
                if !found.iter().any(|known| std::ptr::eq(*known, module)) {
                    found.push(module);
                    waiting.push(&module.source);
                }
            }
        }
    }
    Ok(found)
}

/// Checks what a file's directives and requirements say about its own axes.
fn check_directives(source: &Source, header: &Header) -> Result<(), String> {
    for (line, directive) in directives(source)? {
        match directive {
            Directive::If(argument) => {
                for (_, test) in preprocess::tests(argument) {
                    let named = preprocess::named(test, header.axes.iter().map(|axis| axis.name.as_str()));
                    let (axis, value) = named.ok_or_else(|| source.error(line, format!("{test} is no axis")))?;
                    check_value(source, line, &header.axes[axis], value)?;
                }
            }
            Directive::For(_, count) if count.parse::<u32>().is_err() => match header.axis(count) {
                Some(axis) if axis.is_number() => {}
                Some(_) => return Err(source.error(line, format!("axis {count} has values that are no numbers"))),
                None => return Err(source.error(line, format!("{count} is neither a number nor an axis"))),
            },
            Directive::Import(name) if is_capitals(name) && header.axis(name).is_none() => {
                return Err(source.error(line, format!("{name} is no axis")));
            }
            _ => {}
        }
    }
    header.requirements.iter().try_for_each(|requirement| check_clause(source, header, &requirement.clause))
}

fn check_clause(source: &Source, header: &Header, clause: &Clause) -> Result<(), String> {
    for (axis, value) in &clause.values {
        let known = header.axis(axis).ok_or_else(|| source.error(clause.line, format!("{axis} is no axis")))?;
        check_value(source, clause.line, known, value)?;
    }
    Ok(())
}

fn check_value(source: &Source, line: usize, axis: &Axis, value: &str) -> Result<(), String> {
    if axis.has(value) {
        return Ok(());
    }
    Err(source.error(line, format!("axis {} is {}, and never {value}", axis.name, axis.values.join(" or "))))
}

/// The lines for the preprocessor, with their numbers.
fn directives(source: &Source) -> Result<Vec<(usize, Directive<'_>)>, String> {
    let lines = (1..).zip(source.text.lines());
    let read = |(line, text)| match preprocess::directive(text)? {
        Ok(directive) => Some(Ok((line, directive))),
        Err(what) => Some(Err(source.error(line, what))),
    };
    lines.filter_map(read).collect()
}

/// Whether a file's text names an axis, in a directive or as a type or constant.
fn uses(source: &Source, axis: &str) -> bool {
    source.text.lines().any(|line| match preprocess::directive(line) {
        Some(Ok(Directive::If(argument))) => {
            preprocess::tests(argument).any(|(_, test)| preprocess::named(test, [axis].into_iter()).is_some())
        }
        Some(Ok(Directive::Import(name) | Directive::For(_, name))) => name == axis,
        Some(_) => false,
        None => {
            let code = line.split_once("//").map_or(line, |(code, _)| code);
            code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == axis)
        }
    })
}
