//! A copy whose places depend on a tensor of indices.

use pteron_tensor::{DType, HostTensor, MAX_RANK, Shape};

use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::take;
use crate::plan::{PlanContext, Tensor, lanes, word};

/// Which input element each output element takes, given the indices.
pub(super) struct Take {
    /// The output's shape.
    pub(super) shape: Shape,
    /// One axis for each dimension of the output.
    pub(super) axes: Vec<Axis>,
    /// The distance in the input that one of an index moves.
    pub(super) stride: usize,
    /// What an index may be.
    pub(super) range: Range,
}

/// One dimension of the output.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    pub(super) size: usize,
    /// The distance in the input from one to the next.
    pub(super) step: usize,
    /// The distance in the indices from one to the next.
    pub(super) index_step: usize,
}

/// What an index may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    /// One more than the largest.
    pub(super) limit: usize,
    /// Whether negative indices count from the end.
    pub(super) from_end: bool,
}

impl Range {
    /// Asks the host and the kernel to check `indices`, which must be there to be looked up.
    pub(super) fn check(self, cx: &mut PlanContext<'_>, indices: Tensor) -> Result<()> {
        check_type(indices.dtype)?;
        if indices.numel() > 0 && self.limit == 0 {
            return Err(OpError::Shape("an index cannot be looked up in a dimension without elements".to_owned()));
        }
        match self.from_end {
            true => cx.check_signed_indices(indices, self.limit as u64),
            false => cx.check_indices(indices, self.limit as u64),
        }
        Ok(())
    }

    /// The indices counted from the start, all checked.
    pub(super) fn resolve(self, indices: &HostTensor) -> Result<Vec<usize>> {
        check_type(indices.dtype())?;
        let resolve = |index: i64| {
            let from_end = index < 0 && self.from_end;
            let at = if from_end { index.saturating_add_unsigned(self.limit as u64) } else { index };
            let at = usize::try_from(at).ok().filter(|&at| at < self.limit);
            at.ok_or(OpError::Index { index, limit: self.limit as u64 })
        };
        indices.to_i64s().into_iter().map(resolve).collect()
    }
}

/// Masks have as many results as true elements, so no plan can know the result's shape.
pub(super) fn check_type(dtype: DType) -> Result<()> {
    match dtype {
        DType::I32 | DType::I64 => Ok(()),
        DType::Bool | DType::U8 => {
            Err(OpError::Unsupported(format!("the size of what a mask of {dtype} selects depends on its contents")))
        }
        _ => Err(OpError::DType { dtype, what: "indices".to_owned() }),
    }
}

/// Plans the first output. The indices are checked by [`Range::check`] beforehand.
pub(super) fn plan(cx: &mut PlanContext<'_>, input: Tensor, indices: Tensor, take: &Take) -> Result<()> {
    let output = cx.output(take.shape)?;
    check_types(input.dtype, output.dtype)?;
    if output.numel() == 0 {
        return Ok(());
    }
    let wide = take.is_wide();
    let unit = if wide { 4 } else { 1 };
    let mut axes = joined(&take.axes);
    for axis in &mut axes {
        axis.step /= if axis.step == 1 { 1 } else { unit };
    }
    if let Some(last) = axes.last_mut() {
        last.size /= unit;
    }
    let byte = matches!(output.dtype, DType::Bool | DType::U8 | DType::I8);
    // An input larger than a binding comes in windows, which begin where a binding may.
    let size = input.dtype.size() as u64;
    let limit = cx.caps().max_binding_bytes;
    let window = if input.bytes() <= limit { input.bytes() } else { limit - limit % cx.caps().offset_alignment };
    let mut first = 0;
    while first < input.bytes() {
        let bytes = window.min(input.bytes() - first);
        let part = if bytes == input.bytes() { input } else { input.window(first, bytes) };
        let units = |bytes: u64| word(usize::try_from(bytes / size).unwrap_or(usize::MAX) / unit);
        let params = take::Params {
            sizes: lanes(axes.iter().map(|axis| word(axis.size))),
            steps: lanes(axes.iter().map(|axis| word(axis.step))),
            index_steps: lanes(axes.iter().map(|axis| word(axis.index_step))),
            axes: word(axes.len()),
            count: word(output.numel() / unit),
            stride: word(take.stride / unit),
            limit: word(take.range.limit),
            from_end: u32::from(take.range.from_end),
            first: units(first),
            window: units(bytes),
            node: cx.node(),
        };
        let variant = take::Variant { t: output.dtype.try_into()?, wide };
        cx.dispatch(take::Bind { input: part, indices, output, params }, variant)
            .traffic(2 * output.bytes() + indices.bytes())
            .threads(if wide || byte { output.numel().div_ceil(4) } else { output.numel() })?;
        first += bytes;
    }
    Ok(())
}

/// The first output in plain Rust, from indices counted from the start.
pub(super) fn evaluate(cx: &mut Eval<'_>, input: &HostTensor, indices: &[usize], take: &Take) -> Result<()> {
    check_types(input.dtype(), cx.output_type(0)?)?;
    let size = input.dtype().size();
    let mut bytes = Vec::with_capacity(take.shape.numel() * size);
    for place in take.places(indices) {
        let element = place.and_then(|place| input.bytes().get(place * size..(place + 1) * size));
        bytes.extend_from_slice(element.ok_or_else(|| OpError::Shape("a look-up leaves its input".to_owned()))?);
    }
    cx.set(0, HostTensor::with_shape(input.dtype(), take.shape, bytes)?)
}

impl Take {
    /// The input element of each output element, given the indices counted from the start.
    pub(super) fn places(&self, indices: &[usize]) -> impl Iterator<Item = Option<usize>> {
        (0..self.shape.numel()).map(|element| {
            let (mut source, mut at, mut rest) = (0, 0, element);
            for axis in self.axes.iter().rev() {
                source += rest % axis.size * axis.step;
                at += rest % axis.size * axis.index_step;
                rest /= axis.size;
            }
            Some(source + indices.get(at)? * self.stride)
        })
    }

    /// Whether every group of four output elements is four neighbours of the input that begin at a multiple of four.
    fn is_wide(&self) -> bool {
        let fours = |value: usize| value.is_multiple_of(4);
        let axes = joined(&self.axes);
        let Some((last, outer)) = axes.split_last() else { return false };
        (last.step, last.index_step) == (1, 0)
            && fours(last.size)
            && outer.iter().all(|axis| fours(axis.step))
            && fours(self.stride)
    }
}

/// The axes without those of size 1, and with neighbours that walk on where the other ends joined.
pub(super) fn joined(axes: &[Axis]) -> Vec<Axis> {
    let mut joined: Vec<Axis> = Vec::with_capacity(MAX_RANK);
    for &axis in axes.iter().filter(|axis| axis.size != 1) {
        let whole = (axis.size.checked_mul(axis.step), axis.size.checked_mul(axis.index_step));
        match joined.last_mut() {
            Some(outer) if whole == (Some(outer.step), Some(outer.index_step)) => {
                *outer = Axis { size: outer.size * axis.size, ..axis };
            }
            _ => joined.push(axis),
        }
    }
    joined
}

fn check_types(input: DType, output: DType) -> Result<()> {
    if input == output {
        return Ok(());
    }
    Err(OpError::DType { dtype: input, what: format!("a look-up into {output}") })
}
