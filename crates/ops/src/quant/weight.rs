//! Linear layers whose weight is quantized and whose input is not: the sizes, the two kernels and the reference.

use std::borrow::Cow;

use half::f16;
use pteron_tensor::{DType, HostTensor, Shape};

use super::windows::window_rows;
use crate::args::Described;
use crate::clock::Clock;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::{quantized_matvec, quantized_tiled};
use crate::plan::{PlanContext, Tensor, word};

/// Up to this many rows, lanes that share a column beat a tile that is mostly empty; `quantized_matvec` takes no more.
const FEW_ROWS: usize = 4;

/// Products from which the reference uses every core.
const MANY_PRODUCTS: usize = 1 << 21;

/// How a weight is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    /// Two codes to a byte, `nibble − 8`; an even column is the low nibble.
    LowNibbleFirst,
    /// Two codes to a byte, `nibble − 8`; an even column is the high nibble.
    HighNibbleFirst,
    /// Signed bytes.
    Byte,
}

impl Code {
    /// The kernels' name for it.
    fn axis(self) -> quantized_matvec::Code {
        if self == Code::Byte { quantized_matvec::Code::Byte } else { quantized_matvec::Code::Nibble }
    }

    fn per_byte(self) -> usize {
        if self == Code::Byte { 1 } else { 2 }
    }

    fn dtype(self) -> DType {
        if self == Code::Byte { DType::I8 } else { DType::U8 }
    }

    /// The codes of the first columns of a row.
    fn unpack(self, row: &[u8], into: &mut [f32]) {
        let shifts = match self {
            Code::LowNibbleFirst => [0, 4],
            Code::HighNibbleFirst => [4, 0],
            Code::Byte => {
                into.iter_mut().zip(row).for_each(|(code, &byte)| *code = f32::from(byte.cast_signed()));
                return;
            }
        };
        let nibble = |byte: u8, shift: u8| f32::from(byte >> shift & 15) - 8.0;
        let (pairs, last) = into.as_chunks_mut();
        pairs.iter_mut().zip(row).for_each(|(pair, &byte)| *pair = shifts.map(|shift| nibble(byte, shift)));
        if let ([code], Some(&byte)) = (last, row.get(pairs.len())) {
            *code = nibble(byte, shifts[0]);
        }
    }
}

/// A quantized weight: `columns` rows of `depth` codes, and one scale for each group of codes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weight {
    /// How codes are stored.
    pub(crate) code: Code,
    /// Outputs of the layer.
    pub(crate) columns: usize,
    /// Inputs of the layer: the codes of a row that count. Rows may be longer.
    pub(crate) depth: usize,
    /// Bytes of a row.
    pub(crate) row_bytes: usize,
    /// Codes that share a scale.
    pub(crate) group_size: usize,
    /// Distance from one group's scales to the next's: at least `columns`.
    pub(crate) scale_stride: usize,
}

impl Weight {
    /// Checks a weight `[columns, bytes]` against its scales: `[groups, columns]` where there is a group size, otherwise
    /// one per column. The exporter pads rows, and the columns of the scales.
    pub(crate) fn new<T: Described>(
        code: Code,
        weight: &T,
        scales: &T,
        group_size: Option<i64>,
        depth: usize,
    ) -> Result<Weight> {
        let (shape, scale_shape) = (weight.shape(), scales.shape());
        let wrong =
            || OpError::Shape(format!("a weight of {shape} with scales of {scale_shape} does not fit {depth} columns"));
        if weight.dtype() != code.dtype() {
            return Err(OpError::DType { dtype: weight.dtype(), what: "a quantized weight".to_owned() });
        }
        let &[columns, row_bytes] = &**shape else { return Err(wrong()) };
        let (groups, scale_stride, group_size) = match (group_size, &**scale_shape) {
            (None, &[scales]) => (1, scales, depth.max(1)),
            (Some(size), &[groups, scales]) => (groups, scales, usize::try_from(size).map_err(|_| wrong())?),
            _ => return Err(wrong()),
        };
        let covers = group_size > 0 && groups.saturating_mul(group_size) >= depth;
        if !covers || scale_stride < columns || row_bytes.saturating_mul(code.per_byte()) < depth {
            return Err(wrong());
        }
        Ok(Weight { code, columns, depth, row_bytes, group_size, scale_stride })
    }

    /// Whether rows of 4-bit codes are whole 16-byte words, each with one scale.
    pub(crate) fn has_whole_words(&self) -> bool {
        let (depth, group) = (self.depth, self.group_size);
        depth > 0 && depth.is_multiple_of(32) && self.row_bytes * 2 == depth && group.is_multiple_of(32)
    }

