//! A launch under construction: which variant of a kernel runs on what, checked against the device.

use std::marker::PhantomData;

use pteron_tensor::DType;

use crate::caps::Caps;
use crate::error::{OpError, Result};
use crate::kernel::{ElementKind, Kernel, OverrideValues, Overrides as _, Variant as _, VariantInfo, WorkgroupSize};
use crate::parts::Parts;
use crate::plan::{Bindings, BoundParts, Dispatch, PlanContext, Tensor};
use crate::sym::Scalar;

/// A launch under construction.
#[derive(Debug)]
#[must_use = "a launch is dispatched by `threads`, `rows` or `groups`"]
pub struct Launch<'p, 'a, B> {
    draft: Draft<'p, 'a>,
    bindings: PhantomData<B>,
}

/// A launch of any kernel.
#[derive(Debug)]
struct Draft<'p, 'a> {
    plan: &'p mut PlanContext<'a>,
    kernel: &'static Kernel,
    variant: u32,
    overrides: OverrideValues,
    tensors: Vec<Tensor>,
    params: Vec<u8>,
    call: Vec<(u32, Scalar)>,
    traffic: u64,
    rounds: usize,
}

impl<'p, 'a, B: Bindings> Launch<'p, 'a, B> {
    pub(crate) fn new(plan: &'p mut PlanContext<'a>, bind: B, variant: B::Variant) -> Self {
        let overrides = B::Overrides::default().values();
        let draft = Draft::new(plan, B::KERNEL, variant.number(), overrides, bind.into_parts());
        Launch { draft, bindings: PhantomData }
    }

    /// Sets the `override` constants.
    pub fn overrides(mut self, overrides: B::Overrides) -> Self {
        self.draft.overrides = overrides.values();
        self
    }

    /// States the bytes that the launch moves, where it does not touch all that it binds.
    pub fn traffic(mut self, bytes: u64) -> Self {
        self.draft.traffic = bytes;
        self
    }

    /// States how often an invocation goes round a loop, where a tensor's size decides that alone.
    pub fn rounds(mut self, rounds: usize) -> Self {
        self.draft.rounds = rounds;
        self
    }

    /// Dispatches at least `count` invocations in one direction, folded to two where the device asks for it.
    ///
    /// The kernel finds its number with `flat_index` and returns when it is past the end.
    pub fn threads(self, count: usize) -> Result<()> {
        let size = u64::from(self.draft.workgroup()[0]);
        self.draft.rows((count as u64).div_ceil(size))
    }

    /// Dispatches one workgroup per row, folded to two directions where the device asks for it.
    pub fn rows(self, rows: usize) -> Result<()> {
        self.draft.rows(rows as u64)
    }

    /// Dispatches a grid of workgroups. An empty grid dispatches nothing.
    pub fn groups(self, grid: [u64; 3]) -> Result<()> {
        self.draft.groups(grid)
    }
}

impl<'p, 'a> Draft<'p, 'a> {
    /// Not within [`Launch::new`], which has code for each kernel.
    #[inline(never)]
    fn new(
        plan: &'p mut PlanContext<'a>,
        kernel: &'static Kernel,
        variant: u32,
        overrides: OverrideValues,
        (tensors, params, call): BoundParts,
    ) -> Self {
        let traffic = tensors.iter().map(Tensor::bound_bytes).sum();
        Draft { plan, kernel, variant, overrides, tensors, params, call, traffic, rounds: 0 }
    }

    fn rows(self, groups: u64) -> Result<()> {
        let limit = u64::from(self.plan.caps().max_groups);
        let x = groups.min(limit);
        let y = if x == 0 { 0 } else { groups.div_ceil(x) };
        self.groups([x, y, 1])
    }

