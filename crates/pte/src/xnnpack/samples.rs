//! Small XNNPACK graphs for tests, written with the generated writers.
//!
//! Also a module of the integration tests, which is why it names the crate.

#![allow(dead_code, unreachable_pub, missing_docs, clippy::arithmetic_side_effects, reason = "shared by test crates")]

use pteron_pte::generated::xnnpack as raw;

use crate::samples::{finish, framed};

/// What stands for no tensor and no argument.
pub const NONE: u32 = u32::MAX;

/// Tensors of a graph, each knowing its position.
pub fn values(tensors: Vec<(raw::Tensor, Option<raw::Quantization>)>) -> Vec<raw::Value> {
    let value = |(id, (tensor, quantization)): (u32, (raw::Tensor, Option<raw::Quantization>))| {
        let tensor = raw::Tensor { id, ..tensor };
        let value = match quantization {
            None => raw::ValueKind::Tensor(Box::new(tensor)),
            quantization => raw::ValueKind::QuantizedTensor(Box::new(raw::QuantizedTensor {
                tensor: Some(Box::new(tensor)),
                quantization,
            })),
        };
        raw::Value { value: Some(value) }
    };
    (0..).zip(tensors).map(value).collect()
}

pub fn tensor(datatype: i16, dims: &[u32]) -> raw::Tensor {
    raw::Tensor {
        datatype,
        rank: u32::try_from(dims.len()).unwrap(),
        dims: Some(dims.to_vec()),
        external_id: NONE,
        ..Default::default()
    }
}

pub fn node(operation: raw::Operation) -> raw::Node {
    raw::Node { operation: Some(operation), debug_handle: 7, output_range: None }
}

/// Every kind of operation, in the order of their codes.
pub fn operations() -> Vec<raw::Operation> {
    use raw::Operation as O;
    let unary = || Box::new(raw::Unary { input: 0, output: 1, flags: 64 });
    let binary = || Box::new(raw::Binary { a: 0, b: 3, output: 1, flags: 0 });
    let convolution = || {
        Box::new(raw::Convolution {
            padding_top: 1,
            padding_right: 2,
            padding_bottom: 3,
            padding_left: 4,
            kernel_height: 5,
            kernel_width: 6,
            stride_height: 7,
            stride_width: 8,
            dilation_height: 9,
            dilation_width: 10,
            group_input_channels: 11,
            group_output_channels: 12,
            groups: 13,
            output_padding_height: 14,
            output_padding_width: 15,
            input: 0,
            filter: 2,
            bias: NONE,
            output: 1,
            flags: 4,
        })
    };
    let pooling = || {
        Box::new(raw::Pooling {
            padding_top: 1,
            padding_right: 2,
            padding_bottom: 3,
            padding_left: 4,
            kernel_height: 5,
            kernel_width: 6,
            stride_height: 7,
            stride_width: 8,
            dilation_height: 9,
            dilation_width: 10,
            input: 0,
            output: 1,
            flags: 64,
        })
    };
    let concatenate = |inputs: [u32; 5]| {
        let [input1, input2, input3, input4, input5] = inputs;
        Box::new(raw::Concatenate { axis: 2, input1, input2, input3, input4, output: 1, flags: 0, input5 })
    };
    vec![
        O::Add(binary()),
        O::FullyConnected(Box::new(raw::FullyConnected { input: 0, filter: 2, bias: 3, output: 1, flags: 1 })),
        O::Softmax(unary()),
        O::Sigmoid(unary()),
        O::Transpose(Box::new(raw::Transpose { rank: 4, perm: Some(vec![0, 2, 3, 1]), input: 0, output: 1, flags: 0 })),
        O::Clamp(unary()),
        O::Conv2d(convolution()),
        O::Divide(binary()),
        O::ResizeBilinear(Box::new(raw::ResizeBilinear { height: 8, width: 9, input: 0, output: 1, flags: 8 })),
        O::ConstantPad(Box::new(raw::ConstantPad {
            before: Some(vec![0, 1, 2, 0]),
            after: Some(vec![0, 2, 1, 0]),
            value: -0.5,
            input: 0,
            output: 1,
            flags: 0,
        })),
        O::AvgPooling(pooling()),
        O::Minimum(binary()),
        O::DepthwiseConv2d(convolution()),
        O::MaxPooling(pooling()),
        O::Multiply(binary()),
        O::Subtract(binary()),
        O::Floor(unary()),
        O::Convert(unary()),
        O::GlobalAvgPooling(unary()),
        O::Reshape(Box::new(raw::Reshape { rank: 2, shape: Some(vec![0, 8]), input: 0, output: 1, flags: 0 })),
        O::ArgMaxPooling(Box::new(raw::ArgMaxPooling {
            padding_top: 1,
            padding_right: 2,
            padding_bottom: 3,
            padding_left: 4,
            kernel_height: 5,
            kernel_width: 6,
            input: 0,
            output: 1,
            indices: 3,
            flags: 0,
        })),
        O::SquareRoot(unary()),
        O::Ceiling(unary()),
        O::Hardswish(unary()),
        O::LeakyRelu(Box::new(raw::LeakyRelu { negative_slope: 0.25, input: 0, output: 1, flags: 0 })),
        O::Maximum(binary()),
        O::Negate(unary()),
        O::Square(unary()),
        O::Elu(Box::new(raw::Elu { alpha: 1.5, input: 0, output: 1, flags: 0 })),
        O::Abs(unary()),
        O::Prelu(binary()),
        O::Concatenate2(concatenate([0, 3, NONE, NONE, NONE])),
        O::Concatenate3(concatenate([0, 3, 2, NONE, NONE])),
        O::Concatenate4(concatenate([0, 3, 2, 0, NONE])),
        O::Slice(Box::new(raw::Slice {
            rank: 4,
            offsets: Some(vec![0, 1, 0, 0]),
            sizes: Some(vec![1, 2, 3, 2]),
            input: 0,
            output: 1,
            flags: 0,
        })),
        O::Attention(Box::new(raw::Attention { query: 0, key: 2, value: 3, scale: 4, mask: 5, output: 1, flags: 0 })),
        O::BatchMatrixMultiply(binary()),
        O::Concatenate5(concatenate([0, 3, 2, 0, 4])),
        O::ConvTranspose2d(convolution()),
        O::ReciprocalSquareRoot(unary()),
        O::Log(unary()),
        O::Gelu(unary()),
        O::Tanh(unary()),
        O::Exp(unary()),
        O::Sin(unary()),
        O::Copy(unary()),
        O::Cos(unary()),
    ]
}

