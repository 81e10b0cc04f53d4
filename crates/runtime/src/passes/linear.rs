//! Linear layers with 4-bit weights become `pteron.q4_linear`, which the other passes add to, with the rounding of rows to 8 bits
//! before them.

use pteron_ops::{Q4Linear, Rounding, is_regular_q4_linear};
use pteron_tensor::DType;

use super::constants::{self, side_by_side};
use super::prune;
use super::rewrite::{Rewrite, literal, rewrite};
use super::uses::{Uses, constant, number, optional, tensor};
use crate::graph::{Graph, Node, Value};

/// Replaces every layer that the operator takes.
pub(super) fn run(graph: &mut Graph) {
    rewrite(graph, |graph, uses, index| Some(replaced(plain(graph, uses, &graph.nodes[index])?, index, Vec::new())));
    // Scales and zero points that layers choose by themselves are read by nobody any more, and nothing else reads norms.
    prune::run(graph);
    rewrite(graph, rounded);
}

/// The layer at `index` with the rounding that gives its input.
fn rounded(graph: &mut Graph, uses: &Uses, index: usize) -> Option<Rewrite> {
    let layer = plain_layer_of(graph, &graph.nodes[index]).filter(|layer| layer.rounding.is_none())?;
    let (at, node) = uses.made_by(graph, layer.input, "pteron.round_rows.default")?;
    let &[input, inner, rounding] = &node.args[..] else { return None };
    let Value::Str(rounding) = &graph.values[rounding as usize] else { return None };
    let rounded = Q4Linear { input, rounding: rounding.parse().ok()?, ..layer };
    (number(graph, inner) == Some(1.0)).then(|| replaced(rounded, index, vec![at]))
}

/// The layer in the place of a node, with nodes that go.
pub(super) fn replaced(layer: Q4Linear, at: usize, gone: Vec<usize>) -> Rewrite {
    Rewrite { at, gone, op: Q4Linear::NAME, arguments: layer.write(), outputs: None }
}

fn plain(graph: &Graph, uses: &Uses, node: &Node) -> Option<Q4Linear> {
    let ((input, weight, scales, group_size, bias), rounding) = match (node.op.name, &node.args[..]) {
        ("et_vk.linear_q4gsw.default", &[input, weight, scales, group_size, bias]) => {
            ((input, weight, scales, group_size, bias), Rounding::None)
        }
        ("et_vk.linear_dq8ca_q4gsw.default", &[input, scale, zero, weight, _, scales, group_size, bias]) => {
            ((input, weight, scales, group_size, bias), rounding_of_rows(graph, uses, input, [scale, zero])?)
        }
        _ => return None,
    };
    let Value::Int(size) = graph.values[group_size as usize] else { return None };
    let unbiased = matches!(graph.values[bias as usize], Value::Null);
    let columns = tensor(graph, weight)?.shape.first().copied()?;
    let whole = tensor(graph, input)?.shape.last().copied()? * columns == tensor(graph, weight)?.shape.numel() * 2
        && tensor(graph, scales)?.shape.last().copied()? == columns;
    let short_scales = constant(graph, scales).is_some_and(|id| graph.constants[id].stored == DType::BF16);
    let regular = is_regular_q4_linear(&tensor(graph, weight)?.shape, size, tensor(graph, input)?.dtype);
    (unbiased && whole && regular).then_some(Q4Linear {
        input,
        norm: None,
        epsilon: None,
        rounding,
        weight,
        scales,
        group_size,
        short_scales,
        widths: vec![i64::try_from(columns).ok()?],
        gated: false,
        addend: None,
    })
}

/// How the rows of an input are rounded by scales and zero points that were chosen for them.
fn rounding_of_rows(graph: &Graph, uses: &Uses, input: u32, chosen: [u32; 2]) -> Option<Rounding> {
    let (_, choice) = uses.made_by(graph, chosen[0], "torchao.choose_qparams_affine.default")?;
    let &[of, mapping, block, _, low, high, least, ..] = &choice.args[..] else { return None };
    let Value::Str(mapping) = &graph.values[mapping as usize] else { return None };
    let Value::Ints(block) = &graph.values[block as usize] else { return None };
    let (given, [scale, zero]) = (tensor(graph, input)?, [tensor(graph, chosen[0])?, tensor(graph, chosen[1])?]);
    let (last, outer) = block.split_last()?;
    let rows = usize::try_from(*last).ok() == given.shape.last().copied() && outer.iter().all(|&size| size == 1);
    let limits = [low, high].map(|id| optional(graph, id).map(|id| number(graph, id)));
    let whole = [(limits[0], -128.0), (limits[1], 127.0)]
        .iter()
        .all(|(limit, wanted)| limit.is_none_or(|limit| limit == Some(*wanted)));
    let types = given.dtype == DType::F32 && scale.dtype == DType::F32 && zero.dtype == DType::I8;
    #[expect(clippy::cast_possible_truncation, reason = "scales are computed in f32")]
    let least_scale = match optional(graph, least) {
        Some(least) => number(graph, least)? as f32,
        None => f32::MIN_POSITIVE,
    };
    let same = of == input && choice.outputs[..] == chosen && mapping == "ASYMMETRIC";
    (same && rows && whole && types && least_scale > 0.0).then_some(Rounding::Affine { least_scale })
}

/// The layer that a node is.
pub(super) fn layer_of(graph: &Graph, node: &Node) -> Option<Q4Linear> {
    if node.op.name != Q4Linear::NAME {
        return None;
    }
    Q4Linear::read(&node.args, &|id| literal(graph, id))
}

/// The layer that a node is where nothing was fused into it yet.
pub(super) fn plain_layer_of(graph: &Graph, node: &Node) -> Option<Q4Linear> {
    layer_of(graph, node)
        .filter(|layer| layer.norm.is_none() && layer.addend.is_none() && !layer.gated && layer.widths.len() == 1)
}

/// One layer with the columns of several after each other, or nothing where their constants do not allow it.
pub(super) fn joined(graph: &mut Graph, layers: &[Q4Linear]) -> Option<Q4Linear> {
    let first = layers.first()?;
    let weights = constants::all(graph, layers.iter().map(|layer| layer.weight))?;
    let scales = constants::all(graph, layers.iter().map(|layer| layer.scales))?;
    let group = |layer: &Q4Linear| match graph.values[layer.group_size as usize] {
        Value::Int(size) => Some(size),
        _ => None,
    };
    let alike_before = |layer: &Q4Linear| layer.input == first.input && layer.rounding == first.rounding;
    let same = layers.iter().all(|layer| alike_before(layer) && group(layer) == group(first));
    if !same {
        return None;
    }
    let (weight, scales) = (side_by_side(graph, &weights, 0)?, side_by_side(graph, &scales, 1)?);
    let widths = layers.iter().flat_map(|layer| layer.widths.iter().copied()).collect();
    Some(Q4Linear { weight, scales, widths, ..first.clone() })
}
