//! Attention that the exporter took apart, into two products with a softmax between them, becomes `pteron.attention`.

use pteron_ops::Attention;
use pteron_tensor::Shape;

use super::constants;
use super::rewrite::{Rewrite, rewrite};
use super::uses::{Uses, number, optional, tensor};
use crate::graph::{Graph, Node, Value};

/// Replaces the second product of every attention, and what puts its rows outside; what nobody needs then is for `prune`.
/// Where sizes are not `fixed`, calls may have smaller ones than the graph says.
pub(super) fn run(graph: &mut Graph, fixed: bool) {
    rewrite(graph, |graph, uses, at| {
        let finder = Finder { graph: &*graph, uses, fixed };
        let (mut attention, sides) = finder.attention(&graph.nodes[at])?;
        let (mut path, order) = finder.rows_outside(at, sides).unwrap_or_else(|| (vec![at], HEADS_OF_ROWS));
        attention.order.push(order);
        let at = path.pop()?;
        Some(Rewrite { at, gone: path, op: Attention::NAME, arguments: attention.write(), outputs: None })
    });
}

/// Copies that change a shape and nothing else.
const RESHAPES: [&str; 6] = [
    "aten.view_copy.default",
    "aten.squeeze_copy.dim",
    "aten.squeeze_copy.dims",
    "aten.unsqueeze_copy.default",
    "aten.clone.default",
    "aten._unsafe_view.default",
];
const PERMUTE: &str = "aten.permute_copy.default";

/// The orders of a tensor's batches, heads and rows.
const HEADS_OF_ROWS: i64 = 0;
const ROWS_OUTSIDE: i64 = 1;
const ROWS_OF_HEADS: i64 = 2;

/// The sizes of a shape that are not 1.
fn wide(shape: &Shape) -> Vec<usize> {
    shape.iter().copied().filter(|&size| size != 1).collect()
}

/// In how many neighbours each size of a shape is divided in another, where that is all the difference.
fn divided(sizes: &[usize], parts: &[usize]) -> Option<Vec<usize>> {
    let mut rest = parts.iter();
    let counts = sizes.iter().map(|&size| {
        let (mut product, mut count) = (1, 0);
        while product != size {
            // A size of 0 elsewhere may let the others be of any size.
            product = rest.next()?.saturating_mul(product);
            count += 1;
            if product > size {
                return None;
            }
        }
        Some(count)
    });
    let counts = counts.collect::<Option<_>>()?;
    rest.next().is_none().then_some(counts)
}

/// Whether a tensor is as large as another in each of its dimensions, or has one element there.
fn broadcasts(shape: &Shape, to: &Shape) -> bool {
    let fits = |(&size, &wanted): (&usize, &usize)| size == 1 || size == wanted;
    shape.rank() <= to.rank() && shape.iter().rev().zip(to.iter().rev()).all(fits)
}

/// Whether dimensions, each with the number of its part, are rows, heads and columns, and no part comes before another.
fn is_rows_first(dims: &[(usize, usize)]) -> bool {
    let rank = |&(dim, part): &(usize, usize)| ([1, 0, 2][dim], part);
    dims.is_sorted_by_key(rank)
}

#[derive(Clone, Copy)]
struct Finder<'a> {
    graph: &'a Graph,
    uses: &'a Uses,
    /// Whether all sizes are those of every call.
    fixed: bool,
}

/// The vectors of all heads, as a tensor has them, and what they were multiplied by.
struct Vectors {
    value: u32,
    order: i64,
    scale: f64,
}

/// Batches, the heads of each, and rows.
type Sides = [usize; 3];

/// What a softmax is taken of.
struct Scores {
    /// The products, in another shape.
    value: u32,
    shape: Shape,
    /// The shape that the softmax takes them in.
    given: Shape,
    /// Whether rows that are −∞ throughout give zeros.
    zeros: bool,
}