    fn groups(self, grid: [u64; 3]) -> Result<()> {
        let workgroup = self.workgroup();
        let Draft { plan, kernel, variant, overrides, tensors, params, call, traffic, rounds } = self;
        let caps = plan.caps();
        if rounds > caps.max_rounds as usize {
            let (name, most) = (kernel.name, caps.max_rounds);
            return Err(OpError::Limit(format!(
                "kernel {name} takes {rounds} rounds of a loop; this device ends loops after {most}, which a CPU does not"
            )));
        }
        let variant = kernel.find(variant)?;
        let info = &kernel.variants[variant];
        check_variant(kernel, info, caps)?;
        check_workgroup(kernel, workgroup, caps)?;
        for (tensor, (storage, &element)) in tensors.iter().zip(kernel.storage.iter().zip(info.elements)) {
            check_binding(kernel, storage.name, tensor, element, caps)?;
        }
        let parts = Parts::new(kernel, &tensors, caps)?;
        let limit = u64::from(caps.max_groups);
        if grid.iter().any(|&side| side > limit) {
            return Err(OpError::Limit(format!(
                "kernel {} needs a grid of {grid:?} workgroups; this device takes {limit} in each direction",
                kernel.name
            )));
        }
        if grid.contains(&0) {
            return Ok(());
        }
        let grid = grid.map(|side| u32::try_from(side).unwrap_or(u32::MAX));
        plan.push(Dispatch { kernel, variant, overrides, tensors, parts, params, call, grid, traffic });
        Ok(())
    }

    /// The workgroup size with the constants set so far.
    fn workgroup(&self) -> [u32; 3] {
        self.kernel.workgroup.map(|size| match size {
            WorkgroupSize::Fixed(size) => size,
            WorkgroupSize::Override(index) => self.overrides.get(index),
        })
    }
}

fn check_variant(kernel: &Kernel, variant: &VariantInfo, caps: &Caps) -> Result<()> {
    let lacking = |what| Err(OpError::Limit(format!("kernel {} needs {what}, which this device lacks", kernel.name)));
    if variant.requires.f16 && !caps.f16 {
        return lacking("16-bit floats");
    }
    if variant.requires.subgroups && caps.subgroups.is_none() {
        return lacking("subgroups");
    }
    if variant.requires.matrix && !caps.matrix {
        return lacking("matrix units");
    }
    if u32::from(variant.workgroup_bytes) > caps.max_workgroup_bytes {
        return lacking("more workgroup memory");
    }
    if kernel.storage.len() + usize::from(kernel.status.is_some()) > caps.max_storage_buffers as usize {
        return lacking("more storage bindings");
    }
    Ok(())
}

fn check_workgroup(kernel: &Kernel, size: [u32; 3], caps: &Caps) -> Result<()> {
    let invocations: u64 = size.iter().map(|&side| u64::from(side)).product();
    let too_wide = size.iter().zip(caps.max_workgroup_size).any(|(&side, limit)| side > limit);
    if invocations == 0 || too_wide || invocations > u64::from(caps.max_invocations) {
        return Err(OpError::Limit(format!(
            "kernel {} has a workgroup of {size:?}; this device takes {:?} and {} invocations in all",
            kernel.name, caps.max_workgroup_size, caps.max_invocations
        )));
    }
    Ok(())
}

fn check_binding(kernel: &Kernel, name: &str, tensor: &Tensor, element: ElementKind, caps: &Caps) -> Result<()> {
    let fits = match element {
        ElementKind::F32 => tensor.dtype == DType::F32,
        ElementKind::F16 => tensor.dtype == DType::F16,
        ElementKind::I32 => tensor.dtype == DType::I32,
        // Words carry any type that the kernel unpacks itself.
        ElementKind::U32 => true,
    };
    if !fits {
        return Err(OpError::DType { dtype: tensor.dtype, what: format!("{name} of kernel {}", kernel.name) });
    }
    match tensor.window {
        Some(window)
            if window.offset % caps.offset_alignment != 0
                || window.offset.checked_add(window.size).is_none_or(|end| end > tensor.bytes()) =>
        {
            Err(OpError::Limit(format!("{name} of kernel {} has a window that does not fit", kernel.name)))
        }
        _ => Ok(()),
    }
}
