//! Reads nodes out of the flatbuffer.

use planus::Vector;

use super::WHAT;
use super::few::Few;
use super::node::{
    BinaryFunction, Convolution, ConvolutionKind, Flags, Node, Operation, OutputRange, Padding, Pooling, PoolingKind,
    UnaryFunction,
};
use crate::error::{At, Error, Result, index};
use crate::generated::xnnpack as raw;

/// Reads a node of a graph with so many tensors.
pub(super) fn node(node: planus::Result<raw::NodeRef<'_>>, position: usize, tensors: usize) -> Result<Node> {
    let reader = Reader { position, tensors };
    let node = reader.get(node)?;
    let range = reader.get(node.output_range())?;
    let output_range = range
        .map(|range| Ok::<_, Error>(OutputRange { min: reader.get(range.min())?, max: reader.get(range.max())? }))
        .transpose()?;
    let (operation, flags) = match node.operation() {
        Err(planus::Error { error_kind: planus::errors::ErrorKind::UnknownUnionTag { tag }, .. }) => {
            (Operation::Unknown(tag), 0)
        }
        other => match reader.get(other)? {
            Some(operation) => reader.operation(operation)?,
            None => (Operation::Unknown(0), 0),
        },
    };
    Ok(Node { operation, flags: Flags(flags), output_range, debug_handle: reader.get(node.debug_handle())? })
}

/// Where a node is, and what its ids are checked against.
#[derive(Clone, Copy)]
struct Reader {
    position: usize,
    tensors: usize,
}

/// A field of the flatbuffer.
type Field<T> = planus::Result<T>;

impl Reader {
    fn at(self) -> String {
        format!("{WHAT}, node {}", self.position)
    }

    fn get<T>(self, field: Field<T>) -> Result<T> {
        field.at(|| self.at())
    }

    fn id(self, field: Field<u32>) -> Result<u32> {
        index(i64::from(self.get(field)?), self.tensors, "tensor", || self.at())
    }

    fn optional(self, field: Field<u32>) -> Result<Option<u32>> {
        match self.get(field)? {
            u32::MAX => Ok(None),
            id => self.id(Ok(id)).map(Some),
        }
    }

    fn pair(self, height: Field<u32>, width: Field<u32>) -> Result<[u32; 2]> {
        Ok([self.get(height)?, self.get(width)?])
    }

    /// Padding from the top clockwise.
    fn padding(self, [top, right, bottom, left]: [Field<u32>; 4]) -> Result<Padding> {
        Ok(Padding { top: self.get(top)?, right: self.get(right)?, bottom: self.get(bottom)?, left: self.get(left)? })
    }

    /// A list with a number for each dimension.
    fn dims(self, list: Field<Option<Vector<'_, u32>>>, rank: Field<u32>, what: &'static str) -> Result<Few> {
        let (list, rank) = (Few::read(self.get(list)?, what, || self.at())?, self.get(rank)?);
        if u64::from(rank) != list.len() as u64 {
            let reason = format!("{what} has {} numbers for {rank} dimensions", list.len());
            return Err(Error::Invalid { at: self.at(), reason });
        }
        Ok(list)
    }

