//! Values put into a copy of a tensor, one after the other: what the scattering operators share.

use pteron_tensor::HostTensor;

use crate::error::{OpError, Result};
use crate::eval::Eval;

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
pub(crate) fn put(
    cx: &mut Eval<'_>,
    target: &HostTensor,
    places: Vec<Option<usize>>,
    values: &Values,
    add: bool,
) -> Result<()> {
    let (dtype, shape) = (target.dtype(), *target.shape());
    if values.tensor.dtype() != dtype {
        return Err(OpError::DType { dtype: values.tensor.dtype(), what: format!("values to put into {dtype}") });
    }
    let outside = || OpError::Shape("a value is put outside its tensor".to_owned());
    let pairs = places.into_iter().zip(&values.places).map(|(to, &from)| to.map(|to| (to, from)).ok_or_else(outside));
    let result = match (add, dtype.is_integer()) {
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
