//! Portable operators that take each element from a place of their own: `narrow_copy` and `tril`. On the host only; the
//! exporter delegates what it rewrites them to.

use pteron_tensor::{HostTensor, MAX_RANK, Shape};

use crate::args::dim_of;
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;

pub(crate) const OPS: &[OpDef] = &[OpDef::host("aten::narrow_copy.out", narrow), OpDef::host("aten::tril.out", tril)];

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

fn tril(cx: &mut Eval<'_>) -> Result<()> {
    let shape = *cx.tensor(0)?.shape();
    let diagonal = cx.int_or(1, 0)?;
    let Some(row) = shape.rank().checked_sub(2) else {
        return Err(OpError::Shape(format!("{shape} has no rows and columns")));
    };
    let signed = |value: usize| i64::try_from(value).unwrap_or(i64::MAX);
    take(cx, shape, |at| (signed(at[row + 1]) <= signed(at[row]).saturating_add(diagonal)).then(|| padded(at)))
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

    /* Expected values from PyTorch:
    x = torch.arange(6).reshape(2, 3); x.tril(-1), x.tril(1), x.narrow(1, -2, 2) */
    #[test]
    fn elements_move_as_in_pytorch() {
        assert_eq!(run("aten::tril.out", &[2, 3], vec![Arg::Int(-1)]).unwrap(), [0, 0, 0, 3, 0, 0]);
        assert_eq!(run("aten::tril.out", &[2, 3], vec![Arg::Int(1)]).unwrap(), [0, 1, 0, 3, 4, 5]);
        let narrowed = run("aten::narrow_copy.out", &[2, 3], vec![Arg::Int(1), Arg::Int(-2), Arg::Int(2)]);
        assert_eq!(narrowed.unwrap(), [1, 2, 4, 5]);
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        assert!(run("aten::narrow_copy.out", &[2, 3], vec![Arg::Int(1), Arg::Int(2), Arg::Int(2)]).is_err());
        assert!(run("aten::tril.out", &[3], vec![]).is_err());
    }
}
