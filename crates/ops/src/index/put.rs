//! Values put into a copy of a tensor, one after the other: what the scattering operators share.

use pteron_tensor::{DType, HostTensor};

use super::take::Range;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::put;
use crate::plan::{PlanContext, Tensor, is_byte, lanes, word};

/// Which values may come to each element of the output: those of a line of indices that name its slot.
pub(super) struct Puts {
    /// One for each dimension of the output.
    pub(super) axes: Vec<Axis>,
    /// Indices that an element is compared with, and the distances from one to the next among indices and values.
    pub(super) count: usize,
    pub(super) index_step: usize,
    pub(super) value_step: usize,
    /// What an index may be.
    pub(super) range: Range,
}

/// One dimension of the output.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Axis {
    pub(super) size: usize,
    /// The distance from one to the next among slots, indices and values.
    pub(super) slot_step: usize,
    pub(super) index_step: usize,
    pub(super) value_step: usize,
    /// How many of them there are values for.
    pub(super) limit: usize,
}

/// Plans the first output: `target` with values put, or added, where indices say. The indices are checked by
/// [`Range::check`] beforehand.
pub(super) fn plan(
    cx: &mut PlanContext<'_>,
    [target, indices, values]: [Tensor; 3],
    puts: &Puts,
    add: bool,
) -> Result<()> {
    check_types(target.dtype, values.dtype)?;
    check_types(target.dtype, cx.output_type(0)?)?;
    if puts.count == 0 || indices.numel() == 0 {
        return cx.alias(0, target, target.shape);
    }
    let output = cx.output(target.shape)?;
    let each = |field: fn(&Axis) -> usize| lanes(puts.axes.iter().map(|axis| word(field(axis))));
    let params = put::Params {
        sizes: each(|axis| axis.size),
        slot_steps: each(|axis| axis.slot_step),
        index_steps: each(|axis| axis.index_step),
        value_steps: each(|axis| axis.value_step),
        limits: each(|axis| axis.limit),
        axes: word(puts.axes.len()),
        numel: word(output.numel()),
        count: word(puts.count),
        index_step: word(puts.index_step),
        value_step: word(puts.value_step),
        limit: word(puts.range.limit),
        from_end: u32::from(puts.range.from_end),
        signed: u32::from(target.dtype == DType::I8),
        truth: u32::from(target.dtype == DType::Bool),
        node: cx.node(),
    };
    let variant = put::Variant { t: output.dtype.try_into()?, add };
    let threads = if is_byte(output.dtype) { output.numel().div_ceil(4) } else { output.numel() };
    cx.dispatch(put::Bind { input: target, indices, values, output, params }, variant)
        .rounds(puts.count)
        .threads(threads)
}

fn check_types(target: DType, values: DType) -> Result<()> {
    if target == values {
        return Ok(());
    }
    Err(OpError::DType { dtype: values, what: format!("values to put into {target}") })
}

/// The value for each place.
pub(crate) struct Values {
    /// The tensor that holds them.
    pub(crate) tensor: HostTensor,
    /// Which of its elements each one is.
    pub(crate) places: Vec<usize>,
}

/// Sets the first output to `target` with a value put at each place, or added to what is there.
///
/// Where a place is named twice the last value stays, or all are added.
pub(crate) fn evaluate(
    cx: &mut Eval<'_>,
    target: &HostTensor,
    places: Vec<Option<usize>>,
    values: &Values,
    add: bool,
) -> Result<()> {
    let (dtype, shape) = (target.dtype(), *target.shape());
    check_types(dtype, values.tensor.dtype())?;
    check_types(dtype, cx.output_type(0)?)?;
    let outside = || OpError::Shape("a value is put outside its tensor".to_owned());
    let pairs = places.into_iter().zip(&values.places).map(|(to, &from)| to.map(|to| (to, from)).ok_or_else(outside));
    let result = match (add, !dtype.is_float()) {
        (false, _) => {
            let size = dtype.size();
            let mut bytes = target.bytes().to_vec();
            for pair in pairs {
                let (to, from) = pair?;
                let value = values.tensor.bytes().get(from * size..(from + 1) * size).ok_or_else(outside)?;
                bytes.get_mut(to * size..(to + 1) * size).ok_or_else(outside)?.copy_from_slice(value);
            }
            HostTensor::with_shape(dtype, shape, bytes)?
        }
        (true, true) => {
            let (mut sums, values) = (target.to_i64s(), values.tensor.to_i64s());
            for pair in pairs {
                let (to, from) = pair?;
                let sum = sums.get_mut(to).ok_or_else(outside)?;
                *sum = sum.wrapping_add(*values.get(from).ok_or_else(outside)?);
            }
            HostTensor::from_i64s(dtype, shape, sums)?
        }
        (true, false) => {
            let (mut sums, values) = (target.to_f64s(), values.tensor.to_f64s());
            for pair in pairs {
                let (to, from) = pair?;
                *sums.get_mut(to).ok_or_else(outside)? += values.get(from).ok_or_else(outside)?;
            }
            HostTensor::from_f64s(dtype, shape, sums)?
        }
    };
    cx.set(0, result)
}
