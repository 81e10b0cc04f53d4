//! Convolutions of images of floats, with filters of floats or of bytes.

use pteron_pte::xnnpack::{Convolution, ConvolutionKind, Datatype, Flags, Node as XnnNode, OutputRange, Padding};
use pteron_tensor::{DType, Shape};

use super::layout::{CHANNELS_FIRST, Held, Order};
use super::{Argument, Lowering};
use crate::error::Result;

impl Lowering<'_> {
    /// A convolution of images.
    pub(super) fn convolution(&mut self, node: &XnnNode, convolution: &Convolution) -> Result<()> {
        if node.flags.has_beyond(&[Flags::SAME_PADDING]) {
            return Err(self.refuse(format!("flags {:#x}", node.flags.0)));
        }
        let mut convolution = *convolution;
        let Convolution { kernel, stride, dilation, groups, input, output, .. } = convolution;
        if kernel.contains(&0) || stride.contains(&0) || dilation.contains(&0) || groups == 0 {
            return Err(self.refuse("a kernel, stride, dilation or number of groups of 0"));
        }
        if node.flags.has(Flags::SAME_PADDING) {
            convolution.padding = self.same_padding(input, kernel, stride, dilation)?;
        }
        self.check_filter(&convolution)?;
        if self.convolution_of_bytes(node, &convolution)? {
            return Ok(());
        }
        let dtype = self.float_type(output)?;
        let held = self.floats(input, dtype)?;
        let mut images = self.images(held)?;
        if let Some(Datatype::Qdint8 | Datatype::Qint8) = self.tensor(input)?.dynamic_datatype {
            images = self.rounded(images, 3)?;
        }
        let Padding { top, right, bottom, left } = convolution.padding;
        let transposed = convolution.kind == ConvolutionKind::Transposed;
        let even = top == bottom && left == right;
        if !even && !transposed {
            images = self.padded(images, convolution.padding, Argument::Double(0.0))?;
        }
        let own = if even || transposed { [top, left] } else { [0, 0] };
        // What a transposed one has too much at the bottom and right is cut off.
        let [high, wide] = convolution.output_padding;
        let extra = [(high, top, bottom), (wide, left, right)].map(|(more, before, after)| {
            i64::from(more).saturating_add(i64::from(before)).saturating_sub(i64::from(after))
        });
        let shape = self.result_shape(&convolution)?;
        let weight = Argument::Value(self.filter(&convolution, dtype)?);
        let bias = match convolution.bias {
            Some(bias) => {
                let held = self.floats(bias, dtype)?;
                Argument::Value(self.in_order(held, Order::Written)?)
            }
            None => Argument::Null,
        };
        let pair = |pair: [u32; 2]| Argument::Ints(pair.map(i64::from).to_vec());
        let (min, max) = match node.output_range {
            Some(OutputRange { min, max }) => (Argument::Double(f64::from(min)), Argument::Double(f64::from(max))),
            None => (Argument::Null, Argument::Null),
        };
        let args = [
            Argument::Value(images),
            weight,
            bias,
            pair(stride),
            pair(own),
            pair(dilation),
            Argument::Bool(transposed),
            Argument::Ints(extra.map(|extra| if transposed { extra.max(0) } else { 0 }).to_vec()),
            Argument::Int(i64::from(groups)),
            min,
            max,
        ];
        let mut value = self.emit("et_vk.conv_with_clamp.default", &args, dtype, shape)?;
        for (dim, &extra) in (2i64..).zip(&extra) {
            if transposed && extra < 0 {
                let [dim, start, end, step] = [dim, 0, extra, 1].map(Argument::Int);
                value = self.emit(
                    "aten.slice_copy.Tensor",
                    &[Argument::Value(value), dim, start, end, step],
                    dtype,
                    shape,
                )?;
            }
        }
        let held = Held { value, order: Order::ChannelsFirst };
        // The range is kept already; only rounding to bytes keeps it again.
        if self.float_type(output)? == self.dtype_of(output)? {
            return self.hold(output, held);
        }
        self.put(node.output_range, output, held)
    }

    /// Refuses a filter whose sizes are not those that the node tells.
    fn check_filter(&self, convolution: &Convolution) -> Result<()> {
        let &Convolution { kind, kernel, groups, group_input_channels, group_output_channels, filter, .. } =
            convolution;
        let outputs = groups.checked_mul(group_output_channels);
        let [height, width] = kernel;
        let expected = outputs.map(|outputs| match kind {
            ConvolutionKind::Depthwise => [1, height, width, outputs],
            _ => [outputs, height, width, group_input_channels],
        });
        let depthwise = kind == ConvolutionKind::Depthwise && group_input_channels != 1;
        let dims = self.tensor(filter)?.dims;
        if expected.is_none_or(|expected| *dims != expected) || depthwise {
            return Err(self.refuse("a filter whose sizes do not go with the node"));
        }
        Ok(())
    }

    /// The largest sizes of a convolution's result, with the channels first.
    pub(super) fn result_shape(&self, convolution: &Convolution) -> Result<Shape> {
        let output = self.tensor(convolution.output)?.shape()?;
        let &[batch, height, width, channels] = &*output else {
            return Err(self.refuse("a result that is no batch of images"));
        };
        Ok(Shape::new(&[batch, channels, height, width])?)
    }

    /// The filter of floats, in the order that convolutions here have.
    fn filter(&mut self, convolution: &Convolution, dtype: DType) -> Result<u32> {
        let tensor = self.tensor(convolution.filter)?;
        let sizes = tensor.shape()?;
        let Some((stored, order)) = arrangement(convolution, &sizes) else {
            return Err(self.refuse("a filter that is no batch of images"));
        };
        let is_bytes = matches!(tensor.datatype, Datatype::Qint8 | Datatype::Qcint8);
        let value = match (tensor.constant, is_bytes) {
            (Some(_), false) => self.arranged(&tensor, dtype, &stored, &order)?,
            (Some(_), true) => {
                let depthwise = convolution.kind == ConvolutionKind::Depthwise;
                let (axis, channels) = if depthwise { (3, sizes.get(3)) } else { (0, sizes.first()) };
                let channels = channels.copied().ok_or_else(|| self.refuse("a filter without channels"))?;
                let codes = self.constant(&tensor, DType::I8)?;
                let scales = self.channel_scales(&tensor, DType::F32, channels)?;
                let args = [
                    Argument::Value(codes),
                    Argument::Value(scales),
                    Argument::Null,
                    Argument::Int(axis),
                    Argument::Int(-128),
                    Argument::Int(127),
                ];
                let op = "quantized_decomposed.dequantize_per_channel.default";
                let floats = self.emit(op, &args, dtype, sizes)?;
                self.arranged_value(floats, &stored, &order)?
            }
            (None, _) => {
                let held = self.floats(convolution.filter, dtype)?;
                let floats = self.in_order(held, Order::Written)?;
                self.arranged_value(floats, &stored, &order)?
            }
        };
        if convolution.kind != ConvolutionKind::Transposed {
            return Ok(value);
        }
        // Groups and their input channels are one dimension.
        let (_, shape) = self.described(value);
        let &[groups, inputs, height, width, outputs] = &*shape else {
            return Err(self.refuse("a filter that is no batch of images"));
        };
        self.viewed(value, &[groups.saturating_mul(inputs), height, width, outputs])
    }

    /// A value of these sizes with its dimensions in another order.
    fn arranged_value(&mut self, value: u32, stored: &[usize], order: &[usize]) -> Result<u32> {
        let viewed = self.viewed(value, stored)?;
        self.permuted(viewed, order)
    }

    /// A value under other sizes.
    fn viewed(&mut self, value: u32, sizes: &[usize]) -> Result<u32> {
        let (dtype, shape) = self.described(value);
        if *shape == *sizes {
            return Ok(value);
        }
        let list = Argument::Ints(sizes.iter().map(|&size| size as i64).collect());
        self.emit("aten.view_copy.default", &[Argument::Value(value), list], dtype, Shape::new(sizes)?)
    }
}

/// The sizes of a filter, taken apart where that is needed, and the order of its dimensions here: output channels, input
/// channels and the kernel; input channels come first where it is transposed.
fn arrangement(convolution: &Convolution, sizes: &Shape) -> Option<(Vec<usize>, Vec<usize>)> {
    let &[_, height, width, inputs] = &**sizes else { return None };
    Some(match convolution.kind {
        ConvolutionKind::Plain => (sizes.to_vec(), CHANNELS_FIRST.to_vec()),
        ConvolutionKind::Depthwise => (sizes.to_vec(), vec![3, 0, 1, 2]),
        ConvolutionKind::Transposed => {
            let (groups, outputs) = (convolution.groups as usize, convolution.group_output_channels as usize);
            (vec![groups, outputs, height, width, inputs], vec![0, 4, 1, 2, 3])
        }
    })
}
