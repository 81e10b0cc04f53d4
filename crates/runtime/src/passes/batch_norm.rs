//! Batch norms by constants become part of the convolution that computes what they take, or a factor and a sum for each
//! channel, which chains go on from.

use std::sync::Arc;

use pteron_ops::{Argument, Chain, ChainArg, ValueId};
use pteron_tensor::{DType, HostTensor, Shape};

use super::chain;
use super::constants::{self, Known};
use super::rewrite::{Rewrite, rewrite};
use super::uses::{Uses, constant, number, optional, push, tensor};
use crate::graph::{Constant, DataRef, Graph, Node, Role, Scaled, TensorValue, Value};

const BATCH_NORM: &str = "aten._native_batch_norm_legit_no_training.default";
const CONVOLUTION: &str = "aten.convolution.default";

/// What norms, and the convolutions before them, add and multiply by channel.
pub(super) fn parameters(graph: &Graph) -> Vec<u32> {
    let uses = Uses::of(graph);
    let norms = graph.nodes.iter().filter(|node| node.op.name == BATCH_NORM);
    let of_norm = |node: &Node| {
        let before = node.args.first().and_then(|&input| uses.made_by(graph, input, CONVOLUTION));
        let bias = before.and_then(|(_, node)| node.args.get(2).copied());
        node.args.iter().copied().skip(1).take(4).chain(bias).collect::<Vec<_>>()
    };
    norms.flat_map(of_norm).collect()
}

/// Replaces every norm of 32-bit floats whose parameters are constants.
pub(super) fn run(graph: &mut Graph, known: &Known) {
    rewrite(graph, |graph, uses, at| {
        let node = &graph.nodes[at];
        let (&[input, ..], true) = (&node.args[..], node.op.name == BATCH_NORM) else { return None };
        let norm = Norm::of(graph, known, node)?;
        norm.in_convolution(graph, uses, known, at, input).or_else(|| norm.as_chain(graph, at, input))
    });
}

/// What a norm does to each channel.
struct Norm {
    factors: Vec<f64>,
    sums: Vec<f64>,
}

impl Norm {
    /// The norm that a node is: of a tensor with channels, by constants that give finite numbers.
    fn of(graph: &Graph, known: &Known, node: &Node) -> Option<Norm> {
        let &[input, weight, bias, mean, variance, _, epsilon] = &node.args[..] else { return None };
        let (epsilon, input) = (number(graph, epsilon)?, tensor(graph, input)?);
        let (DType::F32, Some(&channels)) = (input.dtype, input.shape.get(1)) else { return None };
        let [weight, bias] = [(weight, 1.0), (bias, 0.0)].map(|(id, absent)| match optional(graph, id) {
            Some(id) => by_channel(known, id, channels),
            None => Some(vec![absent; channels]),
        });
        let [mean, variance] = [mean, variance].map(|id| by_channel(known, id, channels));
        let (weight, bias, mean, variance) = (weight?, bias?, mean?, variance?);
        let factors: Vec<_> = (0..channels).map(|at| weight[at] / (variance[at] + epsilon).sqrt()).collect();
        let sums: Vec<_> = (0..channels).map(|at| bias[at] - factors[at] * mean[at]).collect();
        let finite = factors.iter().chain(&sums).all(|it| it.abs() <= f64::from(f32::MAX));
        finite.then_some(Norm { factors, sums })
    }

