//! The context of a plan: what an operator reads, and the dispatches that it writes down.
//!
//! A plan holds no buffer, pipeline or closure. Everything that can be wrong with shapes, types or the device's limits
//! is found here, in 64-bit arithmetic, before any GPU object exists.

use std::ops::Deref;

use pteron_tensor::{DType, Shape};

use crate::args::{Arg, Args, Described};
use crate::caps::Caps;
use crate::catalogue::{Body, OpDef};
use crate::error::{OpError, Result};
use crate::kernel::{ElementKind, Kernel, VariantInfo, WorkgroupSize};
use crate::kernels::types::TensorMeta;
use crate::sym::{IntArg, Observation, RowRange, Scalar};

/// The most elements of a tensor that kernels address: indices and the folding of grids stay within `u32`.
pub const MAX_NUMEL: usize = 1 << 31;

/// A tensor as a plan sees it: where it lives, its type and shape, and the part of it that a dispatch binds.
#[derive(Clone, Copy, Debug)]
pub struct Tensor {
    /// Where it lives.
    pub place: Place,
    /// The element type.
    pub dtype: DType,
    /// The sizes.
    pub shape: Shape,
    /// The bytes to bind; all of it where nothing is said.
    pub window: Option<Window>,
}

/// Where a tensor of a plan lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A value of the graph.
    Value(u32),
    /// An output of this operator.
    Output(usize),
    /// Memory that lives as long as the operator runs.
    Scratch(usize),
}

/// A range of bytes within a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Window {
    /// First byte, a multiple of [`Caps::offset_alignment`].
    pub offset: u64,
    /// Number of bytes.
    pub size: u64,
}

/// An output of a planned operator.
#[derive(Clone, Copy, Debug)]
pub enum Output {
    /// Memory of its own.
    Owned(DType, Shape),
    /// The memory of another tensor under another shape.
    Alias(Tensor),
}

/// One kernel launch.
#[derive(Clone, Debug)]
pub struct Dispatch {
    /// What runs.
    pub kernel: &'static Kernel,
    /// Which of [`Kernel::variants`].
    pub variant: usize,
    /// Values of `override` constants that differ from their defaults.
    pub constants: Vec<(&'static str, f64)>,
    /// Tensors in the order of [`Kernel::storage`].
    pub tensors: Vec<Tensor>,
    /// The bytes of `params`.
    pub params: Vec<u8>,
    /// Per-call values of `call`, with their byte offsets.
    pub call: Vec<(u32, Scalar)>,
    /// Workgroups.
    pub grid: [u32; 3],
    /// Bytes that it reads and writes at least once.
    pub traffic: u64,
}

/// Indices that must lie within a table. Where they come from the host they are checked before any GPU work.
#[derive(Clone, Copy, Debug)]
pub struct IndexCheck {
    /// The indices.
    pub tensor: Tensor,
    /// One more than the largest valid index.
    pub limit: u64,
    /// Whether negative indices count from the end.
    pub from_end: bool,
}

/// The plan of one operator call.
#[derive(Debug, Default)]
pub struct OpPlan {
    /// One entry per output.
    pub outputs: Vec<Option<Output>>,
    /// Launches, in order.
    pub dispatches: Vec<Dispatch>,
    /// Scratch tensors.
    pub scratch: Vec<(DType, Shape)>,
    /// Index checks.
    pub checks: Vec<IndexCheck>,
    /// Ranges of rows whose start only the call knows; each call must satisfy them.
    pub ranges: Vec<RowRange>,
    /// Arguments that the operator writes to.
    pub mutated: Vec<Place>,
    /// Whether a kernel may report an index that no check covers.
    pub reports: bool,
    /// What the plan has read of symbolic integers.
    pub observed: Vec<(Observation, i64)>,
}

/// What `build.rs` makes of a kernel's bindings.
pub trait Bindings {
    /// The kernel.
    const KERNEL: &'static Kernel;

    /// Tensors in the order of [`Kernel::storage`], the bytes of `params`, and the per-call values.
    fn into_parts(self) -> (Vec<Tensor>, Vec<u8>, Vec<(u32, Scalar)>);
}

/// What an operator reads its arguments from and writes its dispatches into.
#[derive(Debug)]
pub struct Plan<'a> {
    args: Args<'a, Tensor>,
    name: &'static str,
    output_types: &'a [DType],
    caps: &'a Caps,
    node: u32,
    built: OpPlan,
}