impl<'a> Finder<'a> {
    /// The attention whose second product a node is, without the order of its output, and its sides.
    fn attention(self, node: &Node) -> Option<(Attention, Sides)> {
        let (weights, values) = self.product(node)?;
        let Scores { value: scores, shape, given, zeros } = self.softmax(weights)?;
        let (scores, mask) = self.masked(scores);
        let (scores, scale) = self.unscaled(scores);
        let (queries, keys) = self.product(&self.graph.nodes[self.uses.producer(scores)?])?;
        let [query_shape, key_shape, value_shape] = [queries, keys, values].map(|id| self.shape(id));
        let (&[heads, rows, depth], &[_, _, count], &[_, _, width]) = (&*query_shape?, &*key_shape?, &*value_shape?)
        else {
            return None;
        };
        // The number of heads becomes one of the arguments.
        if !self.fixed && !self.is_fixed(queries) {
            return None;
        }
        let outer = if mask.is_none() { given } else { shape };
        let [batch, heads] = match *outer {
            [batch, each, of, _] if batch * each == heads && of == rows => [batch, each],
            _ if shape.rank() <= 3 || mask.is_none() => [1, heads],
            _ => return None,
        };
        let query = self.vectors(queries, [batch, heads, rows], depth)?;
        let key = self.transposed(keys, [batch, heads, count], depth)?;
        let value = self.vectors(values, [batch, heads, count], width)?;
        let dtype = tensor(self.graph, queries)?.dtype;
        let alike = mask.is_none_or(|mask| {
            tensor(self.graph, mask).is_some_and(|mask| mask.dtype == dtype && broadcasts(&mask.shape, &shape))
        });
        // A factor of the values would be one of the result.
        if !dtype.is_float() || !alike || value.scale != 1.0 {
            return None;
        }
        let attention = Attention {
            query: query.value,
            key: key.value,
            value: value.value,
            heads: vec![i64::try_from(batch).ok()?, i64::try_from(heads).ok()?],
            order: vec![query.order, key.order, value.order],
            scale: query.scale * key.scale * scale,
            mask,
            zeros: zeros && mask.is_some(),
            places: Vec::new(),
        };
        Some((attention, [batch, heads, rows]))
    }

    /// What a node multiplies, matrix by matrix.
    fn product(self, node: &Node) -> Option<(u32, u32)> {
        match (node.op.name, &node.args[..]) {
            ("aten.bmm.default", &[left, right]) => Some((left, right)),
            ("pteron.batch_product.default", &[left, right, transposed]) => {
                matches!(self.graph.values[transposed as usize], Value::Bool(false)).then_some((left, right))
            }
            _ => None,
        }
    }

    /// Scores before something was added to them, and that.
    fn masked(self, scores: u32) -> (u32, Option<u32>) {
        let found = || {
            let &[left, right, ref alpha @ ..] = self.made_by(scores, "aten.add.Tensor")? else { return None };
            let plain =
                alpha.iter().all(|&id| optional(self.graph, id).is_none_or(|id| number(self.graph, id) == Some(1.0)));
            let is_product = |id: u32| {
                let producer = self.uses.producer(self.unscaled(id).0)?;
                self.product(&self.graph.nodes[producer]).map(|_| self.shape(id) == self.shape(scores))
            };
            let orders = [(left, right), (right, left)];
            plain.then(|| orders.into_iter().find(|&(scores, _)| is_product(scores) == Some(true)))?
        };
        found().map_or((scores, None), |(scores, mask)| (scores, Some(mask)))
    }

    /// Whether the first size of a value is that of every call.
    fn is_fixed(self, id: u32) -> bool {
        let sizes = self.made_by(id, "aten.view_copy.default").and_then(|args| args.get(1));
        match sizes.map(|&sizes| &self.graph.values[sizes as usize]) {
            Some(Value::Ints(sizes)) => sizes.first().is_some_and(|&size| size > 0),
            Some(Value::List(items)) => {
                let first = items.first().map(|&id| &self.graph.values[id as usize]);
                matches!(first, Some(Value::Int(size)) if *size > 0)
            }
            _ => false,
        }
    }

    /// The nodes from a product to the one that gives its result with rows outside heads, where it is read in another shape;
    /// and the order that it has there.
    fn rows_outside(self, product: usize, [batch, each, rows]: Sides) -> Option<(Vec<usize>, i64)> {
        let mut id = *self.graph.nodes[product].outputs.first()?;
        if batch * each == 1 || rows == 1 {
            return None;
        }
        // The dimensions of the product that are not 1, from outermost to innermost, each in as many parts as it has now.
        let (mut path, mut dims) = (vec![product], vec![(0, 0), (1, 0), (2, 0)]);
        let mut batches = false;
        loop {
            let &[next] = self.uses.readers(id) else { return None };
            if self.uses.is_kept(id) {
                return None;
            }
            let node = &self.graph.nodes[next];
            let to = *node.outputs.first()?;
            let (from, into) = (wide(&self.shape(id)?), wide(&self.shape(to)?));
            if node.op.name == PERMUTE {
                let order = self.wide_order(node)?;
                dims = order.into_iter().map(|at| dims.get(at).copied()).collect::<Option<_>>()?;
            } else if !RESHAPES.contains(&node.op.name) {
                return None;
            } else if from != into {
                if is_rows_first(&dims) {
                    return Some((path, ROWS_OUTSIDE));
                }
                if batches && dims[..] == [(0, 0), (1, 0), (0, 1), (2, 0)] {
                    return Some((path, ROWS_OF_HEADS));
                }
                // Batches and their heads are one dimension of the product.
                let parts = divided(&from, &into)?;
                let whole = dims.iter().all(|&(_, part)| part == 0);
                if !whole || dims.len() != parts.len() {
                    return None;
                }
                batches = batch > 1 && each > 1 && into.starts_with(&[batch, each]);
                let parts_of = |(&(dim, _), parts): (&(usize, usize), usize)| (0..parts).map(move |part| (dim, part));
                dims = dims.iter().zip(parts).flat_map(parts_of).collect();
            }
            path.push(next);
            id = to;
        }
    }