    /// How kernels may read it: as words or vectors only where neither rows nor groups cut one.
    fn load(&self) -> quantized_matvec::Load {
        let whole = self.row_bytes.is_multiple_of(16) && self.row_bytes * self.code.per_byte() == self.depth;
        match (self.group_size.is_multiple_of(4) || self.group_size >= self.depth, self.row_bytes.is_multiple_of(4)) {
            (true, true) if whole => quantized_matvec::Load::Vector,
            (true, true) => quantized_matvec::Load::Word,
            _ => quantized_matvec::Load::Any,
        }
    }

    /// A row of codes times their scales.
    pub(crate) fn dequantize(&self, weight: &[u8], scales: &[f32], row: usize, into: &mut [f32]) {
        self.code.unpack(&weight[row * self.row_bytes..][..self.row_bytes], into);
        for (group, values) in into.chunks_mut(self.group_size).enumerate() {
            let scale = scales[group * self.scale_stride + row];
            values.iter_mut().for_each(|value| *value *= scale);
        }
    }
}

/// The tensors of a layer and its sizes, checked against each other.
#[derive(Debug)]
pub(crate) struct Layer<T> {
    pub(crate) input: T,
    pub(crate) weight: T,
    pub(crate) scales: T,
    pub(crate) bias: Option<T>,
    pub(crate) sizes: Weight,
    pub(crate) rows: usize,
    pub(crate) output: Shape,
}

impl<T: Described> Layer<T> {
    pub(crate) fn new(
        code: Code,
        input: T,
        [weight, scales]: [T; 2],
        group_size: Option<i64>,
        bias: Option<T>,
    ) -> Result<Layer<T>> {
        let shape = *input.shape();
        let Some((&depth, outer)) = shape.split_last() else {
            return Err(OpError::Shape("the input of a linear layer has no dimension".to_owned()));
        };
        let sizes = Weight::new(code, &weight, &scales, group_size, depth)?;
        if let Some(bias) = &bias
            && !matches!(**bias.shape(), [length] if length >= sizes.columns)
        {
            return Err(OpError::Shape(format!("a bias of {} does not fit {} columns", bias.shape(), sizes.columns)));
        }
        for (tensor, what) in [(Some(&input), "input"), (Some(&scales), "scales"), (bias.as_ref(), "bias")] {
            if let Some(tensor) = tensor
                && (!tensor.dtype().is_float() || tensor.dtype() != input.dtype())
            {
                return Err(OpError::DType { dtype: tensor.dtype(), what: format!("the {what} of a linear layer") });
            }
        }
        let (rows, output) = (outer.iter().product(), shape.with(shape.rank() - 1, sizes.columns)?);
        Ok(Layer { input, weight, scales, bias, sizes, rows, output })
    }
}

impl Layer<Tensor> {
    /// Dispatches the layer into `output`: a kernel for few rows or one for many, once for each window of columns that
    /// fits a binding.
    pub(crate) fn dispatch(self, cx: &mut PlanContext<'_>, output: Tensor) -> Result<()> {
        let Layer { input, weight, scales, bias, sizes, rows, .. } = self;
        let has_bias = bias.is_some();
        // A kernel without bias never reads the binding; any buffer of the type will do.
        let bias = bias.unwrap_or(scales);
        if rows == 0 || sizes.columns == 0 {
            return Ok(());
        }
        let window = window_rows(sizes.columns, &[&weight], cx.caps())?;
        for first_column in (0..sizes.columns).step_by(window) {
            let columns = window.min(sizes.columns - first_column);
            let row_bytes = sizes.row_bytes as u64;
            let weight = weight.window(first_column as u64 * row_bytes, columns as u64 * row_bytes);
            let low_first = sizes.code == Code::LowNibbleFirst;
            if rows <= FEW_ROWS {
                let params = quantized_matvec::Params {
                    rows: word(rows),
                    columns: word(sizes.columns),
                    depth: word(sizes.depth),
                    row_bytes: word(sizes.row_bytes),
                    group_size: word(sizes.group_size),
                    scale_stride: word(sizes.scale_stride),
                    first_column: word(first_column),
                    window_columns: word(columns),
                };
                let variant = quantized_matvec::Variant {
                    t: output.dtype.try_into()?,
                    bias: has_bias,
                    code: sizes.code.axis(),
                    load: sizes.load(),
                };
                let overrides = quantized_matvec::Overrides { low_first, ..Default::default() };
                cx.dispatch(quantized_matvec::Bind { input, weight, scales, bias, output, params }, variant)
                    .overrides(overrides)
                    .rows(columns.div_ceil(4))?;
                continue;
            }
            let params = quantized_tiled::Params {
                rows: word(rows),
                columns: word(sizes.columns),
                depth: word(sizes.depth),
                row_bytes: word(sizes.row_bytes),
                group_size: word(sizes.group_size),
                scale_stride: word(sizes.scale_stride),
                first_column: word(first_column),
                window_columns: word(columns),
            };
            let tiles = |size: usize| (size as u64).div_ceil(64);
            let variant = quantized_tiled::Variant {
                t: output.dtype.try_into()?,
                bias: has_bias,
                code: sizes.code.axis(),
                load: match sizes.load() {
                    quantized_matvec::Load::Any => quantized_tiled::Load::Any,
                    quantized_matvec::Load::Word | quantized_matvec::Load::Vector => quantized_tiled::Load::Word,
                },
            };
            let overrides = quantized_tiled::Overrides { low_first };
            cx.dispatch(quantized_tiled::Bind { input, weight, scales, bias, output, params }, variant)
                .overrides(overrides)
                .groups([tiles(columns), tiles(rows), 1])?;
        }
        Ok(())
    }
}

