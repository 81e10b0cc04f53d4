//! A kernel with all of its variants.

use crate::header::{Axis, Header, Source};
use crate::names::{self, Module};
use crate::preprocess::{self, Requirements};
use crate::reflect::{self, Interface};

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
        let (text, requires) = render(&source, &header, &axes, modules).map_err(fail)?;
        let module = reflect::validate(&text, requires).map_err(fail)?;
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

/// The text of a variant, and what it says that it requires.
fn render(
    source: &Source,
    header: &Header,
    axes: &[(&str, &str)],
    modules: &[Module],
) -> Result<(String, Requirements), String> {
    let body = preprocess::expand(&source.text, axes, |name| Some(names::module(modules, name)?.source.text.as_str()))?;
    let imported: Vec<_> = body.imported.iter().filter_map(|name| names::module(modules, name)).collect();
    for module in &imported {
        for axis in &module.header.axes {
            if let Some((name, value)) = axes.iter().find(|pair| pair.0 == axis.name && !axis.has(pair.1)) {
                return Err(module.source.error(axis.line, format!("the module does not know {name} = {value}")));
            }
        }
    }
    // An axis that is a 16-bit float needs no word for it.
    let mut requires = Requirements { f16: axes.iter().any(|axis| axis.1 == "f16"), ..Requirements::default() };
    let headers = imported.iter().map(|module| &module.header).chain([header]);
    for requirement in headers.flat_map(|header| &header.requirements).filter(|one| one.clause.holds(axes)) {
        requires.f16 |= requirement.requires.f16;
        requires.subgroups |= requirement.requires.subgroups;
        requires.matrix |= requirement.requires.matrix;
    }
    Ok((preprocess::prelude(axes, requires) + &body.text, requires))
}