    /// The scores of a softmax along their last dimension. It may give zeros for rows that are −∞ throughout, which products
    /// of finite vectors are not.
    fn softmax(self, weights: u32) -> Option<Scores> {
        let weights = self.behind_reshapes(weights);
        let (weights, zeros) = match self.made_by(weights, "aten.where.self") {
            Some(&[empty, zeros, weights]) => {
                let scores = *self.made_by(weights, "aten._softmax.default")?.first()?;
                if self.all_lowest(empty)? != self.behind_reshapes(scores) || !self.is_zeros(zeros) {
                    return None;
                }
                (weights, true)
            }
            _ => (weights, false),
        };
        let &[scores, dim, half_to_float] = self.made_by(weights, "aten._softmax.default")? else { return None };
        let is_plain = matches!(self.graph.values[half_to_float as usize], Value::Bool(false));
        let value = self.behind_reshapes(scores);
        let (shape, given) = (self.shape(value)?, self.shape(scores)?);
        (is_plain && self.is_last(dim, scores)?).then_some(Scores { value, shape, given, zeros })
    }

    /// The scores of which a value says for each row whether all of them are −∞.
    fn all_lowest(self, empty: u32) -> Option<u32> {
        let &[any] = self.made_by(empty, "aten.logical_not.default")? else { return None };
        let producer = &self.graph.nodes[self.uses.producer(any)?];
        let &[finite, dim, keeps] = &producer.args[..] else { return None };
        let keeps = matches!(self.graph.values[keeps as usize], Value::Bool(true));
        if producer.op.name != "aten.any.dim" || !keeps || !self.is_last(dim, finite)? {
            return None;
        }
        let &[lowest] = self.made_by(finite, "aten.logical_not.default")? else { return None };
        let &[scores, bound] = self.made_by(lowest, "aten.eq.Scalar")? else { return None };
        (number(self.graph, bound) == Some(f64::NEG_INFINITY)).then(|| self.behind_reshapes(scores))
    }

    fn is_zeros(self, id: u32) -> bool {
        let filled = self.made_by(id, "aten.full_like.default").and_then(|args| args.get(1));
        filled.is_some_and(|&value| number(self.graph, value) == Some(0.0))
    }

    /// Whether a dimension is the last of a tensor.
    fn is_last(self, dim: u32, of: u32) -> Option<bool> {
        let rank = self.shape(of)?.rank() as f64;
        let dim = number(self.graph, dim)?;
        Some(dim == -1.0 || dim == rank - 1.0)
    }

    /// The vectors of a size that a value has head by head, with these sides.
    fn vectors(self, id: u32, sides: Sides, size: usize) -> Option<Vectors> {
        let (value, scale) = self.unscaled_vectors(id, size)?;
        // What was permuted from rows outside is read where it was.
        match self.permuted(value, sides, size, false) {
            Some((from, order)) => {
                let (value, inner) = self.unscaled_vectors(from, size)?;
                Some(Vectors { value, order, scale: scale * inner })
            }
            None => Some(Vectors { value, order: HEADS_OF_ROWS, scale }),
        }
    }

    /// The vectors of a size that a value has transposed, head by head, with these sides.
    fn transposed(self, id: u32, sides: Sides, size: usize) -> Option<Vectors> {
        let (value, scale) = self.unscaled(id);
        let [batch, heads, rows] = sides;
        if let Some(from) = self.reordered(value, &[batch * heads, rows, size], &[0, 2, 1]) {
            let vectors = self.vectors(from, sides, size)?;
            return Some(Vectors { scale: vectors.scale * scale, ..vectors });
        }
        let (from, order) = self.permuted(value, sides, size, true)?;
        let (value, inner) = self.unscaled_vectors(from, size)?;
        Some(Vectors { value, order, scale: scale * inner })
    }

    /// What a value with heads outside was permuted from, which has rows outside those, and its order.
    fn permuted(self, id: u32, [batch, heads, rows]: Sides, size: usize, transposed: bool) -> Option<(u32, i64)> {
        let outside = if transposed { [1, 2, 0] } else { [1, 0, 2] };
        if let Some(from) = self.reordered(id, &[rows, batch * heads, size], &outside) {
            return Some((from, ROWS_OUTSIDE));
        }
        let within = if transposed { [0, 2, 3, 1] } else { [0, 2, 1, 3] };
        let from = self.reordered(id, &[batch, rows, heads, size], &within).filter(|_| batch > 1)?;
        Some((from, ROWS_OF_HEADS))
    }