    /// The operation and its flags.
    fn operation(self, operation: raw::OperationRef<'_>) -> Result<(Operation, u32)> {
        use raw::OperationRef as O;
        match operation {
            O::Abs(node) => self.unary(UnaryFunction::Abs, node),
            O::Ceiling(node) => self.unary(UnaryFunction::Ceiling, node),
            O::Clamp(node) => self.unary(UnaryFunction::Clamp, node),
            O::Convert(node) => self.unary(UnaryFunction::Convert, node),
            O::Copy(node) => self.unary(UnaryFunction::Copy, node),
            O::Cos(node) => self.unary(UnaryFunction::Cos, node),
            O::Exp(node) => self.unary(UnaryFunction::Exp, node),
            O::Floor(node) => self.unary(UnaryFunction::Floor, node),
            O::Gelu(node) => self.unary(UnaryFunction::Gelu, node),
            O::GlobalAvgPooling(node) => self.unary(UnaryFunction::GlobalAvgPooling, node),
            O::Hardswish(node) => self.unary(UnaryFunction::Hardswish, node),
            O::Log(node) => self.unary(UnaryFunction::Log, node),
            O::Negate(node) => self.unary(UnaryFunction::Negate, node),
            O::ReciprocalSquareRoot(node) => self.unary(UnaryFunction::ReciprocalSquareRoot, node),
            O::Sigmoid(node) => self.unary(UnaryFunction::Sigmoid, node),
            O::Sin(node) => self.unary(UnaryFunction::Sin, node),
            O::Softmax(node) => self.unary(UnaryFunction::Softmax, node),
            O::Square(node) => self.unary(UnaryFunction::Square, node),
            O::SquareRoot(node) => self.unary(UnaryFunction::SquareRoot, node),
            O::Tanh(node) => self.unary(UnaryFunction::Tanh, node),
            O::Add(node) => self.binary(BinaryFunction::Add, node),
            O::BatchMatrixMultiply(node) => self.binary(BinaryFunction::BatchMatrixMultiply, node),
            O::Divide(node) => self.binary(BinaryFunction::Divide, node),
            O::Maximum(node) => self.binary(BinaryFunction::Maximum, node),
            O::Minimum(node) => self.binary(BinaryFunction::Minimum, node),
            O::Multiply(node) => self.binary(BinaryFunction::Multiply, node),
            O::Prelu(node) => self.binary(BinaryFunction::Prelu, node),
            O::Subtract(node) => self.binary(BinaryFunction::Subtract, node),
            O::FullyConnected(node) => self.fully_connected(node),
            O::Conv2d(node) => self.convolution(ConvolutionKind::Plain, node),
            O::DepthwiseConv2d(node) => self.convolution(ConvolutionKind::Depthwise, node),
            O::ConvTranspose2d(node) => self.convolution(ConvolutionKind::Transposed, node),
            O::AvgPooling(node) => self.pooling(PoolingKind::Average, node),
            O::MaxPooling(node) => self.pooling(PoolingKind::Max, node),
            O::ArgMaxPooling(node) => self.arg_max_pooling(node),
            O::Transpose(node) => self.transpose(node),
            O::Reshape(node) => self.reshape(node),
            O::Slice(node) => self.slice(node),
            O::ConstantPad(node) => self.pad(node),
            O::ResizeBilinear(node) => self.resize(node),
            O::Concatenate2(node) => self.concatenate(2, node),
            O::Concatenate3(node) => self.concatenate(3, node),
            O::Concatenate4(node) => self.concatenate(4, node),
            O::Concatenate5(node) => self.concatenate(5, node),
            O::LeakyRelu(node) => self.leaky_relu(node),
            O::Elu(node) => self.elu(node),
            O::Attention(node) => self.attention(node),
        }
    }

    fn unary(self, function: UnaryFunction, node: raw::UnaryRef<'_>) -> Result<(Operation, u32)> {
        let (input, output) = (self.id(node.input())?, self.id(node.output())?);
        Ok((Operation::Unary { function, input, output }, self.get(node.flags())?))
    }

    fn binary(self, function: BinaryFunction, node: raw::BinaryRef<'_>) -> Result<(Operation, u32)> {
        let (a, b, output) = (self.id(node.a())?, self.id(node.b())?, self.id(node.output())?);
        Ok((Operation::Binary { function, a, b, output }, self.get(node.flags())?))
    }

    fn fully_connected(self, node: raw::FullyConnectedRef<'_>) -> Result<(Operation, u32)> {
        let operation = Operation::FullyConnected {
            input: self.id(node.input())?,
            filter: self.id(node.filter())?,
            bias: self.optional(node.bias())?,
            output: self.id(node.output())?,
        };
        Ok((operation, self.get(node.flags())?))
    }

    fn convolution(self, kind: ConvolutionKind, node: raw::ConvolutionRef<'_>) -> Result<(Operation, u32)> {
        let sides = [node.padding_top(), node.padding_right(), node.padding_bottom(), node.padding_left()];
        let operation = Operation::Convolution(Convolution {
            kind,
            padding: self.padding(sides)?,
            kernel: self.pair(node.kernel_height(), node.kernel_width())?,
            stride: self.pair(node.stride_height(), node.stride_width())?,
            dilation: self.pair(node.dilation_height(), node.dilation_width())?,
            output_padding: self.pair(node.output_padding_height(), node.output_padding_width())?,
            groups: self.get(node.groups())?,
            group_input_channels: self.get(node.group_input_channels())?,
            group_output_channels: self.get(node.group_output_channels())?,
            input: self.id(node.input())?,
            filter: self.id(node.filter())?,
            bias: self.optional(node.bias())?,
            output: self.id(node.output())?,
        });
        Ok((operation, self.get(node.flags())?))
    }

    fn pooling(self, kind: PoolingKind, node: raw::PoolingRef<'_>) -> Result<(Operation, u32)> {
        let sides = [node.padding_top(), node.padding_right(), node.padding_bottom(), node.padding_left()];
        let operation = Operation::Pooling(Pooling {
            kind,
            padding: self.padding(sides)?,
            kernel: self.pair(node.kernel_height(), node.kernel_width())?,
            stride: self.pair(node.stride_height(), node.stride_width())?,
            dilation: self.pair(node.dilation_height(), node.dilation_width())?,
            input: self.id(node.input())?,
            output: self.id(node.output())?,
        });
        Ok((operation, self.get(node.flags())?))
    }

