//! Attention in the forms that exporters leave it in.

use pteron_ops::catalogue;
use pteron_tensor::DType;

use super::*;
use crate::graph::{Role, TensorValue};

#[derive(Default)]
struct Builder(Graph);

impl Builder {
    fn tensor(&mut self, sizes: &[usize]) -> u32 {
        let shape = Shape::new(sizes).unwrap();
        self.value(Value::Tensor(TensorValue { dtype: DType::F32, shape, role: Role::Plain }))
    }

    fn value(&mut self, value: Value) -> u32 {
        super::super::uses::push(&mut self.0, value)
    }

    fn node(&mut self, name: &str, args: &[u32], sizes: &[usize]) -> u32 {
        let output = self.tensor(sizes);
        let op = catalogue::lookup(name).unwrap();
        self.0.nodes.push(Node { id: 0, op, args: args.to_vec(), outputs: vec![output] });
        output
    }

    fn permute(&mut self, from: u32, dims: &[i64], sizes: &[usize]) -> u32 {
        let dims = self.value(Value::Ints(dims.to_vec()));
        self.node(PERMUTE, &[from, dims], sizes)
    }

    fn reshape(&mut self, from: u32, sizes: &[usize]) -> u32 {
        let dims = self.value(Value::Null);
        self.node("aten.view_copy.default", &[from, dims], sizes)
    }

    fn scale(&mut self, from: u32, factor: f64, sizes: &[usize]) -> u32 {
        let factor = self.value(Value::Double(factor));
        self.node("aten.mul.Scalar", &[from, factor], sizes)
    }

    /// Zeros in the place of rows whose scores are −∞ throughout.
    fn safe(&mut self, scores: u32, weights: u32) -> u32 {
        let [lowest, last, keeps, zero] =
            [Value::Double(f64::NEG_INFINITY), Value::Int(-1), Value::Bool(true), Value::Int(0)]
                .map(|it| self.value(it));
        let low = self.node("aten.eq.Scalar", &[scores, lowest], &[1, 3, 5, 7]);
        let finite = self.node("aten.logical_not.default", &[low], &[1, 3, 5, 7]);
        let any = self.node("aten.any.dim", &[finite, last, keeps], &[1, 3, 5, 1]);
        let zeros = self.node("aten.full_like.default", &[weights, zero], &[1, 3, 5, 7]);
        let empty = self.node("aten.logical_not.default", &[any], &[1, 3, 5, 1]);
        self.node("aten.where.self", &[empty, zeros, weights], &[1, 3, 5, 7])
    }
}

/// Three heads of five queries, seven keys of four elements and values of six, as multi-head attention has them: inputs
/// 0 to 2, with rows outside. Keys are transposed for the first product in two steps, and the softmax is a safe one; or at
/// once, and the result is put back too.
fn graph(keys_at_once: bool, dim: i64) -> Graph {
    let mut build = Builder::default();
    let [query, key, value] = [[5, 12], [7, 12], [7, 18]].map(|sizes| build.tensor(&sizes));
    let query = build.reshape(query, &[5, 3, 4]);
    let query = build.permute(query, &[1, 0, 2], &[3, 5, 4]);
    let query = build.reshape(query, &[1, 3, 5, 4]);
    let query = build.scale(query, 0.5, &[1, 3, 5, 4]);
    let query = build.reshape(query, &[3, 5, 4]);
    let mut key = build.reshape(key, &[7, 3, 4]);
    if keys_at_once {
        key = build.permute(key, &[1, 2, 0], &[3, 4, 7]);
    } else {
        key = build.permute(key, &[1, 0, 2], &[3, 7, 4]);
        key = build.permute(key, &[0, -1, -2], &[3, 4, 7]);
    }
    let key = build.scale(key, 0.25, &[3, 4, 7]);
    let value = build.reshape(value, &[7, 3, 6]);
    let value = build.permute(value, &[1, 0, 2], &[3, 7, 6]);
    let scores = build.node("aten.bmm.default", &[query, key], &[3, 5, 7]);
    let scores = build.reshape(scores, &[1, 3, 5, 7]);
    let (dim, half_to_float) = (build.value(Value::Int(dim)), build.value(Value::Bool(false)));
    let mut weights = build.node("aten._softmax.default", &[scores, dim, half_to_float], &[1, 3, 5, 7]);
    if !keys_at_once {
        weights = build.safe(scores, weights);
    }
    let weights = build.reshape(weights, &[3, 5, 7]);
    let mut output = build.node("aten.bmm.default", &[weights, value], &[3, 5, 6]);
    if keys_at_once {
        output = build.reshape(output, &[1, 3, 5, 6]);
        output = build.permute(output, &[2, 0, 1, 3], &[5, 1, 3, 6]);
        output = build.reshape(output, &[5, 18]);
    }
    build.0.inputs = vec![0, 1, 2];
    build.0.outputs = vec![output];
    build.0
}

