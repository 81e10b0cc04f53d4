//! Constants of the file, in the order and the type in which operators here take them.

use std::sync::Arc;

use bytes::Bytes;
use pteron_pte::xnnpack::{ConstantRef, Quantization, Scales, Tensor};
use pteron_tensor::{DType, Shape};

use super::tensors::stored_type;
use super::{Argument, Lowering};
use crate::error::{Error, Result};
use crate::graph::{Constant, DataRef, Permuted, Role, TensorValue, Value};
use crate::lower::data;

/// What a constant of a graph was made from, and how.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Form {
    tensor: u32,
    what: What,
    dtype: DType,
    shape: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum What {
    /// The tensor, with its dimensions in an order.
    Elements { stored: Vec<usize>, order: Vec<usize> },
    /// Its scales.
    Scales,
}

impl Lowering<'_> {
    /// A constant tensor as it is, with its elements in a type on the device.
    pub(super) fn constant(&mut self, tensor: &Tensor<'_>, dtype: DType) -> Result<u32> {
        let shape = tensor.shape()?;
        self.elements(tensor, dtype, shape, None)
    }

    /// A constant tensor whose elements have these sizes, with its dimensions in another order.
    pub(super) fn arranged(
        &mut self,
        tensor: &Tensor<'_>,
        dtype: DType,
        stored: &[usize],
        order: &[usize],
    ) -> Result<u32> {
        let stored = Shape::new(stored)?;
        if stored.numel() != tensor.shape()?.numel() {
            return Err(self.refuse(format!("tensor {} does not have the sizes {stored}", tensor.id)));
        }
        let sizes: Vec<_> = order.iter().filter_map(|&dim| stored.get(dim).copied()).collect();
        self.elements(tensor, dtype, Shape::new(&sizes)?, Some((stored, order)))
    }

    /// Rows of two 4-bit codes to a byte.
    pub(super) fn nibbles(&mut self, tensor: &Tensor<'_>) -> Result<u32> {
        let shape = tensor.shape()?;
        let &[rows, columns] = &*shape else {
            return Err(self.refuse("a filter of 4-bit elements that is no matrix"));
        };
        self.elements(tensor, DType::U8, Shape::new(&[rows, columns.div_ceil(2)])?, None)
    }

    fn elements(
        &mut self,
        tensor: &Tensor<'_>,
        dtype: DType,
        shape: Shape,
        arrangement: Option<(Shape, &[usize])>,
    ) -> Result<u32> {
        let number = tensor.constant.ok_or_else(|| self.refuse(format!("tensor {} is no constant", tensor.id)))?;
        let (stored, order) =
            arrangement.map_or((Vec::new(), Vec::new()), |(stored, order)| (stored.to_vec(), order.to_vec()));
        let what = What::Elements { stored, order };
        let form = Form { tensor: tensor.id, what, dtype, shape: shape.to_vec() };
        if let Some(&known) = self.constant_values.get(&form) {
            return Ok(known);
        }
        let element = stored_type(tensor.datatype);
        let element = element.ok_or_else(|| self.refuse(format!("elements of type {:?}", tensor.datatype)))?;
        let mut data = self.data(number, tensor.nbytes()?)?;
        if let Some((stored, order)) = arrangement {
            data = permuted(data, element, &stored, order);
        }
        self.add(form, Constant { data, stored: element, dtype, shape })
    }

    /// A scale for each channel, as one vector.
    pub(super) fn channel_scales(&mut self, tensor: &Tensor<'_>, dtype: DType, channels: usize) -> Result<u32> {
        let shape = Shape::new(&[channels])?;
        let form = Form { tensor: tensor.id, what: What::Scales, dtype, shape: shape.to_vec() };
        if let Some(&known) = self.constant_values.get(&form) {
            return Ok(known);
        }
        let (data, stored) = match tensor.quantization {
            Some(Quantization::PerChannel { scales, .. }) if scales.count() == channels as u64 => {
                self.scales(scales)?
            }
            Some(Quantization::PerTensor { scale, zero_point: 0 }) => {
                let data = DataRef::Bytes(Bytes::copy_from_slice(&scale.to_ne_bytes()));
                let one = Form { shape: vec![1], ..form };
                let one = self.add(one, Constant { data, stored: DType::F32, dtype, shape: Shape::new(&[1])? })?;
                let sizes = Argument::Ints(vec![channels as i64]);
                return self.emit("aten.expand_copy.default", &[Argument::Value(one), sizes], dtype, shape);
            }
            other => return Err(self.refuse(format!("a filter of {channels} channels that is quantized by {other:?}"))),
        };
        self.add(form, Constant { data, stored, dtype, shape })
    }

    /// A scale for each group of a channel: groups by channels.
    pub(super) fn group_scales(&mut self, tensor: &Tensor<'_>, dtype: DType, channels: usize) -> Result<(u32, usize)> {
        let (group_size, scales) = match tensor.quantization {
            Some(Quantization::PerGroup { axis: 0, group_size, scales }) => (group_size as usize, scales),
            Some(Quantization::PerChannel { axis: 0, scales }) => {
                let depth = tensor.shape()?.numel().checked_div(channels).unwrap_or(0);
                (depth.max(1), scales)
            }
            other => return Err(self.refuse(format!("a filter that is quantized by {other:?}"))),
        };
        let count = usize::try_from(scales.count()).unwrap_or(usize::MAX);
        let groups = count.checked_div(channels).filter(|groups| groups.checked_mul(channels) == Some(count));
        let groups = groups.ok_or_else(|| self.refuse(format!("{count} scales for {channels} channels")))?;
        let shape = Shape::new(&[groups, channels])?;
        let form = Form { tensor: tensor.id, what: What::Scales, dtype, shape: shape.to_vec() };
        if let Some(&known) = self.constant_values.get(&form) {
            return Ok((known, group_size));
        }
        let (mut data, stored) = match scales {
            // Scales of groups are the upper halves of floats.
            Scales::Constant { constant, count }
                if matches!(tensor.quantization, Some(Quantization::PerGroup { .. })) =>
            {
                (self.data(constant, u64::from(count) * 2)?, DType::BF16)
            }
            _ => self.scales(scales)?,
        };
        if groups != 1 {
            data = permuted(data, stored, &[channels, groups], &[1, 0]);
        }
        Ok((self.add(form, Constant { data, stored, dtype, shape })?, group_size))
    }

    /// Where scales are, and their type.
    fn scales(&mut self, scales: Scales<'_>) -> Result<(DataRef, DType)> {
        Ok(match scales {
            Scales::Constant { constant, count } => (self.data(constant, u64::from(count) * 4)?, DType::F32),
            Scales::Listed(list) => {
                self.budget.take(list.len())?;
                let bytes: Vec<u8> = list.iter().flat_map(f32::to_ne_bytes).collect();
                (DataRef::Bytes(bytes.into()), DType::F32)
            }
            Scales::ListedHalves(list) => {
                self.budget.take(list.len())?;
                let bytes: Vec<u8> = list.iter().flat_map(u16::to_ne_bytes).collect();
                (DataRef::Bytes(bytes.into()), DType::BF16)
            }
            _ => return Err(self.refuse("scales that are stored in an unknown way")),
        })
    }

    /// The value of a constant.
    fn add(&mut self, form: Form, constant: Constant) -> Result<u32> {
        let (dtype, shape) = (constant.dtype, constant.shape);
        let role = Role::Constant(self.constants.add(constant));
        let value = self.push(Value::Tensor(TensorValue { dtype, shape, role }))?;
        self.constant_values.insert(form, value);
        Ok(value)
    }

    /// Where the bytes of a constant are; at least so many.
    fn data(&mut self, number: u32, bytes: u64) -> Result<DataRef> {
        if let Some(known) = self.constant_data.get(&number) {
            data::check_length(known, bytes, &number.to_string())?;
            return Ok(known.clone());
        }
        let found = match self.source.constant(number)? {
            ConstantRef::Inline(inline) => {
                let found = DataRef::Bytes(Bytes::copy_from_slice(inline));
                data::check_length(&found, bytes, &number.to_string())?;
                found
            }
            ConstantRef::Named { key, .. } => data::find(self.named, key, bytes)?,
            _ => return Err(Error::Program(format!("constant {number} is stored in an unknown way"))),
        };
        self.constant_data.insert(number, found.clone());
        Ok(found)
    }
}

/// Elements with their dimensions in another order.
fn permuted(data: DataRef, element: DType, sizes: &[usize], order: &[usize]) -> DataRef {
    let padded = order.last().and_then(|&innermost| sizes.get(innermost)).copied().unwrap_or(1);
    let (sizes, order) = (sizes.to_vec(), order.to_vec());
    DataRef::Permuted(Arc::new(Permuted { data, element: element.size(), sizes, order, padded }))
}
