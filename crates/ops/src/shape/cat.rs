//! `aten.cat` and `aten.stack`: tensors one after the other along a dimension, old or new, in a type that all of them become.

use pteron_tensor::{HostTensor, Shape};

use super::unsqueeze_copy::inserted;
use crate::args::{Args, Described, dim_of};
use crate::catalogue::OpDef;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::cat;
use crate::plan::{PlanContext, Tensor, is_byte, word};
use crate::pointwise::copy;
use crate::pointwise::number::Operand;

pub(crate) const OPS: &[OpDef] = &[
    OpDef::tensor("aten.cat.default", plan, reference).portable("aten::cat.out"),
    OpDef::tensor("aten.stack.default", plan, reference).portable("aten::stack.out"),
];

/// Tensors that one launch joins.
const PARTS: usize = 4;

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let Joined { shape, dim, parts } = Joined::new(cx.name(), cx)?;
    let output = cx.output(shape)?;
    if output.numel() == 0 {
        return Ok(());
    }
    let inner: usize = shape[dim + 1..].iter().product();
    let outer: usize = shape[..dim].iter().product();
    let mut begin = 0;
    let mut copied = Vec::with_capacity(parts.len());
    for (part, length) in parts {
        let part = Operand::Tensor(part).place(cx, output.dtype)?;
        // Only whole rows are repeated, and there is one.
        let placed = outer == 1 && cx.repeats(part, (begin * inner * output.dtype.size()) as u64);
        if !placed {
            copied.push(Part { tensor: part, begin, end: begin + length });
        }
        begin += length;
    }
    let mut rest = &copied[..];
    while !rest.is_empty() {
        let neighbours = rest.windows(2).take(PARTS - 1).take_while(|pair| pair[0].end == pair[1].begin);
        let (group, later) = rest.split_at(neighbours.count() + 1);
        rest = later;
        let (begin, end) = (group[0].begin, group[group.len() - 1].end);
        // Slots without a tensor end where they begin, so what they bind is never read.
        let slot = |i: usize| group.get(i).unwrap_or(&group[0]).tensor;
        let ends: [usize; PARTS] = std::array::from_fn(|i| group.get(i).map_or(end, |part| part.end));
        let whole_words = is_byte(output.dtype);
        let count = if whole_words { output.numel() } else { outer * (end - begin) * inner };
        let params = cat::Params {
            ends: ends.map(|end| word(end * inner)),
            begin: word(begin * inner),
            row: word(shape[dim] * inner),
            count: word(count),
        };
        let variant = cat::Variant { t: output.dtype.try_into()? };
        let bind = cat::Bind { first: slot(0), second: slot(1), third: slot(2), fourth: slot(3), output, params };
        cx.dispatch(bind, variant)
            .traffic(2 * (outer * (end - begin) * inner * output.dtype.size()) as u64)
            .threads(if whole_words { count.div_ceil(4) } else { count })?;
    }
    Ok(())
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let Joined { shape, dim, mut parts } = Joined::<HostTensor>::new(cx.name(), cx)?;
    let dtype = cx.output_type(0)?;
    for (part, _) in parts.iter_mut().filter(|(part, _)| part.dtype() != dtype) {
        *part = copy::convert(part, dtype);
    }
    // There may be any number of rows without elements.
    let outer = if parts.is_empty() { 0 } else { shape[..dim].iter().product() };
    let inner = shape[dim + 1..].iter().product::<usize>() * dtype.size();
    let mut bytes = Vec::with_capacity(shape.numel() * dtype.size());
    for row in 0..outer {
        for (part, length) in &parts {
            let bytes_of_row = length * inner;
            bytes.extend_from_slice(&part.bytes()[row * bytes_of_row..(row + 1) * bytes_of_row]);
        }
    }
    cx.set(0, HostTensor::with_shape(dtype, shape, bytes)?)
}

/// A tensor that is copied, and where it lies along the dimension.
struct Part {
    tensor: Tensor,
    begin: usize,
    end: usize,
}

/// Tensors that fit together.
struct Joined<T> {
    /// The result's shape.
    shape: Shape,
    /// The dimension that they are joined along.
    dim: usize,
    /// The tensors that have elements, each with its size there.
    parts: Vec<(T, usize)>,
}

impl<T: Described> Joined<T> {
    fn new(name: &str, cx: &Args<'_, T>) -> Result<Joined<T>> {
        let dim = cx.int_or(1, 0)?;
        let tensors = cx.tensors(0)?;
        let mut shaped = Vec::with_capacity(tensors.len());
        for tensor in tensors {
            let shape = if name == "aten.stack.default" { inserted(tensor.shape(), dim)? } else { *tensor.shape() };
            shaped.push((tensor, shape));
        }
        // PyTorch joins an empty vector with anything.
        if shaped.iter().any(|(_, shape)| shape.dims() != [0]) {
            shaped.retain(|(_, shape)| shape.dims() != [0]);
        }
        let Some(&(_, first)) = shaped.first() else {
            return Err(OpError::Shape("there are no tensors to join".to_owned()));
        };
        if first.rank() == 0 {
            return Err(OpError::Shape("tensors of rank 0 cannot be joined".to_owned()));
        }
        let dim = dim_of(&first, dim)?;
        let mut length = 0usize;
        for (_, shape) in &shaped {
            if shape.rank() != first.rank() || shape.with(dim, first[dim])? != first {
                return Err(OpError::Shape(format!("{shape} cannot be joined to {first} along dimension {dim}")));
            }
            length = length.saturating_add(shape[dim]);
        }
        let parts = shaped.into_iter().filter(|(_, shape)| shape.numel() > 0);
        let parts = parts.map(|(tensor, shape)| (tensor, shape[dim])).collect();
        Ok(Joined { shape: first.with(dim, length)?, dim, parts })
    }
}