/// A graph that holds one of every kind of tensor, quantization, scale and node.
pub fn graph() -> raw::Graph {
    use raw::Quantization as Q;
    let constant = |constant, tensor| raw::Tensor { constant, ..tensor };
    let per_channel = |scales, constant, count| Box::new(raw::PerChannel { scales, axis: 0, constant, count });
    let per_group = |scales, scales_bf16, constant, count| {
        Box::new(raw::PerGroup { scales, axis: 0, group_size: 32, scales_bf16, constant, count })
    };
    let tensors = vec![
        (raw::Tensor { external_id: 0, flags: 1, ..tensor(1, &[1, 4, 4, 2]) }, None),
        (raw::Tensor { external_id: 2, flags: 2, ..tensor(1, &[1, 2]) }, None),
        (constant(1, tensor(1, &[2, 2])), None),
        (tensor(3, &[4]), Some(Q::PerTensor(Box::new(raw::PerTensor { scale: 0.5, zero_point: -3 })))),
        (constant(2, tensor(6, &[2, 4])), Some(Q::PerChannel(per_channel(None, 3, 2)))),
        (constant(1, tensor(6, &[2, 8])), Some(Q::PerChannel(per_channel(Some(vec![0.5, 0.25]), 0, 0)))),
        (constant(1, tensor(10, &[2, 64])), Some(Q::PerGroup(per_group(None, None, 3, 4)))),
        (constant(1, tensor(10, &[1, 64])), Some(Q::PerGroup(per_group(None, Some(vec![0x3f80, 0x4000]), 0, 2)))),
        (constant(1, tensor(10, &[1, 32])), Some(Q::PerGroup(per_group(Some(vec![2.0]), None, 0, 1)))),
        (tensor(9, &[3, 4]), Some(Q::PerToken(Box::new(raw::PerToken { inner_dims: 1 })))),
        (raw::Tensor { dynamic_datatype: 3, ..tensor(14, &[3, 5]) }, None),
        (tensor(8, &[3, 5]), None),
    ];
    let mut nodes: Vec<_> = operations().into_iter().map(node).collect();
    nodes[0].output_range = Some(Box::new(raw::Range { min: 0.0, max: f32::INFINITY }));
    raw::Graph {
        version: Some("0".into()),
        nodes: Some(nodes),
        values: Some(values(tensors)),
        external_count: 3,
        input_ids: Some(vec![0]),
        output_ids: Some(vec![1]),
        constant_buffers: None,
        buffer_sizes: None,
        constants: Some(vec![
            raw::Constant::default(),
            raw::Constant { offset: 8, size: 16, named_key: None },
            raw::Constant { offset: u64::MAX, size: 8, named_key: Some("weight".into()) },
            raw::Constant { offset: u64::MAX, size: 8, named_key: Some("scale_weight".into()) },
        ]),
    }
}

/// A delegate's data: header, graph and inline constants.
pub fn blob(graph: &raw::Graph, constants: &[u8]) -> Vec<u8> {
    framed(b"XH00", &finish(graph, b"XN01"), constants)
}

/// A delegate's data as it was before there was a header: constants lie in the flatbuffer.
pub fn headless(graph: raw::Graph) -> Vec<u8> {
    let buffer = |length| raw::Buffer { storage: Some(vec![1; length]) };
    let graph = raw::Graph {
        constant_buffers: Some(vec![raw::Buffer::default(), buffer(16), buffer(8), buffer(8)]),
        constants: None,
        ..graph
    };
    finish(&graph, b"XN00")
}

/// One blob of each kind, by name.
pub fn all() -> Vec<(&'static str, Vec<u8>)> {
    vec![("xnnpack", blob(&graph(), &[1; 24])), ("headless xnnpack", headless(graph()))]
}
