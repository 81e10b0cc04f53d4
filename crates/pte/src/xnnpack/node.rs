//! The nodes of an XNNPACK graph.

use super::few::Few;

/// One node of the graph.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Node {
    /// What it computes, and from what.
    pub operation: Operation,
    /// How it computes that.
    pub flags: Flags,
    /// The range that its results are kept in, as numbers, also where the tensor is quantized.
    pub output_range: Option<OutputRange>,
    /// The number that the exporter knows its origin by.
    pub debug_handle: u32,
}

/// The least and the greatest result of a node; either may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutputRange {
    /// The least.
    pub min: f32,
    /// The greatest.
    pub max: f32,
}

/// The flags of a node. What a bit means depends on the operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(pub u32);

impl Flags {
    /// A fully connected layer's filter is input channels by output channels, or the second matrix of a product comes
    /// transposed.
    pub const TRANSPOSE_WEIGHTS: Flags = Flags(1);
    /// Padding is computed from the input's size, so that only the stride changes it.
    pub const SAME_PADDING: Flags = Flags(4);
    /// The corners of a resized image are the corners of the original.
    pub const ALIGN_CORNERS: Flags = Flags(8);
    /// Dimensions that are reduced away stay, with size 1.
    pub const KEEP_DIMS: Flags = Flags(64);

    /// Whether all bits of `other` are set.
    pub fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether any bit is set that `others` do not have.
    pub fn has_beyond(self, others: &[Flags]) -> bool {
        self.0 & !others.iter().fold(0, |all, flags| all | flags.0) != 0
    }
}

/// What a node computes. Numbers are ids of tensors, proven to be in range, unless they say otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the operands are named for what they are")]
pub enum Operation {
    /// A function of one tensor without further parameters.
    Unary { function: UnaryFunction, input: u32, output: u32 },
    /// A function of two tensors without further parameters.
    Binary { function: BinaryFunction, a: u32, b: u32, output: u32 },
    /// `input · filterᵀ + bias`, with a filter of output channels by input channels.
    FullyConnected { input: u32, filter: u32, bias: Option<u32>, output: u32 },
    /// A convolution of images with the channels innermost.
    Convolution(Convolution),
    /// The greatest value or the mean of windows of images with the channels innermost.
    Pooling(Pooling),
    /// The greatest value of windows that lie side by side, and where in the window it is.
    ArgMaxPooling { padding: Padding, kernel: [u32; 2], input: u32, output: u32, indices: u32 },
    /// Dimensions in another order: the output's dimension `i` is the input's `permutation[i]`.
    Transpose { permutation: Few, input: u32, output: u32 },
    /// The same elements with other sizes, of which one 0 stands for what is left.
    Reshape { shape: Few, input: u32, output: u32 },
    /// A part of a tensor: `sizes` elements from `offsets` on, in each dimension.
    Slice { offsets: Few, sizes: Few, input: u32, output: u32 },
    /// A tensor with a constant around it: `before` and `after` elements in each dimension.
    Pad { before: Few, after: Few, value: f32, input: u32, output: u32 },
    /// Images with the channels innermost, in another size by linear interpolation.
    ResizeBilinear { height: u32, width: u32, input: u32, output: u32 },
    /// Two to five tensors one after the other in a dimension.
    Concatenate { axis: u32, inputs: Few, output: u32 },
    /// The input where it is positive, and `negative_slope` of it elsewhere.
    LeakyRelu { negative_slope: f32, input: u32, output: u32 },
    /// The input where it is positive, and `alpha · (exp(input) − 1)` elsewhere.
    Elu { alpha: f32, input: u32, output: u32 },
    /// Attention of queries over keys and values, the queries scaled per channel, with a mask that is added.
    Attention { query: u32, key: u32, value: u32, scale: u32, mask: u32, output: u32 },
    /// A kind of node that this version does not know, by its code; 0 says that there is none.
    Unknown(u8),
}

