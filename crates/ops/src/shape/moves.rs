//! Portable operators that take each element from a place of their own: `narrow_copy`, `roll`, `tril` and the pads that
//! repeat or mirror. On the host only; the exporter delegates what it rewrites them to.

use pteron_tensor::{HostTensor, MAX_RANK, Shape};

use crate::args::dim_of;
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;

pub(crate) const OPS: &[OpDef] = &[
    OpDef::host("aten::narrow_copy.out", narrow),
    OpDef::host("aten::reflection_pad1d.out", reflect),
    OpDef::host("aten::reflection_pad2d.out", reflect),
    OpDef::host("aten::reflection_pad3d.out", reflect),
    OpDef::host("aten::replication_pad1d.out", replicate),
    OpDef::host("aten::replication_pad2d.out", replicate),
    OpDef::host("aten::replication_pad3d.out", replicate),
    OpDef::host("aten::roll.out", roll),
    OpDef::host("aten::tril.out", tril),
];

/// Fills a result of `shape`; `source` gives the input's coordinates of an element, or nothing for zero.
fn take(cx: &mut Eval<'_>, shape: Shape, source: impl Fn(&[usize]) -> Option<[usize; MAX_RANK]>) -> Result<()> {
    let input = cx.tensor(0)?;
    let (strides, size) = (input.shape().strides(), input.dtype().size());
    let mut bytes = vec![0; shape.numel() * size];
    let mut coordinates = [0; MAX_RANK];
    for (index, element) in bytes.chunks_exact_mut(size).enumerate() {
        let mut rest = index;
        for (dim, &length) in shape.iter().enumerate().rev() {
            coordinates[dim] = rest % length;
            rest /= length;
        }
        if let Some(from) = source(&coordinates[..shape.rank()]) {
            let at: usize = from.iter().zip(strides).map(|(&coordinate, stride)| coordinate * stride).sum();
            let found = input.bytes().get(at * size..(at + 1) * size);
            element.copy_from_slice(found.ok_or_else(|| OpError::Shape("a move leaves its input".to_owned()))?);
        }
    }
    cx.set(0, HostTensor::with_shape(input.dtype(), shape, bytes)?)
}

fn padded(coordinates: &[usize]) -> [usize; MAX_RANK] {
    let mut all = [0; MAX_RANK];
    all[..coordinates.len()].copy_from_slice(coordinates);
    all
}

fn narrow(cx: &mut Eval<'_>) -> Result<()> {
    let shape = *cx.tensor(0)?.shape();
    let (dim, start, length) = (dim_of(&shape, cx.int(1)?)?, cx.int(2)?, cx.int(3)?);
    let size = shape.get(dim).copied().unwrap_or(0);
    let from = if start < 0 { start.saturating_add_unsigned(size as u64) } else { start };
    let range = usize::try_from(from).ok().zip(usize::try_from(length).ok());
    let range = range.filter(|(from, length)| from.checked_add(*length).is_some_and(|end| end <= size));
    let (from, length) = range.ok_or_else(|| OpError::Shape(format!("{length} from {start} on do not fit {size}")))?;
    take(cx, shape.with(dim, length)?, |at| {
        let mut source = padded(at);
        source[dim] += from;
        Some(source)
    })
}

fn roll(cx: &mut Eval<'_>) -> Result<()> {
    let shape = *cx.tensor(0)?.shape();
    let shifts = cx.ints(1)?;
    let dims = cx.opt_ints(2)?.unwrap_or_default();
    let back = |shift: i64, size: usize| {
        let size = i64::try_from(size).unwrap_or(i64::MAX).max(1);
        usize::try_from((-(shift % size)).rem_euclid(size)).unwrap_or(0)
    };
    if dims.is_empty() {
        let &[shift] = &shifts[..] else {
            return Err(OpError::Shape("rolling without dimensions takes one shift".to_owned()));
        };
        let (numel, strides) = (shape.numel(), shape.strides());
        let by = back(shift, numel);
        return take(cx, shape, |at| {
            let flat: usize = at.iter().zip(strides).map(|(&coordinate, stride)| coordinate * stride).sum();
            let mut rest = (flat + by) % numel.max(1);
            let mut source = [0; MAX_RANK];
            for (dim, &stride) in strides[..at.len()].iter().enumerate() {
                source[dim] = rest / stride.max(1);
                rest %= stride.max(1);
            }
            Some(source)
        });
    }
    if dims.len() != shifts.len() {
        return Err(OpError::Shape(format!("{shifts:?} do not shift the dimensions {dims:?}")));
    }
    let mut by = [0; MAX_RANK];
    for (&dim, &shift) in dims.iter().zip(&shifts) {
        let dim = dim_of(&shape, dim)?;
        let size = shape.get(dim).copied().unwrap_or(1);
        by[dim] = (by[dim] + back(shift, size)) % size.max(1);
    }
    take(cx, shape, |at| {
        let mut source = padded(at);
        for (dim, &size) in shape.iter().enumerate() {
            source[dim] = (source[dim] + by[dim]) % size;
        }
        Some(source)
    })
}

