//! `aten.max_pool3d_with_indices`: the largest elements of windows of volumes, and where they are.

use pteron_tensor::HostTensor;

use super::volume::Volumes;
use crate::catalogue::OpDef;
use crate::error::Result;
use crate::eval::Eval;
use crate::kernels::max_pool3d;
use crate::plan::{PlanContext, word};
use crate::reduce::walk::flag;

pub(crate) const OPS: &[OpDef] = &[OpDef::tensor("aten.max_pool3d_with_indices.default", plan, reference)
    .portable("aten::max_pool3d_with_indices.out")];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let volumes = Volumes::read(cx, &input.shape, Some(4), flag(cx, 5)?)?;
    let (output, indices) = (cx.output_at(0, volumes.output)?, cx.output_at(1, volumes.output)?);
    let params = max_pool3d::Params { volumes: volumes.meta(), numel: word(output.numel()) };
    let variant = max_pool3d::Variant { t: output.dtype.try_into()? };
    cx.dispatch(max_pool3d::Bind { input, output, indices, params }, variant).threads(output.numel())
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let volumes = Volumes::read(cx, input.shape(), Some(4), flag(cx, 5)?)?;
    let (dtype, shape) = (input.dtype(), volumes.output);
    let (best, places) = if dtype.is_float() {
        let (best, places) = largest(&input.to_f64s(), &volumes);
        (HostTensor::from_f64s(dtype, shape, best)?, places)
    } else {
        let (best, places) = largest(&input.to_i64s(), &volumes);
        (HostTensor::from_i64s(dtype, shape, best)?, places)
    };
    cx.set(0, best)?;
    cx.set(1, HostTensor::from_i64s(cx.output_type(1)?, shape, places)?)
}

/// The largest element of each window and its place in the volume. A NaN is larger than anything, and the last of
/// several counts.
fn largest<T: Copy + PartialOrd>(values: &[T], volumes: &Volumes) -> (Vec<T>, Vec<i64>) {
    let mut found = Vec::with_capacity(volumes.output.numel());
    for volume in values.chunks(volumes.sizes.iter().product()) {
        volumes.each(|_, elements| {
            let best = elements.reduce(|best, at| {
                #[expect(clippy::eq_op, reason = "only NaN differs from itself")]
                let is_nan = volume[at] != volume[at];
                if is_nan || volume[at] > volume[best] { at } else { best }
            });
            found.extend(best.map(|at| (volume[at], at as i64)));
        });
    }
    found.into_iter().unzip()
}
