//! Reads the XNNPACK graphs of every program that the checkout holds, and compares what they say with the bytes they name.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use pteron_pte::xnnpack::{ConstantRef, Datatype, Graph, Operation, Quantization, Scales};
use pteron_pte::{Blob, Program};

/// Folders to look in, relative to the crate; the one outside the repository is optional.
const FOLDERS: [&str; 2] = ["../../fixtures/xnnpack", "../../../shared/xnnpack"];

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "pte") {
            files.push(path);
        }
    }
}

fn files(folder: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut files);
    files.sort();
    files
}

/// How often each kind of node occurs in a program, after all of its graphs were checked.
fn nodes_of(path: &Path) -> BTreeMap<&'static str, usize> {
    let bytes = fs::read(path).unwrap();
    let program = Program::parse(&bytes, bytes.len() as u64).unwrap();
    let mut nodes = BTreeMap::new();
    for method in program.methods().map(Result::unwrap) {
        for index in 0..u32::try_from(method.delegates()).unwrap() {
            let blob = match method.delegate(index).unwrap().data {
                Blob::Inline(bytes) => bytes,
                Blob::File(range) => &bytes[usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap()],
            };
            if Graph::is(blob) {
                let graph = Graph::parse(blob).unwrap();
                check(&graph, &program);
                for node in graph.nodes() {
                    *nodes.entry(node.unwrap().operation.name()).or_default() += 1;
                }
            }
        }
    }
    nodes
}

/// The bytes of a constant that the graph and the program agree on.
fn constant_length(graph: &Graph<'_>, program: &Program<'_>, id: u32) -> u64 {
    match graph.constant(id).unwrap() {
        ConstantRef::Inline(bytes) => bytes.len() as u64,
        ConstantRef::Named { key, length } => {
            let range = program.find_named(key).unwrap().expect("the program has what the graph names");
            assert_eq!(range.end - range.start, length, "{key}");
            length
        }
        other => panic!("{other:?}"),
    }
}

fn check(graph: &Graph<'_>, program: &Program<'_>) {
    assert_eq!(graph.version(), "0");
    let mut arguments = vec![0; usize::try_from(graph.arguments()).unwrap()];
    let mut known = Vec::new();
    for id in 0..u32::try_from(graph.tensors()).unwrap() {
        let tensor = graph.tensor(id).unwrap();
        assert!(!matches!(tensor.datatype, Datatype::Unknown(_)), "{tensor:?}");
        assert_eq!(tensor.is_input || tensor.is_output, tensor.argument.is_some(), "{tensor:?}");
        if let Some(argument) = tensor.argument {
            arguments[usize::try_from(argument).unwrap()] += 1;
        }
        if let Some(constant) = tensor.constant {
            assert_eq!(constant_length(graph, program, constant), tensor.nbytes().unwrap(), "{tensor:?}");
        }
        let (scales, size) = match tensor.quantization {
            Some(Quantization::PerChannel { scales, .. }) => (Some(scales), 4),
            Some(Quantization::PerGroup { scales, .. }) => (Some(scales), 2),
            Some(Quantization::Unknown(code)) => panic!("quantization {code}"),
            _ => (None, 0),
        };
        if let Some(Scales::Constant { constant, count }) = scales {
            assert_eq!(constant_length(graph, program, constant), u64::from(count) * size, "{tensor:?}");
        }
        known.push(tensor.is_input || tensor.constant.is_some());
    }
    // One that the graph does not use has none.
    assert!(arguments.iter().all(|&count| count <= 1), "{arguments:?}");
    for node in graph.nodes() {
        let node = node.unwrap();
        assert!(!matches!(node.operation, Operation::Unknown(_)), "{node:?}");
        for &input in node.operation.inputs().iter() {
            assert!(known[usize::try_from(input).unwrap()], "{node:?} reads {input} before it is written");
        }
        for &output in node.operation.outputs().iter() {
            known[usize::try_from(output).unwrap()] = true;
        }
    }
    assert!(graph.outputs().unwrap().iter().all(|id| known[usize::try_from(id).unwrap()]));
}

#[test]
fn graphs_agree_with_the_bytes_that_they_name() {
    let mut nodes: BTreeMap<_, usize> = BTreeMap::new();
    for path in FOLDERS.into_iter().flat_map(files) {
        let found = nodes_of(&path);
        for (name, count) in found {
            *nodes.entry(name).or_default() += count;
        }
    }
    eprintln!("{nodes:?}");
    assert!(nodes.len() >= 30, "only {} kinds of node: {nodes:?}", nodes.len());
}
