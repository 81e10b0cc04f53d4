//! What `build.rs` tells about each WGSL kernel.

use std::fmt::Write as _;

use pteron_tensor::DType;

use crate::error::OpError;
use crate::kernels::{MODULES, MOST_OVERRIDES};
use crate::parts::Parts;
use crate::preprocess;
pub use crate::preprocess::Requirements;

/// A WGSL kernel and everything that its source says about itself.
#[derive(Debug)]
pub struct Kernel {
    /// The file's name without `.wgsl`.
    pub name: &'static str,
    /// The text before preprocessing, without its header.
    pub source: &'static str,
    /// The axes that the header declares, in order.
    pub axes: &'static [Axis],
    /// Every combination of axis values that occurs, by number, each validated at build time.
    pub variants: &'static [VariantInfo],
    /// The `override` constants that an operator can set, in the order of the generated `Overrides` fields.
    pub overrides: &'static [OverrideInfo],
    /// Storage bindings in the order of the generated `Bind` fields.
    pub storage: &'static [StorageInfo],
    /// Binding number and byte size of `params`.
    pub params: Option<UniformInfo>,
    /// Binding number and byte size of `call`, the values that change from call to call.
    pub call: Option<UniformInfo>,
    /// Binding number of `status`, where a kernel reports what only it can know.
    pub status: Option<u32>,
    /// Whether plan and kernel prove that every index is in range, so that the driver need not check them again.
    pub trusted: bool,
    /// Workgroup size in each direction.
    pub workgroup: [WorkgroupSize; 3],
}

/// Something that variants of a kernel differ in. One with a single value is no choice; modules ask for it.
#[derive(Debug)]
pub struct Axis {
    /// The WGSL name.
    pub name: &'static str,
    /// Its values.
    pub values: &'static [&'static str],
}

/// One combination of axis values.
#[derive(Debug)]
pub struct VariantInfo {
    /// Its number among all combinations, of which the last axis changes fastest.
    pub number: u16,
    /// Element type of each storage binding.
    pub elements: &'static [ElementKind],
    /// What the device must have.
    pub requires: Requirements,
    /// Bytes of workgroup memory at the default overrides.
    pub workgroup_bytes: u16,
}

/// An `override` constant.
#[derive(Debug)]
pub struct OverrideInfo {
    /// The WGSL name.
    pub name: &'static str,
    /// The default; 0 or 1 for a truth value.
    pub default: u32,
}

/// A storage buffer binding.
#[derive(Debug)]
pub struct StorageInfo {
    /// The WGSL name.
    pub name: &'static str,
    /// The binding number.
    pub binding: u32,
    /// Whether the kernel writes it.
    pub writes: bool,
}

/// A uniform binding.
#[derive(Debug)]
pub struct UniformInfo {
    /// The binding number.
    pub binding: u32,
    /// Bytes of the struct.
    pub size: u32,
}

/// The size of a workgroup in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkgroupSize {
    /// Written in the shader.
    Fixed(u32),
    /// Which of [`Kernel::overrides`].
    Override(usize),
}

/// The scalar type that a storage binding is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementKind {
    /// `f32`, alone or in vectors.
    F32,
    /// `f16`, alone or in vectors.
    F16,
    /// `i32`.
    I32,
    /// `u32`: words, which also carry bytes.
    U32,
}

/// An element type as an axis has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// 32-bit floats.
    F32,
    /// 16-bit floats.
    F16,
    /// 32-bit integers.
    I32,
    /// Truth values and 8-bit integers, four to a word.
    Byte,
}

impl Element {
    /// How a type lies on the device, if it does.
    pub fn of(dtype: DType) -> Option<Element> {
        match dtype {
            DType::F32 => Some(Element::F32),
            DType::F16 => Some(Element::F16),
            DType::I32 => Some(Element::I32),
            DType::Bool | DType::U8 | DType::I8 => Some(Element::Byte),
            _ => None,
        }
    }
}

/// What `build.rs` makes of a kernel's axes: a choice for each.
pub trait Variant: Copy {
    /// The number of this combination; [`Kernel::variants`] has it if it occurs.
    fn number(self) -> u32;
}

/// What `build.rs` makes of a kernel's `override` constants.
pub trait Overrides: Copy + Default {
    /// The values in the order of [`Kernel::overrides`].
    fn values(self) -> OverrideValues;
}

/// A value for each of [`Kernel::overrides`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OverrideValues([u32; MOST_OVERRIDES]);

impl OverrideValues {
    /// The values of a kernel that has `N` constants.
    pub fn new<const N: usize>(values: [u32; N]) -> OverrideValues {
        let mut all = [0; MOST_OVERRIDES];
        for (slot, value) in all.iter_mut().zip(values) {
            *slot = value;
        }
        OverrideValues(all)
    }

    /// The value of a constant.
    pub fn get(&self, index: usize) -> u32 {
        self.0[index]
    }
}

