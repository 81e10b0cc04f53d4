//! A kernel with all of its variants.

use crate::header::{Axis, Header, Source};
use crate::names::{self, Module};
use crate::preprocess::{self, Requirements};
use crate::reflect::{self, Interface, Problem};

#[derive(Debug)]
pub(crate) struct Kernel {
    pub(crate) source: Source,
    pub(crate) header: Header,
    pub(crate) variants: Vec<Variant>,
    pub(crate) interface: Interface,
}

#[derive(Debug)]
pub(crate) struct Variant {
    /// Its number among all combinations of axis values, of which the last axis changes fastest.
    pub(crate) number: usize,
    pub(crate) elements: Vec<&'static str>,
    pub(crate) requires: Requirements,
    pub(crate) workgroup_bytes: u32,
}

/// Renders, validates and reads every variant of a kernel. `is_possible` rules out more than the header does.
pub(crate) fn kernel(
    source: Source,
    mut header: Header,
    modules: &[Module],
    is_possible: impl Fn(&[(&str, &str)]) -> bool,
) -> Result<Kernel, String> {
    let left_out = names::check_kernel(&source, &header, modules)?;
    header.axes.extend(left_out.into_iter().map(Axis::left_out));
    let mut variants = Vec::new();
    let mut interface = None;
    for number in 0..header.axes.iter().map(|axis| axis.values.len()).product() {
        let axes = values(&header.axes, number);
        if !is_possible(&axes) || header.exceptions.iter().any(|exception| exception.holds(&axes)) {
            continue;
        }
        let fail = |what: String| source.error(1, format!("variant {axes:?}:\n{what}"));
        let Rendered { text, requires, declared } = render(&source, &header, &axes, modules).map_err(fail)?;
        let module = reflect::validate(&text, requires).map_err(|problem| match problem {
            Problem::Invalid(what) => fail(what),
            Problem::Undeclared(used) => fail(format!("it uses {}, which no `requires:` says", used.join(", "))),
            Problem::Idle(feature) => {
                let lines = declared.iter().filter(|declared| declared.0 == feature);
                let errors = lines.map(|(_, source, line)| source.error(*line, format!("{feature} is required")));
                fail(format!("{}, and not used", errors.collect::<Vec<_>>().join("; ")))
            }
        })?;
        let this = reflect::read(&module).map_err(fail)?;
        match &interface {
            None => interface = Some(this.interface),
            Some(first) if *first != this.interface => {
                return Err(fail("it has other bindings, params or overrides".to_owned()));
            }
            Some(_) => {}
        }
        variants.push(Variant { number, elements: this.elements, requires, workgroup_bytes: this.workgroup_bytes });
    }
    let interface = interface.ok_or_else(|| source.error(1, "the kernel has no variant"))?;
    Ok(Kernel { source, header, variants, interface })
}

/// The axis values of a combination.
fn values(axes: &[Axis], number: usize) -> Vec<(&str, &str)> {
    let mut rest = number;
    let mut values: Vec<_> = axes
        .iter()
        .rev()
        .map(|axis| {
            let value = &axis.values[rest % axis.values.len()];
            rest /= axis.values.len();
            (axis.name.as_str(), value.as_str())
        })
        .collect();
    values.reverse();
    values
}

/// A variant's text, and what it says that it requires.
struct Rendered<'a> {
    text: String,
    requires: Requirements,
    /// Each feature that is required, with the line that says so.
    declared: Vec<(&'a str, &'a Source, usize)>,
}

fn render<'a>(
    source: &'a Source,
    header: &'a Header,
    axes: &[(&str, &str)],
    modules: &'a [Module],
) -> Result<Rendered<'a>, String> {
    let body = preprocess::expand(&source.text, axes, |name| Some(names::module(modules, name)?.source.text.as_str()))?;
    let imported: Vec<_> = body.imported.iter().filter_map(|name| names::module(modules, name)).collect();
    for module in &imported {
        for axis in &module.header.axes {
            if let Some((name, value)) = axes.iter().find(|pair| pair.0 == axis.name && !axis.has(pair.1)) {
                return Err(module.source.error(axis.line, format!("the module does not know {name} = {value}")));
            }
        }
    }
    // An axis that is a 16-bit float needs no other word for it.
    let floats = header.axes.iter().filter(|axis| axes.contains(&(axis.name.as_str(), "f16")));
    let mut declared: Vec<_> = floats.map(|axis| ("f16", source, axis.line)).collect();
    let headers = imported.iter().map(|module| (&module.source, &module.header)).chain([(source, header)]);
    for (source, header) in headers {
        for requirement in header.requirements.iter().filter(|requirement| requirement.clause.holds(axes)) {
            let line = requirement.clause.line;
            declared.extend(requirement.features.iter().map(|feature| (feature.as_str(), source, line)));
        }
    }
    let requires = Requirements::of(declared.iter().map(|declared| declared.0));
    Ok(Rendered { text: preprocess::prelude(axes, requires) + &body.text, requires, declared })
}