/// A function of one tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the functions are known by their names")]
pub enum UnaryFunction {
    Abs,
    Ceiling,
    /// The input kept in the node's output range.
    Clamp,
    /// Into the output's type: quantizes, dequantizes, or rounds.
    Convert,
    Copy,
    Cos,
    Exp,
    Floor,
    /// With the error function.
    Gelu,
    /// The mean of each channel of images with the channels innermost.
    GlobalAvgPooling,
    Hardswish,
    Log,
    Negate,
    ReciprocalSquareRoot,
    Sigmoid,
    Sin,
    /// Over the innermost dimension.
    Softmax,
    Square,
    SquareRoot,
    Tanh,
}

/// A function of two tensors, which are broadcast against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the functions are known by their names")]
pub enum BinaryFunction {
    Add,
    BatchMatrixMultiply,
    Divide,
    Maximum,
    Minimum,
    Multiply,
    /// The first where it is positive, and as many times the second elsewhere.
    Prelu,
    Subtract,
}

/// Rows and columns that are put around images.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the sides are known by their names")]
pub struct Padding {
    pub top: u32,
    pub right: u32,
    pub bottom: u32,
    pub left: u32,
}

/// A convolution. Pairs are height and width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Convolution {
    /// How it pairs channels, and in which direction it goes.
    pub kind: ConvolutionKind,
    /// Added to the input, or taken from the output where it is transposed.
    pub padding: Padding,
    /// The size of the kernel.
    pub kernel: [u32; 2],
    /// The step of the kernel, in the input, or in the output where it is transposed.
    pub stride: [u32; 2],
    /// The step within the kernel.
    pub dilation: [u32; 2],
    /// Rows and columns that a transposed one has more at the bottom and right.
    pub output_padding: [u32; 2],
    /// How many groups the channels form.
    pub groups: u32,
    /// Input channels of each group.
    pub group_input_channels: u32,
    /// Output channels of each group.
    pub group_output_channels: u32,
    /// The images.
    pub input: u32,
    /// The kernels.
    pub filter: u32,
    /// What is added to each channel.
    pub bias: Option<u32>,
    /// The result.
    pub output: u32,
}

/// A kind of convolution, by its filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConvolutionKind {
    /// Output channels, height, width, input channels of a group.
    Plain,
    /// 1, height, width, output channels; a group has one input channel.
    Depthwise,
    /// Transposed; the filter as in a plain one.
    Transposed,
}

/// A pooling. Pairs are height and width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pooling {
    /// What it makes of a window.
    pub kind: PoolingKind,
    /// Added to the input; it takes no part in the result.
    pub padding: Padding,
    /// The size of the window.
    pub kernel: [u32; 2],
    /// The step of the window.
    pub stride: [u32; 2],
    /// The step within the window.
    pub dilation: [u32; 2],
    /// The images.
    pub input: u32,
    /// The result.
    pub output: u32,
}

/// What a pooling makes of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PoolingKind {
    /// The mean.
    Average,
    /// The greatest value.
    Max,
}