impl<'a> Plan<'a> {
    /// Plans one call of `op`. `node` is the number under which its kernels report to the status buffer.
    pub fn run(
        op: &OpDef,
        args: Vec<Arg<Tensor>>,
        syms: &'a [i64],
        output_types: &'a [DType],
        caps: &'a Caps,
        node: u32,
    ) -> Result<OpPlan> {
        for arg in &args {
            check_size(arg, caps)?;
        }
        let built = OpPlan { outputs: vec![None; output_types.len()], ..OpPlan::default() };
        let mut cx = Plan { args: Args::new(args, syms), name: op.name, output_types, caps, node, built };
        match op.body {
            Body::Tensor { plan, .. } => plan(&mut cx)?,
            Body::Symbolic(_) | Body::Nothing | Body::Host(_) | Body::Number(_) => {
                return Err(OpError::Unsupported(format!("{} does not run on a device", op.name)));
            }
        }
        if cx.built.outputs.iter().any(Option::is_none) {
            return Err(OpError::Unsupported("the operator has an output that it does not compute".to_owned()));
        }
        cx.built.observed = cx.args.observed();
        Ok(cx.built)
    }

    /// The operator's name, by which families of operators find their row.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What the device can do.
    pub fn caps(&self) -> &'a Caps {
        self.caps
    }

    /// The number under which a kernel of this operator reports to the status buffer.
    pub fn node(&self) -> u32 {
        self.node
    }

    /// The element type that the program declares for an output.
    pub fn output_type(&self, output: usize) -> Result<DType> {
        let missing = || OpError::Unsupported(format!("the program has no output {output} for this operator"));
        self.output_types.get(output).copied().ok_or_else(missing)
    }

    /// The first output, with memory of its own and the type that the program declares.
    pub fn output(&mut self, shape: Shape) -> Result<Tensor> {
        self.output_at(0, shape)
    }

    /// An output with memory of its own and the type that the program declares.
    pub fn output_at(&mut self, index: usize, shape: Shape) -> Result<Tensor> {
        let dtype = self.output_type(index)?;
        let tensor = Tensor { place: Place::Output(index), dtype, shape, window: None };
        check_size(&Arg::Tensor(tensor), self.caps)?;
        self.built.outputs[index] = Some(Output::Owned(dtype, shape));
        Ok(tensor)
    }

    /// Makes an output another view of `tensor`: nothing is dispatched.
    pub fn alias(&mut self, index: usize, tensor: Tensor, shape: Shape) -> Result<()> {
        let dtype = self.output_type(index)?;
        if dtype != tensor.dtype || shape.numel() != tensor.shape.numel() {
            return Err(OpError::Shape(format!("{}{} cannot be viewed as {dtype}{shape}", tensor.dtype, tensor.shape)));
        }
        self.built.outputs[index] = Some(Output::Alias(Tensor { shape, ..tensor }));
        Ok(())
    }

    /// A tensor argument that the operator changes in place: a cache, or a parameter in training.
    pub fn tensor_mut(&mut self, index: usize) -> Result<Tensor> {
        let tensor = self.tensor(index)?;
        self.built.mutated.push(tensor.place);
        Ok(tensor)
    }

    /// Memory for the time that the operator runs.
    pub fn scratch(&mut self, dtype: DType, shape: Shape) -> Result<Tensor> {
        let place = Place::Scratch(self.built.scratch.len());
        let tensor = Tensor { place, dtype, shape, window: None };
        check_size(&Arg::Tensor(tensor), self.caps)?;
        self.built.scratch.push((dtype, shape));
        Ok(tensor)
    }

    /// Asks that every element of `tensor` be at least 0 and less than `limit`.
    pub fn check_indices(&mut self, tensor: Tensor, limit: u64) {
        self.built.checks.push(IndexCheck { tensor, limit, from_end: false });
    }

    /// Asks that every element of `tensor` be less than `limit`, and at least −`limit`: negative ones count from the end.
    pub fn check_signed_indices(&mut self, tensor: Tensor, limit: u64) {
        self.built.checks.push(IndexCheck { tensor, limit, from_end: true });
    }

    /// Asks that a range of rows lie within its tensor: now where its start is known, at each call otherwise.
    pub fn check_rows(&mut self, range: RowRange) -> Result<()> {
        match range.start {
            IntArg::Known(_) => range.eval(&[]).map(drop),
            IntArg::Sym(_) => {
                self.built.ranges.push(range);
                Ok(())
            }
        }
    }

    /// Says that a kernel may report an index that no check covers: the status is read with the results.
    pub fn reports_indices(&mut self) {
        self.built.reports = true;
    }

    /// Begins a launch; [`Launch::threads`] or [`Launch::groups`] ends it.
    pub fn dispatch<B: Bindings>(&mut self, bind: B) -> Launch<'_, 'a> {
        let (tensors, params, call) = bind.into_parts();
        let traffic = tensors.iter().map(Tensor::bound_bytes).sum();
        Launch {
            plan: self,
            kernel: B::KERNEL,
            values: Vec::new(),
            constants: Vec::new(),
            tensors,
            params,
            call,
            traffic,
        }
    }
}

