//! `aten.constant_pad_nd`: elements added around a tensor, or with negative amounts cut off it.

use pteron_tensor::{DType, HostTensor, MAX_RANK, Shape};

use super::strided::check_types;
use crate::args::{Args, Described};
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::constant_pad_nd;
use crate::plan::{PlanContext, is_byte, lanes};

pub(crate) const OPS: &[OpDef] =
    &[OpDef::tensor("aten.constant_pad_nd.default", plan, reference).portable("aten::constant_pad_nd.out")];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    check_types(input.dtype, cx.output_type(0)?)?;
    let Padding { shape, before } = Padding::new(cx, &input.shape)?;
    let fill = fill(cx, input.dtype)?;
    let output = cx.output(shape)?;
    let signed = |value: i64| {
        i32::try_from(value).map_err(|_| OpError::Limit(format!("a padding of {value} does not fit 32 bits")))
    };
    let mut shifts = [0; MAX_RANK];
    for (shift, &before) in shifts.iter_mut().zip(&before) {
        *shift = signed(before)?;
    }
    let params = constant_pad_nd::Params {
        input: input.meta(),
        output: output.meta(),
        before: lanes(shifts),
        fill: bits(&fill),
    };
    let count = if is_byte(output.dtype) { output.numel().div_ceil(4) } else { output.numel() };
    let variant = constant_pad_nd::Variant { t: output.dtype.try_into()? };
    cx.dispatch(constant_pad_nd::Bind { input, output, params }, variant).threads(count)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    check_types(input.dtype(), cx.output_type(0)?)?;
    let Padding { shape, before } = Padding::new(cx, input.shape())?;
    let fill = fill(cx, input.dtype())?;
    let strides = input.shape().strides();
    let size = input.dtype().size();
    let mut bytes = Vec::with_capacity(shape.numel() * size);
    for element in 0..shape.numel() {
        let (mut source, mut rest) = (Some(0), element);
        for dim in (0..shape.rank()).rev() {
            let at = (rest % shape[dim]) as i64 - before[dim];
            rest /= shape[dim];
            let at = usize::try_from(at).ok().filter(|&at| at < input.shape()[dim]);
            source = source.zip(at).map(|(source, at)| source + at * strides[dim]);
        }
        bytes.extend_from_slice(match source {
            Some(source) => &input.bytes()[source * size..(source + 1) * size],
            None => fill.bytes(),
        });
    }
    cx.set(0, HostTensor::with_shape(input.dtype(), shape, bytes)?)
}

/// What surrounds a tensor.
struct Padding {
    /// The output's shape.
    shape: Shape,
    /// Elements in front of the input in each dimension, negative where it is cut.
    before: Vec<i64>,
}

impl Padding {
    /// Reads the amounts of argument 1: before and after the last dimension, then the one before it, and so on.
    fn new<T: Described>(cx: &Args<'_, T>, input: &Shape) -> Result<Padding> {
        let amounts = cx.ints(1)?;
        let wrong = || OpError::Shape(format!("{input} cannot be padded by {amounts:?}"));
        let (mut sizes, mut before) = (input.to_vec(), vec![0; input.rank()]);
        if amounts.len() % 2 != 0 || amounts.len() / 2 > input.rank() {
            return Err(wrong());
        }
        for (dim, pair) in (0..input.rank()).rev().zip(amounts.chunks_exact(2)) {
            let size = (sizes[dim] as i64).checked_add(pair[0]).and_then(|size| size.checked_add(pair[1]));
            sizes[dim] = size.and_then(|size| usize::try_from(size).ok()).ok_or_else(wrong)?;
            before[dim] = pair[0];
        }
        Ok(Padding { shape: Shape::new(&sizes)?, before })
    }
}

/// The value to pad with, zero by default, as one element.
fn fill<T: Described>(cx: &Args<'_, T>, dtype: DType) -> Result<HostTensor> {
    Ok(match cx.int_or(2, 0) {
        Ok(value) => HostTensor::from_i64s(dtype, Shape::SCALAR, [value])?,
        Err(_) => HostTensor::from_f64s(dtype, Shape::SCALAR, [cx.float(2)?])?,
    })
}

/// The element as the kernel reads it: bytes fill a word, and 16-bit floats travel as 32-bit ones.
fn bits(fill: &HostTensor) -> u32 {
    match (fill.dtype(), fill.bytes()) {
        (DType::F16, _) => fill.cast(DType::F32).as_slice::<f32>().map_or(0, |value| value[0].to_bits()),
        (_, &[a, b, c, d]) => u32::from_ne_bytes([a, b, c, d]),
        (_, bytes) => bytes.first().map_or(0, |&byte| u32::from_ne_bytes([byte; 4])),
    }
}
