//! The tensors of an XNNPACK graph, and how they are quantized.

use planus::Vector;
use pteron_tensor::Shape;

use super::few::Few;
use super::tensor_place;
use crate::error::{At, Error, Result, index};
use crate::generated::xnnpack as raw;
use crate::list::List;
use crate::value::{numel, too_large};

/// A tensor of the graph.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Tensor<'a> {
    /// Its position among the graph's tensors.
    pub id: u32,
    /// The element type.
    pub datatype: Datatype,
    /// The sizes, outermost first; the largest ones where they can change. A number by itself has one dimension of size 1.
    pub dims: Few,
    /// The constant that holds its data; in range.
    pub constant: Option<u32>,
    /// Its position among a call's arguments; in range.
    pub argument: Option<u32>,
    /// Whether a call gives it.
    pub is_input: bool,
    /// Whether a call gets it.
    pub is_output: bool,
    /// How its elements stand for numbers, where they are not the numbers themselves.
    pub quantization: Option<Quantization<'a>>,
    /// The type that its elements are quantized to when the graph runs, in files of before there were nodes for that.
    pub dynamic_datatype: Option<Datatype>,
}

/// The element type of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Datatype {
    /// 32-bit floats.
    F32,
    /// 16-bit floats.
    F16,
    /// The upper halves of 32-bit floats.
    BF16,
    /// 32-bit integers that stand for themselves.
    I32,
    /// Signed bytes, quantized per tensor.
    Qint8,
    /// Unsigned bytes, quantized per tensor.
    Quint8,
    /// 32-bit integers, quantized per tensor: biases.
    Qint32,
    /// Signed bytes, quantized per channel.
    Qcint8,
    /// 32-bit integers, quantized per channel: biases.
    Qcint32,
    /// Four bits, quantized per channel: two to a byte, the first in the low half, each 8 more than what it stands for.
    Qcint4,
    /// Four bits as in [`Qcint4`](Datatype::Qcint4), quantized per group of a channel.
    Qbint4,
    /// Signed bytes, quantized per token when the graph runs.
    Qdint8,
    /// Like [`Qdint8`](Datatype::Qdint8), in an order that only XNNPACK knows.
    Qpint8,
    /// 32-bit floats in an order that only XNNPACK knows.
    PackedF32,
    /// A type that this version does not know, by its code; 0 says that there is none.
    Unknown(i16),
}

impl Datatype {
    fn new(code: i16) -> Datatype {
        match code {
            1 => Datatype::F32,
            2 => Datatype::F16,
            3 => Datatype::Qint8,
            4 => Datatype::Quint8,
            5 => Datatype::Qint32,
            6 => Datatype::Qcint8,
            7 => Datatype::Qcint32,
            8 => Datatype::Qcint4,
            9 => Datatype::Qdint8,
            10 => Datatype::Qbint4,
            11 => Datatype::Qpint8,
            12 => Datatype::I32,
            13 => Datatype::PackedF32,
            14 => Datatype::BF16,
            code => Datatype::Unknown(code),
        }
    }

    /// Bits of an element, where elements follow each other.
    fn bits(self) -> Option<u64> {
        match self {
            Datatype::Qcint4 | Datatype::Qbint4 => Some(4),
            Datatype::Qint8 | Datatype::Quint8 | Datatype::Qcint8 | Datatype::Qdint8 => Some(8),
            Datatype::F16 | Datatype::BF16 => Some(16),
            Datatype::F32 | Datatype::I32 | Datatype::Qint32 | Datatype::Qcint32 => Some(32),
            Datatype::Qpint8 | Datatype::PackedF32 | Datatype::Unknown(_) => None,
        }
    }
}

/// How elements stand for numbers: `scale · (element − zero point)`.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Quantization<'a> {
    /// One scale and one zero point.
    PerTensor {
        /// The scale.
        scale: f32,
        /// The zero point.
        zero_point: i32,
    },
    /// A scale for each index of one axis, and no zero points.
    PerChannel {
        /// The axis; in range.
        axis: usize,
        /// As many 32-bit floats as the axis is long.
        scales: Scales<'a>,
    },
    /// A scale for each group of elements of a channel, and no zero points.
    PerGroup {
        /// The axis of the channels; in range.
        axis: usize,
        /// Elements of a group; not 0.
        group_size: u32,
        /// As many scales as there are groups, the groups of a channel together: upper halves of 32-bit floats, unless
        /// they are listed as whole ones.
        scales: Scales<'a>,
    },
    /// A scale and a zero point for each row, computed when the graph runs.
    PerToken {
        /// How many of the innermost dimensions make a row; no more than there are.
        inner_dims: usize,
    },
    /// A kind of quantization that this version does not know, by its code; 0 says that there is none.
    Unknown(u8),
}

