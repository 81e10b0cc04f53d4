//! `pteron.rope_attention` and the linear layer with a 4-bit weight that alone reads its rows become one operator, which need not
//! bring the parts of an attention together before the layer reads them.

use pteron_ops::{Q4Attention, RopeAttention};

use super::linear::layer_of;
use super::rewrite::{Rewrite, literal, rewrite};
use super::uses::{Uses, tensor};
use crate::graph::Graph;

pub(super) fn run(graph: &mut Graph) {
    rewrite(graph, both);
}

/// The layer at `index`, the attention that gives its input, and the view between them.
fn both(graph: &mut Graph, uses: &Uses, index: usize) -> Option<Rewrite> {
    let layer = layer_of(graph, &graph.nodes[index])?;
    let plain = layer.norm.is_none() && layer.rounding.is_none() && !layer.gated && layer.widths.len() == 1;
    let (view, rows) = uses.made_by(graph, layer.input, "aten.view_copy.default").filter(|_| plain)?;
    let (first, node) = uses.made_by(graph, *rows.args.first()?, RopeAttention::NAME)?;
    let attention = RopeAttention::read(&node.args, &|id| literal(graph, id))?;
    let &[batch, rows, heads, depth] = &*tensor(graph, attention.query)?.shape else { return None };
    // The operator writes the caches where the layer was.
    let apart = [attention.key_cache, attention.value_cache].iter().all(|&id| uses.readers(id).len() == 1);
    if *tensor(graph, layer.input)?.shape != [batch, rows, heads * depth] || !apart {
        return None;
    }
    let RopeAttention {
        query, key, value, key_cache, value_cache, start, length, mask, dropout, causal, scale, ..
    } = attention;
    let both = Q4Attention {
        query,
        key,
        value,
        key_cache,
        value_cache,
        start,
        length,
        mask,
        dropout,
        causal,
        scale,
        cos: attention.cos,
        sin: attention.sin,
        first_row: attention.first_row,
        end_row: attention.end_row,
        weight: layer.weight,
        scales: layer.scales,
        group_size: layer.group_size,
        addend: layer.addend,
    };
    let arguments = both.write();
    Some(Rewrite { at: index, gone: vec![first, view], op: Q4Attention::NAME, arguments, outputs: None })
}

#[cfg(test)]
mod tests {
    use pteron_ops::{Argument, Q4Linear, Rounding, catalogue};
    use pteron_tensor::{DType, Shape};

    use super::super::rewrite::value_of;
    use super::super::uses::push;
    use super::*;
    use crate::graph::{Node, Role, TensorValue, Value};

    fn value(graph: &mut Graph, sizes: &[usize]) -> u32 {
        let shape = Shape::new(sizes).unwrap();
        push(graph, Value::Tensor(TensorValue { dtype: DType::F32, shape, role: Role::Plain }))
    }

    fn node(graph: &mut Graph, name: &str, arguments: Vec<Argument>, sizes: &[usize]) -> u32 {
        let args = arguments.into_iter().map(|argument| value_of(graph, argument)).collect();
        let output = value(graph, sizes);
        let op = catalogue::lookup(name).unwrap();
        graph.nodes.push(Node { id: 0, op, args, outputs: vec![output] });
        output
    }

    /// One row of four heads of sixteen elements, which the layer reads as these sizes, and rounds or not.
    fn graph(rows: &[usize], rounding: Rounding) -> Graph {
        let mut graph = Graph::default();
        let [query, key, value_in] = [4, 2, 2].map(|heads| value(&mut graph, &[1, 1, heads, 16]));
        let [key_cache, value_cache] = [(); 2].map(|()| value(&mut graph, &[1, 300, 2, 16]));
        let [cos, sin] = [(); 2].map(|()| value(&mut graph, &[1, 8]));
        graph.inputs = vec![query, key, value_in, key_cache, value_cache, cos, sin];
        let [start, group_size] = [Value::Int(0), Value::Int(32)].map(|it| push(&mut graph, it));
        let attention = RopeAttention {
            query,
            key,
            value: value_in,
            key_cache,
            value_cache,
            start: Some(start),
            length: None,
            mask: None,
            dropout: None,
            causal: None,
            scale: None,
            cos,
            sin,
            first_row: None,
            end_row: None,
        };
        let attended = node(&mut graph, RopeAttention::NAME, attention.write(), &[1, 1, 4, 16]);
        let view = vec![Argument::Value(attended), Argument::Null];
        let input = node(&mut graph, "aten.view_copy.default", view, rows);
        let [weight, scales, addend] = [[24, 32], [2, 24], [1, 24]].map(|sizes| value(&mut graph, &sizes));
        let layer = Q4Linear {
            input,
            norm: None,
            epsilon: None,
            rounding,
            weight,
            scales,
            group_size,
            short_scales: false,
            widths: vec![24],
            gated: false,
            addend: Some(addend),
        };
        let output = node(&mut graph, Q4Linear::NAME, layer.write(), &[1, 1, 24]);
        graph.outputs = vec![output];
        graph
    }

    fn operators(graph: &Graph) -> Vec<&str> {
        graph.nodes.iter().map(|node| node.op.name).collect()
    }

    #[test]
    fn the_layer_takes_the_attention_that_it_alone_reads() {
        let mut graph = graph(&[1, 1, 64], Rounding::None);
        run(&mut graph);
        assert_eq!(operators(&graph), [Q4Attention::NAME]);
        let both = Q4Attention::read(&graph.nodes[0].args, &|id| literal(&graph, id)).unwrap();
        assert_eq!((both.query, both.key_cache, both.sin), (0, 3, 6));
        assert!(both.addend.is_some() && both.mask.is_none());
    }

    #[test]
    fn a_layer_of_other_rows_or_rounded_ones_stays() {
        for mut graph in [graph(&[1, 64], Rounding::None), graph(&[1, 1, 64], Rounding::Xnnpack)] {
            run(&mut graph);
            assert_eq!(graph.nodes.len(), 3);
        }
    }

    #[test]
    fn what_somebody_else_reads_stays() {
        let (cache, attended) = (3, |graph: &Graph| graph.nodes[0].outputs[0]);
        for is_cache in [true, false] {
            let mut graph = graph(&[1, 1, 64], Rounding::None);
            let id = if is_cache { cache } else { attended(&graph) };
            let also = node(&mut graph, "aten.relu.default", vec![Argument::Value(id)], &[1, 1, 4, 16]);
            graph.outputs.push(also);
            run(&mut graph);
            assert_eq!(graph.nodes.len(), 4);
        }
    }
}