    /// The convolution that alone computes the norm's input, with what the norm does in its weight and bias.
    fn in_convolution(
        &self,
        graph: &mut Graph,
        uses: &Uses,
        known: &Known,
        at: usize,
        input: ValueId,
    ) -> Option<Rewrite> {
        let (before, node) = uses.made_by(graph, input, CONVOLUTION)?;
        let &[_, weight, bias, .., groups] = &node.args[..] else { return None };
        let arguments = node.args.clone();
        let biases = match optional(graph, bias) {
            Some(bias) => by_channel(known, bias, self.factors.len())?,
            None => vec![0.0; self.factors.len()],
        };
        let Value::Bool(transposed) = graph.values[*arguments.get(6)? as usize] else { return None };
        let Value::Int(groups) = graph.values[groups as usize] else { return None };
        let groups = usize::try_from(groups).ok().filter(|&groups| groups > 0)?;
        let plain = graph.constants[constant(graph, weight)?].clone();
        let is_float = (plain.stored, plain.dtype) == (DType::F32, DType::F32);
        let &[first, second, ref taps @ ..] = &*plain.shape else { return None };
        let taps = taps.iter().product::<usize>();
        let sizes = if transposed { [groups, first / groups, second, taps] } else { [1, 1, first, second * taps] };
        let fits = sizes[0] * sizes[2] == self.factors.len() && sizes.iter().product::<usize>() == plain.shape.numel();
        if !is_float || !fits || !uses.is_read_once(input) {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "the weights are 32-bit floats")]
        let factors = self.factors.iter().map(|&factor| (factor as f32).to_bits()).collect();
        let scaled = Scaled { data: plain.data.clone(), sizes, factors };
        let shape = plain.shape;
        graph.constants.push(Constant { data: DataRef::Scaled(Arc::new(scaled)), ..plain });
        let role = Role::Constant(graph.constants.len() - 1);
        let weight = push(graph, Value::Tensor(TensorValue { dtype: DType::F32, shape, role }));
        let sums = biases.iter().zip(&self.factors).zip(&self.sums).map(|((bias, factor), sum)| bias * factor + sum);
        let bias = add_values(graph, &[biases.len()], sums)?;
        let mut arguments: Vec<_> = arguments.into_iter().map(Argument::Value).collect();
        arguments[1] = Argument::Value(weight);
        arguments[2] = Argument::Value(bias);
        let outputs = graph.nodes[at].outputs.iter().take(1).copied().collect();
        Some(Rewrite { at, gone: vec![before], op: CONVOLUTION, arguments, outputs: Some(outputs) })
    }

    /// The norm as a product and a sum.
    fn as_chain(&self, graph: &mut Graph, at: usize, input: ValueId) -> Option<Rewrite> {
        let output = *graph.nodes[at].outputs.first()?;
        if tensor(graph, output)?.dtype != DType::F32 {
            return None;
        }
        let mut sizes = vec![1; tensor(graph, input)?.shape.rank() - 1];
        *sizes.first_mut()? = self.factors.len();
        let factors = add_values(graph, &sizes, self.factors.iter().copied())?;
        let sums = add_values(graph, &sizes, self.sums.iter().copied())?;
        // The product has no value of its own: within a chain it is never read.
        let product = Chain::of("aten.mul.Tensor", &[input, factors].map(ChainArg::Tensor))?;
        let sum = Chain::of("aten.add.Tensor", &[output, sums].map(ChainArg::Tensor))?;
        let arguments = chain::arguments(graph, sum.after(output, &product)?);
        Some(Rewrite { at, gone: Vec::new(), op: Chain::NAME, arguments, outputs: Some(vec![output]) })
    }
}

/// The elements of a constant with one for each channel.
fn by_channel(known: &Known, id: u32, channels: usize) -> Option<Vec<f64>> {
    let values = known.get(&id).filter(|values| values.shape().numel() == channels && values.dtype().is_float())?;
    Some(values.to_f64s())
}

/// A constant of 32-bit floats.
fn add_values(graph: &mut Graph, sizes: &[usize], values: impl Iterator<Item = f64>) -> Option<ValueId> {
    let values = HostTensor::from_f64s(DType::F32, Shape::new(sizes).ok()?, values).ok()?;
    let value = constants::add(graph, &values);
    Some(push(graph, value))
}

#[cfg(test)]
mod tests {
    use pteron_ops::catalogue;

    use super::*;
    use crate::data::DataFiles;

    const INPUT: u32 = 0;
    const BETWEEN: u32 = 1;
    const OUTPUT: u32 = 2;
    const BIAS: u32 = 4;

