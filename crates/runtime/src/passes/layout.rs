//! Where the elements of a value lie in another value, of which nodes that only move elements made it.

use pteron_tensor::Shape;

use super::uses::{Uses, tensor};
use crate::graph::{Graph, Node, Role, Value};

/// The elements of a value by their places in the memory of another.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    /// Size and distance of each dimension, outermost first.
    dims: Vec<(usize, usize)>,
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

/// Copies that take elements in another order, or some of them.
const MOVES: [&str; 5] = [
    "aten.permute_copy.default",
    "aten.select_copy.int",
    "aten.slice_copy.Tensor",
    "aten.split_with_sizes_copy.default",
    "aten.unbind_copy.int",
];

impl Layout {
    /// All elements of a tensor, in order.
    fn whole(shape: &Shape) -> Layout {
        let strides = shape.strides();
        Layout { dims: shape.iter().copied().zip(strides).collect(), first: 0 }
    }

    /// The distance of each of these dimensions, where the elements have such in this order.
    pub(super) fn distances(&self, sizes: &[usize]) -> Option<Vec<usize>> {
        Some(self.reshaped(sizes)?.dims.into_iter().map(|(_, distance)| distance).collect())
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
                let dims = order.iter().map(|&dim| self.dims.get(from_end(dim, self.dims.len())?).copied());
                Layout { dims: dims.collect::<Option<_>>()?, ..*self }
            }
            "aten.select_copy.int" => self.selected(dim()?, from_end(integer(2)?, self.dims.get(dim()?)?.0)?)?,
            "aten.unbind_copy.int" => self.selected(dim()?, number_of)?,
            "aten.slice_copy.Tensor" => {
                let optional = |at: usize, otherwise: i64| match node.args.get(at).map(|&id| &graph.values[id as usize])
                {
                    None | Some(Value::Null) => Some(otherwise),
                    Some(_) => integer(at),
                };
                let (dim, start, step) = (dim()?, optional(2, 0)?, usize::try_from(optional(4, 1)?).ok()?);
                self.sliced(dim, from_end(start, self.dims.get(dim)?.0)?, step, *shape.get(dim)?)?
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
        moved.dims.iter().map(|&(size, _)| size).eq(shape.iter().copied()).then_some(moved)
    }

    /// One entry of a dimension.
    fn selected(&self, dim: usize, index: usize) -> Option<Layout> {
        let mut dims = self.dims.clone();
        let (size, distance) = (dim < dims.len()).then(|| dims.remove(dim))?;
        (index < size).then_some(Layout { dims, first: self.first + index * distance })
    }

    /// Some entries of a dimension.
    fn sliced(&self, dim: usize, start: usize, step: usize, count: usize) -> Option<Layout> {
        let mut sliced = self.clone();
        let (size, distance) = sliced.dims.get_mut(dim)?;
        if step == 0 || count == 0 || start + (count - 1) * step >= *size {
            return None;
        }
        sliced.first += start * *distance;
        (*size, *distance) = (count, *distance * step);
        Some(sliced)
    }

    /// The same elements in the same order under other sizes, where each dimension has one distance.
    fn reshaped(&self, sizes: &[usize]) -> Option<Layout> {
        // Neighbours that continue each other are one, and sizes of 1 are none.
        let mut joined: Vec<(usize, usize)> = Vec::new();
        for &(size, distance) in self.dims.iter().filter(|&&(size, _)| size != 1) {
            match joined.last_mut() {
                Some(outer) if outer.1 == size * distance => *outer = (outer.0 * size, distance),
                _ => joined.push((size, distance)),
            }
        }
        let (mut left, mut distance) = (1, 0);
        let mut dims = vec![(1, 0); sizes.len()];
        for (dim, &size) in dims.iter_mut().zip(sizes).rev().filter(|(_, size)| **size != 1) {
            if left == 1 {
                (left, distance) = joined.pop()?;
            }
            if size == 0 || left % size != 0 {
                return None;
            }
            *dim = (size, distance);
            (left, distance) = (left / size, distance * size);
        }
        (left == 1 && joined.is_empty()).then_some(Layout { dims, first: self.first })
    }
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
        assert_eq!((columns.first, columns.distances(&[5, 4])), (8, None), "not all elements");
    }

    #[test]
    fn entries_of_a_dimension_have_one_dimension_less() {
        let keys = whole(&[5, 3, 2, 4]).selected(1, 1).unwrap();
        assert_eq!((keys.first, keys.distances(&[5, 8])), (8, Some(vec![24, 1])));
        assert_eq!(whole(&[5, 3]).selected(1, 3), None);
        assert_eq!(whole(&[6]).sliced(0, 1, 2, 3).unwrap().distances(&[3]), Some(vec![2]));
        assert_eq!(whole(&[6]).sliced(0, 1, 2, 4), None);
    }
}