impl Layer<HostTensor> {
    /// The layer in plain Rust on inputs that take the place of `self.input`, row after row.
    pub(crate) fn evaluate(&self, cx: &mut Eval<'_>, input: &[f32]) -> Result<()> {
        let result = HostTensor::from_f64s(cx.output_type(0)?, self.output, self.products(input, cx.clock())?)?;
        cx.set(0, result)
    }

    /// The elements of the output for these inputs, row after row. A weight's row is dequantized once for all of them;
    /// sums are in `f64`.
    pub(crate) fn products(&self, input: &[f32], clock: &Clock) -> Result<Vec<f64>> {
        let (rows, columns, depth) = (self.rows, self.sizes.columns, self.sizes.depth);
        let (weight, scales) = (self.weight.bytes(), floats(&self.scales));
        let bias = self.bias.as_ref().map(floats);
        let by_column = |range: std::ops::Range<usize>| {
            let mut values = Vec::with_capacity(range.len() * rows);
            let mut dequantized = vec![0.0; depth];
            for column in range {
                self.sizes.dequantize(weight, &scales, column, &mut dequantized);
                let start = bias.as_ref().map_or(0.0, |bias| f64::from(bias[column]));
                for row in 0..rows {
                    clock.count(depth)?;
                    values.push(start + dot(&input[row * depth..][..depth], &dequantized));
                }
            }
            Ok(values)
        };
        let parts = if rows * columns * depth < MANY_PRODUCTS { 1 } else { cores() };
        let values = in_parts(columns, parts, by_column)?;
        Ok((0..rows).flat_map(|row| values.iter().skip(row).step_by(rows.max(1)).copied()).collect())
    }
}

/// The elements as `f32`, without a copy where they are.
pub(crate) fn floats(tensor: &HostTensor) -> Cow<'_, [f32]> {
    if let Ok(values) = tensor.as_slice::<f32>() {
        return Cow::Borrowed(values);
    }
    if let Ok(values) = tensor.as_slice::<f16>() {
        return Cow::Owned(values.iter().map(|value| value.to_f32()).collect());
    }
    #[expect(clippy::cast_possible_truncation, reason = "kernels compute in f32")]
    Cow::Owned(tensor.to_f64s().into_iter().map(|value| value as f32).collect())
}

/// Σ a·b in `f64`, eight sums side by side.
fn dot(a: &[f32], b: &[f32]) -> f64 {
    const LANES: usize = 8;
    let mut sums = [0.0; LANES];
    let (a_chunks, b_chunks) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest = a_chunks.remainder().iter().zip(b_chunks.remainder());
    let tail: f64 = rest.map(|(&a, &b)| f64::from(a) * f64::from(b)).sum();
    for (a, b) in a_chunks.zip(b_chunks) {
        for i in 0..LANES {
            sums[i] += f64::from(a[i]) * f64::from(b[i]);
        }
    }
    sums.iter().sum::<f64>() + tail
}

fn cores() -> usize {
    if cfg!(target_arch = "wasm32") { 1 } else { std::thread::available_parallelism().map_or(1, usize::from) }
}

/// `work` on consecutive ranges of `0..count`, each on a thread of its own, joined in order.
fn in_parts<T: Send>(
    count: usize,
    parts: usize,
    work: impl Fn(std::ops::Range<usize>) -> Result<Vec<T>> + Sync,
) -> Result<Vec<T>> {
    if parts <= 1 {
        return work(0..count);
    }
    let size = count.div_ceil(parts).max(1);
    std::thread::scope(|scope| {
        let ranges = (0..count).step_by(size).map(|start| start..count.min(start + size));
        let threads: Vec<_> = ranges.map(|range| scope.spawn(|| work(range))).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, Result<Vec<T>>>| match thread.join() {
            Ok(values) => values,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        let parts = threads.into_iter().map(join).collect::<Result<Vec<_>>>()?;
        Ok(parts.into_iter().flatten().collect())
    })
}
