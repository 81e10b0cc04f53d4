//! A tensor cut into equal blocks, each with its own scale and zero point, and where operators name them.

use pteron_tensor::{DType, MAX_RANK, Shape};

use crate::args::{Args, Described, dim_of};
use crate::error::{OpError, Result};

/// A tensor cut into blocks that are numbered in row-major order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blocks {
    /// Sizes of the tensor.
    pub(super) shape: Shape,
    /// Sizes of a block.
    pub(super) block: Shape,
    /// Blocks in each dimension.
    pub(super) grid: Shape,
}

impl Blocks {
    /// Blocks of the given sizes, which divide the tensor's.
    pub(super) fn new(shape: &Shape, sizes: &[i64]) -> Result<Blocks> {
        let wrong = || OpError::Shape(format!("blocks of {sizes:?} do not divide {shape}"));
        if sizes.len() != shape.rank() {
            return Err(wrong());
        }
        let (mut block, mut grid) = ([0; MAX_RANK], [0; MAX_RANK]);
        for (dim, (&size, &of)) in sizes.iter().zip(shape.iter()).enumerate() {
            // An empty dimension is one empty block.
            let size = usize::try_from(size).map_err(|_| wrong())?;
            let whole = size == of;
            if !whole && (size == 0 || of % size != 0) {
                return Err(wrong());
            }
            block[dim] = size.max(1);
            grid[dim] = if whole { 1 } else { of / size };
        }
        let rank = shape.rank();
        Ok(Blocks { shape: *shape, block: Shape::new(&block[..rank])?, grid: Shape::new(&grid[..rank])? })
    }

    /// One block.
    pub(super) fn whole(shape: &Shape) -> Result<Blocks> {
        Blocks::new(shape, &sizes(shape))
    }

    /// One block for each index of a dimension.
    pub(super) fn per_channel(shape: &Shape, axis: i64) -> Result<Blocks> {
        let axis = dim_of(shape, axis)?;
        let mut sizes = sizes(shape);
        *sizes.get_mut(axis).ok_or_else(|| OpError::Shape("a scalar has no channels".to_owned()))? = 1;
        Blocks::new(shape, &sizes)
    }

    /// One block for each row along the last dimension.
    pub(super) fn per_token(shape: &Shape) -> Result<Blocks> {
        let mut sizes = vec![1; shape.rank()];
        if let (Some(size), Some(&of)) = (sizes.last_mut(), shape.last()) {
            *size = i64::try_from(of).unwrap_or(i64::MAX);
        }
        Blocks::new(shape, &sizes)
    }

    /// The number of blocks.
    pub(super) fn count(&self) -> usize {
        self.grid.numel()
    }

    /// Distance from a block to the next in each dimension.
    pub(super) fn steps(&self) -> [usize; MAX_RANK] {
        self.grid.strides()
    }

    /// The block that an element is in.
    pub(super) fn of(&self, element: usize) -> usize {
        let steps = self.steps();
        let (mut number, mut rest) = (0, element);
        for (dim, &size) in self.shape.iter().enumerate().rev() {
            number += rest % size / self.block[dim] * steps[dim];
            rest /= size;
        }
        number
    }

    /// Whether each block is a run of consecutive elements.
    pub(super) fn are_runs(&self) -> bool {
        let mut dims = self.shape.iter().zip(self.block.iter()).rev().skip_while(|(size, block)| size == block);
        dims.next();
        dims.all(|(_, &block)| block == 1)
    }
}

fn sizes(shape: &Shape) -> Vec<i64> {
    shape.iter().map(|&size| i64::try_from(size).unwrap_or(i64::MAX)).collect()
}

/// Where scales and zero points come from.
#[derive(Clone, Debug)]
pub(super) enum Source<T> {
    /// Two numbers in the program.
    Numbers {
        /// The size of a step.
        scale: f64,
        /// The integer that stands for 0.
        zero: i64,
    },
    /// One element for each block. Without zero points 0 stands for 0.
    Tensors {
        /// The sizes of steps.
        scale: T,
        /// The integers that stand for 0.
        zero: Option<T>,
    },
}