impl<'a> Deref for Plan<'a> {
    type Target = Args<'a, Tensor>;

    fn deref(&self) -> &Self::Target {
        &self.args
    }
}

impl Described for Tensor {
    fn dtype(&self) -> DType {
        self.dtype
    }
    fn shape(&self) -> &Shape {
        &self.shape
    }
}

impl Tensor {
    /// The number of elements.
    pub fn numel(&self) -> usize {
        self.shape.numel()
    }

    /// The bytes of all of it.
    pub fn bytes(&self) -> u64 {
        self.shape.numel() as u64 * self.dtype.size() as u64
    }

    /// The bytes that a dispatch binds.
    pub fn bound_bytes(&self) -> u64 {
        self.window.map_or(self.bytes(), |window| window.size)
    }

    /// The part of it that begins at a byte.
    pub fn window(self, offset: u64, size: u64) -> Tensor {
        Tensor { window: Some(Window { offset, size }), ..self }
    }

    /// Sizes and strides as kernels read them.
    pub fn meta(&self) -> TensorMeta {
        meta(&self.shape)
    }
}

/// Sizes and row-major strides as kernels read them.
pub fn meta(shape: &Shape) -> TensorMeta {
    let strides = shape.strides();
    TensorMeta {
        sizes: lanes(shape.iter().map(|&size| word(size))),
        strides: lanes(strides[..shape.rank()].iter().map(|&stride| word(stride))),
        rank: word(shape.rank()),
        numel: word(shape.numel()),
    }
}

/// Up to eight numbers as the two vectors that a uniform array takes.
pub fn lanes<T: Default + Copy>(values: impl IntoIterator<Item = T>) -> [[T; 4]; 2] {
    let mut lanes = [[T::default(); 4]; 2];
    for (slot, value) in lanes.iter_mut().flatten().zip(values) {
        *slot = value;
    }
    lanes
}

