//! Elements added around a tensor, or with negative amounts cut off it: a constant, or the tensor's own, mirrored or the
//! nearest; and `roll`, which lets a tensor begin again behind its end.

use pteron_tensor::{DType, HostTensor, MAX_RANK, Shape};

use super::strided::check_types;
use crate::args::{Args, Described, dim_of};
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::pad::{self, Edge};
use crate::plan::{PlanContext, is_byte, lanes, meta};

const CONSTANT: &str = "aten.constant_pad_nd.default";
const ROLL: &str = "aten.roll.default";

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor(CONSTANT, plan, reference).portable("aten::constant_pad_nd.out"),
    OpDef::tensor("aten.reflection_pad1d.default", plan, reference).portable("aten::reflection_pad1d.out"),
    OpDef::tensor("aten.reflection_pad2d.default", plan, reference).portable("aten::reflection_pad2d.out"),
    OpDef::tensor("aten.reflection_pad3d.default", plan, reference).portable("aten::reflection_pad3d.out"),
    OpDef::tensor("aten.replication_pad1d.default", plan, reference).portable("aten::replication_pad1d.out"),
    OpDef::tensor("aten.replication_pad2d.default", plan, reference).portable("aten::replication_pad2d.out"),
    OpDef::tensor("aten.replication_pad3d.default", plan, reference).portable("aten::replication_pad3d.out"),
    OpDef::tensor(ROLL, plan, reference).portable("aten::roll.out"),
];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    check_types(input.dtype, cx.output_type(0)?)?;
    let padding = Padding::read(cx, cx.name(), &input.shape)?;
    let fill = fill(cx, padding.edge, input.dtype)?;
    let output = cx.output(padding.shape)?;
    let signed = |value: i64| {
        i32::try_from(value).map_err(|_| OpError::Limit(format!("a padding of {value} does not fit 32 bits")))
    };
    let mut shifts = [0; MAX_RANK];
    for (shift, &before) in shifts.iter_mut().zip(&padding.before) {
        *shift = signed(before)?;
    }
    let params = pad::Params {
        input: meta(&padding.input),
        output: meta(&padding.sizes()?),
        before: lanes(shifts),
        fill: bits(&fill),
    };
    let count = if is_byte(output.dtype) { output.numel().div_ceil(4) } else { output.numel() };
    let variant = pad::Variant { t: output.dtype.try_into()?, edge: padding.edge };
    cx.dispatch(pad::Bind { input, output, params }, variant).threads(count)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    check_types(input.dtype(), cx.output_type(0)?)?;
    let padding = Padding::read(cx, cx.name(), input.shape())?;
    let fill = fill(cx, padding.edge, input.dtype())?;
    let (strides, sizes) = (padding.input.strides(), padding.sizes()?);
    let size = input.dtype().size();
    let mut bytes = Vec::with_capacity(padding.shape.numel() * size);
    for element in 0..padding.shape.numel() {
        let (mut source, mut rest) = (Some(0), element);
        for dim in (0..sizes.rank()).rev() {
            let at = inside(padding.edge, (rest % sizes[dim]) as i64 - padding.before[dim], padding.input[dim]);
            rest /= sizes[dim];
            source = source.zip(at).map(|(source, at)| source + at * strides[dim]);
        }
        bytes.extend_from_slice(match source {
            Some(source) => &input.bytes()[source * size..(source + 1) * size],
            None => fill.bytes(),
        });
    }
    cx.set(0, HostTensor::with_shape(input.dtype(), padding.shape, bytes)?)
}

/// The element of a dimension of the input for a place that may lie outside it; nothing where there is none.
fn inside(edge: Edge, at: i64, size: usize) -> Option<usize> {
    let size = i64::try_from(size).ok()?;
    let source = match edge {
        Edge::Filled => at,
        // Mirrored once: an amount is less than the size.
        Edge::Mirrored if at < 0 => -at,
        Edge::Mirrored if at >= size => 2 * (size - 1) - at,
        Edge::Mirrored => at,
        Edge::Nearest => at.min(size - 1).max(0),
        Edge::Cyclic => at.checked_rem_euclid(size)?,
    };
    usize::try_from(source).ok().filter(|_| source < size)
}

/// What surrounds a tensor.
struct Padding {
    /// The input's shape, or that of its elements in a row.
    input: Shape,
    /// The output's shape.
    shape: Shape,
    /// Elements in front of the input in each of its dimensions, negative where it is cut.
    before: Vec<i64>,
    edge: Edge,
}

impl Padding {
    fn read<T: Described>(cx: &Args<'_, T>, name: &str, input: &Shape) -> Result<Padding> {
        match name {
            ROLL => Padding::rolled(cx, input),
            CONSTANT => Padding::around(cx, input, Edge::Filled),
            _ if name.starts_with("aten.reflection") => Padding::around(cx, input, Edge::Mirrored),
            _ => Padding::around(cx, input, Edge::Nearest),
        }
    }