/// The affine map of a quantize or dequantize operator.
#[derive(Clone, Debug)]
pub(super) struct Affine<T> {
    /// Which elements share a scale and zero point.
    pub(super) blocks: Blocks,
    /// The scales and zero points.
    pub(super) source: Source<T>,
    /// Least and greatest integer, where the program states them.
    pub(super) limits: [Option<i64>; 2],
    /// Whether the zero point is added before rounding.
    pub(super) zero_first: bool,
}

impl<T: Described> Affine<T> {
    /// Reads the arguments that follow the tensor. `name` is the operator's.
    pub(super) fn read(cx: &Args<'_, T>, name: &str, shape: &Shape) -> Result<Affine<T>> {
        let scheme = name.rsplit_once("quantize_").map_or(name, |parts| parts.1);
        let numbers = || Ok(Source::Numbers { scale: cx.float(1)?, zero: cx.int(2)? });
        let tensors = |first: usize| Ok(Source::Tensors { scale: cx.tensor(first)?, zero: cx.opt_tensor(first + 1)? });
        let (blocks, source, limits): (_, Result<_>, usize) = match scheme {
            "per_tensor.default" => (Blocks::whole(shape)?, numbers(), 3),
            "per_tensor.tensor" => (Blocks::whole(shape)?, tensors(1), 3),
            "per_channel.default" => (Blocks::per_channel(shape, cx.int(3)?)?, tensors(1), 4),
            "per_token.default" => (Blocks::per_token(shape)?, tensors(1), 3),
            "affine.default" => (Blocks::new(shape, &cx.ints(1)?)?, tensors(2), 5),
            _ => return Err(OpError::Unsupported(format!("{name} is no affine operator"))),
        };
        let limit = |index: usize| if cx.is_null(index) { Ok(None) } else { cx.int(index).map(Some) };
        let limits = [limit(limits)?, limit(limits + 1)?];
        let mut source = source?;
        if let Source::Tensors { scale, zero } = &mut source {
            zero.take_if(|zero| zero.shape().numel() == 0 && blocks.count() > 0);
            for tensor in [Some(&*scale), zero.as_ref()].into_iter().flatten() {
                if tensor.shape().numel() != blocks.count() {
                    return Err(OpError::Shape(format!(
                        "scales or zero points of {} do not fit {} blocks of {shape}",
                        tensor.shape(),
                        blocks.count()
                    )));
                }
            }
            check_types(scale, zero.as_ref())?;
        }
        Ok(Affine { blocks, source, limits, zero_first: scheme == "per_token.default" })
    }
}

fn check_types<T: Described>(scale: &T, zero: Option<&T>) -> Result<()> {
    if !scale.dtype().is_float() {
        return Err(OpError::DType { dtype: scale.dtype(), what: "scales".to_owned() });
    }
    match zero {
        Some(zero) if !zero.dtype().is_integer() => {
            Err(OpError::DType { dtype: zero.dtype(), what: "zero points".to_owned() })
        }
        _ => Ok(()),
    }
}

/// The least and greatest integer of a quantized tensor's type.
pub(super) fn type_limits(dtype: DType) -> Result<[i64; 2]> {
    match dtype {
        DType::U8 => Ok([0, 255]),
        DType::I8 => Ok([-128, 127]),
        DType::I16 => Ok([i64::from(i16::MIN), i64::from(i16::MAX)]),
        DType::I32 => Ok([i64::from(i32::MIN), i64::from(i32::MAX)]),
        _ => Err(OpError::DType { dtype, what: "quantized values".to_owned() }),
    }
}

/// The bit that a kernel flips to read bytes of this type: the sign, where they are signed.
pub(super) fn sign_bit(dtype: DType) -> u32 {
    if dtype == DType::I8 { 128 } else { 0 }
}

/// A float that is scaled and shifted as an integer from `low` to `high`; ties go to the even one. NaN becomes 0.
#[expect(clippy::cast_possible_truncation, reason = "float casts saturate, and the value is clamped")]
pub(crate) fn to_step(value: f32, [low, high]: [i64; 2]) -> i64 {
    (value as i64).clamp(low, high) * i64::from(!value.is_nan())
}
