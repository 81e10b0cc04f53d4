//! What `build.rs` tells about each WGSL kernel.

use crate::kernels::MODULES;
use crate::preprocess;

/// A WGSL kernel and everything that its source says about itself.
#[derive(Debug)]
pub struct Kernel {
    /// The file's name without `.wgsl`.
    pub name: &'static str,
    /// The text before preprocessing.
    pub source: &'static str,
    /// The axes that the header declares, in order.
    pub axes: &'static [&'static str],
    /// Every valid combination of axis values, each validated at build time.
    pub variants: &'static [VariantInfo],
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

/// One combination of axis values.
#[derive(Debug)]
pub struct VariantInfo {
    /// Axis values in the order of [`Kernel::axes`].
    pub values: &'static [&'static str],
    /// Element type of each storage binding.
    pub elements: &'static [ElementKind],
    /// Whether the variant needs 16-bit floats.
    pub f16: bool,
    /// Whether the variant needs subgroup operations.
    pub subgroups: bool,
    /// Whether the variant needs matrix units.
    pub matrix: bool,
    /// Bytes of workgroup memory at the default overrides.
    pub workgroup_bytes: u32,
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
    /// An `override` with a default.
    Override(&'static str, u32),
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

impl Kernel {
    /// Renders the WGSL of one variant.
    pub fn render(&self, values: &[&str]) -> Result<String, String> {
        let axes: Vec<_> = self.axes.iter().copied().zip(values.iter().copied()).collect();
        preprocess::render(self.source, &axes, |name| MODULES.iter().find(|m| m.0 == name).map(|m| m.1))
    }
}