/// Where scales are.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Scales<'a> {
    /// In the graph.
    Listed(List<'a, f32>),
    /// In the graph, as the upper halves of 32-bit floats.
    ListedHalves(List<'a, u16>),
    /// In a constant.
    Constant {
        /// The constant; in range.
        constant: u32,
        /// How many scales it should hold.
        count: u32,
    },
}

impl Scales<'_> {
    /// How many there are.
    pub fn count(&self) -> u64 {
        match self {
            Scales::Listed(list) => list.len() as u64,
            Scales::ListedHalves(list) => list.len() as u64,
            Scales::Constant { count, .. } => u64::from(*count),
        }
    }
}

impl Tensor<'_> {
    /// The sizes as a shape.
    pub fn shape(&self) -> Result<Shape> {
        Shape::from_sizes(self.dims.iter().copied().map(u64::from))
            .map_err(|error| Error::Invalid { at: tensor_place(self.id), reason: error.to_string() })
    }

    /// Bytes of a tensor of these sizes. Rows of 4-bit elements fill whole bytes.
    pub fn nbytes(&self) -> Result<u64> {
        let Some(bits) = self.datatype.bits() else {
            let code = if let Datatype::Unknown(code) = self.datatype { i64::from(code) } else { -1 };
            return Err(Error::Code { at: tensor_place(self.id), what: "size of data type", code });
        };
        let (outer, inner) = match self.dims.split_last() {
            Some((inner, outer)) => (outer, u64::from(*inner)),
            None => (&[][..], 1),
        };
        let row = inner.saturating_mul(bits).div_ceil(8);
        numel(outer.iter().copied().map(u64::from).chain([row])).ok_or_else(|| too_large(tensor_place(self.id)))
    }
}

/// Reads a value of the graph, which has so many constants and so many arguments.
pub(super) fn read<'a>(id: u32, value: raw::ValueKindRef<'a>, constants: usize, arguments: u32) -> Result<Tensor<'a>> {
    const NONE: u32 = u32::MAX;
    let at = || tensor_place(id);
    let (tensor, quantized) = match value {
        raw::ValueKindRef::Tensor(tensor) => (tensor, None),
        raw::ValueKindRef::QuantizedTensor(quantized) => {
            let tensor = quantized.tensor().at(at)?;
            (tensor.ok_or_else(|| Error::Missing { at: at(), what: "its type" })?, Some(quantized))
        }
    };
    let written = tensor.id().at(at)?;
    if written != id {
        return Err(Error::Invalid { at: at(), reason: format!("it says that it is tensor {written}") });
    }
    let dims = Few::read(tensor.dims().at(at)?, "the list of sizes", at)?;
    let rank = tensor.rank().at(at)?;
    if u64::from(rank) != dims.len() as u64 {
        let reason = format!("it has {} sizes for {rank} dimensions", dims.len());
        return Err(Error::Invalid { at: at(), reason });
    }
    let argument = match tensor.external_id().at(at)? {
        NONE => None,
        argument if argument < arguments => Some(argument),
        argument => {
            let (index, count) = (i64::from(argument), u64::from(arguments));
            return Err(Error::Index { at: at(), what: "argument", index, count });
        }
    };
    let flags = tensor.flags().at(at)?;
    let dynamic = tensor.dynamic_datatype().at(at)?;
    Ok(Tensor {
        id,
        datatype: Datatype::new(tensor.datatype().at(at)?),
        dims,
        constant: constant(tensor.constant().at(at)?, constants, at)?,
        argument,
        is_input: flags & 1 != 0,
        is_output: flags & 2 != 0,
        quantization: quantized.map(|quantized| quantization(quantized, &dims, constants, at)).transpose()?,
        dynamic_datatype: (dynamic != 0).then(|| Datatype::new(dynamic)),
    })
}

