//! What a device can do, as far as plans depend on it.

/// How closely results must follow 32-bit arithmetic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Precision {
    /// Products and sums are as good as 32-bit ones, also on matrix units.
    #[default]
    Exact,
    /// Matrix units may round activations to 16 bits once.
    Fast,
}

/// How many lanes the subgroups of a device have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SubgroupSizes {
    /// The fewest.
    pub min: u32,
    /// The most.
    pub max: u32,
}

/// The limits and features of a device that plans are made for, and what its user asks of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Caps {
    /// 16-bit floats in shaders.
    pub f16: bool,
    /// The sizes of subgroups, where subgroup operations exist.
    pub subgroups: Option<SubgroupSizes>,
    /// Whether subgroups, all of 32 lanes, multiply 16×16 matrices of 16-bit floats into 32-bit sums.
    pub matrix: bool,
    /// Whether all products of floats take the kernels for matrix units, however small they are, and without such units in plain
    /// arithmetic: for tests.
    pub matrix_always: bool,
    /// Whether products of four packed bytes are instructions, not emulated.
    pub packed_dot: bool,
    /// How closely results must follow 32-bit arithmetic.
    pub precision: Precision,
    /// The largest storage binding, in bytes.
    pub max_binding_bytes: u64,
    /// The largest buffer, in bytes.
    pub max_buffer_bytes: u64,
    /// Alignment of a binding's offset, in bytes.
    pub offset_alignment: u64,
    /// Storage bindings per kernel.
    pub max_storage_buffers: u32,
    /// Workgroups in one direction of a grid.
    pub max_groups: u32,
    /// Invocations in one workgroup.
    pub max_invocations: u32,
    /// Invocations in each direction of a workgroup.
    pub max_workgroup_size: [u32; 3],
    /// Workgroup memory, in bytes.
    pub max_workgroup_bytes: u32,
    /// Rounds of loops after which a driver ends those of an invocation, and says nothing of it. One that computes in software does.
    pub max_rounds: u32,
    /// Workgroups of 64 invocations that keep all of the device busy. No API tells, so it is a guess by the device's kind.
    pub groups_at_once: u32,
}

/// Multiprocessors of a large device with matrix units. Its kernels take most registers of one, so as many workgroups run at a
/// time.
pub(crate) const MULTIPROCESSORS: usize = 132;

impl Caps {
    /// Whether kernels for matrix units can be chosen. Browsers have none, and with this a page does not download them.
    pub(crate) fn has_matrix_units(&self) -> bool {
        self.matrix && !cfg!(target_arch = "wasm32")
    }

    /// Whether kernels for matrix units are all that may multiply floats.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn always_takes_matrix_units(&self) -> bool {
        self.matrix_always && self.f16
    }

    /// The limits that every WebGPU implementation guarantees, and no optional feature.
    pub fn webgpu_minimum() -> Caps {
        Caps {
            f16: false,
            subgroups: None,
            matrix: false,
            matrix_always: false,
            packed_dot: false,
            precision: Precision::Exact,
            max_binding_bytes: 128 << 20,
            max_buffer_bytes: 256 << 20,
            offset_alignment: 256,
            max_storage_buffers: 8,
            max_groups: 65_535,
            max_invocations: 256,
            max_workgroup_size: [256, 256, 64],
            max_workgroup_bytes: 16 << 10,
            max_rounds: u32::MAX,
            groups_at_once: 512,
        }
    }

    /// Every type, and no limit of memory: what a program is checked against before a device is known.
    pub fn unlimited() -> Caps {
        Caps { f16: true, max_binding_bytes: u64::MAX, max_buffer_bytes: u64::MAX, ..Caps::webgpu_minimum() }
    }

    /// Alignment of parts of a buffer that are bound, in bytes. Elements have at most 16, and launches may fill as many at the
    /// end of what they write.
    pub fn part_alignment(&self) -> u64 {
        self.offset_alignment.max(16)
    }

    /// Invocations for workgroups that fold one of so many rows of a width each: more where rows alone leave the device idle.
    pub(crate) fn lanes_for(&self, rows: usize, width: usize) -> u32 {
        let few = rows <= 4 * self.groups_at_once as usize;
        if width > 512 || (few && width > 128) { 256 } else { 64 }
    }

    /// The same, with results that follow 32-bit arithmetic as closely as this.
    pub fn with_precision(self, precision: Precision) -> Caps {
        Caps { precision, ..self }
    }
}
