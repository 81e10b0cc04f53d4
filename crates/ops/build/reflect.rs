//! What a WGSL kernel says about itself, read with naga.

use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{AddressSpace, ArraySize, Expression, Handle, Literal, Module, ScalarKind, StorageAccess, Type, TypeInner};

use crate::preprocess;

/// A kernel with all of its variants.
pub(crate) struct Kernel {
    pub(crate) name: String,
    pub(crate) source: String,
    pub(crate) doc: Vec<String>,
    pub(crate) axes: Vec<String>,
    pub(crate) trusted: bool,
    pub(crate) variants: Vec<Variant>,
    pub(crate) interface: Interface,
}

pub(crate) struct Variant {
    pub(crate) values: Vec<String>,
    pub(crate) elements: Vec<&'static str>,
    pub(crate) f16: bool,
    pub(crate) subgroups: bool,
    pub(crate) matrix: bool,
    pub(crate) workgroup_bytes: u32,
}

/// What all variants of a kernel have in common.
#[derive(PartialEq, Debug)]
pub(crate) struct Interface {
    pub(crate) storage: Vec<Storage>,
    pub(crate) params: Option<Uniform>,
    pub(crate) call: Option<Uniform>,
    pub(crate) status: Option<u32>,
    /// Name of the override, if any, and size.
    pub(crate) workgroup: Vec<(Option<String>, u32)>,
    /// Structs other than `Params` and `Call` that they hold.
    pub(crate) structs: Vec<Struct>,
}

#[derive(PartialEq, Debug)]
pub(crate) struct Storage {
    pub(crate) name: String,
    pub(crate) binding: u32,
    pub(crate) writes: bool,
}

#[derive(PartialEq, Debug)]
pub(crate) struct Uniform {
    pub(crate) binding: u32,
    pub(crate) layout: Struct,
}

#[derive(PartialEq, Debug, Clone)]
pub(crate) struct Struct {
    pub(crate) name: String,
    pub(crate) size: u32,
    pub(crate) fields: Vec<Field>,
}

#[derive(PartialEq, Debug, Clone)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) offset: u32,
    pub(crate) ty: FieldType,
}

