//! Nodes that move elements and compute nothing.

use pteron_tensor::Shape;

use super::layout::{CHANNELS_FIRST, CHANNELS_LAST, Held, Order};
use super::{Argument, Lowering};
use crate::error::Result;
use crate::limits::total;

impl Lowering<'_> {
    /// The same tensor.
    pub(super) fn copy(&mut self, input: u32, output: u32) -> Result<()> {
        let [from, to] = [self.tensor(input)?.dims, self.tensor(output)?.dims];
        if from != to {
            return self.reshape(&to, input, output);
        }
        let held = self.as_stored(input, output)?;
        self.hold(output, held)
    }

    /// Dimensions in another order. Where that puts the channels of images first or last, nothing is moved.
    pub(super) fn transpose(&mut self, permutation: &[u32], input: u32, output: u32) -> Result<()> {
        let held = self.as_stored(input, output)?;
        let permutation: Vec<_> = permutation.iter().map(|&dim| dim as usize).collect();
        let (_, shape) = self.described(held.value);
        if permutation.len() != shape.rank() {
            return Err(self.refuse(format!("{permutation:?} does not permute {shape}")));
        }
        let order = match held.order {
            Order::Written if permutation == CHANNELS_LAST => Some(Order::ChannelsFirst),
            Order::ChannelsFirst if permutation == CHANNELS_FIRST => Some(Order::Written),
            _ => None,
        };
        if let Some(order) = order {
            return self.hold(output, Held { order, ..held });
        }
        let value = self.in_order(held, Order::Written)?;
        let value = self.permuted(value, &permutation)?;
        self.hold(output, Held { value, order: Order::Written })
    }

    /// The same elements with other sizes, of which one 0 stands for what is left.
    pub(super) fn reshape(&mut self, sizes: &[u32], input: u32, output: u32) -> Result<()> {
        let held = self.as_stored(input, output)?;
        let (dtype, from) = self.described(held.value);
        // Channels of single pixels are in the same order, whether they come first or last.
        let pixels = held.order == Order::ChannelsFirst && matches!(*from, [_, _, 1, 1]);
        let value = if pixels { held.value } else { self.in_order(held, Order::Written)? };
        let shape = self.tensor(output)?.shape()?;
        let sizes = sizes.iter().map(|&size| if size == 0 { -1 } else { i64::from(size) }).collect();
        let args = [Argument::Value(value), Argument::Ints(sizes)];
        let value = self.emit("aten.view_copy.default", &args, dtype, shape)?;
        self.hold(output, Held { value, order: Order::Written })
    }

    /// A part of a tensor.
    pub(super) fn slice(&mut self, offsets: &[u32], sizes: &[u32], input: u32, output: u32) -> Result<()> {
        let Held { mut value, order } = self.as_stored(input, output)?;
        let dims = self.tensor(input)?.dims;
        if dims.len() != offsets.len() || dims.len() != sizes.len() {
            return Err(self.refuse("a part with more or fewer dimensions than the whole"));
        }
        for (dim, ((&offset, &size), &whole)) in offsets.iter().zip(sizes).zip(dims.iter()).enumerate() {
            if offset == 0 && size == whole {
                continue;
            }
            let Some(end) = offset.checked_add(size).filter(|&end| end <= whole) else {
                return Err(self.refuse(format!("{size} elements from {offset} on of {whole}")));
            };
            let (dtype, shape) = self.described(value);
            let dim = order.dim(dim);
            let [at, start, end, step] = [dim as i64, i64::from(offset), i64::from(end), 1].map(Argument::Int);
            let args = [Argument::Value(value), at, start, end, step];
            value = self.emit("aten.slice_copy.Tensor", &args, dtype, shape.with(dim, size as usize)?)?;
        }
        self.hold(output, Held { value, order })
    }

    /// A tensor with a constant around it.
    pub(super) fn pad(&mut self, before: &[u32], after: &[u32], fill: f32, input: u32, output: u32) -> Result<()> {
        let held = self.as_stored(input, output)?;
        let (dtype, shape) = self.described(held.value);
        let amounts = held.order.items(&before.iter().zip(after).map(|(&a, &b)| [a, b]).collect::<Vec<_>>());
        if amounts.len() != shape.rank() {
            return Err(self.refuse(format!("padding of {} dimensions of {shape}", amounts.len())));
        }
        let larger = |(&size, [a, b]): (&usize, &[u32; 2])| total([size as u64, u64::from(*a), u64::from(*b)]);
        let larger = shape.iter().zip(&amounts).map(larger);
        let larger = Shape::from_sizes(larger)?;
        let inner_first = amounts.iter().rev().flatten().map(|&amount| i64::from(amount)).collect();
        let args = [Argument::Value(held.value), Argument::Ints(inner_first), self.fill(output, fill)?];
        let value = self.emit("aten.constant_pad_nd.default", &args, dtype, larger)?;
        self.hold(output, Held { value, ..held })
    }

    /// Tensors one after the other in a dimension.
    pub(super) fn concatenate(&mut self, axis: u32, inputs: &[u32], output: u32) -> Result<()> {
        let dtype = self.dtype_of(output)?;
        let mut held = Vec::with_capacity(inputs.len());
        for &input in inputs {
            let each = self.as_stored(input, output)?;
            held.push(Held { value: self.of_type(each.value, dtype)?, ..each });
        }
        let (values, order) = self.alike(&held)?;
        let shapes: Vec<Shape> = values.iter().map(|&value| self.described(value).1).collect();
        let Some(&first) = shapes.first().filter(|shape| (axis as usize) < shape.rank()) else {
            return Err(self.refuse(format!("tensors one after the other in dimension {axis}")));
        };
        let dim = order.dim(axis as usize);
        if shapes.iter().any(|shape| shape.rank() != first.rank()) {
            return Err(self.refuse("tensors of different rank one after the other"));
        }
        let length = shapes.iter().fold(0usize, |sum, shape| sum.saturating_add(shape.get(dim).copied().unwrap_or(0)));
        let args = [Argument::List(values), Argument::Int(dim as i64)];
        let value = self.emit("aten.cat.default", &args, dtype, first.with(dim, length)?)?;
        self.hold(output, Held { value, order })
    }
}