    /// What vectors of a size are a multiple of, and the factor: the first value whose last dimension is still theirs.
    fn unscaled_vectors(self, id: u32, size: usize) -> Option<(u32, f64)> {
        let (mut id, mut scale, mut found) = (id, 1.0, None);
        loop {
            if self.shape(id)?.last() == Some(&size) {
                found = Some((id, scale));
            }
            id = if let Some(from) = self.reshaped(id) {
                from
            } else if let Some((from, factor)) = self.multiplied(id) {
                scale *= factor;
                from
            } else {
                return found;
            };
        }
    }

    /// What a value is a permutation of, where that has these sizes and comes in this order, apart from sizes of 1.
    fn reordered(self, id: u32, sizes: &[usize], order: &[usize]) -> Option<u32> {
        let (_, node) = self.uses.made_by(self.graph, id, PERMUTE)?;
        let from = *node.args.first()?;
        let shape = self.shape(from)?;
        let moved = self.wide_order(node)?;
        let counts = |at: &usize| sizes[*at] != 1;
        let expected_sizes: Vec<_> = (0..sizes.len()).filter(counts).map(|at| sizes[at]).collect();
        let parts = divided(&expected_sizes, &wide(&shape))?;
        let place = |at: usize| {
            let number = (0..at).filter(counts).count();
            let first: usize = parts[..number].iter().sum();
            first..first + parts[number]
        };
        let expected: Vec<_> = order.iter().copied().filter(counts).flat_map(place).collect();
        let ends = shape.last() == sizes.last();
        (ends && moved == expected).then_some(from)
    }

    /// The order that a permutation brings dimensions of other sizes than 1 into, numbered from outermost to innermost.
    fn wide_order(self, permutation: &Node) -> Option<Vec<usize>> {
        let &[from, dims] = &permutation.args[..] else { return None };
        let Value::Ints(dims) = &self.graph.values[dims as usize] else { return None };
        let shape = self.shape(from)?;
        let rank = i64::try_from(shape.rank()).ok()?;
        let dims = dims.iter().map(|&dim| usize::try_from(if dim < 0 { dim + rank } else { dim }).ok());
        let dims: Vec<_> = dims.collect::<Option<_>>()?;
        let counts = |dim: &usize| shape.get(*dim).is_some_and(|&size| size != 1);
        let number = |dim: usize| (0..dim).filter(counts).count();
        Some(dims.into_iter().filter(counts).map(number).collect())
    }

    /// What a value is a multiple of in another shape, and the factor.
    fn unscaled(self, id: u32) -> (u32, f64) {
        let (mut id, mut scale) = (self.behind_reshapes(id), 1.0);
        while let Some((from, factor)) = self.multiplied(id) {
            scale *= factor;
            id = self.behind_reshapes(from);
        }
        (id, scale)
    }

    /// What a value is a multiple of, and the factor, where a node multiplied it.
    fn multiplied(self, id: u32) -> Option<(u32, f64)> {
        let ops = ["aten.mul.Scalar", "aten.mul.Tensor", "aten.div.Scalar", "aten.div.Tensor"];
        let (_, node) = ops.iter().find_map(|op| self.uses.made_by(self.graph, id, op))?;
        let &[from, factor] = &node.args[..] else { return None };
        let factor = number(self.graph, factor).or_else(|| constants::scalar(self.graph, factor))?;
        let kind = |id| tensor(self.graph, id).map(|tensor| (tensor.dtype, tensor.shape));
        let factor = if node.op.name.starts_with("aten.div") { factor.recip() } else { factor };
        (kind(from) == kind(id)).then_some((from, factor))
    }

    /// What a value is in another shape.
    fn behind_reshapes(self, mut id: u32) -> u32 {
        while let Some(from) = self.reshaped(id) {
            id = from;
        }
        id
    }

    /// What a value is in another shape, where a node gave it that.
    fn reshaped(self, id: u32) -> Option<u32> {
        RESHAPES.iter().find_map(|op| self.made_by(id, op)?.first().copied())
    }

    /// The arguments of the node that computes a value, if a node of this operator does.
    fn made_by(self, id: u32, op: &str) -> Option<&'a [u32]> {
        self.uses.made_by(self.graph, id, op).map(|(_, node)| &node.args[..])
    }

    fn shape(self, id: u32) -> Option<Shape> {
        Some(tensor(self.graph, id)?.shape)
    }
}

#[cfg(test)]
mod tests;
