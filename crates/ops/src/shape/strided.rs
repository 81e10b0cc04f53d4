//! A copy that walks its input with one step per output dimension.

use pteron_tensor::{DType, HostTensor, MAX_RANK, Shape};

use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::strided_copy;
use crate::plan::{Plan, Tensor, lanes};
use crate::sym::{IntArg, Scalar};

/// Which input element each output element takes.
pub(super) struct Walk {
    /// The output's shape.
    pub(super) shape: Shape,
    /// The input element of the first output element.
    pub(super) offset: usize,
    /// Distance in the input for a step in each output dimension.
    pub(super) steps: [usize; MAX_RANK],
    /// A start that is only known at the call, and the distance that one of it moves.
    pub(super) start: Option<(Scalar, usize)>,
}

/// Plans the walk as the operator's only dispatch.
pub(super) fn plan(cx: &mut Plan<'_>, input: Tensor, walk: &Walk) -> Result<()> {
    let output = cx.output(walk.shape)?;
    if output.dtype != input.dtype {
        return Err(OpError::DType { dtype: input.dtype, what: format!("a copy into {}", output.dtype) });
    }
    let signed = |value: usize| {
        i32::try_from(value).map_err(|_| OpError::Limit(format!("a step of {value} elements does not fit 32 bits")))
    };
    let mut steps = [0; MAX_RANK];
    for (signed_step, &step) in steps.iter_mut().zip(&walk.steps) {
        *signed_step = signed(step)?;
    }
    let (start, start_step) = walk.start.unwrap_or((Scalar::Int(IntArg::Known(0)), 0));
    let params = strided_copy::Params {
        out: output.meta(),
        steps: lanes(steps),
        offset: signed(walk.offset)?,
        start_step: signed(start_step)?,
    };
    let bytes = matches!(output.dtype, DType::Bool | DType::U8 | DType::I8);
    let threads = if bytes { output.numel().div_ceil(4) } else { output.numel() };
    cx.dispatch(strided_copy::Bind { input, output, params, call: strided_copy::Call { start } })
        .ty("T", output.dtype)
        .threads(threads)
}

/// The walk in plain Rust. Starts must be known.
pub(super) fn reference(cx: &mut Eval<'_>, input: &HostTensor, walk: &Walk, syms: &[i64]) -> Result<()> {
    let size = input.dtype().size();
    let start = match walk.start {
        Some((scalar, step)) => usize::try_from(scalar.eval(syms)?).unwrap_or(0) * step,
        None => 0,
    };
    let mut bytes = Vec::with_capacity(walk.shape.numel() * size);
    for index in 0..walk.shape.numel() {
        let (mut source, mut rest) = (walk.offset + start, index);
        for (dim, &size) in walk.shape.iter().enumerate().rev() {
            source += rest % size * walk.steps[dim];
            rest /= size;
        }
        let element = input.bytes().get(source * size..(source + 1) * size);
        bytes.extend_from_slice(element.ok_or_else(|| OpError::Shape("a copy leaves its input".to_owned()))?);
    }
    cx.set(0, HostTensor::with_shape(input.dtype(), walk.shape, bytes)?)
}
