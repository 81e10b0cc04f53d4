//! Where the elements of a value lie in another value, of which nodes that only move elements made it.

use pteron_tensor::Shape;

use super::IN_PAGES;
use super::uses::{Uses, tensor};
use crate::graph::{Graph, Node, Role, Value};

/// The elements of a value by their places in the memory of another.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    /// The parts of each dimension, outermost first, by size and distance. A dimension of size 1 has none, and one that is a
    /// view of several has one for each that does not continue the next.
    dims: Vec<Vec<(usize, usize)>>,
    /// The first element's place.
    pub(super) first: usize,
}

/// The values that a value's elements lie in, and how, the farthest first: those which it was made of by copies that move
/// elements of known sizes.
pub(super) fn sources(graph: &Graph, uses: &Uses, id: u32) -> Vec<(u32, Layout)> {
    let mut chain = vec![id];
    while let Some(from) = chain.last().and_then(|&id| moved_from(graph, uses, id)) {
        chain.push(from);
    }
    let layout = |&far: &usize| {
        let mut layout = Layout::whole(&tensor(graph, chain[far])?.shape);
        for &id in chain[..far].iter().rev() {
            layout = layout.moved(graph, &graph.nodes[uses.producer(id)?], id)?;
        }
        Some((chain[far], layout))
    };
    (1..chain.len()).rev().filter_map(|far| layout(&far)).collect()
}

/// What a value was copied from, of the same type, where that is no state: state changes.
fn moved_from(graph: &Graph, uses: &Uses, id: u32) -> Option<u32> {
    let node = &graph.nodes[uses.producer(id)?];
    let from = *node.args.first()?;
    let (source, copy) = (tensor(graph, from)?, tensor(graph, id)?);
    let alike = source.dtype == copy.dtype && !matches!(source.role, Role::State(_));
    (alike && (is_reshape(node) || MOVES.contains(&node.op.name))).then_some(from)
}

/// Copies that change a shape and nothing else.
fn is_reshape(node: &Node) -> bool {
    matches!(
        node.op.name,
        "aten.alias_copy.default"
            | "aten.clone.default"
            | "aten.squeeze_copy.dim"
            | "aten.squeeze_copy.dims"
            | "aten.unsqueeze_copy.default"
            | "aten.view_copy.default"
            | "aten._unsafe_view.default"
    )
}

/// Copies that take elements in another order, some of them, or some several times.
const MOVES: [&str; 6] = [
    "aten.expand_copy.default",
    "aten.permute_copy.default",
    "aten.select_copy.int",
    "aten.slice_copy.Tensor",
    "aten.split_with_sizes_copy.default",
    "aten.unbind_copy.int",
];

impl Layout {
    /// All elements of a tensor, in order.
    fn whole(shape: &Shape) -> Layout {
        let parts = |(&size, distance)| if size == 1 { Vec::new() } else { vec![(size, distance)] };
        Layout { dims: shape.iter().zip(shape.strides()).map(parts).collect(), first: 0 }
    }

    /// The distance of each of these dimensions, where the elements have such in this order.
    pub(super) fn distances(&self, sizes: &[usize]) -> Option<Vec<usize>> {
        self.reshaped(sizes)?.dims.iter().map(|parts| joined(parts).map(|(_, distance)| distance)).collect()
    }

    /// The elements that a node gives as `output`, where its argument has those of this layout.
    fn moved(&self, graph: &Graph, node: &Node, output: u32) -> Option<Layout> {
        let shape = tensor(graph, output)?.shape;
        let integer = |at: usize| match graph.values.get(*node.args.get(at)? as usize)? {
            Value::Int(value) => Some(*value),
            _ => None,
        };
        let dim = || from_end(integer(1)?, self.dims.len());
        let number_of = node.outputs.iter().position(|&id| id == output)?;
        let moved = match node.op.name {
            "aten.permute_copy.default" => {
                let Value::Ints(order) = &graph.values[node.args[1] as usize] else { return None };
                let dims = order.iter().map(|&dim| self.dims.get(from_end(dim, self.dims.len())?).cloned());
                Layout { dims: dims.collect::<Option<_>>()?, first: self.first }
            }
            "aten.expand_copy.default" if !IN_PAGES => self.repeated(&shape)?,
            "aten.select_copy.int" => self.selected(dim()?, from_end(integer(2)?, self.size(dim()?))?)?,
            "aten.unbind_copy.int" => self.selected(dim()?, number_of)?,
            "aten.slice_copy.Tensor" => {
                let optional = |at: usize, otherwise: i64| match node.args.get(at).map(|&id| &graph.values[id as usize])
                {
                    None | Some(Value::Null) => Some(otherwise),
                    Some(_) => integer(at),
                };
                let (dim, start, step) = (dim()?, optional(2, 0)?, usize::try_from(optional(4, 1)?).ok()?);
                self.sliced(dim, from_end(start, self.size(dim))?, step, *shape.get(dim)?)?
            }
            "aten.split_with_sizes_copy.default" => {
                let (Value::Ints(sizes), dim) = (&graph.values[node.args[1] as usize], integer(2)?) else {
                    return None;
                };
                let start = usize::try_from(sizes.get(..number_of)?.iter().sum::<i64>()).ok()?;
                let dim = from_end(dim, self.dims.len())?;
                self.sliced(dim, start, 1, *shape.get(dim)?)?
            }
            _ => return self.reshaped(&shape),
        };
        (0..moved.dims.len()).map(|dim| moved.size(dim)).eq(shape.iter().copied()).then_some(moved)
    }

