//! Small files for tests, written with the generated writers.
//!
//! Also a module of the integration tests, which is why it names the crate.

#![allow(dead_code, unreachable_pub, missing_docs, clippy::arithmetic_side_effects, reason = "shared by test crates")]

use pteron_pte::generated::{bundle, flat_tensor, graph, program};

pub fn finish<T>(root: &impl planus::WriteAsOffset<T>, identifier: &[u8; 4]) -> Vec<u8> {
    identified(planus::Builder::new().finish(root, Some(*identifier)), identifier)
}

/// What planus wrote, as a file: it puts the identifier before the root's offset, and everyone else after it.
pub fn identified(written: &[u8], identifier: &[u8; 4]) -> Vec<u8> {
    let root = u32::from_le_bytes(written[4..8].try_into().unwrap()) + 4;
    [&root.to_le_bytes(), identifier.as_slice(), &written[8..]].concat()
}

/// A flatbuffer with a header put in after its identifier, as the exporters do.
fn insert_header(flatbuffer: &[u8], header: &[u8]) -> Vec<u8> {
    let root = u32::from_le_bytes(flatbuffer[..4].try_into().unwrap()) + u32::try_from(header.len()).unwrap();
    [&root.to_le_bytes(), &flatbuffer[4..8], header, &flatbuffer[8..]].concat()
}

/// A `.pte` file with an extended header and these segment bytes.
pub fn with_header(program: &program::Program, segments: &[u8]) -> Vec<u8> {
    let flatbuffer = finish(program, b"ET12");
    let size = flatbuffer.len() + 32;
    let base = size.next_multiple_of(128);
    let mut header = b"eh00".to_vec();
    header.extend(32u32.to_le_bytes());
    header.extend([size, base, segments.len()].into_iter().flat_map(|n| (n as u64).to_le_bytes()));
    let mut file = insert_header(&flatbuffer, &header);
    file.resize(base, 0);
    file.extend(segments);
    file
}

pub fn value(val: program::KernelTypes) -> program::EValue {
    program::EValue { val: Some(val) }
}

pub fn tensor(scalar_type: i8, sizes: &[i32]) -> program::Tensor {
    program::Tensor {
        scalar_type,
        sizes: Some(sizes.to_vec()),
        dim_order: Some((0..u8::try_from(sizes.len()).unwrap()).collect()),
        ..Default::default()
    }
}

pub fn instruction(arguments: program::InstructionArguments) -> program::Instruction {
    program::Instruction { instr_args: Some(arguments) }
}

/// A method that holds one of every kind of value and instruction.
pub fn plan() -> program::ExecutionPlan {
    use program::InstructionArguments as I;
    use program::KernelTypes as K;
    let allocation = program::AllocationDetails { memory_id: 1, memory_offset_low: 16, memory_offset_high: 1 };
    let extra = program::ExtraTensorInfo { fully_qualified_name: Some("outer.weight".into()), ..Default::default() };
    let planned = program::Tensor { allocation_info: Some(Box::new(allocation.clone())), ..tensor(6, &[2, 2]) };
    let mutable = program::Tensor { data_buffer_idx: 1, ..planned.clone() };
    let external = program::Tensor {
        extra_tensor_info: Some(Box::new(program::ExtraTensorInfo { location: 1, ..extra.clone() })),
        ..tensor(6, &[4])
    };
    let values = vec![
        value(K::Tensor(Box::new(program::Tensor { shape_dynamism: 1, ..tensor(4, &[2, 2]) }))),
        value(K::Tensor(Box::new(planned))),
        value(K::Tensor(Box::new(program::Tensor {
            data_buffer_idx: 1,
            extra_tensor_info: Some(Box::new(extra)),
            ..tensor(6, &[4])
        }))),
        value(K::Tensor(Box::new(mutable))),
        value(K::Tensor(Box::new(external))),
        value(K::Null(Box::default())),
        value(K::Int(Box::new(program::Int { int_val: -7 }))),
        value(K::Bool(Box::new(program::Bool { bool_val: true }))),
        value(K::Double(Box::new(program::Double { double_val: 0.5 }))),
        value(K::String(Box::new(program::String { string_val: Some("none".into()) }))),
        value(K::IntList(Box::new(program::IntList { items: Some(vec![6, 6]) }))),
        value(K::DoubleList(Box::new(program::DoubleList { items: Some(vec![1.5, f64::INFINITY]) }))),
        value(K::BoolList(Box::new(program::BoolList { items: Some(vec![true, false, true]) }))),
        value(K::TensorList(Box::new(program::TensorList { items: Some(vec![0, 1]) }))),
        value(K::OptionalTensorList(Box::new(program::OptionalTensorList { items: Some(vec![-1, 2]) }))),
        program::EValue { val: None },
    ];
    let kernel_call = program::KernelCall { op_index: 0, args: Some(vec![0, 1, 5, 1]) };
    let delegate_call = program::DelegateCall { delegate_index: 0, args: Some(vec![0, 1]) };
    program::ExecutionPlan {
        name: Some("forward".into()),
        container_meta_type: Some(Box::new(program::ContainerMetadata {
            encoded_inp_str: Some("T1#1(1)".into()),
            encoded_out_str: Some("T1#1($,)".into()),
        })),
        values: Some(values),
        inputs: Some(vec![0]),
        outputs: Some(vec![1]),
        chains: Some(vec![program::Chain {
            inputs: Some(vec![0]),
            outputs: Some(vec![1]),
            instructions: Some(vec![
                instruction(I::DelegateCall(Box::new(delegate_call))),
                instruction(I::KernelCall(Box::new(kernel_call))),
                instruction(I::MoveCall(Box::new(program::MoveCall { move_from: 0, move_to: 1 }))),
                instruction(I::JumpFalseCall(Box::new(program::JumpFalseCall {
                    cond_value_index: 7,
                    destination_instruction: 5,
                }))),
                instruction(I::FreeCall(Box::new(program::FreeCall { value_index: 2 }))),
            ]),
        }]),
        operators: Some(vec![program::Operator { name: Some("aten::add".into()), overload: Some("out".into()) }]),
        delegates: Some(vec![program::BackendDelegate {
            id: Some("VulkanBackend".into()),
            processed: Some(Box::new(program::DataReference { location: 0, index: 0 })),
            compile_specs: Some(vec![program::CompileSpec { key: Some("force_fp16".into()), value: Some(vec![0]) }]),
        }]),
        non_const_buffer_sizes: Some(vec![0, 64]),
    }
}