#[test]
fn vectors_are_read_where_they_were_before_they_were_permuted() {
    for keys_at_once in [false, true] {
        let mut graph = graph(keys_at_once, -1);
        run(&mut graph, true);
        let node = graph.nodes.iter().find(|node| node.op.name == Attention::NAME).unwrap();
        let after = graph.nodes.iter().rev().take_while(|node| node.op.name != Attention::NAME).count();
        assert_eq!(after, usize::from(keys_at_once), "what reads the rows in another shape");
        let sizes = |at: usize| tensor(&graph, node.args[at]).unwrap().shape;
        assert_eq!([&*sizes(0), &*sizes(1), &*sizes(2)], [[5, 3, 4], [7, 3, 4], [7, 3, 6]]);
        assert!(matches!(&graph.values[node.args[3] as usize], Value::Ints(heads) if **heads == [1, 3]));
        let order = [1, 1, 1, i64::from(keys_at_once)];
        assert!(matches!(&graph.values[node.args[4] as usize], Value::Ints(found) if **found == order));
        assert_eq!(number(&graph, node.args[5]), Some(0.125));
    }
}

/// Two batches of three heads, which are six heads to the products, with queries and keys as `graph` has them. With
/// `rows_outside` the result is put back.
fn batches(rows_outside: bool) -> Graph {
    let mut build = Builder::default();
    let [query, key, value] = [[5, 24], [7, 24], [7, 36]].map(|sizes| build.tensor(&sizes));
    let query = build.reshape(query, &[5, 6, 4]);
    let query = build.permute(query, &[1, 0, 2], &[6, 5, 4]);
    let query = build.reshape(query, &[2, 3, 5, 4]);
    let query = build.scale(query, 0.5, &[2, 3, 5, 4]);
    let query = build.reshape(query, &[6, 5, 4]);
    let key = build.reshape(key, &[7, 6, 4]);
    let key = build.permute(key, &[1, 0, 2], &[6, 7, 4]);
    let key = build.reshape(key, &[2, 3, 7, 4]);
    let key = build.permute(key, &[0, 1, 3, 2], &[2, 3, 4, 7]);
    let key = build.scale(key, 0.25, &[2, 3, 4, 7]);
    let key = build.reshape(key, &[6, 4, 7]);
    let value = build.reshape(value, &[7, 2, 3, 6]);
    let value = build.permute(value, &[1, 2, 0, 3], &[2, 3, 7, 6]);
    let value = build.reshape(value, &[6, 7, 6]);
    let scores = build.node("aten.bmm.default", &[query, key], &[6, 5, 7]);
    let scores = build.reshape(scores, &[2, 3, 5, 7]);
    let (dim, half_to_float) = (build.value(Value::Int(-1)), build.value(Value::Bool(false)));
    let weights = build.node("aten._softmax.default", &[scores, dim, half_to_float], &[2, 3, 5, 7]);
    let weights = build.reshape(weights, &[6, 5, 7]);
    let output = build.node("aten.bmm.default", &[weights, value], &[6, 5, 6]);
    let output = build.reshape(output, &[2, 3, 5, 6]);
    // Heads before batches are not the order of the product.
    let (order, sizes) = if rows_outside { ([2, 0, 1, 3], [5, 2, 3, 6]) } else { ([2, 1, 0, 3], [5, 3, 2, 6]) };
    let output = build.permute(output, &order, &sizes);
    let output = build.reshape(output, &[5, 36]);
    build.0.inputs = vec![0, 1, 2];
    build.0.outputs = vec![output];
    build.0
}

