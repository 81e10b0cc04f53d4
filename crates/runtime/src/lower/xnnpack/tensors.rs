//! What holds the tensors of the file: their types here, and how nodes read and write them.

use pteron_pte::xnnpack::{Datatype, OutputRange, Tensor};
use pteron_tensor::DType;

use super::super::ids::ById as _;
use super::layout::{Held, Order};
use super::{Argument, Lowering, per_tensor};
use crate::error::{Error, Result};
use crate::types;

/// The type of a tensor's elements as they are stored.
pub(super) fn stored_type(datatype: Datatype) -> Option<DType> {
    Some(match datatype {
        Datatype::F32 => DType::F32,
        Datatype::F16 => DType::F16,
        Datatype::BF16 => DType::BF16,
        Datatype::I32 | Datatype::Qint32 | Datatype::Qcint32 => DType::I32,
        Datatype::Qint8 | Datatype::Qcint8 => DType::I8,
        Datatype::Quint8 | Datatype::Qcint4 | Datatype::Qbint4 => DType::U8,
        _ => return None,
    })
}

impl<'a> Lowering<'a> {
    /// A tensor of the file.
    pub(super) fn tensor(&self, id: u32) -> Result<Tensor<'a>> {
        let missing = || Error::Program(format!("{} has no tensor {id}", self.name));
        self.tensors.by_id(id).copied().ok_or_else(missing)
    }

    /// Whether a tensor of the file is computed or given.
    pub(super) fn is_held(&self, id: u32) -> bool {
        self.held.by_id(id).is_some_and(Option::is_some)
    }

    /// Lets a value hold a tensor of the file.
    pub(super) fn set_held(&mut self, id: u32, held: Held) {
        self.held.by_id_mut(id).into_iter().for_each(|slot| *slot = Some(held));
    }

    /// The type that stands for a tensor's on the device. Rows that are rounded to bytes are floats here.
    pub(super) fn dtype(&mut self, tensor: &Tensor<'_>) -> Result<DType> {
        let stored = match tensor.datatype {
            Datatype::Qdint8 => Some(DType::F32),
            other => stored_type(other),
        };
        let dtype = stored.and_then(|stored| types::on_device(stored, self.caps));
        self.widened |= stored == Some(DType::F16) && dtype != Some(DType::F16);
        dtype.ok_or_else(|| self.refuse(format!("tensor {} has elements of type {:?}", tensor.id, tensor.datatype)))
    }

    /// What holds a tensor. A constant becomes a value where it is first read.
    pub(super) fn get(&mut self, id: u32) -> Result<Held> {
        if let Some(&Some(held)) = self.held.by_id(id) {
            return Ok(held);
        }
        let tensor = self.tensor(id)?;
        if tensor.constant.is_none() {
            let (number, kind) = self.current;
            let what = format!("node {number} of {} ({kind}): tensor {id} is used before it is computed", self.name);
            return Err(Error::Program(what));
        }
        let dtype = self.dtype(&tensor)?;
        let held = Held { value: self.constant(&tensor, dtype)?, order: Order::Written };
        self.set_held(id, held);
        Ok(held)
    }

    /// A tensor as floats of a type.
    pub(super) fn floats(&mut self, id: u32, dtype: DType) -> Result<Held> {
        let tensor = self.tensor(id)?;
        // A constant is converted where it is loaded.
        if tensor.constant.is_some() && stored_type(tensor.datatype).is_some_and(DType::is_float) {
            return Ok(Held { value: self.constant(&tensor, dtype)?, order: Order::Written });
        }
        let held = self.get(id)?;
        let value = match per_tensor(&tensor) {
            Some((scale, zero_point)) => {
                let (_, shape) = self.described(held.value);
                let [low, high] = limits(tensor.datatype);
                let args = [
                    Argument::Value(held.value),
                    Argument::Double(f64::from(scale)),
                    Argument::Int(i64::from(zero_point)),
                    Argument::Int(low),
                    Argument::Int(high),
                    Argument::Null,
                ];
                self.emit("quantized_decomposed.dequantize_per_tensor.default", &args, dtype, shape)?
            }
            None if !self.described(held.value).0.is_float() => {
                return Err(self.refuse(format!("integers of type {:?} in the place of floats", tensor.datatype)));
            }
            None => self.of_type(held.value, dtype)?,
        };
        Ok(Held { value, ..held })
    }

    /// A value with its elements in a type.
    pub(super) fn of_type(&mut self, value: u32, dtype: DType) -> Result<u32> {
        let (from, shape) = self.described(value);
        if from == dtype {
            return Ok(value);
        }
        self.emit("aten._to_copy.default", &[Argument::Value(value)], dtype, shape)
    }

    /// The type that stands for the type of a tensor on the device.
    pub(super) fn dtype_of(&mut self, id: u32) -> Result<DType> {
        let tensor = self.tensor(id)?;
        self.dtype(&tensor)
    }

    /// The type in which floats are computed for a tensor.
    pub(super) fn float_type(&mut self, id: u32) -> Result<DType> {
        let dtype = self.dtype_of(id)?;
        Ok(if dtype.is_float() { dtype } else { DType::F32 })
    }

    /// Lets a value hold a tensor that a node computes, as it is.
    pub(super) fn hold(&mut self, id: u32, held: Held) -> Result<()> {
        let (expected, (got, _)) = (self.dtype_of(id)?, self.described(held.value));
        let value = match (expected.is_float(), got.is_float()) {
            (true, true) => self.of_type(held.value, expected)?,
            _ if expected == got => held.value,
            _ => return Err(self.refuse(format!("elements of {got} for a tensor of {expected}"))),
        };
        self.hold_as_is(id, Held { value, ..held })
    }

    /// Lets a value hold a tensor whatever its type. Both have as many dimensions.
    pub(super) fn hold_as_is(&mut self, id: u32, held: Held) -> Result<()> {
        let (dims, (_, shape)) = (self.tensor(id)?.dims, self.described(held.value));
        if dims.len() != shape.rank() {
            return Err(self.refuse(format!("a result of {shape} for a tensor of {dims:?}")));
        }
        self.set_held(id, held);
        Ok(())
    }

    /// Lets floats hold a tensor that a node computes, kept in a range, and rounded where it is quantized.
    pub(super) fn put(&mut self, range: Option<OutputRange>, id: u32, held: Held) -> Result<()> {
        let tensor = self.tensor(id)?;
        let Some((scale, zero_point)) = per_tensor(&tensor) else {
            let held = self.bounded(range, held)?;
            return self.hold(id, held);
        };
        let bounds = self.byte_range(range, &tensor)?;
        let value = self.quantized(held.value, &tensor, (scale, zero_point), bounds)?;
        self.hold(id, Held { value, ..held })
    }

    /// Floats rounded to the integers that a quantized tensor has for them.
    fn quantized(
        &mut self,
        value: u32,
        tensor: &Tensor<'_>,
        (scale, zero_point): (f32, i32),
        [low, high]: [i64; 2],
    ) -> Result<u32> {
        let (_, shape) = self.described(value);
        let args = [
            Argument::Value(value),
            Argument::Double(f64::from(scale)),
            Argument::Int(i64::from(zero_point)),
            Argument::Int(low),
            Argument::Int(high),
            Argument::Null,
        ];
        let dtype = self.dtype(tensor)?;
        self.emit("quantized_decomposed.quantize_per_tensor.default", &args, dtype, shape)
    }

    /// A tensor with its elements as another stores them. The exporter writes nodes that move elements between tensors of
    /// which only one is quantized, or each in steps of its own; ExecuTorch's runtime does not take these.
    pub(super) fn as_stored(&mut self, id: u32, like: u32) -> Result<Held> {
        let [from, to] = [self.tensor(id)?, self.tensor(like)?];
        let steps = per_tensor(&to);
        if per_tensor(&from) == steps && (steps.is_none() || from.datatype == to.datatype) {
            return self.get(id);
        }
        let dtype = self.float_type(like)?;
        let held = self.floats(id, dtype)?;
        let Some(steps) = steps else { return Ok(held) };
        let value = self.quantized(held.value, &to, steps, limits(to.datatype))?;
        Ok(Held { value, ..held })
    }

    /// Floats kept in a range.
    pub(super) fn bounded(&mut self, range: Option<OutputRange>, held: Held) -> Result<Held> {
        let Some(OutputRange { min, max }) = range.filter(|range| range.min.is_finite() || range.max.is_finite())
        else {
            return Ok(held);
        };
        let (dtype, shape) = self.described(held.value);
        let args = [Argument::Value(held.value), Argument::Double(f64::from(min)), Argument::Double(f64::from(max))];
        Ok(Held { value: self.emit("aten.clamp.default", &args, dtype, shape)?, ..held })
    }

    /// The integers that a quantized tensor keeps to where the numbers that they stand for keep to a range.
    pub(super) fn byte_range(&self, range: Option<OutputRange>, tensor: &Tensor<'_>) -> Result<[i64; 2]> {
        let [least, greatest] = limits(tensor.datatype);
        let (Some(OutputRange { min, max }), Some((scale, zero_point))) = (range, per_tensor(tensor)) else {
            return Ok([least, greatest]);
        };
        let low = if min.is_finite() { step(min, scale, zero_point) } else { least };
        let high = if max.is_finite() { step(max, scale, zero_point) } else { greatest };
        let [low, high] = [low, high].map(|bound| bound.clamp(least, greatest));
        if low > high {
            return Err(self.refuse(format!("results from {min} to {max}")));
        }
        Ok([low, high])
    }
}

/// The integer that stands for a number.
#[expect(clippy::cast_possible_truncation, reason = "float casts saturate, and the result is clamped by who uses it")]
pub(super) fn step(value: f32, scale: f32, zero_point: i32) -> i64 {
    ((value / scale).round_ties_even() as i64).saturating_add(i64::from(zero_point))
}

/// The least and greatest integer of a type of bytes.
pub(super) fn limits(datatype: Datatype) -> [i64; 2] {
    if datatype == Datatype::Quint8 { [0, 255] } else { [-128, 127] }
}
