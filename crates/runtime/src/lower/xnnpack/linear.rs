//! Products of matrices, and fully connected layers with any kind of filter.

use pteron_pte::xnnpack::{Datatype, Flags, Node as XnnNode, Quantization, Tensor};
use pteron_tensor::{DType, Shape};

use super::layout::{Held, Order};
use super::{Argument, Lowering};
use crate::error::Result;

impl Lowering<'_> {
    /// Products of matrices, one for each index of the outer dimensions.
    pub(super) fn matrix_product(&mut self, node: &XnnNode, [a, b]: [u32; 2], output: u32) -> Result<()> {
        if node.flags.has_beyond(&[Flags::TRANSPOSE_WEIGHTS]) {
            return Err(self.refuse(format!("flags {:#x}", node.flags.0)));
        }
        let dtype = self.float_type(output)?;
        let [left, right] = [self.floats(a, dtype)?, self.floats(b, dtype)?];
        let (left, right) = (self.in_order(left, Order::Written)?, self.in_order(right, Order::Written)?);
        let ((_, rows), (_, columns)) = (self.described(left), self.described(right));
        let transposed = node.flags.has(Flags::TRANSPOSE_WEIGHTS);
        let (&[ref outer @ .., rows, _], &[ref right_outer @ .., across, along]) = (&*rows, &*columns) else {
            return Err(self.refuse("a product of what are no matrices"));
        };
        let (outer, right_outer) = (Shape::new(outer)?, Shape::new(right_outer)?);
        let Some(outer) = outer.broadcast(&right_outer) else {
            return Err(self.refuse(format!("{outer} and {right_outer} matrices do not go together")));
        };
        let sizes: Vec<_> = outer.iter().copied().chain([rows, if transposed { across } else { along }]).collect();
        let args = [Argument::Value(left), Argument::Value(right), Argument::Bool(transposed)];
        let value = self.emit("pteron.batch_product.default", &args, dtype, Shape::new(&sizes)?)?;
        self.put(node.output_range, output, Held { value, order: Order::Written })
    }

    /// A fully connected layer.
    pub(super) fn fully_connected(
        &mut self,
        node: &XnnNode,
        [input, filter]: [u32; 2],
        bias: Option<u32>,
        output: u32,
    ) -> Result<()> {
        if node.flags.has_beyond(&[Flags::TRANSPOSE_WEIGHTS]) {
            return Err(self.refuse(format!("flags {:#x}", node.flags.0)));
        }
        let transposed = node.flags.has(Flags::TRANSPOSE_WEIGHTS);
        let weight = self.tensor(filter)?;
        let &[rows, columns] = &*weight.dims else {
            return Err(self.refuse("a filter that is no matrix"));
        };
        let channels = if transposed { columns } else { rows } as usize;
        if self.linear_of_bytes(node, [input, filter], bias, output, transposed)? {
            return Ok(());
        }
        let given = self.float_type(output)?;
        // Scales of groups are the upper halves of floats, which 16-bit floats cannot all hold.
        let by_groups = matches!(weight.quantization, Some(Quantization::PerGroup { .. }));
        let dtype = if by_groups { DType::F32 } else { given };
        let held = self.floats(input, dtype)?;
        let rows = self.in_order(held, Order::Written)?;
        let rows = match self.tensor(input)?.dynamic_datatype {
            Some(Datatype::Qdint8 | Datatype::Qint8) => self.rounded(rows, 1)?,
            _ => rows,
        };
        let (_, shape) = self.described(rows);
        let Some(last) = shape.rank().checked_sub(1) else {
            return Err(self.refuse("a layer on a number"));
        };
        let shape = shape.with(last, channels)?;
        let bias = match bias {
            Some(bias) => {
                let held = self.floats(bias, dtype)?;
                Argument::Value(self.in_order(held, Order::Written)?)
            }
            None => Argument::Null,
        };
        let rows = Argument::Value(rows);
        let value = match weight.datatype {
            Datatype::Qcint4 | Datatype::Qbint4 if transposed => {
                return Err(self.refuse("a filter of 4-bit elements that is transposed"));
            }
            Datatype::Qcint4 | Datatype::Qbint4 => {
                let codes = Argument::Value(self.nibbles(&weight)?);
                let (scales, group_size) = self.group_scales(&weight, dtype, channels)?;
                let args = [rows, codes, Argument::Value(scales), Argument::Int(group_size as i64), bias];
                self.emit("et_vk.linear_q4gsw.default", &args, dtype, shape)?
            }
            Datatype::Qint8 | Datatype::Qcint8 => {
                let codes = Argument::Value(self.byte_matrix(&weight, transposed)?);
                let scales = Argument::Value(self.channel_scales(&weight, dtype, channels)?);
                self.emit("pteron.linear_q8csw.default", &[rows, codes, scales, bias], dtype, shape)?
            }
            _ => {
                let weight = Argument::Value(self.float_matrix(filter, dtype, transposed)?);
                self.emit("aten.linear.default", &[rows, weight, bias], dtype, shape)?
            }
        };
        let value = self.of_type(value, given)?;
        self.put(node.output_range, output, Held { value, order: Order::Written })
    }

    /// A filter of bytes, output channels by input channels.
    pub(super) fn byte_matrix(&mut self, weight: &Tensor<'_>, transposed: bool) -> Result<u32> {
        let sizes = weight.shape()?;
        match (weight.constant, transposed) {
            (Some(_), true) => self.arranged(weight, DType::I8, &sizes, &[1, 0]),
            (Some(_), false) => self.constant(weight, DType::I8),
            (None, _) => self.matrix_given(weight.id, transposed),
        }
    }

    /// A filter of floats, output channels by input channels.
    fn float_matrix(&mut self, filter: u32, dtype: DType, transposed: bool) -> Result<u32> {
        let weight = self.tensor(filter)?;
        let sizes = weight.shape()?;
        match (weight.constant, transposed) {
            (Some(_), true) => self.arranged(&weight, dtype, &sizes, &[1, 0]),
            (Some(_), false) => self.constant(&weight, dtype),
            (None, _) => {
                let value = self.matrix_given(filter, transposed)?;
                self.of_type(value, dtype)
            }
        }
    }

    /// A filter that the call gives or another node computes, output channels by input channels.
    fn matrix_given(&mut self, filter: u32, transposed: bool) -> Result<u32> {
        let value = self.written(filter)?;
        if transposed { self.permuted(value, &[1, 0]) } else { Ok(value) }
    }
}
