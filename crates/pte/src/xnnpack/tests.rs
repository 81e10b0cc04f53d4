//! Graphs that are written, sound or not, and read back.

use super::{samples, *};
use crate::frame;

fn with_graph<T>(change: impl FnOnce(&mut raw::Graph), check: impl FnOnce(Graph<'_>) -> T) -> T {
    let mut graph = samples::graph();
    change(&mut graph);
    check(Graph::parse(&samples::blob(&graph, &[1; 24])).unwrap())
}

/// Puts another tensor in the place of the first, and says what is wrong with it.
fn wrong_tensor(tensor: raw::Tensor, quantization: Option<raw::Quantization>) -> String {
    with_graph(
        |graph| graph.values.as_mut().unwrap()[0] = samples::values(vec![(tensor, quantization)]).remove(0),
        |graph| graph.tensor(0).unwrap_err().to_string(),
    )
}

/// Puts one node in the place of all.
fn with_node<T>(operation: raw::Operation, check: impl FnOnce(Result<Node>) -> T) -> T {
    with_graph(|graph| graph.nodes = Some(vec![samples::node(operation)]), |graph| check(graph.nodes().next().unwrap()))
}

#[test]
fn every_kind_of_node_comes_as_written() {
    let mut names = String::new();
    let mut shown = Vec::new();
    with_graph(
        |_| {},
        |graph| {
            for node in graph.nodes() {
                let node = node.unwrap();
                assert_eq!(node.debug_handle, 7);
                assert_eq!(node.operation.outputs().first(), Some(&1), "{node:?}");
                names.push_str(node.operation.name());
                names.push(' ');
                shown.push(format!("{} {:?} {:?}", node.flags.0, node.operation, node.operation.inputs()));
            }
        },
    );
    assert_eq!(
        names.trim_end(),
        "Add FullyConnected Softmax Sigmoid StaticTranspose Clamp Conv2d Div StaticResizeBilinear2D StaticConstantPad \
         AvgPooling2d Minimum DepthwiseConv2d MaxPooling2d Multiply Subtract Floor Convert GlobalAvgPooling2d \
         StaticReshape ArgMaxPooling2d SquareRoot Ceiling Hardswish LeakyReLU Maximum Negate Square ELU Abs PReLU \
         Concatenate2 Concatenate3 Concatenate4 StaticSlice ScaledDotProductAttention BatchMatrixMultiply Concatenate5 \
         ConvTranspose2d ReciprocalSquareRoot Log Gelu Tanh Exp Sin Copy Cos"
    );
    let expected = [
        (0, "0 Binary { function: Add, a: 0, b: 3, output: 1 } [0, 3]"),
        (1, "1 FullyConnected { input: 0, filter: 2, bias: Some(3), output: 1 } [0, 2, 3]"),
        (2, "64 Unary { function: Softmax, input: 0, output: 1 } [0]"),
        (4, "0 Transpose { permutation: [0, 2, 3, 1], input: 0, output: 1 } [0]"),
        (
            6,
            "4 Convolution(Convolution { kind: Plain, padding: Padding { top: 1, right: 2, bottom: 3, left: 4 }, \
             kernel: [5, 6], stride: [7, 8], dilation: [9, 10], output_padding: [14, 15], groups: 13, \
             group_input_channels: 11, group_output_channels: 12, input: 0, filter: 2, bias: None, output: 1 }) [0, 2]",
        ),
        (8, "8 ResizeBilinear { height: 8, width: 9, input: 0, output: 1 } [0]"),
        (9, "0 Pad { before: [0, 1, 2, 0], after: [0, 2, 1, 0], value: -0.5, input: 0, output: 1 } [0]"),
        (
            10,
            "64 Pooling(Pooling { kind: Average, padding: Padding { top: 1, right: 2, bottom: 3, left: 4 }, \
             kernel: [5, 6], stride: [7, 8], dilation: [9, 10], input: 0, output: 1 }) [0]",
        ),
        (19, "0 Reshape { shape: [0, 8], input: 0, output: 1 } [0]"),
        (
            20,
            "0 ArgMaxPooling { padding: Padding { top: 1, right: 2, bottom: 3, left: 4 }, kernel: [5, 6], input: 0, \
             output: 1, indices: 3 } [0]",
        ),
        (24, "0 LeakyRelu { negative_slope: 0.25, input: 0, output: 1 } [0]"),
        (28, "0 Elu { alpha: 1.5, input: 0, output: 1 } [0]"),
        (31, "0 Concatenate { axis: 2, inputs: [0, 3], output: 1 } [0, 3]"),
        (34, "0 Slice { offsets: [0, 1, 0, 0], sizes: [1, 2, 3, 2], input: 0, output: 1 } [0]"),
        (35, "0 Attention { query: 0, key: 2, value: 3, scale: 4, mask: 5, output: 1 } [0, 2, 3, 4, 5]"),
        (37, "0 Concatenate { axis: 2, inputs: [0, 3, 2, 0, 4], output: 1 } [0, 3, 2, 0, 4]"),
    ];
    for (position, text) in expected {
        assert_eq!(shown[position], text);
    }
}

#[test]
fn a_range_of_outputs_is_kept() {
    with_graph(
        |_| {},
        |graph| {
            let ranges: Vec<_> = graph.nodes().take(2).map(|node| node.unwrap().output_range).collect();
            assert_eq!(ranges, [Some(OutputRange { min: 0.0, max: f32::INFINITY }), None]);
        },
    );
}

#[test]
fn every_kind_of_tensor_comes_as_written() {
    with_graph(
        |_| {},
        |graph| {
            assert_eq!((graph.version(), graph.arguments(), graph.tensors()), ("0", 3, 12));
            let ids = format!("{:?} {:?}", graph.inputs().unwrap(), graph.outputs().unwrap());
            assert_eq!(ids, "[0] [1]");
            let shown: Vec<_> = (0..12)
                .map(|id| {
                    let tensor = graph.tensor(id).unwrap();
                    let (datatype, dims, bytes) = (tensor.datatype, tensor.dims, tensor.nbytes().unwrap());
                    let place = (tensor.argument, tensor.is_input, tensor.is_output, tensor.constant);
                    format!("{datatype:?}{dims:?} {bytes} {place:?} {:?}", tensor.quantization)
                })
                .collect();
            let listed = "PerChannel { axis: 0, scales: Listed([0.5, 0.25]) }";
            let constant = "Constant { constant: 3, count: 2 }";
            let group = |scales: &str| format!("PerGroup {{ axis: 0, group_size: 32, scales: {scales} }}");
            let internal = |constant: &str| format!("(None, false, false, {constant})");
            let expected = [
                "F32[1, 4, 4, 2] 128 (Some(0), true, false, None) None".to_owned(),
                "F32[1, 2] 8 (Some(2), false, true, None) None".to_owned(),
                format!("F32[2, 2] 16 {} None", internal("Some(1)")),
                format!("Qint8[4] 4 {} Some(PerTensor {{ scale: 0.5, zero_point: -3 }})", internal("None")),
                format!("Qcint8[2, 4] 8 {} Some(PerChannel {{ axis: 0, scales: {constant} }})", internal("Some(2)")),
                format!("Qcint8[2, 8] 16 {} Some({listed})", internal("Some(1)")),
                format!(
                    "Qbint4[2, 64] 64 {} Some({})",
                    internal("Some(1)"),
                    group("Constant { constant: 3, count: 4 }")
                ),
                format!("Qbint4[1, 64] 32 {} Some({})", internal("Some(1)"), group("ListedHalves([16256, 16384])")),
                format!("Qbint4[1, 32] 16 {} Some({})", internal("Some(1)"), group("Listed([2.0])")),
                format!("Qdint8[3, 4] 12 {} Some(PerToken {{ inner_dims: 1 }})", internal("None")),
                format!("BF16[3, 5] 30 {} None", internal("None")),
                format!("Qcint4[3, 5] 9 {} None", internal("None")),
            ];
            assert_eq!(shown, expected);
            assert_eq!(graph.tensor(10).unwrap().dynamic_datatype, Some(Datatype::Qint8));
            assert_eq!(graph.tensor(0).unwrap().shape().unwrap().dims(), [1, 4, 4, 2]);
        },
    );
}

#[test]
fn constants_are_inline_or_named() {
    with_graph(
        |_| {},
        |graph| {
            assert_eq!(graph.constants(), 4);
            assert_eq!(graph.constant(0).unwrap(), ConstantRef::Inline(&[]));
            assert_eq!(graph.constant(1).unwrap(), ConstantRef::Inline(&[1; 16]));
            assert_eq!(graph.constant(2).unwrap(), ConstantRef::Named { key: "weight", length: 8 });
            assert!(matches!(graph.constant(4), Err(Error::Index { what: "constant", .. })));
        },
    );
}

#[test]
fn an_empty_name_is_none() {
    let with_name = |offset, named_key: Option<&str>| {
        let named_key = named_key.map(str::to_owned);
        with_graph(
            |graph| graph.constants.as_mut().unwrap()[1] = raw::Constant { offset, size: 16, named_key },
            |graph| graph.constant(1).map(|constant| format!("{constant:?}")),
        )
    };
    assert_eq!(with_name(8, Some("")), with_name(8, None));
    for name in [None, Some("")] {
        let error = with_name(u64::MAX, name).unwrap_err().to_string();
        assert_eq!(error, "XNNPACK graph, constant 1: the name of its data is missing");
    }
}

#[test]
fn constants_outside_their_data_are_errors() {
    for (offset, size) in [(8, 17), (25, 0), (u64::MAX - 1, 1), (0, u64::MAX), (1, u64::MAX)] {
        with_graph(
            |graph| graph.constants.as_mut().unwrap()[1] = raw::Constant { offset, size, named_key: None },
            |graph| assert!(matches!(graph.constant(1), Err(Error::Bounds { .. }))),
        );
    }
}

#[test]
fn without_a_header_constants_lie_in_the_flatbuffer() {
    let blob = samples::headless(samples::graph());
    assert!(Graph::is(&blob));
    let graph = Graph::parse(&blob).unwrap();
    assert_eq!((graph.constants(), graph.flatbuffer_len()), (4, blob.len()));
    assert_eq!(graph.constant(0).unwrap(), ConstantRef::Inline(&[]));
    assert_eq!(graph.constant(2).unwrap(), ConstantRef::Inline(&[1; 8]));
    assert!(matches!(graph.constant(4), Err(Error::Index { .. })));
    assert_eq!(graph.tensor(4).unwrap().constant, Some(2));
}

#[test]
fn the_header_is_checked() {
    let blob = samples::blob(&samples::graph(), &[1; 24]);
    for (damage, wrong) in frame::damaged(&blob, b"XH01") {
        assert!(Graph::parse(&wrong).is_err(), "{damage}");
    }
    for (at, identifier) in [(4, b"XN01"), (36, b"XN02")] {
        let mut wrong = blob.clone();
        wrong[at..at + 4].copy_from_slice(identifier);
        assert!(Graph::parse(&wrong).is_err(), "{identifier:?} at {at}");
    }
}

#[test]
fn what_is_wrong_with_a_tensor_is_said() {
    let good = || samples::tensor(1, &[2, 2]);
    for (tensor, expected) in [
        (raw::Tensor { rank: 3, ..good() }, "it has 2 sizes for 3 dimensions"),
        (samples::tensor(1, &[1; 7]), "the list of sizes has 7 numbers, and 6 is the most"),
        (raw::Tensor { constant: 4, ..good() }, "constant 4 is out of range, there are 4"),
        (raw::Tensor { external_id: 3, ..good() }, "argument 3 is out of range, there are 3"),
    ] {
        assert_eq!(wrong_tensor(tensor, None), format!("XNNPACK graph, tensor 0: {expected}"));
    }
    with_graph(
        |graph| graph.values.as_mut().unwrap().swap(0, 1),
        |graph| {
            let error = graph.tensor(0).unwrap_err().to_string();
            assert_eq!(error, "XNNPACK graph, tensor 0: it says that it is tensor 1");
            assert!(matches!(graph.tensor(12), Err(Error::Index { .. })));
        },
    );
}

#[test]
fn what_is_wrong_with_a_quantization_is_said() {
    use raw::Quantization as Q;
    let tensor = || samples::tensor(6, &[2, 64]);
    let channel = |axis, count| Q::PerChannel(Box::new(raw::PerChannel { axis, count, constant: 3, scales: None }));
    let group = |axis, group_size, count| {
        let table = raw::PerGroup { axis, group_size, count, constant: 3, ..Default::default() };
        Q::PerGroup(Box::new(table))
    };
    let token = |inner_dims| Q::PerToken(Box::new(raw::PerToken { inner_dims }));
    let listed = raw::PerChannel { axis: 0, scales: Some(vec![1.0]), ..Default::default() };
    let outside = raw::PerChannel { axis: 0, count: 2, constant: 4, scales: None };
    for (quantization, expected) in [
        (channel(2, 2), "axis 2 is out of range, there are 2"),
        (channel(-1, 2), "axis -1 is out of range, there are 2"),
        (channel(0, 3), "its sizes do not go with 3 scales"),
        (Q::PerChannel(Box::new(listed)), "its sizes do not go with 1 scales"),
        (Q::PerChannel(Box::new(outside)), "constant 4 is out of range, there are 4"),
        (group(0, 0, 4), "its groups have no size"),
        (group(0, -32, 4), "its groups have no size"),
        (group(0, 32, 3), "its sizes do not go with 3 scales"),
        (group(0, 48, 2), "its sizes do not go with 2 scales"),
        (group(2, 32, 4), "axis 2 is out of range, there are 2"),
        (token(3), "its rows have 3 of its 2 dimensions"),
        (token(-1), "its rows have -1 of its 2 dimensions"),
    ] {
        assert_eq!(wrong_tensor(tensor(), Some(quantization)), format!("XNNPACK graph, tensor 0: {expected}"));
    }
}

#[test]
fn types_without_a_size_are_errors_where_it_matters() {
    for code in [0, 11, 13, 15, -1, i16::MAX] {
        with_graph(
            |graph| {
                let tensor = samples::tensor(code, &[2]);
                graph.values.as_mut().unwrap()[0] = samples::values(vec![(tensor, None)]).remove(0);
            },
            |graph| assert!(graph.tensor(0).unwrap().nbytes().is_err()),
        );
    }
}

#[test]
fn what_is_wrong_with_a_node_is_said() {
    use raw::Operation as O;
    let transpose =
        |rank, perm| O::Transpose(Box::new(raw::Transpose { rank, perm: Some(perm), ..Default::default() }));
    let slice = |offsets, sizes| {
        let (offsets, sizes) = (Some(offsets), Some(sizes));
        O::Slice(Box::new(raw::Slice { rank: 2, offsets, sizes, ..Default::default() }))
    };
    let pad = |before, after| {
        let (before, after) = (Some(before), Some(after));
        O::ConstantPad(Box::new(raw::ConstantPad { before, after, ..Default::default() }))
    };
    for (operation, expected) in [
        (O::Abs(Box::new(raw::Unary { input: 12, ..Default::default() })), "tensor 12 is out of range, there are 12"),
        (
            O::Add(Box::new(raw::Binary { b: u32::MAX, ..Default::default() })),
            "tensor 4294967295 is out of range, there are 12",
        ),
        (
            O::FullyConnected(Box::new(raw::FullyConnected { bias: 99, ..Default::default() })),
            "tensor 99 is out of range, there are 12",
        ),
        (
            O::Concatenate3(Box::new(raw::Concatenate { input3: u32::MAX, ..Default::default() })),
            "tensor 4294967295 is out of range, there are 12",
        ),
        (transpose(2, vec![0, 2]), "[0, 2] is no permutation"),
        (transpose(2, vec![1, 1]), "[1, 1] is no permutation"),
        (transpose(3, vec![1, 0]), "the permutation has 2 numbers for 3 dimensions"),
        (transpose(7, vec![0; 7]), "the permutation has 7 numbers, and 6 is the most"),
        (slice(vec![0], vec![1, 1]), "the list of offsets has 1 numbers for 2 dimensions"),
        (slice(vec![0, 0], vec![1]), "the list of sizes has 1 numbers for 2 dimensions"),
        (pad(vec![0], vec![1, 1]), "it pads 1 dimensions before and 2 after"),
        (pad(vec![0; 7], vec![0; 7]), "the padding before has 7 numbers, and 6 is the most"),
    ] {
        with_node(operation, |node| {
            assert_eq!(node.unwrap_err().to_string(), format!("XNNPACK graph, node 0: {expected}"));
        });
    }
}

#[test]
fn an_unknown_kind_of_node_is_kept_by_its_code() {
    let mut graph = samples::graph();
    let last = samples::operations().len();
    graph.nodes = Some(vec![samples::node(samples::operations().remove(last - 1))]);
    let mut blob = samples::blob(&graph, &[1; 24]);
    let codes: Vec<usize> = (0..blob.len()).filter(|&at| usize::from(blob[at]) == last).collect();
    let found = codes.into_iter().any(|at| {
        blob[at] = 200;
        let node = Graph::parse(&blob).and_then(|graph| graph.nodes().next().unwrap());
        let unknown = node.is_ok_and(|node| node.operation == Operation::Unknown(200));
        blob[at] = u8::try_from(last).unwrap();
        unknown
    });
    assert!(found);
    let none = raw::Node { operation: None, ..Default::default() };
    with_graph(
        |graph| graph.nodes = Some(vec![none]),
        |graph| {
            let operation = graph.nodes().next().unwrap().unwrap().operation;
            assert_eq!((operation, operation.name(), operation.inputs().len()), (Operation::Unknown(0), "unknown", 0));
        },
    );
}

#[test]
fn flags_are_told_apart() {
    let flags = Flags(65);
    assert!(flags.has(Flags::KEEP_DIMS) && flags.has(Flags::TRANSPOSE_WEIGHTS) && !flags.has(Flags::ALIGN_CORNERS));
    assert!(flags.has_beyond(&[Flags::KEEP_DIMS]));
    assert!(!flags.has_beyond(&[Flags::KEEP_DIMS, Flags::TRANSPOSE_WEIGHTS]));
}