    fn arg_max_pooling(self, node: raw::ArgMaxPoolingRef<'_>) -> Result<(Operation, u32)> {
        let sides = [node.padding_top(), node.padding_right(), node.padding_bottom(), node.padding_left()];
        let operation = Operation::ArgMaxPooling {
            padding: self.padding(sides)?,
            kernel: self.pair(node.kernel_height(), node.kernel_width())?,
            input: self.id(node.input())?,
            output: self.id(node.output())?,
            indices: self.id(node.indices())?,
        };
        Ok((operation, self.get(node.flags())?))
    }

    fn transpose(self, node: raw::TransposeRef<'_>) -> Result<(Operation, u32)> {
        let permutation = self.dims(node.perm(), node.rank(), "the permutation")?;
        let named = |dim: usize| permutation.iter().any(|&named| u64::from(named) == dim as u64);
        if !(0..permutation.len()).all(named) {
            let reason = format!("{permutation:?} is no permutation");
            return Err(Error::Invalid { at: self.at(), reason });
        }
        let (input, output) = (self.id(node.input())?, self.id(node.output())?);
        Ok((Operation::Transpose { permutation, input, output }, self.get(node.flags())?))
    }

    fn reshape(self, node: raw::ReshapeRef<'_>) -> Result<(Operation, u32)> {
        let shape = self.dims(node.shape(), node.rank(), "the new shape")?;
        let (input, output) = (self.id(node.input())?, self.id(node.output())?);
        Ok((Operation::Reshape { shape, input, output }, self.get(node.flags())?))
    }

    fn slice(self, node: raw::SliceRef<'_>) -> Result<(Operation, u32)> {
        let offsets = self.dims(node.offsets(), node.rank(), "the list of offsets")?;
        let sizes = self.dims(node.sizes(), node.rank(), "the list of sizes")?;
        let (input, output) = (self.id(node.input())?, self.id(node.output())?);
        Ok((Operation::Slice { offsets, sizes, input, output }, self.get(node.flags())?))
    }

    fn pad(self, node: raw::ConstantPadRef<'_>) -> Result<(Operation, u32)> {
        let before = Few::read(self.get(node.before())?, "the padding before", || self.at())?;
        let after = Few::read(self.get(node.after())?, "the padding after", || self.at())?;
        if before.len() != after.len() {
            let reason = format!("it pads {} dimensions before and {} after", before.len(), after.len());
            return Err(Error::Invalid { at: self.at(), reason });
        }
        let value = self.get(node.value())?;
        let (input, output) = (self.id(node.input())?, self.id(node.output())?);
        Ok((Operation::Pad { before, after, value, input, output }, self.get(node.flags())?))
    }

    fn resize(self, node: raw::ResizeBilinearRef<'_>) -> Result<(Operation, u32)> {
        let [height, width] = self.pair(node.height(), node.width())?;
        let (input, output) = (self.id(node.input())?, self.id(node.output())?);
        Ok((Operation::ResizeBilinear { height, width, input, output }, self.get(node.flags())?))
    }

    fn concatenate(self, count: usize, node: raw::ConcatenateRef<'_>) -> Result<(Operation, u32)> {
        let fields = [node.input1(), node.input2(), node.input3(), node.input4(), node.input5()];
        let inputs = fields.into_iter().take(count).map(|field| self.id(field)).collect::<Result<_>>()?;
        let (axis, output) = (self.get(node.axis())?, self.id(node.output())?);
        Ok((Operation::Concatenate { axis, inputs, output }, self.get(node.flags())?))
    }

    fn leaky_relu(self, node: raw::LeakyReluRef<'_>) -> Result<(Operation, u32)> {
        let negative_slope = self.get(node.negative_slope())?;
        let (input, output) = (self.id(node.input())?, self.id(node.output())?);
        Ok((Operation::LeakyRelu { negative_slope, input, output }, self.get(node.flags())?))
    }

    fn elu(self, node: raw::EluRef<'_>) -> Result<(Operation, u32)> {
        let alpha = self.get(node.alpha())?;
        let (input, output) = (self.id(node.input())?, self.id(node.output())?);
        Ok((Operation::Elu { alpha, input, output }, self.get(node.flags())?))
    }

    fn attention(self, node: raw::AttentionRef<'_>) -> Result<(Operation, u32)> {
        let operation = Operation::Attention {
            query: self.id(node.query())?,
            key: self.id(node.key())?,
            value: self.id(node.value())?,
            scale: self.id(node.scale())?,
            mask: self.id(node.mask())?,
            output: self.id(node.output())?,
        };
        Ok((operation, self.get(node.flags())?))
    }
}
