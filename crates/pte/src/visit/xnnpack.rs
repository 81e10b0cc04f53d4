//! Touches everything that an XNNPACK graph holds.

use super::Visit;
use crate::xnnpack::{Graph, Quantization, Scales, Tensor};

impl Visit {
    pub(super) fn xnnpack(&mut self, blob: &[u8]) {
        let Some(graph) = self.get(Graph::parse(blob)) else { return };
        self.seen.graphs = self.seen.graphs.saturating_add(1);
        self.show(format_args!("{graph:?} {}", graph.version().len()));
        for list in [graph.inputs(), graph.outputs()] {
            let steps = self.get(list).map_or(0, |ids| ids.iter().count());
            self.spend(steps);
        }
        for id in 0..u32::try_from(graph.tensors()).unwrap_or(u32::MAX) {
            self.seen.graph_values = self.seen.graph_values.saturating_add(1);
            if let Some(tensor) = self.get(graph.tensor(id)) {
                self.tensor(&graph, &tensor);
            }
            if !self.spend(1) {
                return;
            }
        }
        for node in graph.nodes() {
            self.seen.nodes = self.seen.nodes.saturating_add(1);
            if let Some(node) = self.get(node) {
                let (inputs, outputs) = (node.operation.inputs(), node.operation.outputs());
                self.show(format_args!("{} {node:?} {inputs:?} {outputs:?}", node.operation.name()));
            }
            if !self.spend(1) {
                return;
            }
        }
        // The first constant stands for none.
        for id in 1..u32::try_from(graph.constants()).unwrap_or(u32::MAX) {
            if !self.graph_constant(graph.constant(id)) {
                return;
            }
        }
    }

    fn tensor(&mut self, graph: &Graph<'_>, tensor: &Tensor<'_>) {
        self.show(format_args!("{tensor:?}"));
        self.get(tensor.shape());
        self.get(tensor.nbytes());
        if let Some(constant) = tensor.constant {
            self.get(graph.constant(constant));
        }
        if let Some(Quantization::PerChannel { scales, .. } | Quantization::PerGroup { scales, .. }) =
            tensor.quantization
        {
            let steps = match scales {
                Scales::Listed(list) => list.iter().count(),
                Scales::ListedHalves(list) => list.iter().count(),
                Scales::Constant { constant, .. } => {
                    self.get(graph.constant(constant));
                    1
                }
            };
            self.spend(steps);
        }
    }
}
