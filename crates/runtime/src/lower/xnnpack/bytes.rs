//! Nodes on bytes with one scale for the tensor: what XNNPACK computes in integers is computed in integers here.
//!
//! Each function says whether it took the node; one that did not leaves it to floats, between which bytes are converted.

use pteron_pte::xnnpack::{BinaryFunction, Convolution, ConvolutionKind, Datatype, Node as XnnNode, Padding, Tensor};
use pteron_tensor::{DType, Shape};

use super::layout::{Held, Order};
use super::{Argument, Lowering, per_tensor};
use crate::error::Result;

/// Scales of an operand over that of the sum, between which XNNPACK adds in fixed point.
const SUM_RATIOS: std::ops::Range<f32> = 0.000_976_562_5..256.0;

/// Scale and zero point of signed bytes, as arguments.
fn signed(tensor: &Tensor<'_>) -> Option<[Argument; 2]> {
    let (scale, zero_point) = per_tensor(tensor).filter(|_| tensor.datatype == Datatype::Qint8)?;
    Some([Argument::Double(f64::from(scale)), Argument::Int(i64::from(zero_point))])
}

impl Lowering<'_> {
    /// A sum, difference or product of bytes.
    pub(super) fn binary_of_bytes(
        &mut self,
        node: &XnnNode,
        function: BinaryFunction,
        [a, b]: [u32; 2],
        output: u32,
    ) -> Result<bool> {
        let [first, second, to] = [self.tensor(a)?, self.tensor(b)?, self.tensor(output)?];
        let (Some([a_scale, a_zero]), Some([b_scale, b_zero]), Some([scale, zero])) =
            (signed(&first), signed(&second), signed(&to))
        else {
            return Ok(false);
        };
        let op = match function {
            BinaryFunction::Add => "pteron.bytes_add.default",
            BinaryFunction::Subtract => "pteron.bytes_sub.default",
            _ => "pteron.bytes_mul.default",
        };
        if function != BinaryFunction::Multiply {
            let ratio = |tensor: &Tensor<'_>| match (per_tensor(tensor), per_tensor(&to)) {
                (Some((scale, _)), Some((result, _))) => scale / result,
                _ => 0.0,
            };
            if !SUM_RATIOS.contains(&ratio(&first).max(ratio(&second))) {
                return Ok(false);
            }
        }
        let [low, high] = self.byte_range(node.output_range, &to)?.map(Argument::Int);
        let held = [self.get(a)?, self.get(b)?];
        let ([a, b], order) = self.broadcast(held)?;
        let shape = self.broadcast_shape(a, b)?;
        let [a, b] = [a, b].map(Argument::Value);
        let args = [a, b, a_scale, a_zero, b_scale, b_zero, scale, zero, low, high];
        let value = self.emit(op, &args, DType::I8, shape)?;
        self.hold(output, Held { value, order })?;
        Ok(true)
    }

    /// The mean of each channel of images of bytes.
    pub(super) fn mean_of_bytes(&mut self, node: &XnnNode, input: u32, output: u32, keep: bool) -> Result<bool> {
        let [from, to] = [self.tensor(input)?, self.tensor(output)?];
        let (Some([in_scale, in_zero]), Some([scale, zero])) = (signed(&from), signed(&to)) else { return Ok(false) };
        let [low, high] = self.byte_range(node.output_range, &to)?.map(Argument::Int);
        let held = self.get(input)?;
        let images = self.images(held)?;
        let shape = self.averaged(images, keep)?;
        let args = [Argument::Value(images), in_scale, in_zero, scale, zero, Argument::Bool(keep), low, high];
        let value = self.emit("pteron.bytes_mean.default", &args, DType::I8, shape)?;
        let order = if keep { Order::ChannelsFirst } else { Order::Written };
        self.hold(output, Held { value, order })?;
        Ok(true)
    }

    /// A fully connected layer from bytes to bytes.
    pub(super) fn linear_of_bytes(
        &mut self,
        node: &XnnNode,
        [input, filter]: [u32; 2],
        bias: Option<u32>,
        output: u32,
        transposed: bool,
    ) -> Result<bool> {
        let [from, weight, to] = [self.tensor(input)?, self.tensor(filter)?, self.tensor(output)?];
        let (Some([in_scale, in_zero]), Some([scale, zero])) = (signed(&from), signed(&to)) else { return Ok(false) };
        if !matches!(weight.datatype, Datatype::Qint8 | Datatype::Qcint8) || !self.is_integer_bias(bias) {
            return Ok(false);
        }
        let [low, high] = self.byte_range(node.output_range, &to)?.map(Argument::Int);
        let rows = self.written(input)?;
        let weight_value = self.byte_matrix(&weight, transposed)?;
        let (_, sizes) = self.described(weight_value);
        let channels = sizes.first().copied().unwrap_or(0);
        let scales = Argument::Value(self.channel_scales(&weight, DType::F32, channels)?);
        let bias = self.integer_bias(bias)?;
        let (_, shape) = self.described(rows);
        let Some(last) = shape.rank().checked_sub(1) else {
            return Err(self.refuse("a layer on a number"));
        };
        let (rows, weight) = (Argument::Value(rows), Argument::Value(weight_value));
        let args = [rows, in_scale, in_zero, weight, scales, scale, zero, bias, low, high];
        let value = self.emit("pteron.bytes_linear.default", &args, DType::I8, shape.with(last, channels)?)?;
        self.hold(output, Held { value, order: Order::Written })?;
        Ok(true)
    }

    /// A convolution from bytes to bytes.
    pub(super) fn convolution_of_bytes(&mut self, node: &XnnNode, convolution: &Convolution) -> Result<bool> {
        let &Convolution { kind, padding, kernel, stride, dilation, output_padding, groups, .. } = convolution;
        let Convolution { input, filter, bias, output, .. } = *convolution;
        let [from, weight, to] = [self.tensor(input)?, self.tensor(filter)?, self.tensor(output)?];
        let (Some([in_scale, in_zero]), Some([scale, zero])) = (signed(&from), signed(&to)) else { return Ok(false) };
        let bytes = matches!(weight.datatype, Datatype::Qint8 | Datatype::Qcint8);
        if !bytes || weight.constant.is_none() || !self.is_integer_bias(bias) {
            return Ok(false);
        }
        let [low, high] = self.byte_range(node.output_range, &to)?.map(Argument::Int);
        let held = self.get(input)?;
        let images = Argument::Value(self.images(held)?);
        let sizes = weight.shape()?;
        let depthwise = kind == ConvolutionKind::Depthwise;
        let channels = if depthwise { sizes.last() } else { sizes.first() };
        let channels = channels.copied().ok_or_else(|| self.refuse("a filter that is a number"))?;
        let codes = Argument::Value(self.constant(&weight, DType::I8)?);
        let scales = Argument::Value(self.channel_scales(&weight, DType::F32, channels)?);
        let bias = self.integer_bias(bias)?;
        let shape: Shape = self.result_shape(convolution)?;
        let Padding { top, right, bottom, left } = padding;
        let ints = |items: &[u32]| Argument::Ints(items.iter().map(|&item| i64::from(item)).collect());
        let args = [
            images,
            in_scale,
            in_zero,
            codes,
            scales,
            scale,
            zero,
            bias,
            ints(&kernel),
            ints(&stride),
            ints(&[top, left, bottom, right]),
            ints(&dilation),
            ints(&output_padding),
            Argument::Int(i64::from(groups)),
            low,
            high,
        ];
        let op = match kind {
            ConvolutionKind::Plain => "pteron.bytes_convolution.default",
            ConvolutionKind::Depthwise => "pteron.bytes_convolution_depthwise.default",
            ConvolutionKind::Transposed => "pteron.bytes_convolution_transposed.default",
        };
        let value = self.emit(op, &args, DType::I8, shape)?;
        self.hold(output, Held { value, order: Order::ChannelsFirst })?;
        Ok(true)
    }

    fn is_integer_bias(&self, bias: Option<u32>) -> bool {
        let integer = |id: u32| {
            let datatype = self.tensor(id).map(|tensor| tensor.datatype);
            matches!(datatype, Ok(Datatype::Qint32 | Datatype::Qcint32 | Datatype::I32))
        };
        bias.is_none_or(integer)
    }

    /// A bias of integers in units of the products that it is added to.
    fn integer_bias(&mut self, bias: Option<u32>) -> Result<Argument> {
        Ok(match bias {
            Some(bias) => Argument::Value(self.written(bias)?),
            None => Argument::Null,
        })
    }
}