    /// The size of a dimension.
    fn size(&self, dim: usize) -> usize {
        self.dims.get(dim).map_or(0, |parts| parts.iter().map(|part| part.0).product())
    }

    /// The elements again for each step along dimensions that have one.
    fn repeated(&self, shape: &Shape) -> Option<Layout> {
        let new = shape.rank().checked_sub(self.dims.len())?;
        let dim = |(at, &size): (usize, &usize)| match at.checked_sub(new).map(|at| (self.size(at), &self.dims[at])) {
            Some((own, parts)) if own == size => parts.clone(),
            _ if size == 1 => Vec::new(),
            _ => vec![(size, 0)],
        };
        Some(Layout { dims: shape.iter().enumerate().map(dim).collect(), first: self.first })
    }

    /// One entry of a dimension.
    fn selected(&self, dim: usize, index: usize) -> Option<Layout> {
        let mut selected = self.clone();
        let (size, mut rest) = (self.size(dim), index);
        for (size, distance) in selected.dims.get(dim)?.iter().rev() {
            selected.first += rest % size * distance;
            rest /= size;
        }
        selected.dims.remove(dim);
        (index < size).then_some(selected)
    }

    /// Some entries of a dimension.
    fn sliced(&self, dim: usize, start: usize, step: usize, count: usize) -> Option<Layout> {
        let mut sliced = self.clone();
        let (size, distance) = joined(self.dims.get(dim)?)?;
        if step == 0 || count == 0 || start + (count - 1) * step >= size {
            return None;
        }
        sliced.first += start * distance;
        sliced.dims[dim] = if count == 1 { Vec::new() } else { vec![(count, distance * step)] };
        Some(sliced)
    }

    /// The same elements in the same order under other sizes.
    fn reshaped(&self, sizes: &[usize]) -> Option<Layout> {
        let mut parts: Vec<_> = self.dims.iter().flatten().copied().collect();
        let mut dims = Vec::with_capacity(sizes.len());
        for &size in sizes.iter().rev() {
            let (mut own, mut left) = (Vec::new(), size);
            while left != 1 {
                let (size, distance) = parts.pop().filter(|&(size, _)| size > 0 && left > 0)?;
                if left % size == 0 {
                    own.push((size, distance));
                    left /= size;
                } else if size % left == 0 {
                    own.push((left, distance));
                    parts.push((size / left, distance * left));
                    left = 1;
                } else {
                    return None;
                }
            }
            own.reverse();
            dims.push(own);
        }
        dims.reverse();
        parts.is_empty().then_some(Layout { dims, first: self.first })
    }
}

/// The size and distance of parts that continue each other.
fn joined(parts: &[(usize, usize)]) -> Option<(usize, usize)> {
    let mut parts = parts.iter().copied();
    let first = parts.next().unwrap_or((1, 0));
    parts.try_fold(first, |outer, (size, distance)| (outer.1 == size * distance).then_some((outer.0 * size, distance)))
}

/// A number that counts from the end of as many where it is below zero.
fn from_end(number: i64, count: usize) -> Option<usize> {
    let count = i64::try_from(count).ok()?;
    usize::try_from(if number < 0 { number + count } else { number }).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(sizes: &[usize]) -> Layout {
        Layout::whole(&Shape::new(sizes).unwrap())
    }

    #[test]
    fn sizes_change_where_distances_allow_it() {
        let columns = whole(&[5, 24]).sliced(1, 8, 1, 8).unwrap();
        assert_eq!(columns.distances(&[5, 2, 4]), Some(vec![24, 4, 1]));
        assert_eq!(columns.distances(&[1, 5, 1, 8]), Some(vec![0, 24, 0, 1]));
        assert_eq!(columns.distances(&[40]), None, "rows do not continue each other");
        assert_eq!(columns.distances(&[10, 4]), None);
        let merged = columns.reshaped(&[10, 4]).unwrap();
        assert_eq!(merged.distances(&[5, 2, 4]), Some(vec![24, 4, 1]), "what a view has put together is still apart");
        assert_eq!((columns.first, columns.distances(&[5, 4])), (8, None), "not all elements");
    }

    #[test]
    fn elements_that_are_repeated_have_no_distance() {
        let shared = whole(&[2, 1, 5, 4]).repeated(&Shape::new(&[2, 3, 5, 4]).unwrap()).unwrap();
        assert_eq!(shared.distances(&[2, 3, 5, 4]), Some(vec![20, 0, 4, 1]));
        let heads = shared.reshaped(&[6, 5, 4]).unwrap();
        assert_eq!((heads.distances(&[6, 5, 4]), heads.distances(&[2, 3, 20])), (None, Some(vec![20, 0, 1])));
        assert_eq!(whole(&[4]).repeated(&Shape::new(&[2, 4]).unwrap()).unwrap().distances(&[2, 4]), Some(vec![0, 1]));
    }

    #[test]
    fn entries_of_a_dimension_have_one_dimension_less() {
        let keys = whole(&[5, 3, 2, 4]).selected(1, 1).unwrap();
        assert_eq!((keys.first, keys.distances(&[5, 8])), (8, Some(vec![24, 1])));
        assert_eq!(whole(&[5, 3]).selected(1, 3), None);
        assert_eq!(
            whole(&[5, 24]).sliced(1, 0, 1, 8).unwrap().reshaped(&[40]).unwrap().selected(0, 17).unwrap().first,
            49
        );
        assert_eq!(whole(&[6]).sliced(0, 1, 2, 3).unwrap().distances(&[3]), Some(vec![2]));
        assert_eq!(whole(&[6]).sliced(0, 1, 2, 4), None);
    }
}
