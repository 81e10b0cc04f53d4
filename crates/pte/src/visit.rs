//! Touches everything that a file holds: for tests and fuzzing.

use std::fmt::{self, Write};

use crate::bundle::{Bundle, BundleValue};
use crate::delegate::{ConstantRef, Delegate, GraphValue};
use crate::error::{Error, Result};
use crate::ptd::DataFile;
use crate::xnnpack::Graph;
use crate::{Blob, FileKind, Instruction, Method, Program, TensorKind, Value, sniff};

mod xnnpack;

/// How much there was to see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Visited {
    /// Methods of the program.
    pub methods: usize,
    /// Values of all methods.
    pub values: usize,
    /// Instructions of all chains.
    pub instructions: usize,
    /// Delegates whose data this crate reads.
    pub graphs: usize,
    /// Nodes of all delegates.
    pub nodes: usize,
    /// Values of all delegates.
    pub graph_values: usize,
    /// Named data and constants.
    pub blobs: usize,
    /// Test cases.
    pub cases: usize,
    /// Whether the visit stopped early, because the file expands to far more than its length.
    pub exhausted: bool,
}

/// Opens bytes of any kind that this crate reads, a delegate's data included, and calls every accessor.
///
/// The work is bounded by a multiple of the length. The first error is returned, but does not end the visit.
pub fn visit_all(bytes: &[u8]) -> Result<Visited> {
    visit_front(bytes, bytes.len() as u64)
}

/// Like [`visit_all`], for the first bytes of a program's file of `file_len` bytes.
pub fn visit_front(bytes: &[u8], file_len: u64) -> Result<Visited> {
    let mut visit = Visit { left: bytes.len().saturating_add(64).saturating_mul(64), ..Visit::default() };
    visit.penalty = bytes.len() / 4;
    match sniff(bytes) {
        _ if Delegate::is(bytes) => visit.delegate(bytes),
        _ if Graph::is(bytes) => visit.xnnpack(bytes),
        Some(FileKind::Ptd) => visit.data_file(bytes),
        Some(FileKind::Bpte) => visit.bundle(bytes),
        Some(FileKind::Pte) | None => visit.program(bytes, file_len),
    }
    match visit.error {
        Some(error) => Err(error),
        None => Ok(visit.seen),
    }
}

#[derive(Default)]
struct Visit {
    /// Steps that are left.
    left: usize,
    /// Steps that an error costs, since checks that fail late can have read a whole list.
    penalty: usize,
    error: Option<Error>,
    seen: Visited,
}

impl Visit {
    /// Takes steps for something that was read; false when none are left.
    fn spend(&mut self, steps: usize) -> bool {
        self.left = self.left.saturating_sub(steps.saturating_add(1));
        self.seen.exhausted |= self.left == 0;
        self.left != 0
    }

    /// Writes a text out to nowhere: what is shown of a file must not fail either.
    fn show(&mut self, text: fmt::Arguments<'_>) {
        struct Length(usize);
        impl Write for Length {
            fn write_str(&mut self, text: &str) -> fmt::Result {
                self.0 = self.0.saturating_add(text.len());
                Ok(())
            }
        }
        let mut length = Length(0);
        let _ = length.write_fmt(text);
        self.spend(length.0);
    }