    /// A convolution of two channels to two, and a norm of its result by constants.
    fn graph(outputs: Vec<u32>) -> Graph {
        let mut graph = Graph::default();
        let image = Shape::new(&[1, 2, 3, 3]).unwrap();
        for shape in [image, image, image] {
            push(&mut graph, Value::Tensor(TensorValue { dtype: DType::F32, shape, role: Role::Plain }));
        }
        let values = |graph: &mut Graph, sizes: &[usize], values: &[f64]| {
            add_values(graph, sizes, values.iter().copied()).unwrap()
        };
        let weight = values(&mut graph, &[2, 2, 1, 1], &[1.0, 2.0, 3.0, 4.0]);
        let bias = values(&mut graph, &[2], &[10.0, 20.0]);
        let channels = [[2.0, 6.0], [0.5, -1.0], [1.0, 2.0], [4.0, 9.0]];
        let [gain, offset, mean, variance] = channels.map(|channel| values(&mut graph, &[2], &channel));
        let list = |graph: &mut Graph, value| push(graph, Value::Ints(vec![value; 2]));
        let [ones, zeros] = [1, 0].map(|value| list(&mut graph, value));
        let transposed = push(&mut graph, Value::Bool(false));
        let groups = push(&mut graph, Value::Int(1));
        let [momentum, epsilon] = [0.1, 0.0].map(|value| push(&mut graph, Value::Double(value)));
        let statistics = push(&mut graph, Value::Null);
        let node = |name: &str, args: &[u32], outputs: &[u32]| Node {
            id: 0,
            op: catalogue::lookup(name).unwrap(),
            args: args.to_vec(),
            outputs: outputs.to_vec(),
        };
        graph.nodes = vec![
            node(CONVOLUTION, &[INPUT, weight, bias, ones, zeros, ones, transposed, zeros, groups], &[BETWEEN]),
            node(
                BATCH_NORM,
                &[BETWEEN, gain, offset, mean, variance, momentum, epsilon],
                &[OUTPUT, statistics, statistics],
            ),
        ];
        (graph.inputs, graph.outputs) = (vec![INPUT], outputs);
        graph
    }

    fn fused(mut graph: Graph) -> Graph {
        let mut known = Known::new();
        let ids = parameters(&graph);
        crate::block_on(constants::load(&mut known, &graph, &DataFiles::default(), &ids)).unwrap();
        run(&mut graph, &known);
        graph
    }

    fn elements(graph: &Graph, id: u32) -> Vec<f64> {
        let mut known = Known::new();
        crate::block_on(constants::load(&mut known, graph, &DataFiles::default(), &[id])).unwrap();
        known[&id].to_f64s()
    }

    #[test]
    fn a_norm_becomes_part_of_the_weights_before_it() {
        let graph = fused(graph(vec![OUTPUT]));
        let [node] = &graph.nodes[..] else { panic!("{:?}", graph.nodes) };
        assert_eq!((node.op.name, &node.outputs[..]), (CONVOLUTION, &[OUTPUT][..]));
        // Factors of 2 / √4 and 6 / √9.
        assert_eq!(elements(&graph, node.args[1]), [1.0, 2.0, 6.0, 8.0]);
        assert_eq!(elements(&graph, node.args[2]), [10.0 - 1.0 + 0.5, 40.0 - 4.0 - 1.0]);
    }

    #[test]
    fn a_norm_of_what_others_see_is_a_product_and_a_sum() {
        let graph = fused(graph(vec![BETWEEN, OUTPUT]));
        let names: Vec<_> = graph.nodes.iter().map(|node| node.op.name).collect();
        assert_eq!(names, [CONVOLUTION, Chain::NAME]);
        assert_eq!(graph.nodes[0].args[2], BIAS, "the convolution is as it was");
    }

    #[test]
    fn a_norm_that_divides_by_nothing_stays() {
        let mut graph = graph(vec![OUTPUT]);
        let variance = graph.nodes[1].args[4];
        graph.values[variance as usize] = {
            let zeros = HostTensor::zeros(DType::F32, Shape::new(&[2]).unwrap());
            constants::add(&mut graph, &zeros)
        };
        assert_eq!(fused(graph).nodes[1].op.name, BATCH_NORM);
    }
}
