//! Writes the Rust of `kernels.rs`.

use std::fmt::Write as _;

use crate::choices;
use crate::names::Module;
use crate::reflect::{FieldType, Struct, Uniform, WorkgroupSize};
use crate::variants::Kernel;

/// The whole generated file.
pub(crate) fn kernels(kernels: &[Kernel], modules: &[Module]) -> Result<String, String> {
    let mut out = String::new();
    shared_modules(&mut out, modules);
    types(&mut out, kernels)?;
    let mut axes = choices::Known::new();
    for kernel in kernels {
        kernel_module(&mut out, kernel, &mut axes)?;
    }
    let most = kernels.iter().map(|kernel| kernel.interface.overrides.len()).max().unwrap_or(0);
    put!(out, "/// The most `override` constants of a kernel.");
    put!(out, "pub(crate) const MOST_OVERRIDES: usize = {most};");
    let most = kernels.iter().map(|kernel| kernel.interface.storage.len()).max().unwrap_or(0);
    put!(out, "/// The most storage bindings of a kernel.");
    put!(out, "pub(crate) const MOST_STORAGE: usize = {most};");
    put!(out, "/// Every kernel.");
    put!(out, "pub static ALL: &[&crate::kernel::Kernel] = &[");
    for kernel in kernels {
        put!(out, "    &{}::KERNEL,", kernel.source.name);
    }
    put!(out, "];");
    Ok(out)
}

fn shared_modules(out: &mut String, modules: &[Module]) {
    put!(out, "/// Shared WGSL modules: name and text.");
    put!(out, "pub(crate) static MODULES: &[(&str, &str)] = &[");
    for module in modules {
        // Browsers have no matrix units, and pages do not download what is for kernels on these.
        if module.header.requirements.iter().any(|required| required.features.iter().any(|one| one == "matrix")) {
            put!(out, "    #[cfg(not(target_arch = \"wasm32\"))]");
        }
        put!(out, "    ({:?}, {:?}),", module.source.name, without_comments(&module.source.text));
    }
    put!(out, "];");
}

/// What is left of a file without what only its readers need: every page that uses pteron downloads it.
fn without_comments(text: &str) -> String {
    let code = |line: &'_ str| line.split_once("//").map_or(line, |(code, _)| code).trim().to_owned();
    text.lines().map(code).filter(|line| !line.is_empty()).flat_map(|line| [line, "\n".to_owned()]).collect()
}

/// Structs that several kernels share, once each.
fn types(out: &mut String, kernels: &[Kernel]) -> Result<(), String> {
    let mut seen: Vec<&Struct> = Vec::new();
    for kernel in kernels {
        for structure in &kernel.interface.structs {
            match seen.iter().find(|other| other.name == structure.name) {
                Some(&other) if other == structure => {}
                Some(_) => return Err(format!("two kernels differ in struct {}", structure.name)),
                None => seen.push(structure),
            }
        }
    }
    put!(out, "/// Structs that several kernels share.");
    put!(out, "pub mod types {{");
    for structure in seen {
        uniform_struct(out, structure, "");
    }
    put!(out, "}}");
    Ok(())
}

fn kernel_module<'k>(out: &mut String, kernel: &'k Kernel, axes: &mut choices::Known<'k>) -> Result<(), String> {
    let interface = &kernel.interface;
    for line in &kernel.header.doc {
        put!(out, "/// {}", line.replace('[', "\\[").replace(']', "\\]"));
    }
    put!(out, "pub mod {} {{", kernel.source.name);
    put!(out, "    #[allow(unused_imports, reason = \"not every kernel has all of them\")]");
    put!(out, "    use crate::kernel::{{");
    put!(out, "        Axis, Element, ElementKind, Kernel, OverrideInfo, OverrideValues, Requirements, StorageInfo,");
    put!(out, "        UniformInfo, VariantInfo, WorkgroupSize,");
    put!(out, "    }};");
    kernel_static(out, kernel);
    choices::variant(out, kernel, axes)?;
    choices::overrides(out, &interface.overrides);
    if let Some(params) = &interface.params {
        uniform_struct(out, &params.layout, "super::types::");
    }
    if let Some(call) = &interface.call {
        call_struct(out, &call.layout);
    }
    bind_struct(out, kernel);
    put!(out, "}}");
    Ok(())
}