#[derive(PartialEq, Debug, Clone)]
pub(crate) enum FieldType {
    Scalar(&'static str),
    Vector(&'static str, u32),
    /// Element, count and byte distance.
    Array(Box<FieldType>, u32, u32),
    Struct(String),
}

/// Renders, validates and reads every variant of a kernel.
pub(crate) fn kernel(name: &str, source: &str, modules: &[(String, String)]) -> Result<Kernel, String> {
    let (doc, axes, exceptions) = header(source)?;
    let mut variants = Vec::new();
    let mut interface = None;
    for values in combinations(&axes) {
        let pairs: Vec<_> = axes.iter().map(|axis| axis.0.as_str()).zip(values.iter().map(String::as_str)).collect();
        let excepted =
            |exception: &Pairs| exception.iter().all(|(axis, value)| pairs.contains(&(axis.as_str(), value.as_str())));
        if !crate::is_possible(&pairs) || exceptions.iter().any(excepted) {
            continue;
        }
        let text =
            preprocess::render(source, &pairs, |name| modules.iter().find(|m| m.0 == name).map(|m| m.1.as_str()))?;
        let (module, [f16, subgroups, matrix]) = validate(&text).map_err(|e| format!("variant {pairs:?}:\n{e}"))?;
        let (this, elements, workgroup_bytes) = read(&module).map_err(|e| format!("variant {pairs:?}: {e}"))?;
        match &interface {
            None => interface = Some(this),
            Some(first) if *first != this => return Err(format!("variant {pairs:?} has other bindings or params")),
            Some(_) => {}
        }
        variants.push(Variant { values, elements, f16, subgroups, matrix, workgroup_bytes });
    }
    let interface = interface.ok_or("the kernel has no variant")?;
    let axes = axes.into_iter().map(|axis| axis.0).collect();
    let trusted = doc.iter().any(|line| line.starts_with("trusted:"));
    Ok(Kernel { name: name.to_owned(), source: source.to_owned(), doc, axes, trusted, variants, interface })
}

type Axes = Vec<(String, Vec<String>)>;
/// Axes with a value for each.
type Pairs = Vec<(String, String)>;

/// The `//!` lines, the axes that they declare, and combinations of values that do not occur.
fn header(source: &str) -> Result<(Vec<String>, Axes, Vec<Pairs>), String> {
    let mut doc = Vec::new();
    let mut axes = Vec::new();
    let mut exceptions = Vec::new();
    for line in source.lines().map_while(|line| line.strip_prefix("//!")) {
        let line = line.trim();
        if let Some(exception) = line.strip_prefix("except:") {
            let pair = |pair: &str| {
                let (axis, value) = pair.split_once('=').ok_or_else(|| format!("no value in: {line}"))?;
                Ok((axis.trim().to_owned(), value.trim().to_owned()))
            };
            exceptions.push(exception.split(',').map(pair).collect::<Result<Pairs, String>>()?);
            continue;
        }
        let Some(axis) = line.strip_prefix("variants:") else {
            doc.push(line.to_owned());
            continue;
        };
        let (name, values) = axis.split_once('=').ok_or_else(|| format!("no values in: {line}"))?;
        let values = match values.trim() {
            "rows of pointwise" => {
                crate::rows::BINARY.iter().chain(crate::rows::UNARY).map(|row| row.variant.to_owned()).collect()
            }
            values => values.split('|').map(|value| value.trim().to_owned()).collect(),
        };
        axes.push((name.trim().to_owned(), values));
    }
    if doc.is_empty() {
        return Err("a kernel opens with `//!`: the formula, and what an invocation owns".to_owned());
    }
    Ok((doc, axes, exceptions))
}

fn combinations(axes: &Axes) -> Vec<Vec<String>> {
    axes.iter().fold(vec![Vec::new()], |rows, (_, values)| {
        let extend = |row: Vec<String>| {
            values.iter().map(move |value| row.iter().cloned().chain([value.clone()]).collect()).collect::<Vec<_>>()
        };
        rows.into_iter().flat_map(extend).collect()
    })
}

/// The module, and whether it needs 16-bit floats, subgroups and matrix units.
fn validate(text: &str) -> Result<(Module, [bool; 3]), String> {
    let module = naga::front::wgsl::parse_str(text).map_err(|e| e.emit_to_string(text))?;
    let valid = |capabilities| {
        let result = Validator::new(ValidationFlags::all(), capabilities).validate(&module);
        result.map(|_| ()).map_err(|e| e.emit_to_string(text))
    };
    valid(Capabilities::all())?;
    let f16 = valid(Capabilities::all() - Capabilities::SHADER_FLOAT16).is_err();
    let subgroups = valid(Capabilities::all() - Capabilities::SUBGROUP).is_err();
    let matrix = valid(Capabilities::all() - Capabilities::COOPERATIVE_MATRIX).is_err();
    Ok((module, [f16, subgroups, matrix]))
}

/// The interface, the element type of each storage binding, and the bytes of workgroup memory.
fn read(module: &Module) -> Result<(Interface, Vec<&'static str>, u32), String> {
    let mut storage = Vec::new();
    let (mut params, mut call, mut status) = (None, None, None);
    let mut structs = Vec::new();
    let mut workgroup_bytes = 0;
    for (_, variable) in module.global_variables.iter() {
        let name = variable.name.clone().unwrap_or_default();
        if variable.space == AddressSpace::WorkGroup {
            workgroup_bytes += workgroup_size(module, variable.ty)?;
        }
        let Some(binding) = &variable.binding else { continue };
        match variable.space {
            AddressSpace::Storage { .. } if name == "status" => status = Some(binding.binding),
            AddressSpace::Storage { access } => {
                let writes = access.contains(StorageAccess::STORE);
                storage.push((Storage { name, binding: binding.binding, writes }, element(module, variable.ty)?));
            }
            AddressSpace::Uniform => {
                let layout = structure(module, variable.ty, &mut structs)?;
                let slot = match (name.as_str(), layout.name.as_str()) {
                    ("params", "Params") => &mut params,
                    ("call", "Call") => &mut call,
                    _ => return Err(format!("uniform {name}: expected `params: Params` or `call: Call`")),
                };
                *slot = Some(Uniform { binding: binding.binding, layout });
            }
            _ => return Err(format!("binding {name} is neither storage nor uniform")),
        }
    }
    storage.sort_by_key(|entry| entry.0.binding);
    let (storage, elements) = storage.into_iter().unzip();
    let interface = Interface { storage, params, call, status, workgroup: workgroup(module)?, structs };
    Ok((interface, elements, workgroup_bytes))
}

fn workgroup(module: &Module) -> Result<Vec<(Option<String>, u32)>, String> {
    let [entry] = &module.entry_points[..] else { return Err("a kernel has one entry point".to_owned()) };
    if entry.name != "main" {
        return Err(format!("the entry point is {}, not main", entry.name));
    }
    (0..3)
        .map(|i| match entry.workgroup_size_overrides.and_then(|sizes| sizes[i]) {
            None => Ok((None, entry.workgroup_size[i])),
            Some(expression) => override_default(module, expression),
        })
        .collect()
}

fn override_default(module: &Module, expression: Handle<Expression>) -> Result<(Option<String>, u32), String> {
    let Expression::Override(handle) = module.global_expressions[expression] else {
        return Err("a workgroup size is a number or one override".to_owned());
    };
    let declared = &module.overrides[handle];
    let name = declared.name.clone().unwrap_or_default();
    let default = declared.init.map(|init| &module.global_expressions[init]);
    match default {
        Some(Expression::Literal(Literal::U32(value))) => Ok((Some(name), *value)),
        _ => Err(format!("override {name} needs a default of type u32")),
    }
}

fn workgroup_size(module: &Module, ty: Handle<Type>) -> Result<u32, String> {
    match module.types[ty].inner {
        TypeInner::Array { size: ArraySize::Pending(handle), stride, .. } => {
            let init = module.overrides[handle].init.map(|init| &module.global_expressions[init]);
            let Some(Expression::Literal(Literal::U32(count))) = init else {
                return Err("a workgroup array is sized by a number or one override".to_owned());
            };
            Ok(count * stride)
        }
        ref inner => Ok(inner.size(module.to_ctx())),
    }
}

/// The scalar type that a storage array is made of.
fn element(module: &Module, ty: Handle<Type>) -> Result<&'static str, String> {
    match module.types[ty].inner {
        TypeInner::Array { base, .. } => element(module, base),
        TypeInner::Scalar(scalar) | TypeInner::Vector { scalar, .. } | TypeInner::Atomic(scalar) => {
            match (scalar.kind, scalar.width) {
                (ScalarKind::Float, 4) => Ok("F32"),
                (ScalarKind::Float, 2) => Ok("F16"),
                (ScalarKind::Sint, 4) => Ok("I32"),
                (ScalarKind::Uint, 4) => Ok("U32"),
                _ => Err(format!("element type {scalar:?}")),
            }
        }
        ref other => Err(format!("a storage binding of {other:?}")),
    }
}

fn structure(module: &Module, ty: Handle<Type>, structs: &mut Vec<Struct>) -> Result<Struct, String> {
    let TypeInner::Struct { members, span } = &module.types[ty].inner else {
        return Err("a uniform is a struct".to_owned());
    };
    let mut fields = Vec::new();
    for member in members {
        let ty = field(module, member.ty, structs)?;
        fields.push(Field { name: member.name.clone().unwrap_or_default(), offset: member.offset, ty });
    }
    Ok(Struct { name: module.types[ty].name.clone().unwrap_or_default(), size: *span, fields })
}

fn field(module: &Module, ty: Handle<Type>, structs: &mut Vec<Struct>) -> Result<FieldType, String> {
    let scalar = |kind| match kind {
        ScalarKind::Float => Ok("f32"),
        ScalarKind::Sint => Ok("i32"),
        ScalarKind::Uint => Ok("u32"),
        other => Err(format!("a uniform field of kind {other:?}")),
    };
    match module.types[ty].inner {
        TypeInner::Scalar(s) => Ok(FieldType::Scalar(scalar(s.kind)?)),
        TypeInner::Vector { size, scalar: s } => Ok(FieldType::Vector(scalar(s.kind)?, size as u32)),
        TypeInner::Array { base, size: ArraySize::Constant(count), stride } => {
            Ok(FieldType::Array(Box::new(field(module, base, structs)?), count.get(), stride))
        }
        TypeInner::Struct { .. } => {
            let nested = structure(module, ty, structs)?;
            let name = nested.name.clone();
            if !structs.contains(&nested) {
                structs.push(nested);
            }
            Ok(FieldType::Struct(name))
        }
        ref other => Err(format!("a uniform field of {other:?}")),
    }
}
