//! In which order a value here holds the dimensions of a tensor of the file.
//!
//! XNNPACK takes images with the channels innermost, and the exporter puts a transposition before and after what works
//! on them. Operators here have the channels first. So such a transposition is only noted with the value, and
//! nothing is moved until an operator needs the order that the file has.

use pteron_pte::xnnpack::Tensor;
use pteron_tensor::{DType, Shape};

use super::super::ids::ById as _;
use super::{Argument, Lowering};
use crate::error::{Error, Result};
use crate::graph::{TensorValue, Value};

/// The value that holds a tensor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub(super) value: u32,
    pub(super) order: Order,
}

/// The order of a value's dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// As the tensor has them in the file.
    Written,
    /// Batch, channels, height and width, where the tensor has batch, height, width and channels.
    ChannelsFirst,
}

/// Batch, channels, height and width of a tensor with the channels last.
pub(super) const CHANNELS_FIRST: [usize; 4] = [0, 3, 1, 2];
/// The reverse.
pub(super) const CHANNELS_LAST: [usize; 4] = [0, 2, 3, 1];

impl Order {
    /// The dimension of a value in this order that is a dimension of the tensor.
    pub(super) fn dim(self, dim: usize) -> usize {
        match self {
            Order::Written => dim,
            Order::ChannelsFirst => CHANNELS_LAST.get(dim).copied().unwrap_or(dim),
        }
    }

    /// Items for each dimension of the tensor, for those of a value in this order.
    pub(super) fn items<T: Copy>(self, items: &[T]) -> Vec<T> {
        match (self, items) {
            (Order::ChannelsFirst, &[batch, height, width, channels]) => vec![batch, channels, height, width],
            _ => items.to_vec(),
        }
    }
}

/// For each dimension of an argument in memory, from outermost to innermost, which of the program's it is; nothing where they are
/// in order.
#[derive(Debug)]
pub(super) struct Stored(Vec<usize>);

impl Stored {
    /// Items for each dimension in memory, for those that the program declares.
    pub(super) fn declared<T: Copy + Default>(&self, items: &[T]) -> Vec<T> {
        if self.0.is_empty() {
            return items.to_vec();
        }
        let mut declared = vec![T::default(); items.len()];
        for (&dim, &item) in self.0.iter().zip(items) {
            declared.get_mut(dim).into_iter().for_each(|slot| *slot = item);
        }
        declared
    }
}

impl Lowering<'_> {
    /// The order in which an argument is stored. It permutes the dimensions of its tensor.
    pub(super) fn stored_order(&self, argument: u32, tensor: &Tensor<'_>) -> Result<Stored> {
        let order = self.orders.by_id(argument).copied().flatten().unwrap_or_default();
        let order: Vec<_> = order.iter().map(|&dim| usize::from(dim)).collect();
        let rank = tensor.dims.len();
        if order.is_empty() || (order.len() == rank && (0..rank).all(|dim| order.contains(&dim))) {
            return Ok(Stored(order));
        }
        let what = format!("{:?} for argument {argument}, whose dimensions are stored as {order:?}", tensor.dims);
        Err(Error::Program(format!("{} has a tensor of {what}", self.name)))
    }

    /// What holds the tensor of an argument, given a value with the dimensions that the program declares.
    pub(super) fn stored_as(&mut self, value: u32, stored: &Stored) -> Result<Held> {
        if *stored.0 == CHANNELS_LAST {
            return Ok(Held { value, order: Order::ChannelsFirst });
        }
        let value = if stored.0.is_empty() { value } else { self.permuted(value, &stored.0)? };
        Ok(Held { value, order: Order::Written })
    }

    /// A tensor with the dimensions that the program declares for an argument.
    pub(super) fn declared(&mut self, id: u32, stored: &Stored) -> Result<u32> {
        if *stored.0 == CHANNELS_LAST {
            let held = self.get(id)?;
            return self.in_order(held, Order::ChannelsFirst);
        }
        let value = self.written(id)?;
        if stored.0.is_empty() {
            return Ok(value);
        }
        let from: Vec<_> = (0..stored.0.len()).collect();
        self.permuted(value, &stored.declared(&from))
    }

    /// A tensor in the order of the file.
    pub(super) fn written(&mut self, id: u32) -> Result<u32> {
        let held = self.get(id)?;
        self.in_order(held, Order::Written)
    }

    /// A value with its dimensions in an order. One of another rank than 4 has only the file's.
    pub(super) fn in_order(&mut self, held: Held, order: Order) -> Result<u32> {
        if held.order == order {
            return Ok(held.value);
        }
        let permutation = match order {
            Order::Written => CHANNELS_LAST,
            Order::ChannelsFirst => CHANNELS_FIRST,
        };
        self.permuted(held.value, &permutation)
    }

    /// Two values that are broadcast against each other, in one order: that of the file, unless one of them has the
    /// channels first. A value of lower rank gets the dimensions that it lacks.
    pub(super) fn broadcast(&mut self, held: [Held; 2]) -> Result<([u32; 2], Order)> {
        if held.iter().all(|held| held.order == Order::Written) {
            return Ok((held.map(|held| held.value), Order::Written));
        }
        let mut values = [0; 2];
        for (slot, held) in values.iter_mut().zip(held) {
            let (_, shape) = self.described(held.value);
            *slot = match held.order {
                Order::Written if shape.numel() == 1 && shape.rank() <= 4 => held.value,
                Order::Written => {
                    let mut value = held.value;
                    for _ in shape.rank()..4 {
                        value = self.with_leading_one(value)?;
                    }
                    self.in_order(Held { value, ..held }, Order::ChannelsFirst)?
                }
                Order::ChannelsFirst => held.value,
            };
        }
        Ok((values, Order::ChannelsFirst))
    }

    /// Values of one rank in one order: that of the file, unless one of them has the channels first.
    pub(super) fn alike(&mut self, held: &[Held]) -> Result<(Vec<u32>, Order)> {
        let first = held.iter().any(|held| held.order == Order::ChannelsFirst);
        let order = if first { Order::ChannelsFirst } else { Order::Written };
        let values = held.iter().map(|&held| self.in_order(held, order)).collect::<Result<_>>()?;
        Ok((values, order))
    }

    /// A value with its dimensions in another order.
    pub(super) fn permuted(&mut self, value: u32, permutation: &[usize]) -> Result<u32> {
        let (dtype, shape) = self.described(value);
        let sizes: Vec<_> = permutation.iter().filter_map(|&dim| shape.get(dim).copied()).collect();
        if sizes.len() != shape.rank() || permutation.len() != shape.rank() {
            return Err(self.refuse(format!("{permutation:?} does not permute {shape}")));
        }
        let order = Argument::Ints(permutation.iter().map(|&dim| dim as i64).collect());
        self.emit("aten.permute_copy.default", &[Argument::Value(value), order], dtype, Shape::new(&sizes)?)
    }

    fn with_leading_one(&mut self, value: u32) -> Result<u32> {
        let (dtype, shape) = self.described(value);
        let sizes: Vec<_> = [1].into_iter().chain(shape.iter().copied()).collect();
        let args = [Argument::Value(value), Argument::Int(0)];
        self.emit("aten.unsqueeze_copy.default", &args, dtype, Shape::new(&sizes)?)
    }

    /// The type and the largest sizes of a value.
    pub(super) fn described(&self, value: u32) -> (DType, Shape) {
        match self.values.by_id(value) {
            Some(Value::Tensor(TensorValue { dtype, shape, .. })) => (*dtype, *shape),
            _ => (DType::F32, Shape::SCALAR),
        }
    }
}