/// A program without segments: delegate data and constants lie in the flatbuffer.
pub fn inline_program() -> program::Program {
    let mut plan = plan();
    // Mutable data is only ever in a segment.
    plan.values.as_mut().unwrap()[3] = value(program::KernelTypes::Null(Box::default()));
    program::Program {
        execution_plan: Some(vec![plan]),
        constant_buffer: Some(vec![program::Buffer::default(), program::Buffer { storage: Some((0..16).collect()) }]),
        backend_delegate_data: Some(vec![program::InlineData { data: Some(delegate(&graph(), &[1; 24])) }]),
        ..Default::default()
    }
}

/// A program with everything in segments, and the bytes of the segments.
pub fn segment_program() -> (program::Program, Vec<u8>) {
    let mut plan = plan();
    plan.delegates.as_mut().unwrap()[0].processed = Some(Box::new(program::DataReference { location: 1, index: 2 }));
    let delegate = delegate(&graph(), &[1; 24]);
    let size = delegate.len() as u64;
    let mut bytes = vec![7; 128];
    bytes.extend(delegate);
    let segment = |offset, size| program::DataSegment { offset, size };
    let program = program::Program {
        execution_plan: Some(vec![plan]),
        segments: Some(vec![segment(0, 32), segment(64, 32), segment(128, size), segment(96, 8)]),
        constant_segment: Some(Box::new(program::SubsegmentOffsets { segment_index: 0, offsets: Some(vec![0, 16]) })),
        mutable_data_segments: Some(vec![program::SubsegmentOffsets { segment_index: 1, offsets: Some(vec![0, 16]) }]),
        named_data: Some(vec![
            program::NamedData { key: Some("weight".into()), segment_index: 3 },
            program::NamedData { key: Some("bias".into()), segment_index: 3 },
        ]),
        ..Default::default()
    };
    (program, bytes)
}

/// A delegate's graph that holds one of every kind of value.
pub fn graph() -> graph::VkGraph {
    use graph::GraphTypes as G;
    let value = |value| graph::VkValue { value: Some(value) };
    let tensor = |constant_id| graph::VkTensor {
        datatype: 5,
        dims: Some(vec![2, 2]),
        constant_id,
        mem_obj_id: -1,
        staging_datatype: 4,
        ..Default::default()
    };
    graph::VkGraph {
        version: Some("0".into()),
        values: Some(vec![
            value(G::VkTensor(Box::new(tensor(-1)))),
            value(G::VkTensor(Box::new(graph::VkTensor { staging_datatype: 127, ..tensor(0) }))),
            value(G::VkTensor(Box::new(tensor(1)))),
            value(G::Null(Box::default())),
            value(G::Int(Box::new(graph::Int { int_val: 1 }))),
            value(G::Double(Box::new(graph::Double { double_val: -0.5 }))),
            value(G::Bool(Box::new(graph::Bool { bool_val: true }))),
            value(G::IntList(Box::new(graph::IntList { items: Some(vec![-1, 1 << 40]) }))),
            value(G::DoubleList(Box::new(graph::DoubleList { items: Some(vec![0.25]) }))),
            value(G::BoolList(Box::new(graph::BoolList { items: Some(vec![false, true]) }))),
            value(G::ValueList(Box::new(graph::ValueList { items: Some(vec![0, 1]) }))),
            value(G::String(Box::new(graph::String { string_val: Some("relu".into()) }))),
            value(G::SymInt(Box::new(graph::SymInt { value: 3 }))),
            graph::VkValue { value: None },
        ]),
        chain: Some(vec![
            graph::OperatorCall { node_id: 4, name: Some("et_vk.prepack.default".into()), args: Some(vec![1, 2]) },
            graph::OperatorCall { node_id: 9, name: Some("aten.add.Tensor".into()), args: Some(vec![0, 2, 4, 0]) },
        ]),
        input_ids: Some(vec![0]),
        output_ids: Some(vec![0]),
        constants: Some(vec![
            graph::VkBytes { offset: 8, length: 16, named_key: None },
            graph::VkBytes { offset: u64::MAX, length: 8, named_key: Some("weight".into()) },
        ]),
        ..Default::default()
    }
}

