//! Several tensors of indices, added up to the places of the elements that they name together.

use pteron_tensor::{DType, Shape};

use super::index_tensor::LookedUp;
use super::take::{Axis, joined};
use crate::broadcast;
use crate::error::Result;
use crate::kernels::index_offsets;
use crate::plan::{PlanContext, Tensor, lanes, word};

/// A scratch tensor with, for each place, the sum of index times stride over the dimensions that are looked up.
pub(super) fn accumulate(cx: &mut PlanContext<'_>, places: Shape, looked_up: &[(Tensor, LookedUp)]) -> Result<Tensor> {
    let offsets = cx.scratch(DType::I32, places)?;
    for (number, &(indices, looked)) in looked_up.iter().enumerate() {
        let steps = broadcast::strides(&indices.shape, &places);
        let axes: Vec<_> = places.iter().zip(steps).map(|(&size, step)| Axis { size, step, index_step: 0 }).collect();
        let axes = joined(&axes);
        let params = index_offsets::Params {
            sizes: lanes(axes.iter().map(|axis| word(axis.size))),
            steps: lanes(axes.iter().map(|axis| word(axis.step))),
            axes: word(axes.len()),
            count: word(places.numel()),
            stride: word(looked.stride),
            limit: word(looked.range.limit),
            add: u32::from(number > 0),
            node: cx.node(),
        };
        cx.dispatch(index_offsets::Bind { indices, offsets, params }, index_offsets::Variant)
            .threads(places.numel())?;
    }
    Ok(offsets)
}
