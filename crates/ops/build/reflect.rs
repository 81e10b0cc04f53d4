//! What one variant of a WGSL kernel says about itself, read with naga.

use naga::valid::{Capabilities, ValidationFlags, Validator};
use naga::{AddressSpace, ArraySize, Expression, Handle, Literal, Module, ScalarKind, StorageAccess, Type, TypeInner};

use crate::header::FEATURES;
use crate::preprocess::Requirements;

/// What all variants of a kernel have in common.
#[derive(PartialEq, Debug)]
pub(crate) struct Interface {
    pub(crate) storage: Vec<Storage>,
    pub(crate) params: Option<Uniform>,
    pub(crate) call: Option<Uniform>,
    pub(crate) status: Option<u32>,
    pub(crate) workgroup: Vec<WorkgroupSize>,
    pub(crate) overrides: Vec<Override>,
    /// Structs other than `Params` and `Call` that they hold.
    pub(crate) structs: Vec<Struct>,
}

#[derive(PartialEq, Debug)]
pub(crate) struct Storage {
    pub(crate) name: String,
    pub(crate) binding: u32,
    pub(crate) writes: bool,
}

/// The size of a workgroup in one direction.
#[derive(PartialEq, Debug)]
pub(crate) enum WorkgroupSize {
    Fixed(u32),
    /// Which of the overrides.
    Override(usize),
}

/// A constant that an operator can set.
#[derive(PartialEq, Debug)]
pub(crate) struct Override {
    pub(crate) name: String,
    pub(crate) default: Constant,
}

#[derive(PartialEq, Debug)]
pub(crate) enum Constant {
    U32(u32),
    Bool(bool),
}

impl Constant {
    /// As one word.
    pub(crate) fn word(&self) -> u32 {
        match *self {
            Constant::U32(value) => value,
            Constant::Bool(value) => u32::from(value),
        }
    }
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

/// What one variant says about itself.
pub(crate) struct Reflection {
    pub(crate) interface: Interface,
    /// The element type of each storage binding.
    pub(crate) elements: Vec<&'static str>,
    /// Bytes of workgroup memory at the default overrides.
    pub(crate) workgroup_bytes: u32,
}

/// What is wrong with a variant as it was rendered.
pub(crate) enum Problem {
    Invalid(String),
    /// It uses these, and requires none of them.
    Undeclared(Vec<&'static str>),
    /// It requires this, and does not use it.
    Idle(&'static str),
}

/// Validates a variant, and that it uses all of what it requires and nothing else.
pub(crate) fn validate(text: &str, requires: Requirements) -> Result<Module, Problem> {
    let module = naga::front::wgsl::parse_str(text).map_err(|e| Problem::Invalid(e.emit_to_string(text)))?;
    let valid = |capabilities| {
        let result = Validator::new(ValidationFlags::all(), capabilities).validate(&module);
        result.map(drop).map_err(|e| Problem::Invalid(e.emit_to_string(text)))
    };
    let capability = |feature: &str| match feature {
        "f16" => Capabilities::SHADER_FLOAT16,
        "subgroups" => Capabilities::SUBGROUP,
        // Subgroups with matrices wait for their own lanes alone.
        _ => Capabilities::COOPERATIVE_MATRIX | Capabilities::SUBGROUP_BARRIER,
    };
    let is_used = |feature: &&str| valid(Capabilities::all() - capability(feature)).is_err();
    let (required, others): (Vec<&str>, Vec<&str>) = FEATURES.iter().partition(|feature| requires.has(feature));
    if valid(others.iter().fold(Capabilities::all(), |rest, feature| rest - capability(feature))).is_err() {
        valid(Capabilities::all())?;
        return Err(Problem::Undeclared(others.into_iter().filter(is_used).collect()));
    }
    match required.into_iter().find(|feature| !is_used(feature)) {
        Some(feature) => Err(Problem::Idle(feature)),
        None => Ok(module),
    }
}

/// Reads a variant.
pub(crate) fn read(module: &Module) -> Result<Reflection, String> {
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
    let overrides = overrides(module)?;
    let workgroup = workgroup(module, &overrides)?;
    let interface = Interface { storage, params, call, status, workgroup, overrides, structs };
    Ok(Reflection { interface, elements, workgroup_bytes })
}

/// The constants that an operator can set. Those that follow from others are none.
fn overrides(module: &Module) -> Result<Vec<Override>, String> {
    let mut overrides = Vec::new();
    for (_, declared) in module.overrides.iter() {
        let name = declared.name.clone().unwrap_or_default();
        let init = declared.init.ok_or_else(|| format!("override {name} needs a default"))?;
        let Expression::Literal(default) = module.global_expressions[init] else { continue };
        let default = match default {
            Literal::U32(value) => Constant::U32(value),
            Literal::Bool(value) => Constant::Bool(value),
            other => return Err(format!("override {name} is neither u32 nor bool: {other:?}")),
        };
        overrides.push(Override { name, default });
    }
    overrides.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(overrides)
}

fn workgroup(module: &Module, overrides: &[Override]) -> Result<Vec<WorkgroupSize>, String> {
    let [entry] = &module.entry_points[..] else { return Err("a kernel has one entry point".to_owned()) };
    if entry.name != "main" {
        return Err(format!("the entry point is {}, not main", entry.name));
    }
    let by_override = |expression| {
        let Expression::Override(handle) = module.global_expressions[expression] else { return None };
        let name = module.overrides[handle].name.as_ref()?;
        overrides.iter().position(|known| known.name == *name && matches!(known.default, Constant::U32(_)))
    };
    (0..3)
        .map(|i| match entry.workgroup_size_overrides.and_then(|sizes| sizes[i]) {
            None => Ok(WorkgroupSize::Fixed(entry.workgroup_size[i])),
            Some(expression) => {
                let found = by_override(expression).map(WorkgroupSize::Override);
                found.ok_or_else(|| "a workgroup size is a number or one override of type u32".to_owned())
            }
        })
        .collect()
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
