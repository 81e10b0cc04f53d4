//! Conversions between types, and rows that are rounded to bytes when the graph runs.
//!
//! A row that XNNPACK rounds to bytes by a scale and a zero point of its own is here the floats that the bytes stand
//! for: sums of their products with a filter are the same integers times the same scales.

use std::collections::HashSet;

use pteron_ops::Rounding;
use pteron_pte::xnnpack::{Convolution, ConvolutionKind, Datatype, Graph, Operation, Padding, Quantization};

use super::layout::{Held, Order};
use super::{Argument, Lowering, per_tensor};
use crate::error::Result;

/// The tensors whose rows are the channels of a point, whatever the file says of them: XNNPACK makes a layer of a convolution
/// by kernels of one point, and layers round so.
pub(super) fn rounded_by_points(source: &Graph<'_>) -> Result<HashSet<u32>> {
    let mut found = HashSet::new();
    for node in source.nodes() {
        if let Operation::Convolution(convolution) = node?.operation
            && is_layer(&convolution)
        {
            found.insert(convolution.input);
        }
    }
    Ok(found)
}

/// Whether XNNPACK makes a layer of a convolution. One channel in and one out is a product of two tensors to it.
fn is_layer(convolution: &Convolution) -> bool {
    let &Convolution { kind, padding, kernel, stride, groups, .. } = convolution;
    let Padding { top, right, bottom, left } = padding;
    let channels = convolution.group_input_channels.saturating_add(convolution.group_output_channels);
    kind == ConvolutionKind::Plain
        && kernel == [1, 1]
        && stride == [1, 1]
        && [top, right, bottom, left] == [0; 4]
        && groups == 1
        && channels > 2
}

impl Lowering<'_> {
    /// A tensor in another type.
    pub(super) fn convert(&mut self, input: u32, output: u32) -> Result<()> {
        let [from, to] = [self.tensor(input)?, self.tensor(output)?];
        if to.datatype == Datatype::Qdint8 {
            let Some(Quantization::PerToken { inner_dims }) = to.quantization else {
                return Err(self.refuse("bytes that are quantized when the graph runs, and not by rows"));
            };
            let inner_dims = if self.by_points.contains(&output) { 1 } else { inner_dims };
            let dtype = self.float_type(input)?;
            let held = self.floats(input, dtype)?;
            // One dimension of images with the channels first is not one of the file's.
            let held = match inner_dims {
                3.. => held,
                _ => Held { value: self.written(input)?, order: Order::Written },
            };
            let value = self.rounded(held.value, inner_dims)?;
            return self.hold_as_is(output, Held { value, ..held });
        }
        if from.datatype == to.datatype && per_tensor(&from) == per_tensor(&to) {
            let held = self.get(input)?;
            return self.hold(output, held);
        }
        let dtype = if per_tensor(&to).is_some() { self.float_type(input)? } else { self.float_type(output)? };
        let held = self.floats(input, dtype)?;
        self.put(None, output, held)
    }

    /// Floats rounded to the bytes of their rows, of so many innermost dimensions.
    pub(super) fn rounded(&mut self, value: u32, inner_dims: usize) -> Result<u32> {
        let (dtype, shape) = self.described(value);
        let rounding = Argument::Str(Rounding::Xnnpack.to_string());
        let args = [Argument::Value(value), Argument::Int(inner_dims as i64), rounding];
        self.emit("pteron.round_rows.default", &args, dtype, shape)
    }
}