fn kernel_static(out: &mut String, kernel: &Kernel) {
    let interface = &kernel.interface;
    put!(out, "    /// The kernel.");
    put!(out, "    pub static KERNEL: Kernel = Kernel {{");
    put!(out, "        name: {:?},", kernel.source.name);
    put!(out, "        source: {:?},", without_comments(&kernel.source.text));
    put!(out, "        axes: &[");
    for axis in &kernel.header.axes {
        put!(out, "            Axis {{ name: {:?}, values: &{:?} }},", axis.name, axis.values);
    }
    put!(out, "        ],");
    put!(out, "        variants: &[");
    for variant in &kernel.variants {
        let elements: Vec<_> = variant.elements.iter().map(|element| format!("ElementKind::{element}")).collect();
        let (number, elements, requires) = (variant.number, elements.join(", "), variant.requires);
        let bytes = variant.workgroup_bytes;
        put!(
            out,
            "            VariantInfo {{ number: {number}, elements: &[{elements}], requires: {requires:?}, workgroup_bytes: {bytes} }},"
        );
    }
    put!(out, "        ],");
    put!(out, "        overrides: &[");
    for constant in &interface.overrides {
        let (name, default) = (&constant.name, constant.default.word());
        put!(out, "            OverrideInfo {{ name: {name:?}, default: {default} }},");
    }
    put!(out, "        ],");
    put!(out, "        storage: &[");
    for binding in &interface.storage {
        let (name, number, writes) = (&binding.name, binding.binding, binding.writes);
        put!(out, "            StorageInfo {{ name: {name:?}, binding: {number}, writes: {writes} }},");
    }
    put!(out, "        ],");
    put!(out, "        params: {},", uniform_info(&interface.params));
    put!(out, "        call: {},", uniform_info(&interface.call));
    put!(out, "        status: {:?},", interface.status);
    put!(out, "        trusted: {},", kernel.header.trusted);
    let sizes = interface.workgroup.iter().map(|size| match size {
        WorkgroupSize::Override(index) => format!("WorkgroupSize::Override({index})"),
        WorkgroupSize::Fixed(size) => format!("WorkgroupSize::Fixed({size})"),
    });
    put!(out, "        workgroup: [{}],", sizes.collect::<Vec<_>>().join(", "));
    put!(out, "    }};");
}

fn uniform_info(uniform: &Option<Uniform>) -> String {
    match uniform {
        None => "None".to_owned(),
        Some(uniform) => {
            format!("Some(UniformInfo {{ binding: {}, size: {} }})", uniform.binding, uniform.layout.size)
        }
    }
}

fn rust_type(ty: &FieldType, types: &str) -> String {
    match ty {
        FieldType::Scalar(scalar) => (*scalar).to_owned(),
        FieldType::Vector(scalar, size) => format!("[{scalar}; {size}]"),
        FieldType::Array(element, count, _) => format!("[{}; {count}]", rust_type(element, types)),
        FieldType::Struct(name) => format!("{types}{name}"),
    }
}