impl Operation {
    /// The name of the kind of node, as XNNPACK has it.
    pub fn name(&self) -> &'static str {
        match self {
            Operation::Unary { function, .. } => function.name(),
            Operation::Binary { function, .. } => function.name(),
            Operation::FullyConnected { .. } => "FullyConnected",
            Operation::Convolution(convolution) => match convolution.kind {
                ConvolutionKind::Plain => "Conv2d",
                ConvolutionKind::Depthwise => "DepthwiseConv2d",
                ConvolutionKind::Transposed => "ConvTranspose2d",
            },
            Operation::Pooling(pooling) => match pooling.kind {
                PoolingKind::Average => "AvgPooling2d",
                PoolingKind::Max => "MaxPooling2d",
            },
            Operation::ArgMaxPooling { .. } => "ArgMaxPooling2d",
            Operation::Transpose { .. } => "StaticTranspose",
            Operation::Reshape { .. } => "StaticReshape",
            Operation::Slice { .. } => "StaticSlice",
            Operation::Pad { .. } => "StaticConstantPad",
            Operation::ResizeBilinear { .. } => "StaticResizeBilinear2D",
            Operation::Concatenate { inputs, .. } => match inputs.len() {
                2 => "Concatenate2",
                3 => "Concatenate3",
                4 => "Concatenate4",
                _ => "Concatenate5",
            },
            Operation::LeakyRelu { .. } => "LeakyReLU",
            Operation::Elu { .. } => "ELU",
            Operation::Attention { .. } => "ScaledDotProductAttention",
            Operation::Unknown(_) => "unknown",
        }
    }

    /// The tensors that it reads, in the order of its operands; a bias that is absent is left out.
    pub fn inputs(&self) -> Few {
        match *self {
            Operation::Unary { input, .. }
            | Operation::ArgMaxPooling { input, .. }
            | Operation::Transpose { input, .. }
            | Operation::Reshape { input, .. }
            | Operation::Slice { input, .. }
            | Operation::Pad { input, .. }
            | Operation::ResizeBilinear { input, .. }
            | Operation::LeakyRelu { input, .. }
            | Operation::Elu { input, .. } => [input].into_iter().collect(),
            Operation::Binary { a, b, .. } => [a, b].into_iter().collect(),
            Operation::FullyConnected { input, filter, bias, .. } => [input, filter].into_iter().chain(bias).collect(),
            Operation::Convolution(Convolution { input, filter, bias, .. }) => {
                [input, filter].into_iter().chain(bias).collect()
            }
            Operation::Pooling(Pooling { input, .. }) => [input].into_iter().collect(),
            Operation::Concatenate { inputs, .. } => inputs,
            Operation::Attention { query, key, value, scale, mask, .. } => {
                [query, key, value, scale, mask].into_iter().collect()
            }
            Operation::Unknown(_) => Few::default(),
        }
    }

    /// The tensors that it writes.
    pub fn outputs(&self) -> Few {
        match *self {
            Operation::Unary { output, .. }
            | Operation::Binary { output, .. }
            | Operation::FullyConnected { output, .. }
            | Operation::Convolution(Convolution { output, .. })
            | Operation::Pooling(Pooling { output, .. })
            | Operation::Transpose { output, .. }
            | Operation::Reshape { output, .. }
            | Operation::Slice { output, .. }
            | Operation::Pad { output, .. }
            | Operation::ResizeBilinear { output, .. }
            | Operation::Concatenate { output, .. }
            | Operation::LeakyRelu { output, .. }
            | Operation::Elu { output, .. }
            | Operation::Attention { output, .. } => [output].into_iter().collect(),
            Operation::ArgMaxPooling { output, indices, .. } => [output, indices].into_iter().collect(),
            Operation::Unknown(_) => Few::default(),
        }
    }
}

impl UnaryFunction {
    fn name(self) -> &'static str {
        match self {
            UnaryFunction::Abs => "Abs",
            UnaryFunction::Ceiling => "Ceiling",
            UnaryFunction::Clamp => "Clamp",
            UnaryFunction::Convert => "Convert",
            UnaryFunction::Copy => "Copy",
            UnaryFunction::Cos => "Cos",
            UnaryFunction::Exp => "Exp",
            UnaryFunction::Floor => "Floor",
            UnaryFunction::Gelu => "Gelu",
            UnaryFunction::GlobalAvgPooling => "GlobalAvgPooling2d",
            UnaryFunction::Hardswish => "Hardswish",
            UnaryFunction::Log => "Log",
            UnaryFunction::Negate => "Negate",
            UnaryFunction::ReciprocalSquareRoot => "ReciprocalSquareRoot",
            UnaryFunction::Sigmoid => "Sigmoid",
            UnaryFunction::Sin => "Sin",
            UnaryFunction::Softmax => "Softmax",
            UnaryFunction::Square => "Square",
            UnaryFunction::SquareRoot => "SquareRoot",
            UnaryFunction::Tanh => "Tanh",
        }
    }
}

impl BinaryFunction {
    fn name(self) -> &'static str {
        match self {
            BinaryFunction::Add => "Add",
            BinaryFunction::BatchMatrixMultiply => "BatchMatrixMultiply",
            BinaryFunction::Divide => "Div",
            BinaryFunction::Maximum => "Maximum",
            BinaryFunction::Minimum => "Minimum",
            BinaryFunction::Multiply => "Multiply",
            BinaryFunction::Prelu => "PReLU",
            BinaryFunction::Subtract => "Subtract",
        }
    }
}