/// A delegate's data: header, graph and inline constants.
pub fn delegate(graph: &graph::VkGraph, constants: &[u8]) -> Vec<u8> {
    delegate_around(&finish(graph, b"VK00"), constants)
}

pub fn delegate_around(flatbuffer: &[u8], constants: &[u8]) -> Vec<u8> {
    framed(b"VH00", flatbuffer, constants)
}

/// A graph with a header before it and constants behind it.
pub fn framed(magic: &[u8; 4], flatbuffer: &[u8], constants: &[u8]) -> Vec<u8> {
    let offset = (32 + flatbuffer.len()).next_multiple_of(16);
    let mut blob = [&[0; 4], magic.as_slice()].concat();
    blob.extend(30u16.to_le_bytes());
    blob.extend([32, flatbuffer.len(), offset].into_iter().flat_map(|n| u32::try_from(n).unwrap().to_le_bytes()));
    blob.extend((constants.len() as u64).to_le_bytes());
    blob.resize(32, 0);
    blob.extend(flatbuffer);
    blob.resize(offset, 0);
    blob.extend(constants);
    blob
}

/// The table of a `.ptd` file with one tensor and one blob.
pub fn flat_tensor() -> flat_tensor::FlatTensor {
    let layout = flat_tensor::TensorLayout { scalar_type: 6, sizes: Some(vec![2, 2]), dim_order: Some(vec![0, 1]) };
    let segment = |offset, size| flat_tensor::DataSegment { offset, size };
    flat_tensor::FlatTensor {
        version: 0,
        segments: Some(vec![segment(0, 16), segment(16, 8)]),
        named_data: Some(vec![
            flat_tensor::NamedData {
                key: Some("outer.weight".into()),
                segment_index: 0,
                tensor_layout: Some(Box::new(layout)),
            },
            flat_tensor::NamedData { key: Some("blob".into()), segment_index: 1, tensor_layout: None },
        ]),
    }
}

/// A `.ptd` file with these segment bytes.
pub fn data_file(table: &flat_tensor::FlatTensor, segments: &[u8]) -> Vec<u8> {
    const HEADER: usize = 48;
    let flatbuffer = finish(table, b"FT01");
    let base = (HEADER + flatbuffer.len()).next_multiple_of(128);
    let mut header = b"FH01".to_vec();
    header.extend(40u32.to_le_bytes());
    header.extend([HEADER, flatbuffer.len(), base, segments.len()].into_iter().flat_map(|n| (n as u64).to_le_bytes()));
    header.resize(HEADER, 0);
    let mut file = insert_header(&flatbuffer, &header);
    file.resize(base, 0);
    file.extend(segments);
    file
}

/// A bundle with one suite of one case, and this program.
pub fn bundle(program: Vec<u8>) -> bundle::BundledProgram {
    use bundle::ValueUnion as V;
    let value = |val| bundle::Value { val: Some(val) };
    let tensor = bundle::Tensor {
        scalar_type: 4,
        sizes: Some(vec![2, 2]),
        data: Some(vec![1; 32]),
        dim_order: Some(vec![0, 1]),
    };
    bundle::BundledProgram {
        version: 0,
        method_test_suites: Some(vec![bundle::MethodTestSuite {
            method_name: Some("forward".into()),
            test_cases: Some(vec![bundle::TestCase {
                inputs: Some(vec![value(V::Tensor(Box::new(tensor.clone())))]),
                expected_outputs: Some(vec![
                    value(V::Tensor(Box::new(tensor))),
                    value(V::Int(Box::new(bundle::Int { int_val: 3 }))),
                    value(V::Bool(Box::new(bundle::Bool { bool_val: true }))),
                    value(V::Double(Box::new(bundle::Double { double_val: 2.5 }))),
                ]),
            }]),
        }]),
        program: Some(program),
    }
}

/// One file of each kind, by name.
pub fn all() -> Vec<(&'static str, Vec<u8>)> {
    let (program, segments) = segment_program();
    let inline = finish(&inline_program(), b"ET12");
    vec![
        ("segments.pte", with_header(&program, &segments)),
        ("delegate", delegate(&graph(), &[1; 24])),
        ("data.ptd", data_file(&flat_tensor(), &[5; 24])),
        ("bundle.bpte", finish(&bundle(inline.clone()), b"BP08")),
        ("inline.pte", inline),
    ]
}