/// A constant by its number; the first stands for none.
fn constant(id: u32, constants: usize, at: impl FnOnce() -> String) -> Result<Option<u32>> {
    match id {
        0 => Ok(None),
        id => index(i64::from(id), constants, "constant", at).map(Some),
    }
}

fn quantization<'a>(
    tensor: raw::QuantizedTensorRef<'a>,
    dims: &[u32],
    constants: usize,
    at: impl Fn() -> String + Copy,
) -> Result<Quantization<'a>> {
    let kind = match tensor.quantization() {
        Err(planus::Error { error_kind: planus::errors::ErrorKind::UnknownUnionTag { tag }, .. }) => {
            return Ok(Quantization::Unknown(tag));
        }
        other => other.at(at)?,
    };
    let Some(kind) = kind else { return Ok(Quantization::Unknown(0)) };
    let axis_of = |axis: i32| {
        let axis = index(i64::from(axis), dims.len(), "axis", at)?;
        Ok(usize::try_from(axis).unwrap_or(usize::MAX))
    };
    let expect = |scales: Scales<'a>, expected: Option<u64>| match expected {
        Some(expected) if expected == scales.count() => Ok(scales),
        _ => Err(Error::Invalid { at: at(), reason: format!("its sizes do not go with {} scales", scales.count()) }),
    };
    Ok(match kind {
        raw::QuantizationRef::PerTensor(table) => {
            Quantization::PerTensor { scale: table.scale().at(at)?, zero_point: table.zero_point().at(at)? }
        }
        raw::QuantizationRef::PerChannel(table) => {
            let axis = axis_of(table.axis().at(at)?)?;
            let place = constant(table.constant().at(at)?, constants, at)?;
            let scales = scales(table.scales().at(at)?, None, place, table.count().at(at)?);
            Quantization::PerChannel { axis, scales: expect(scales, dims.get(axis).copied().map(u64::from))? }
        }
        raw::QuantizationRef::PerGroup(table) => {
            let axis = axis_of(table.axis().at(at)?)?;
            let group_size = table.group_size().at(at)?;
            let group_size = u32::try_from(group_size).ok().filter(|&size| size != 0);
            let group_size =
                group_size.ok_or_else(|| Error::Invalid { at: at(), reason: "its groups have no size".into() })?;
            let place = constant(table.constant().at(at)?, constants, at)?;
            let halves = table.scales_bf16().at(at)?;
            let scales = scales(table.scales().at(at)?, halves, place, table.count().at(at)?);
            Quantization::PerGroup { axis, group_size, scales: expect(scales, groups(dims, axis, group_size))? }
        }
        raw::QuantizationRef::PerToken(table) => {
            let inner_dims = table.inner_dims().at(at)?;
            match usize::try_from(inner_dims).ok().filter(|&inner| inner <= dims.len()) {
                Some(inner_dims) => Quantization::PerToken { inner_dims },
                None => {
                    let reason = format!("its rows have {inner_dims} of its {} dimensions", dims.len());
                    return Err(Error::Invalid { at: at(), reason });
                }
            }
        }
    })
}

fn scales<'a>(
    listed: Option<Vector<'a, f32>>,
    halves: Option<Vector<'a, u16>>,
    constant: Option<u32>,
    count: u32,
) -> Scales<'a> {
    match (constant, halves) {
        (Some(constant), _) => Scales::Constant { constant, count },
        (None, Some(halves)) if !halves.is_empty() => Scales::ListedHalves(List::new(Some(halves))),
        (None, _) => Scales::Listed(List::new(listed)),
    }
}

/// The number of groups, if every channel has whole ones.
fn groups(dims: &[u32], axis: usize, group_size: u32) -> Option<u64> {
    let channels = u64::from(*dims.get(axis)?);
    let others = dims.iter().enumerate().filter(|&(other, _)| other != axis).map(|(_, &size)| u64::from(size));
    let channel = numel(others)?;
    let group_size = u64::from(group_size);
    (channel.checked_rem(group_size)? == 0).then_some(())?;
    channels.checked_mul(channel.checked_div(group_size)?)
}