#[test]
fn batches_are_heads_of_the_products() {
    for rows_outside in [false, true] {
        let mut graph = batches(rows_outside);
        run(&mut graph, true);
        let node = graph.nodes.iter().find(|node| node.op.name == Attention::NAME).unwrap();
        let after = graph.nodes.iter().rev().take_while(|node| node.op.name != Attention::NAME).count();
        assert_eq!(after, if rows_outside { 1 } else { 3 });
        assert!(matches!(&graph.values[node.args[3] as usize], Value::Ints(heads) if **heads == [2, 3]));
        let order = [1, 1, 1, i64::from(rows_outside)];
        assert!(matches!(&graph.values[node.args[4] as usize], Value::Ints(found) if **found == order));
        assert_eq!(number(&graph, node.args[5]), Some(0.125));
    }
}

/// Two batches of three heads, whose rows are within the batches, with a mask that heads share. The softmax is a safe one.
fn masked() -> Graph {
    let mut build = Builder::default();
    let [query, key, value] = [[2, 5, 3, 4], [2, 7, 3, 4], [2, 7, 3, 6]].map(|sizes| build.tensor(&sizes));
    let mask = build.tensor(&[2, 1, 5, 7]);
    let query = build.permute(query, &[0, 2, 1, 3], &[2, 3, 5, 4]);
    let query = build.reshape(query, &[6, 5, 4]);
    let key = build.permute(key, &[0, 2, 3, 1], &[2, 3, 4, 7]);
    let key = build.reshape(key, &[6, 4, 7]);
    let value = build.permute(value, &[0, 2, 1, 3], &[2, 3, 7, 6]);
    let value = build.reshape(value, &[6, 7, 6]);
    let scores = build.node("aten.bmm.default", &[query, key], &[6, 5, 7]);
    let scores = build.reshape(scores, &[2, 3, 5, 7]);
    let scores = build.scale(scores, 0.5, &[2, 3, 5, 7]);
    let one = build.value(Value::Int(1));
    let scores = build.node("aten.add.Tensor", &[mask, scores, one], &[2, 3, 5, 7]);
    let (dim, half_to_float) = (build.value(Value::Int(-1)), build.value(Value::Bool(false)));
    let weights = build.node("aten._softmax.default", &[scores, dim, half_to_float], &[2, 3, 5, 7]);
    let weights = build.safe(scores, weights);
    let weights = build.reshape(weights, &[6, 5, 7]);
    let output = build.node("aten.bmm.default", &[weights, value], &[6, 5, 6]);
    let output = build.reshape(output, &[2, 3, 5, 6]);
    let output = build.permute(output, &[0, 2, 1, 3], &[2, 5, 3, 6]);
    let output = build.reshape(output, &[2, 5, 18]);
    build.0.inputs = vec![0, 1, 2, 3];
    build.0.outputs = vec![output];
    build.0
}

#[test]
fn scores_may_have_a_mask() {
    let mut graph = masked();
    run(&mut graph, true);
    let node = graph.nodes.iter().find(|node| node.op.name == Attention::NAME).unwrap();
    assert_eq!(node.args[..3], [0, 1, 2]);
    assert!(matches!(&graph.values[node.args[3] as usize], Value::Ints(heads) if **heads == [2, 3]));
    assert!(matches!(&graph.values[node.args[4] as usize], Value::Ints(order) if **order == [2, 2, 2, 2]));
    assert_eq!((number(&graph, node.args[5]), node.args[6]), (Some(0.5), 3));
    assert!(matches!(graph.values[node.args[7] as usize], Value::Bool(true)), "hidden rows are zeros");
}

/// The number of heads is an argument, which calls of other sizes would make wrong.
#[test]
fn heads_that_calls_have_fewer_of_stay_as_they_are() {
    let mut graph = masked();
    run(&mut graph, false);
    assert!(graph.nodes.iter().all(|node| node.op.name != Attention::NAME));
}

#[test]
fn dimensions_are_divided_into_neighbours() {
    assert_eq!(divided(&[6, 5], &[2, 3, 5]), Some(vec![2, 1]));
    assert_eq!(divided(&[6, 5], &[6, 5]), Some(vec![1, 1]));
    assert_eq!(divided(&[6, 5], &[5, 6]), None);
    assert_eq!(divided(&[6, 5], &[2, 15]), None);
    assert_eq!(divided(&[6, 5], &[6, 5, 2]), None);
    assert_eq!(divided(&[0, 5], &[0, 5]), Some(vec![1, 1]));
}

#[test]
fn a_softmax_along_another_dimension_is_no_attention() {
    let mut graph = graph(false, 2);
    run(&mut graph, true);
    assert!(graph.nodes.iter().all(|node| node.op.name != Attention::NAME));
}