/// A count as a kernel reads it. Sizes are checked against [`MAX_NUMEL`] before they get here, so none saturates.
pub fn word(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

fn check_size(arg: &Arg<Tensor>, caps: &Caps) -> Result<()> {
    match arg {
        Arg::Tensor(tensor) => {
            if tensor.numel() > MAX_NUMEL {
                return Err(OpError::Limit(format!(
                    "{}{} has {} elements; kernels address at most {MAX_NUMEL}",
                    tensor.dtype,
                    tensor.shape,
                    tensor.numel()
                )));
            }
            if tensor.bytes() > caps.max_buffer_bytes {
                return Err(OpError::Limit(format!(
                    "{}{} takes {} bytes; the largest buffer of this device has {}",
                    tensor.dtype,
                    tensor.shape,
                    tensor.bytes(),
                    caps.max_buffer_bytes
                )));
            }
            Ok(())
        }
        Arg::List(items) => items.iter().try_for_each(|item| check_size(item, caps)),
        _ => Ok(()),
    }
}

/// A launch under construction.
#[derive(Debug)]
#[must_use = "a launch is dispatched by `threads` or `groups`"]
pub struct Launch<'p, 'a> {
    plan: &'p mut Plan<'a>,
    kernel: &'static Kernel,
    values: Vec<(&'static str, &'static str)>,
    constants: Vec<(&'static str, f64)>,
    tensors: Vec<Tensor>,
    params: Vec<u8>,
    call: Vec<(u32, Scalar)>,
    traffic: u64,
}

impl Launch<'_, '_> {
    /// Sets a type axis from an element type.
    pub fn ty(self, axis: &'static str, dtype: DType) -> Self {
        let value = match dtype {
            DType::F32 => "f32",
            DType::F16 => "f16",
            DType::I32 => "i32",
            DType::Bool | DType::U8 | DType::I8 => "byte",
            DType::I16 | DType::I64 | DType::BF16 | DType::F64 => dtype.name(),
            _ => "unknown",
        };
        self.axis(axis, value)
    }

    /// Sets an axis that is `on` or `off`.
    pub fn flag(self, axis: &'static str, on: bool) -> Self {
        self.axis(axis, if on { "on" } else { "off" })
    }

    /// Sets an axis.
    pub fn axis(mut self, axis: &'static str, value: &'static str) -> Self {
        self.values.push((axis, value));
        self
    }

    /// Sets an `override` constant.
    pub fn constant(mut self, name: &'static str, value: impl Into<f64>) -> Self {
        self.constants.push((name, value.into()));
        self
    }

    /// States the bytes that the launch moves, where it does not touch all that it binds.
    pub fn traffic(mut self, bytes: u64) -> Self {
        self.traffic = bytes;
        self
    }

    /// Dispatches at least `count` invocations in one direction, folded to two where the device asks for it.
    ///
    /// The kernel finds its number with `flat_index` and returns when it is past the end.
    pub fn threads(self, count: usize) -> Result<()> {
        let size = u64::from(self.workgroup()[0]);
        self.rows_u64((count as u64).div_ceil(size))
    }

    /// Dispatches one workgroup per row, folded to two directions where the device asks for it.
    pub fn rows(self, rows: usize) -> Result<()> {
        self.rows_u64(rows as u64)
    }

    fn rows_u64(self, groups: u64) -> Result<()> {
        let limit = u64::from(self.plan.caps.max_groups);
        let x = groups.min(limit);
        let y = if x == 0 { 0 } else { groups.div_ceil(x) };
        self.groups([x, y, 1])
    }

    /// Dispatches a grid of workgroups. An empty grid dispatches nothing.
    pub fn groups(self, grid: [u64; 3]) -> Result<()> {
        let workgroup = self.workgroup();
        let Launch { plan, kernel, values, constants, tensors, params, call, traffic } = self;
        let caps = plan.caps;
        let variant = find_variant(kernel, &values)?;
        check_variant(kernel, &kernel.variants[variant], caps)?;
        check_workgroup(kernel, workgroup, caps)?;
        for (tensor, (info, &element)) in
            tensors.iter().zip(kernel.storage.iter().zip(kernel.variants[variant].elements))
        {
            check_binding(kernel, info.name, tensor, element, caps)?;
        }
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
        plan.built.dispatches.push(Dispatch { kernel, variant, constants, tensors, params, call, grid, traffic });
        Ok(())
    }

    /// The workgroup size with the constants set so far.
    fn workgroup(&self) -> [u32; 3] {
        self.kernel.workgroup.map(|size| match size {
            WorkgroupSize::Fixed(size) => size,
            WorkgroupSize::Override(name, default) => {
                let set = self.constants.iter().rev().find(|constant| constant.0 == name);
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "float casts saturate, and the limit check follows"
                )]
                set.map_or(default, |constant| constant.1 as u32)
            }
        })
    }
}

fn find_variant(kernel: &Kernel, values: &[(&'static str, &'static str)]) -> Result<usize> {
    let value_of = |axis: &str| values.iter().find(|value| value.0 == axis).map(|value| value.1);
    let wanted: Vec<_> = kernel.axes.iter().map(|&axis| value_of(axis).unwrap_or("")).collect();
    kernel.variants.iter().position(|variant| variant.values == wanted).ok_or_else(|| {
        let wanted: Vec<_> = kernel.axes.iter().zip(&wanted).map(|(axis, value)| format!("{axis} = {value}")).collect();
        OpError::Unsupported(format!("kernel {} has no variant for {}", kernel.name, wanted.join(", ")))
    })
}

fn check_variant(kernel: &Kernel, variant: &VariantInfo, caps: &Caps) -> Result<()> {
    let lacking = |what| Err(OpError::Limit(format!("kernel {} needs {what}, which this device lacks", kernel.name)));
    if variant.f16 && !caps.f16 {
        return lacking("16-bit floats");
    }
    if variant.subgroups && caps.subgroups.is_none() {
        return lacking("subgroups");
    }
    if variant.matrix && !caps.matrix {
        return lacking("matrix units");
    }
    if variant.workgroup_bytes > caps.max_workgroup_bytes {
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
    // Buffers are padded to whole words, and a binding covers the padding.
    let bytes = tensor.bound_bytes().next_multiple_of(4);
    if bytes > caps.max_binding_bytes {
        return Err(OpError::Limit(format!(
            "{name} of kernel {} binds {bytes} bytes; this device binds at most {}",
            kernel.name, caps.max_binding_bytes
        )));
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