fn tril(cx: &mut Eval<'_>) -> Result<()> {
    let shape = *cx.tensor(0)?.shape();
    let diagonal = cx.int_or(1, 0)?;
    let Some(row) = shape.rank().checked_sub(2) else {
        return Err(OpError::Shape(format!("{shape} has no rows and columns")));
    };
    let signed = |value: usize| i64::try_from(value).unwrap_or(i64::MAX);
    take(cx, shape, |at| (signed(at[row + 1]) <= signed(at[row]).saturating_add(diagonal)).then(|| padded(at)))
}

fn reflect(cx: &mut Eval<'_>) -> Result<()> {
    pad(cx, |at, size| {
        // Mirrored once: an amount is less than the size.
        let source = match at {
            ..0 => -at,
            at if at >= size => 2 * (size - 1) - at,
            at => at,
        };
        Some(source).filter(|source| (0..size).contains(source))
    })
}

fn replicate(cx: &mut Eval<'_>) -> Result<()> {
    pad(cx, |at, size| (size > 0).then(|| at.clamp(0, size - 1)))
}

/// Pads the last dimensions; `inside` gives the element of the input for a coordinate that may lie outside it.
fn pad(cx: &mut Eval<'_>, inside: impl Fn(i64, i64) -> Option<i64>) -> Result<()> {
    let shape = *cx.tensor(0)?.shape();
    let amounts = cx.ints(1)?;
    let wrong = || OpError::Shape(format!("{shape} cannot be padded by {amounts:?}"));
    if amounts.len() % 2 != 0 || amounts.len() / 2 > shape.rank() {
        return Err(wrong());
    }
    let signed = |value: usize| i64::try_from(value).unwrap_or(i64::MAX);
    let (mut sizes, mut before) = (*shape.first_chunk().unwrap_or(&[0; MAX_RANK]), [0; MAX_RANK]);
    sizes[..shape.rank()].copy_from_slice(&shape);
    for (from_last, pair) in amounts.chunks_exact(2).enumerate() {
        let dim = shape.rank() - 1 - from_last;
        before[dim] = pair[0];
        let size = signed(shape[dim]).checked_add(pair[0]).and_then(|size| size.checked_add(pair[1]));
        sizes[dim] = size.and_then(|size| usize::try_from(size).ok()).ok_or_else(wrong)?;
        let reaches = (0..signed(sizes[dim])).all(|at| inside(at - pair[0], signed(shape[dim])).is_some());
        if !reaches {
            return Err(wrong());
        }
    }
    take(cx, Shape::new(&sizes[..shape.rank()])?, |at| {
        let mut source = [0; MAX_RANK];
        for (dim, &coordinate) in at.iter().enumerate() {
            let from = inside(signed(coordinate) - before[dim], signed(shape[dim]))?;
            source[dim] = usize::try_from(from).ok()?;
        }
        Some(source)
    })
}

#[cfg(test)]
mod tests {
    use pteron_tensor::DType;

    use super::*;
    use crate::args::Arg;

    fn run(name: &str, dims: &[usize], args: Vec<Arg<HostTensor>>) -> Result<Vec<i64>> {
        let numbers: Vec<i64> = (0i64..).take(dims.iter().product()).collect();
        let input = HostTensor::from_vec(numbers, dims).unwrap();
        let op = OPS.iter().find(|op| op.name == name).unwrap();
        let args = [Arg::Tensor(input)].into_iter().chain(args).collect();
        Ok(Eval::run(op, args, &[], &[DType::I64])?.outputs[0].to_i64s())
    }

    fn ints(values: &[i64]) -> Arg<HostTensor> {
        Arg::List(values.iter().map(|&value| Arg::Int(value)).collect())
    }

    /* Expected values from PyTorch:
    x = torch.arange(6).reshape(2, 3); torch.roll(x, 1); torch.roll(x, (1, -1), (0, 1)); x.tril(-1), x.tril(1)
    F.pad(torch.arange(4.).reshape(1, 1, 4), (2, 3), "reflect"), F.pad(..., (2, 1), "replicate") */
    #[test]
    fn elements_move_as_in_pytorch() {
        assert_eq!(run("aten::roll.out", &[2, 3], vec![ints(&[1]), ints(&[])]).unwrap(), [5, 0, 1, 2, 3, 4]);
        assert_eq!(run("aten::roll.out", &[2, 3], vec![ints(&[1, -1]), ints(&[0, 1])]).unwrap(), [4, 5, 3, 1, 2, 0]);
        assert_eq!(run("aten::tril.out", &[2, 3], vec![Arg::Int(-1)]).unwrap(), [0, 0, 0, 3, 0, 0]);
        assert_eq!(run("aten::tril.out", &[2, 3], vec![Arg::Int(1)]).unwrap(), [0, 1, 0, 3, 4, 5]);
        let narrowed = run("aten::narrow_copy.out", &[2, 3], vec![Arg::Int(1), Arg::Int(-2), Arg::Int(2)]);
        assert_eq!(narrowed.unwrap(), [1, 2, 4, 5]);
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
        assert!(run("aten::narrow_copy.out", &[2, 3], vec![Arg::Int(1), Arg::Int(2), Arg::Int(2)]).is_err());
        assert!(run("aten::roll.out", &[2, 3], vec![ints(&[1, 1]), ints(&[0])]).is_err());
        assert!(run("aten::tril.out", &[3], vec![]).is_err());
    }
}
