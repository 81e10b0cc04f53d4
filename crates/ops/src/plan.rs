//! The context of a plan: what an operator reads, and the dispatches that it writes down.
//!
//! A plan holds no buffer, pipeline or closure. Everything that can be wrong with shapes, types or the device's limits
//! is found here, in 64-bit arithmetic, before any GPU object exists.

use std::ops::Deref;

use pteron_tensor::{DType, Shape};

use crate::args::{Arg, Args, Described};
use crate::caps::Caps;
use crate::catalogue::{Body, OpDef, check_writes};
use crate::error::{OpError, Result};
use crate::kernel::{self, Kernel, OverrideValues};
use crate::kernels::types::TensorMeta;
pub use crate::launch::Launch;
use crate::parts::Parts;
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
    /// The memory of another tensor under another shape, or the part of it that the window says.
    Alias(Tensor),
}

/// One kernel launch.
#[derive(Clone, Debug)]
pub struct Dispatch {
    /// What runs.
    pub kernel: &'static Kernel,
    /// Which of [`Kernel::variants`].
    pub variant: usize,
    /// Values of `override` constants.
    pub overrides: OverrideValues,
    /// Tensors in the order of [`Kernel::storage`].
    pub tensors: Vec<Tensor>,
    /// How those are bound that are larger than a binding.
    pub parts: Parts,
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
    /// What those below zero are.
    pub negative: NegativeIndices,
}

/// What indices below zero are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NegativeIndices {
    /// Out of range.
    Invalid,
    /// Counted from the end, and in range down to the negated limit.
    FromEnd,
    /// Left out.
    Ignored,
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
    /// What the plan has read of symbolic integers.
    pub observed: Vec<(Observation, i64)>,
    /// Values that the first output repeats, whole and as they are.
    pub repeated: Vec<Repeated>,
}

/// A value whose bytes stand in an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeated {
    /// The value.
    pub value: u32,
    /// The first of the output's bytes that are the value's.
    pub offset: u64,
}

/// What tensors of an operator may share memory, as whoever plans a graph has it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sharing<'a> {
    /// Whether an output may be part of an argument's memory.
    pub parts: bool,
    /// Values that lie in the memory of the first output, at the place where it repeats them.
    pub placed: &'a [Repeated],
}

/// What `build.rs` makes of a kernel's bindings.
pub trait Bindings {
    /// The kernel.
    const KERNEL: &'static Kernel;
    /// A choice for each of its axes.
    type Variant: kernel::Variant;
    /// Its `override` constants.
    type Overrides: kernel::Overrides;

    /// What it binds.
    fn into_parts(self) -> BoundParts;
}

/// Tensors in the order of [`Kernel::storage`], the bytes of `params`, and the per-call values.
pub type BoundParts = (Vec<Tensor>, Vec<u8>, Vec<(u32, Scalar)>);

/// What an operator reads its arguments from and writes its dispatches into.
#[derive(Debug)]
pub struct PlanContext<'a> {
    args: Args<'a, Tensor>,
    name: &'static str,
    writes: &'static [usize],
    output_types: &'a [DType],
    caps: &'a Caps,
    node: u32,
    sharing: Sharing<'a>,
    built: OpPlan,
}

impl<'a> PlanContext<'a> {
    /// Plans one call of `op`. `node` is the number under which its kernels report to the status buffer.
    pub fn run(
        op: &OpDef,
        args: Vec<Arg<Tensor>>,
        syms: &'a [i64],
        output_types: &'a [DType],
        caps: &'a Caps,
        node: u32,
        sharing: Sharing<'a>,
    ) -> Result<OpPlan> {
        for arg in &args {
            check_size(arg, caps)?;
        }
        let built = OpPlan { outputs: vec![None; output_types.len()], ..OpPlan::default() };
        let args = Args::new(args, syms);
        let mut cx = PlanContext { args, name: op.name, writes: op.writes, output_types, caps, node, sharing, built };
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

    /// Makes an output the part of `tensor` that begins at an element, where such a part can be bound: nothing is dispatched
    /// then. Otherwise the output is the operator's to copy.
    pub fn part(&mut self, index: usize, tensor: Tensor, shape: Shape, first: usize) -> Result<bool> {
        let dtype = self.output_type(index)?;
        let view = Tensor { shape, ..tensor };
        let offset = first as u64 * tensor.dtype.size() as u64;
        let binds = offset.is_multiple_of(self.caps.part_alignment());
        if !self.sharing.parts || dtype != tensor.dtype || !binds || offset + view.bytes() > tensor.bytes() {
            return Ok(false);
        }
        self.built.outputs[index] = Some(Output::Alias(view.window(offset, view.bytes())));
        Ok(true)
    }

    /// Says that the first output repeats all of `tensor` from a byte on. Where the tensor lies there already, nothing is to be
    /// copied.
    pub fn repeats(&mut self, tensor: Tensor, offset: u64) -> bool {
        // Pages copy what is joined.
        let Place::Value(value) = tensor.place else { return false };
        if cfg!(target_arch = "wasm32") {
            return false;
        }
        let repeated = Repeated { value, offset };
        self.built.repeated.push(repeated);
        self.sharing.placed.contains(&repeated)
    }

    /// A tensor argument that the operator changes in place: a cache, or a parameter in training.
    pub fn tensor_mut(&mut self, index: usize) -> Result<Tensor> {
        check_writes(self.name, self.writes, index)?;
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
        self.built.checks.push(IndexCheck { tensor, limit, negative: NegativeIndices::Invalid });
    }

    /// Asks that every element of `tensor` be less than `limit`, and at least −`limit`: negative ones count from the end.
    pub fn check_signed_indices(&mut self, tensor: Tensor, limit: u64) {
        self.built.checks.push(IndexCheck { tensor, limit, negative: NegativeIndices::FromEnd });
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

    /// Asks that every element of `tensor` be less than `limit`: negative ones are left out.
    pub fn check_labels(&mut self, tensor: Tensor, limit: u64) {
        self.built.checks.push(IndexCheck { tensor, limit, negative: NegativeIndices::Ignored });
    }

    /// Begins a launch; [`Launch::threads`], [`Launch::rows`] or [`Launch::groups`] ends it.
    pub fn dispatch<B: Bindings>(&mut self, bind: B, variant: B::Variant) -> Launch<'_, 'a, B> {
        Launch::new(self, bind, variant)
    }

    /// Writes a dispatch down.
    pub(crate) fn push(&mut self, dispatch: Dispatch) {
        self.built.dispatches.push(dispatch);
    }
}

impl Dispatch {
    /// The name of the kernel's variant.
    pub fn name(&self) -> String {
        self.kernel.variant_name(self.variant)
    }
}

impl<'a> Deref for PlanContext<'a> {
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

/// Whether elements live four to a word.
pub fn is_byte(dtype: DType) -> bool {
    matches!(dtype, DType::Bool | DType::U8 | DType::I8)
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