/// A struct whose fields become words at the offsets that WGSL gives them.
fn uniform_struct(out: &mut String, structure: &Struct, types: &str) {
    put!(out, "    /// `{}` of the shader.", structure.name);
    put!(out, "    #[derive(Clone, Copy, Debug)]");
    put!(out, "    pub struct {} {{", structure.name);
    for field in &structure.fields {
        put!(out, "        /// `{}` of the shader.", field.name);
        put!(out, "        pub {}: {},", field.name, rust_type(&field.ty, types));
    }
    put!(out, "    }}");
    put!(out, "    impl {} {{", structure.name);
    put!(out, "        /// The fields where the shader reads them, in words as memory has them.");
    put!(out, "        pub fn words(&self) -> [u32; {}] {{", structure.size / 4);
    put!(out, "            let mut out = [0; {}];", structure.size / 4);
    for field in &structure.fields {
        put_words(out, &format!("self.{}", field.name), &field.ty, field.offset / 4);
    }
    put!(out, "            out");
    put!(out, "        }}");
    put!(out, "    }}");
}

/// Puts a field at a word. All indices are known here, so that nothing has to check them.
fn put_words(out: &mut String, value: &str, ty: &FieldType, at: u32) {
    match ty {
        FieldType::Scalar(_) => {
            put!(out, "            out[{at}] = u32::from_ne_bytes({value}.to_le_bytes());");
        }
        FieldType::Vector(scalar, size) => {
            let array = FieldType::Array(Box::new(FieldType::Scalar(scalar)), *size, 4);
            put_words(out, value, &array, at);
        }
        FieldType::Array(element, count, stride) => {
            for i in 0..*count {
                put_words(out, &format!("{value}[{i}]"), element, at + i * (stride / 4));
            }
        }
        FieldType::Struct(_) => {
            put!(out, "            let inner = {value}.words();");
            put!(out, "            out[{at}..][..inner.len()].copy_from_slice(&inner);");
        }
    }
}

/// The per-call values: each field is a scalar that is evaluated at the call.
fn call_struct(out: &mut String, structure: &Struct) {
    put!(out, "    /// `Call` of the shader: values that are evaluated for each call.");
    put!(out, "    #[derive(Clone, Copy, Debug)]");
    put!(out, "    pub struct Call {{");
    for field in &structure.fields {
        put!(out, "        /// `{}` of the shader.", field.name);
        put!(out, "        pub {}: crate::sym::Scalar,", field.name);
    }
    put!(out, "    }}");
}

fn bind_struct(out: &mut String, kernel: &Kernel) {
    let interface = &kernel.interface;
    put!(out, "    /// The bindings, named as in the shader.");
    put!(out, "    #[derive(Clone, Copy, Debug)]");
    put!(out, "    pub struct Bind {{");
    for binding in &interface.storage {
        put!(out, "        /// `{}` of the shader.", binding.name);
        put!(out, "        pub {}: crate::plan::Tensor,", binding.name);
    }
    if interface.params.is_some() {
        put!(out, "        /// Values that stay for the life of the plan.");
        put!(out, "        pub params: Params,");
    }
    if interface.call.is_some() {
        put!(out, "        /// Values that are evaluated for each call.");
        put!(out, "        pub call: Call,");
    }
    put!(out, "    }}");
    put!(out, "    impl crate::plan::Bindings for Bind {{");
    put!(out, "        const KERNEL: &'static Kernel = &KERNEL;");
    put!(out, "        type Variant = Variant;");
    put!(out, "        type Overrides = Overrides;");
    put!(out, "        fn into_parts(self) -> crate::plan::BoundParts {{");
    let names: Vec<_> = interface.storage.iter().map(|binding| format!("self.{}", binding.name)).collect();
    match interface.params {
        Some(_) => {
            put!(out, "            let params = bytemuck::cast_slice(&self.params.words()).to_vec();");
        }
        None => {
            put!(out, "            let params = Vec::new();");
        }
    }
    let call: Vec<_> = interface
        .call
        .iter()
        .flat_map(|call| &call.layout.fields)
        .map(|field| format!("({}, self.call.{})", field.offset, field.name))
        .collect();
    put!(out, "            (vec![{}], params, vec![{}])", names.join(", "), call.join(", "));
    put!(out, "        }}");
    put!(out, "    }}");
}