    /// The value of a result, or nothing and the error remembered.
    fn get<T>(&mut self, result: Result<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.show(format_args!("{error} {error:?}"));
                self.spend(self.penalty);
                self.error.get_or_insert(error);
                None
            }
        }
    }

    fn program(&mut self, bytes: &[u8], file_len: u64) {
        let Some(program) = self.get(Program::parse(bytes, file_len)) else { return };
        self.show(format_args!("{program:?} {}", program.version()));
        for index in 0..u32::try_from(program.segments()).unwrap_or(u32::MAX) {
            self.get(program.segment(index));
            if !self.spend(1) {
                return;
            }
        }
        let mut last = None;
        for data in program.named_data() {
            self.seen.blobs = self.seen.blobs.saturating_add(1);
            last = self.get(data).map(|data| data.key);
            if !self.spend(last.map_or(0, str::len)) {
                return;
            }
        }
        if let Some(key) = last {
            self.get(program.find_named(key));
        }
        for index in [0, 1, u32::MAX] {
            self.constant(program.constant(index, 4));
            self.constant(program.mutable_initial(u64::from(index), 1, 4));
        }
        for method in program.methods() {
            let Some(method) = self.get(method) else { continue };
            self.seen.methods = self.seen.methods.saturating_add(1);
            if !self.spend(method.name().len()) {
                return;
            }
            self.method(method, bytes);
        }
        self.get(program.method("forward"));
    }

    /// A constant that may well be absent.
    fn constant(&mut self, blob: Result<Blob<'_>>) {
        self.spend(usize::from(blob.is_ok_and(|blob| blob.is_empty())));
    }

    fn method(&mut self, method: Method<'_>, bytes: &[u8]) {
        self.show(format_args!("{method:?}"));
        let lists = [method.inputs(), method.outputs()];
        for list in lists {
            let steps = self.get(list).map_or(0, |ids| ids.iter().count());
            self.spend(steps);
        }
        self.get(method.containers());
        self.spend(method.arena_sizes().iter().count());
        for id in 0..u32::try_from(method.values()).unwrap_or(u32::MAX) {
            self.seen.values = self.seen.values.saturating_add(1);
            let value = self.get(method.value(id));
            let steps = value.map_or(0, |value| self.value(method, value));
            if !self.spend(steps) {
                return;
            }
        }
        for index in 0..u32::try_from(method.operators()).unwrap_or(u32::MAX) {
            if let Some(operator) = self.get(method.operator(index)) {
                self.show(format_args!("{operator}"));
            }
            if !self.spend(1) {
                return;
            }
        }
        for chain in method.chains() {
            let Some(chain) = self.get(chain) else { continue };
            for list in [chain.inputs(), chain.outputs()] {
                let steps = self.get(list).map_or(0, |ids| ids.len());
                self.spend(steps);
            }
            self.show(format_args!("{chain:?}"));
            for instruction in chain.instructions() {
                self.seen.instructions = self.seen.instructions.saturating_add(1);
                let steps = match self.get(instruction) {
                    Some(Instruction::KernelCall { args, .. } | Instruction::DelegateCall { args, .. }) => {
                        args.iter().count()
                    }
                    _ => 0,
                };
                if !self.spend(steps) {
                    return;
                }
            }
        }
        for index in 0..u32::try_from(method.delegates()).unwrap_or(u32::MAX) {
            if !self.spend(1) {
                return;
            }
            let Some(delegate) = self.get(method.delegate(index)) else { continue };
            for spec in delegate.compile_specs() {
                let steps = self.get(spec).map_or(0, |(key, value)| key.len().saturating_add(value.len()));
                if !self.spend(steps) {
                    return;
                }
            }
            self.show(format_args!("{delegate:?}"));
            let data = match &delegate.data {
                Blob::Inline(data) => Some(*data),
                Blob::File(range) => usize::try_from(range.start)
                    .ok()
                    .zip(usize::try_from(range.end).ok())
                    .and_then(|(start, end)| bytes.get(start..end)),
            };
            match data {
                Some(data) if Delegate::is(data) => self.delegate(data),
                Some(data) if Graph::is(data) => self.xnnpack(data),
                _ => {}
            }
        }
    }

    /// Reads all of a value and says how many steps that took.
    fn value(&mut self, method: Method<'_>, value: Value<'_>) -> usize {
        match value {
            Value::Tensor(tensor) => {
                let dims = self.get(tensor.sizes()).map_or(0, |sizes| sizes.iter().count());
                self.get(tensor.dtype());
                self.get(tensor.shape());
                self.get(tensor.numel());
                self.get(tensor.dim_order());
                self.get(tensor.dynamism());
                self.get(tensor.storage_offset());
                self.get(tensor.allocation());
                let name = self.get(tensor.name()).flatten().map_or(0, str::len);
                let nbytes = self.get(tensor.nbytes());
                let program = method.program();
                match self.get(tensor.kind()).zip(nbytes) {
                    Some((TensorKind::Constant { buffer }, nbytes)) => {
                        self.get(program.constant(buffer, nbytes));
                    }
                    Some((TensorKind::Mutable { buffer, set, .. }, nbytes)) => {
                        self.get(program.mutable_initial(set, buffer, nbytes));
                    }
                    _ => {}
                }
                dims.saturating_mul(8).saturating_add(name)
            }
            Value::String(text) => text.len(),
            Value::IntList(ids) | Value::TensorList(ids) => ids.iter().count(),
            Value::DoubleList(list) => list.iter().count(),
            Value::BoolList(list) => list.iter().count(),
            Value::OptionalTensorList(ids) => ids.iter().count(),
            Value::Null | Value::Int(_) | Value::Bool(_) | Value::Double(_) | Value::Unknown(_) => 1,
        }
    }

    fn delegate(&mut self, blob: &[u8]) {
        let Some(graph) = self.get(Delegate::parse(blob)) else { return };
        self.seen.graphs = self.seen.graphs.saturating_add(1);
        self.show(format_args!("{graph:?} {}", graph.version().len()));
        for list in [graph.inputs(), graph.outputs()] {
            let steps = self.get(list).map_or(0, |ids| ids.iter().count());
            self.spend(steps);
        }
        for id in 0..u32::try_from(graph.values()).unwrap_or(u32::MAX) {
            self.seen.graph_values = self.seen.graph_values.saturating_add(1);
            let steps = match self.get(graph.value(id)) {
                Some(GraphValue::Tensor(tensor)) => {
                    self.get(tensor.dtype());
                    self.get(tensor.staging_dtype());
                    self.get(tensor.shape());
                    self.get(tensor.nbytes());
                    if let Some(constant) = tensor.constant_id().and_then(|id| i32::try_from(id).ok()) {
                        self.get(graph.constant(constant));
                    }
                    tensor.dims().count().saturating_mul(4)
                }
                Some(GraphValue::IntList(list)) => list.iter().count(),
                Some(GraphValue::DoubleList(list)) => list.iter().count(),
                Some(GraphValue::BoolList(list)) => list.iter().count(),
                Some(GraphValue::ValueList(ids)) => ids.iter().count(),
                Some(GraphValue::String(text)) => text.len(),
                _ => 1,
            };
            if !self.spend(steps) {
                return;
            }
        }
        for node in graph.nodes() {
            self.seen.nodes = self.seen.nodes.saturating_add(1);
            let steps = self.get(node).map_or(0, |node| node.args.iter().count().saturating_add(node.name.len()));
            if !self.spend(steps) {
                return;
            }
        }
        for id in 0..i32::try_from(graph.constants()).unwrap_or(i32::MAX) {
            if !self.graph_constant(graph.constant(id)) {
                return;
            }
        }
    }

    /// Touches a constant of a delegate; whether there are steps left.
    fn graph_constant(&mut self, constant: Result<ConstantRef<'_>>) -> bool {
        self.seen.blobs = self.seen.blobs.saturating_add(1);
        let steps = match self.get(constant) {
            Some(ConstantRef::Named { key, .. }) => key.len(),
            _ => 1,
        };
        self.spend(steps)
    }

    fn data_file(&mut self, bytes: &[u8]) {
        let Some(file) = self.get(DataFile::parse(bytes)) else { return };
        self.show(format_args!("{file:?}"));
        let mut last = None;
        for entry in file.entries() {
            self.seen.blobs = self.seen.blobs.saturating_add(1);
            let Some(entry) = self.get(entry) else {
                if self.left == 0 {
                    return;
                }
                continue;
            };
            let mut steps = entry.key.len();
            if let Some(layout) = entry.layout {
                self.get(layout.dtype());
                self.get(layout.nbytes());
                self.get(layout.dim_order());
                steps = steps.saturating_add(self.get(layout.sizes()).map_or(0, |sizes| sizes.iter().count()));
            }
            last = Some(entry.key);
            if !self.spend(steps) {
                return;
            }
        }
        if let Some(key) = last {
            self.get(file.find(key));
        }
    }

    fn bundle(&mut self, bytes: &[u8]) {
        let Some(bundle) = self.get(Bundle::parse(bytes)) else { return };
        self.show(format_args!("{bundle:?}"));
        for suite in bundle.suites() {
            let Some(suite) = self.get(suite) else { continue };
            if !self.spend(suite.method.len()) {
                return;
            }
            for case in suite.cases() {
                let Some(case) = self.get(case) else { continue };
                self.seen.cases = self.seen.cases.saturating_add(1);
                self.show(format_args!("{case:?}"));
                for value in case.inputs().chain(case.expected()) {
                    let steps = match self.get(value) {
                        Some(BundleValue::Tensor { sizes, dim_order, .. }) => {
                            sizes.iter().count().saturating_add(dim_order.len())
                        }
                        _ => 1,
                    };
                    if !self.spend(steps) {
                        return;
                    }
                }
            }
        }
        self.program(bundle.program(), bundle.program().len() as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;
    use crate::xnnpack::samples as xnnpack_samples;

    #[test]
    fn the_samples_are_sound() {
        for (name, bytes) in samples::all().into_iter().chain(xnnpack_samples::all()) {
            let seen = visit_all(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(!seen.exhausted && seen != Visited::default(), "{name}: {seen:?}");
        }
    }

    #[test]
    fn lists_that_are_shared_a_hundred_thousand_times_do_not_multiply() {
        use crate::generated::graph;
        const MANY: usize = 100_000;
        let mut builder = planus::Builder::new();
        let value = graph::VkValue::create(&mut builder, None::<graph::GraphTypes>);
        let node = graph::OperatorCall::create(&mut builder, 0u32, "aten.cat.default", vec![0i32; MANY]);
        let root = graph::VkGraph::builder()
            .version_as_null()
            .chain(vec![node; MANY])
            .values([value])
            .input_ids_as_null()
            .output_ids_as_null()
            .constants_as_null()
            .shaders_as_null()
            .storage_type_override_as_default()
            .memory_layout_override_as_default()
            .finish(&mut builder);
        let flatbuffer = samples::identified(builder.finish(root, Some(*b"VK00")), b"VK00");
        let seen = visit_all(&samples::delegate_around(&flatbuffer, &[])).unwrap();
        assert!(seen.exhausted && seen.nodes < 2_000, "{seen:?}");
    }

    #[test]
    fn scales_that_are_shared_by_thousands_of_tensors_do_not_multiply() {
        use crate::generated::xnnpack as raw;
        const MANY: u32 = 100_000;
        let mut builder = planus::Builder::new();
        let scales = vec![1f32; usize::try_from(MANY).unwrap()];
        let scales = raw::PerChannel::create(&mut builder, scales, 0, 0u32, 0u32);
        let scales = raw::Quantization::create_per_channel(&mut builder, scales);
        let values: Vec<_> = (0..5_000)
            .map(|id| {
                let tensor = raw::Tensor { id, ..xnnpack_samples::tensor(6, &[MANY]) };
                let quantized = raw::QuantizedTensor::create(&mut builder, tensor, scales);
                let kind = raw::ValueKind::create_quantized_tensor(&mut builder, quantized);
                raw::Value::create(&mut builder, kind)
            })
            .collect();
        let graph = raw::Graph::builder()
            .version_as_null()
            .nodes_as_null()
            .values(values)
            .external_count(0u32)
            .input_ids_as_null()
            .output_ids_as_null()
            .constant_buffers_as_null()
            .buffer_sizes_as_null()
            .constants_as_null()
            .finish(&mut builder);
        let flatbuffer = samples::identified(builder.finish(graph, Some(*b"XN01")), b"XN01");
        let seen = visit_all(&samples::framed(b"XH00", &flatbuffer, &[])).unwrap();
        assert!(seen.exhausted && seen.graph_values < 1_000, "{seen:?}");
    }

    #[test]
    fn no_truncation_passes() {
        for (name, bytes) in samples::all().into_iter().chain(xnnpack_samples::all()) {
            for length in 0..bytes.len() {
                let result = visit_all(&bytes[..length]);
                // A flatbuffer may end in padding, which nothing reads.
                assert!(result.is_err() || length + 16 > bytes.len(), "{name} cut to {length} of {}", bytes.len());
            }
        }
    }
}