impl Kernel {
    /// The position in [`Kernel::variants`] of a combination of axis values.
    pub fn find(&self, number: u32) -> Result<usize, OpError> {
        let found = self.variants.binary_search_by_key(&number, |variant| variant.number.into());
        found.map_err(|_| OpError::Unsupported(format!("there is no kernel {}", self.name_of(number))))
    }

    /// The name of a variant, which stays the same as long as its axes do: `matmul_tiled{T=f16, WIDE=on, BIAS=off}`.
    pub fn variant_name(&self, variant: usize) -> String {
        self.name_of(self.variants[variant].number.into())
    }

    fn name_of(&self, number: u32) -> String {
        let mut name = self.name.to_owned();
        let mut separator = "{";
        for (axis, value) in self.values(number) {
            if axis.values.len() > 1 {
                let _ = write!(name, "{separator}{}={value}", axis.name);
                separator = ", ";
            }
        }
        if separator != "{" {
            name.push('}');
        }
        name
    }

    /// The axes with the values that they have in a combination.
    fn values(&self, number: u32) -> Vec<(&'static Axis, &'static str)> {
        let mut rest = number as usize;
        let value = |axis: &'static Axis| {
            let value = axis.values[rest % axis.values.len()];
            rest /= axis.values.len();
            (axis, value)
        };
        let mut values: Vec<_> = self.axes.iter().rev().map(value).collect();
        values.reverse();
        values
    }

    /// Renders the WGSL of one of [`Kernel::variants`], for a launch that binds tensors in these parts.
    pub fn render(&self, variant: usize, parts: &Parts) -> Result<String, String> {
        let variant = &self.variants[variant];
        let axes: Vec<_> =
            self.values(variant.number.into()).into_iter().map(|(axis, value)| (axis.name, value)).collect();
        let module = |name: &str| MODULES.iter().find(|module| module.0 == name).map(|module| module.1);
        let body = preprocess::expand(self.source, &axes, module)?;
        parts.apply(self, preprocess::prelude(&axes, variant.requires) + &body.text)
    }

    /// The `override` constants that differ from their defaults, as WebGPU takes them.
    pub fn constants(&self, values: &OverrideValues) -> Vec<(&'static str, f64)> {
        let constants = self.overrides.iter().zip(values.0);
        constants
            .filter(|(info, value)| info.default != *value)
            .map(|(info, value)| (info.name, value.into()))
            .collect()
    }

    /// What an axis of this kernel answers to an element type that it does not have.
    pub(crate) fn refusal(&self, axis: &str, dtype: DType) -> OpError {
        OpError::DType { dtype, what: format!("{axis} of kernel {}", self.name) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::kernels::{self, norm, plain_copy, product_combine, q4_row};

    #[test]
    fn every_variant_is_found_under_a_name_of_its_own() {
        let mut names = HashSet::new();
        for kernel in kernels::ALL {
            for (at, variant) in kernel.variants.iter().enumerate() {
                assert_eq!(kernel.find(variant.number.into()), Ok(at));
                assert!(names.insert(kernel.variant_name(at)), "{} is there twice", kernel.variant_name(at));
            }
        }
    }

    #[test]
    fn a_name_says_what_was_chosen() {
        let variant = product_combine::Variant { t: product_combine::T::F16, epilogue: true };
        let at = product_combine::KERNEL.find(variant.number()).unwrap();
        assert_eq!(product_combine::KERNEL.variant_name(at), "product_combine{T=f16, EPILOGUE=on}");
        assert_eq!(plain_copy::KERNEL.variant_name(0), "plain_copy");
    }

    #[test]
    fn a_combination_that_is_ruled_out_is_named() {
        let variant = q4_row::Variant {
            t: q4_row::T::F32,
            norm: true,
            epilogue: q4_row::Epilogue::Plain,
            split: false,
            digits: q4_row::Digits::N3,
            reduce: q4_row::Reduce::TeamSubgroup,
            from: q4_row::From::Digits,
            to: q4_row::To::Floats,
            round: false,
        };
        let error = q4_row::KERNEL.find(variant.number()).unwrap_err().to_string();
        let name = "q4_row{T=f32, NORM=on, EPILOGUE=plain, SPLIT=off, DIGITS=3, REDUCE=team_subgroup, FROM=digits, ";
        assert_eq!(error, format!("there is no kernel {name}TO=floats, ROUND=off}}"));
    }

    #[test]
    fn an_element_type_that_an_axis_lacks_is_refused_by_name() {
        assert_eq!(norm::Stat::try_from(DType::F16), Ok(norm::Stat::F16));
        let error = norm::Stat::try_from(DType::I64).unwrap_err().to_string();
        assert_eq!(error, "element type i64 is not supported for STAT of kernel norm");
    }

    #[test]
    fn constants_are_what_differs_from_the_defaults() {
        let overrides = q4_row::Overrides { stage: false, words: 7, ..Default::default() };
        assert_eq!(q4_row::KERNEL.constants(&overrides.values()), [("STAGE", 0.0), ("WORDS", 7.0)]);
        assert!(q4_row::KERNEL.constants(&q4_row::Overrides::default().values()).is_empty());
    }
}
