//! Writes the Rust of what an operator chooses of a kernel: `Variant`, its axes and `Overrides`.

use std::fmt::Write as _;

use crate::header::Axis;
use crate::reflect::{Constant, Override};
use crate::variants::Kernel;

/// Names that a kernel's module has anyway, so that no axis can.
const TAKEN: &[&str] = &["Bind", "Call", "Overrides", "Params", "Variant"];

/// The enums written so far: the kernel that has each, and its axis.
pub(crate) type Known<'k> = Vec<(&'k str, &'k Axis)>;

/// Writes the axes of a kernel and the struct with a field for each. An axis that an earlier kernel declares alike is the
/// same type; one of element types is the kernel's own, so that its error names the kernel.
pub(crate) fn variant<'k>(out: &mut String, kernel: &'k Kernel, known: &mut Known<'k>) -> Result<(), String> {
    let choices: Vec<_> = kernel.header.axes.iter().filter(|axis| axis.is_choice()).collect();
    for &axis in &choices {
        let name = camel(&axis.name);
        if TAKEN.contains(&name.as_str()) {
            return Err(kernel.source.error(axis.line, format!("an axis cannot be called {}", axis.name)));
        }
        let alike = known.iter().find(|(_, other)| (&other.name, &other.values) == (&axis.name, &axis.values));
        match alike {
            _ if axis.is_switch() => {}
            _ if axis.is_rows => {
                put!(out, "    pub use crate::pointwise::Expression as {name};");
            }
            Some((owner, _)) if !axis.is_element() => {
                put!(out, "    pub use super::{owner}::{name};");
            }
            _ => {
                axis_enum(out, axis, &name);
                known.push((&kernel.source.name, axis));
            }
        }
    }
    put!(out, "    /// A choice for each axis of the kernel.");
    put!(out, "    #[derive(Clone, Copy, Debug, PartialEq, Eq)]");
    if choices.is_empty() {
        put!(out, "    pub struct Variant;");
    } else {
        put!(out, "    pub struct Variant {{");
        for axis in &choices {
            let ty = if axis.is_switch() { "bool".to_owned() } else { camel(&axis.name) };
            put!(out, "        /// `{}` of the shader.", axis.name);
            put!(out, "        pub {}: {ty},", axis.name.to_lowercase());
        }
        put!(out, "    }}");
    }
    put!(out, "    impl crate::kernel::Variant for Variant {{");
    put!(out, "        fn number(self) -> u32 {{");
    let number = choices.iter().fold(String::new(), |number, axis| {
        let value = format!("self.{} as u32", axis.name.to_lowercase());
        if number.is_empty() { value } else { format!("({number}) * {} + {value}", axis.values.len()) }
    });
    put!(out, "            {}", if number.is_empty() { "0" } else { &number });
    put!(out, "        }}");
    put!(out, "    }}");
    Ok(())
}

fn axis_enum(out: &mut String, axis: &Axis, name: &str) {
    put!(out, "    /// `{}` of the shader.", axis.name);
    put!(out, "    #[derive(Clone, Copy, Debug, PartialEq, Eq)]");
    put!(out, "    pub enum {name} {{");
    for value in &axis.values {
        put!(out, "        /// `{value}`.");
        put!(out, "        {},", variant_name(axis, value));
    }
    put!(out, "    }}");
    if axis.is_element() {
        element_conversion(out, axis, name);
    }
    if axis.is_number() {
        put!(out, "    impl {name} {{");
        put!(out, "        /// The number.");
        put!(out, "        pub const fn get(self) -> usize {{");
        put!(out, "            match self {{");
        for value in &axis.values {
            put!(out, "                {name}::{} => {value},", variant_name(axis, value));
        }
        put!(out, "            }}");
        put!(out, "        }}");
        put!(out, "    }}");
    }
}

fn element_conversion(out: &mut String, axis: &Axis, name: &str) {
    put!(out, "    impl TryFrom<pteron_tensor::DType> for {name} {{");
    put!(out, "        type Error = crate::error::OpError;");
    put!(out, "        fn try_from(dtype: pteron_tensor::DType) -> Result<{name}, crate::error::OpError> {{");
    put!(out, "            match Element::of(dtype) {{");
    for value in &axis.values {
        let value = camel(value);
        put!(out, "                Some(Element::{value}) => Ok({name}::{value}),");
    }
    put!(out, "                _ => Err(KERNEL.refusal({:?}, dtype)),", axis.name);
    put!(out, "            }}");
    put!(out, "        }}");
    put!(out, "    }}");
}

/// Writes the struct of the `override` constants.
pub(crate) fn overrides(out: &mut String, overrides: &[Override]) {
    put!(out, "    /// The `override` constants, each with the shader's default.");
    put!(out, "    #[derive(Clone, Copy, Debug)]");
    if overrides.is_empty() {
        put!(out, "    #[derive(Default)]");
        put!(out, "    pub struct Overrides;");
    } else {
        put!(out, "    pub struct Overrides {{");
        for constant in overrides {
            let ty = if let Constant::Bool(_) = constant.default { "bool" } else { "u32" };
            put!(out, "        /// `{}` of the shader.", constant.name);
            put!(out, "        pub {}: {ty},", constant.name.to_lowercase());
        }
        put!(out, "    }}");
        put!(out, "    impl Default for Overrides {{");
        put!(out, "        fn default() -> Overrides {{");
        let defaults = overrides.iter().map(|constant| {
            let field = constant.name.to_lowercase();
            match constant.default {
                Constant::Bool(value) => format!("{field}: {value}"),
                Constant::U32(value) => format!("{field}: {value}"),
            }
        });
        put!(out, "            Overrides {{ {} }}", defaults.collect::<Vec<_>>().join(", "));
        put!(out, "        }}");
        put!(out, "    }}");
    }
    put!(out, "    impl crate::kernel::Overrides for Overrides {{");
    put!(out, "        fn values(self) -> OverrideValues {{");
    let word = |constant: &Override| {
        let field = constant.name.to_lowercase();
        if let Constant::Bool(_) = constant.default { format!("self.{field} as u32") } else { format!("self.{field}") }
    };
    let words: Vec<_> = overrides.iter().map(word).collect();
    put!(out, "            OverrideValues::new([{}])", words.join(", "));
    put!(out, "        }}");
    put!(out, "    }}");
}

/// A value as a variant of its axis' enum: without the axis' own name, which some values begin with.
fn variant_name(axis: &Axis, value: &str) -> String {
    let prefix = format!("{}_", axis.name.to_lowercase());
    let is_repeated = axis.values.iter().all(|value| value.starts_with(&prefix));
    let short = if is_repeated { &value[prefix.len()..] } else { value };
    if short.starts_with(|c: char| c.is_ascii_digit()) { format!("N{short}") } else { camel(short) }
}

/// `SOME_NAME` or `some_name` as `SomeName`.
fn camel(name: &str) -> String {
    let word = |word: &str| {
        let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
        first.to_uppercase() + &rest.to_lowercase()
    };
    name.split('_').map(word).collect()
}