    /// Reads the amounts of argument 1: before and after the last dimension, then the one before it, and so on.
    fn around<T: Described>(cx: &Args<'_, T>, input: &Shape, edge: Edge) -> Result<Padding> {
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
            // What lies between the first and the last place has an element where these have.
            let ends = [-pair[0], sizes[dim] as i64 - 1 - pair[0]];
            let reaches = || ends.iter().all(|&at| inside(edge, at, input[dim]).is_some());
            if edge != Edge::Filled && sizes[dim] > 0 && !reaches() {
                return Err(wrong());
            }
        }
        Ok(Padding { input: *input, shape: Shape::new(&sizes)?, before, edge })
    }

    /// Reads the shifts of argument 1 and their dimensions of argument 2; without these the elements are one row.
    fn rolled<T: Described>(cx: &Args<'_, T>, input: &Shape) -> Result<Padding> {
        let (shifts, dims) = (cx.ints(1)?, cx.opt_ints(2)?.unwrap_or_default());
        // A shift to the front cuts off what comes again behind the end.
        let cut = |shift: i64, size: usize| {
            let size = i64::try_from(size).unwrap_or(i64::MAX).max(1);
            -(-(shift % size)).rem_euclid(size)
        };
        if dims.is_empty() {
            let &[shift] = &shifts[..] else {
                return Err(OpError::Shape("rolling without dimensions takes one shift".to_owned()));
            };
            let row = Shape::new(&[input.numel()])?;
            return Ok(Padding { input: row, shape: *input, before: vec![cut(shift, row[0])], edge: Edge::Cyclic });
        }
        if dims.len() != shifts.len() {
            return Err(OpError::Shape(format!("{shifts:?} do not shift the dimensions {dims:?}")));
        }
        let mut before = vec![0; input.rank()];
        for (&dim, &shift) in dims.iter().zip(&shifts) {
            let dim = dim_of(input, dim)?;
            if let (Some(before), Some(&size)) = (before.get_mut(dim), input.get(dim)) {
                *before = (*before + cut(shift, size)) % i64::try_from(size).unwrap_or(i64::MAX).max(1);
            }
        }
        Ok(Padding { input: *input, shape: *input, before, edge: Edge::Cyclic })
    }

    /// The output's sizes, in as many dimensions as the input is seen in.
    fn sizes(&self) -> Result<Shape> {
        if self.input.rank() == self.shape.rank() { Ok(self.shape) } else { Ok(Shape::new(&[self.shape.numel()])?) }
    }
}

/// The value to pad with, zero by default, as one element.
fn fill<T: Described>(cx: &Args<'_, T>, edge: Edge, dtype: DType) -> Result<HostTensor> {
    if edge != Edge::Filled {
        return Ok(HostTensor::zeros(dtype, Shape::SCALAR));
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Arg;
    use crate::catalogue;

    fn run(name: &str, dims: &[usize], args: Vec<Arg<HostTensor>>) -> Result<Vec<i64>> {
        let numbers: Vec<i64> = (0i64..).take(dims.iter().product()).collect();
        let input = HostTensor::from_vec(numbers, dims).unwrap();
        let op = catalogue::lookup_portable(name).unwrap();
        let args = [Arg::Tensor(input)].into_iter().chain(args).collect();
        Ok(Eval::run(op, args, &[], &[DType::I64])?.outputs[0].to_i64s())
    }

    fn ints(values: &[i64]) -> Arg<HostTensor> {
        Arg::List(values.iter().map(|&value| Arg::Int(value)).collect())
    }

    /* Expected values from PyTorch:
    x = torch.arange(6).reshape(2, 3); torch.roll(x, 1); torch.roll(x, (1, -1), (0, 1))
    F.pad(torch.arange(4.).reshape(1, 1, 4), (2, 3), "reflect"), F.pad(..., (2, 1), "replicate") */
    #[test]
    fn elements_come_from_where_pytorch_takes_them() {
        assert_eq!(run("aten::roll.out", &[2, 3], vec![ints(&[1]), ints(&[])]).unwrap(), [5, 0, 1, 2, 3, 4]);
        assert_eq!(run("aten::roll.out", &[2, 3], vec![ints(&[1, -1]), ints(&[0, 1])]).unwrap(), [4, 5, 3, 1, 2, 0]);
        let mirrored = run("aten::reflection_pad1d.out", &[1, 1, 4], vec![ints(&[2, 3])]);
        assert_eq!(mirrored.unwrap(), [2, 1, 0, 1, 2, 3, 2, 1, 0]);
        let repeated = run("aten::replication_pad1d.out", &[1, 1, 4], vec![ints(&[2, 1])]);
        assert_eq!(repeated.unwrap(), [0, 0, 0, 1, 2, 3, 3]);
        let image = run("aten::replication_pad2d.out", &[1, 2, 2], vec![ints(&[1, 0, 0, 1])]);
        assert_eq!(image.unwrap(), [0, 0, 1, 2, 2, 3, 2, 2, 3]);
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        assert!(run("aten::reflection_pad1d.out", &[1, 1, 4], vec![ints(&[4, 0])]).is_err());
        assert!(run("aten::replication_pad1d.out", &[1, 1, 0], vec![ints(&[1, 0])]).is_err());
        assert!(run("aten::roll.out", &[2, 3], vec![ints(&[1, 1]), ints(&[0])]).is_err());
    }
}
