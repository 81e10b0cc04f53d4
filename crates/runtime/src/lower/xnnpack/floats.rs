//! Functions of floats, element by element, softmax and attention.

use pteron_pte::xnnpack::{BinaryFunction, Datatype, Node as XnnNode, UnaryFunction};
use pteron_tensor::Shape;

use super::layout::{Held, Order};
use super::tensors::step;
use super::{Argument, Lowering, per_tensor};
use crate::error::Result;

impl Lowering<'_> {
    /// A function of one tensor.
    pub(super) fn unary(&mut self, node: &XnnNode, function: UnaryFunction, input: u32, output: u32) -> Result<()> {
        let op = match function {
            UnaryFunction::Abs => "aten.abs.default",
            UnaryFunction::Ceiling => "aten.ceil.default",
            UnaryFunction::Clamp => return self.clamp(node, input, output),
            UnaryFunction::Cos => "aten.cos.default",
            UnaryFunction::Exp => "aten.exp.default",
            UnaryFunction::Floor => "aten.floor.default",
            UnaryFunction::Gelu => "aten.gelu.default",
            UnaryFunction::Hardswish => "aten.hardswish.default",
            UnaryFunction::Log => "aten.log.default",
            UnaryFunction::Negate => "aten.neg.default",
            UnaryFunction::ReciprocalSquareRoot => "aten.rsqrt.default",
            UnaryFunction::Sigmoid => "aten.sigmoid.default",
            UnaryFunction::Sin => "aten.sin.default",
            UnaryFunction::Softmax => return self.softmax(node, input, output),
            UnaryFunction::Square => "aten.square.default",
            UnaryFunction::SquareRoot => "aten.sqrt.default",
            UnaryFunction::Tanh => "aten.tanh.default",
            other => return Err(self.refuse(format!("{other:?} is no function of single elements"))),
        };
        self.apply(node, op, input, &[], output)
    }

    /// An operator of one tensor of floats, element by element, and numbers.
    pub(super) fn apply(
        &mut self,
        node: &XnnNode,
        op: &'static str,
        input: u32,
        numbers: &[Argument],
        output: u32,
    ) -> Result<()> {
        let dtype = self.float_type(output)?;
        let held = self.floats(input, dtype)?;
        let (_, shape) = self.described(held.value);
        let args: Vec<_> = [Argument::Value(held.value)].into_iter().chain(numbers.iter().cloned()).collect();
        let value = self.emit(op, &args, dtype, shape)?;
        self.put(node.output_range, output, Held { value, ..held })
    }

    /// A tensor kept in the node's range. Bytes of one quantization stay bytes.
    fn clamp(&mut self, node: &XnnNode, input: u32, output: u32) -> Result<()> {
        let [from, to] = [self.tensor(input)?, self.tensor(output)?];
        if per_tensor(&from).is_some() && per_tensor(&from) == per_tensor(&to) && from.datatype == to.datatype {
            let [low, high] = self.byte_range(node.output_range, &to)?;
            let held = self.get(input)?;
            let (dtype, shape) = self.described(held.value);
            let args = [Argument::Value(held.value), Argument::Int(low), Argument::Int(high)];
            let value = self.emit("aten.clamp.default", &args, dtype, shape)?;
            return self.hold(output, Held { value, ..held });
        }
        let dtype = self.float_type(output)?;
        let held = self.floats(input, dtype)?;
        self.put(node.output_range, output, held)
    }

    fn softmax(&mut self, node: &XnnNode, input: u32, output: u32) -> Result<()> {
        let dtype = self.float_type(output)?;
        let held = self.floats(input, dtype)?;
        let (_, shape) = self.described(held.value);
        let Some(last) = self.tensor(input)?.dims.len().checked_sub(1) else {
            return Err(self.refuse("a softmax of a number"));
        };
        let dim = match held.order {
            Order::Written => -1,
            order @ Order::ChannelsFirst => order.dim(last) as i64,
        };
        let args = [Argument::Value(held.value), Argument::Int(dim), Argument::Bool(false)];
        let value = self.emit("aten._softmax.default", &args, dtype, shape)?;
        self.put(node.output_range, output, Held { value, ..held })
    }

    /// A function of two tensors.
    pub(super) fn binary(
        &mut self,
        node: &XnnNode,
        function: BinaryFunction,
        [a, b]: [u32; 2],
        output: u32,
    ) -> Result<()> {
        let op = match function {
            BinaryFunction::Add | BinaryFunction::Subtract | BinaryFunction::Multiply
                if self.binary_of_bytes(node, function, [a, b], output)? =>
            {
                return Ok(());
            }
            BinaryFunction::Add => "aten.add.Tensor",
            BinaryFunction::BatchMatrixMultiply => return self.matrix_product(node, [a, b], output),
            BinaryFunction::Divide => "aten.div.Tensor",
            BinaryFunction::Maximum => "aten.maximum.default",
            BinaryFunction::Minimum => "aten.minimum.default",
            BinaryFunction::Multiply => "aten.mul.Tensor",
            BinaryFunction::Prelu => "aten._prelu_kernel.default",
            BinaryFunction::Subtract => "aten.sub.Tensor",
            other => return Err(self.refuse(format!("a function of two tensors that is not known, {other:?}"))),
        };
        let dtype = self.float_type(output)?;
        let held = [self.floats(a, dtype)?, self.floats(b, dtype)?];
        let ([a, b], order) = self.broadcast(held)?;
        let shape = self.broadcast_shape(a, b)?;
        let value = self.emit(op, &[Argument::Value(a), Argument::Value(b)], dtype, shape)?;
        self.put(node.output_range, output, Held { value, order })
    }

    /// The largest sizes of what two values are broadcast to. The exporter bounds sizes one by one, so those of two tensors
    /// that have the same in every call may differ.
    pub(super) fn broadcast_shape(&self, a: u32, b: u32) -> Result<Shape> {
        let (a, b) = (self.described(a).1, self.described(b).1);
        let rank = a.rank().max(b.rank());
        let of = |shape: &Shape, from_end: usize| shape.iter().rev().nth(from_end).copied().unwrap_or(1);
        let sizes = (0..rank).rev().map(|from_end| match (of(&a, from_end), of(&b, from_end)) {
            (1, other) | (other, 1) => other,
            (one, other) => one.max(other),
        });
        Ok(Shape::new(&sizes.collect::<Vec<_>>())?)
    }

    /// Attention: queries are scaled channel by channel, and the mask is added to the scores.
    pub(super) fn attention(
        &mut self,
        node: &XnnNode,
        [query, key, value]: [u32; 3],
        scale: u32,
        mask: u32,
        output: u32,
    ) -> Result<()> {
        let dtype = self.float_type(output)?;
        let mut operands = [0; 5];
        for (operand, id) in operands.iter_mut().zip([query, key, value, scale, mask]) {
            let held = self.floats(id, dtype)?;
            *operand = self.in_order(held, Order::Written)?;
        }
        let [query, key, value, scale, mask] = operands;
        let (_, shape) = self.described(query);
        let scaled = self.emit("aten.mul.Tensor", &[Argument::Value(query), Argument::Value(scale)], dtype, shape)?;
        let (_, values) = self.described(value);
        let (Some(last), Some(&width)) = (shape.rank().checked_sub(1), values.last()) else {
            return Err(self.refuse("attention over numbers"));
        };
        let args = [scaled, key, value, mask].map(Argument::Value);
        let args: Vec<_> = args.into_iter().chain([Argument::Double(1.0)]).collect();
        let value = self.emit("et_vk.sdpa.default", &args, dtype, shape.with(last, width)?)?;
        self.put(node.output_range, output, Held { value, order: Order::Written })
    }

    /// What pads a tensor: a number, or the byte that stands for it.
    pub(super) fn fill(&self, id: u32, value: f32) -> Result<Argument> {
        let tensor = self.tensor(id)?;
        Ok(match per_tensor(&tensor) {
            Some((scale, zero_point)) => {
                let [low, high] = super::tensors::limits(tensor.datatype);
                Argument::Int(step(value, scale, zero_point).clamp(low, high))
            }
            None if tensor.datatype == Datatype::I32 =>
            {
                #[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
                Argument::Int(value as i64)
            }
            None => Argument::Double(f64::from(value)),
        })
    }
}
