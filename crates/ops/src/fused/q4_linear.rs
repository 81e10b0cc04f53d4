//! `pteron.q4_linear`: linear layers with 4-bit weights that share an input, with norm and rounding before and the sum or
//! gating after them.
//!
//! [`Q4Linear`](super::arguments::Q4Linear) declares its arguments.

use pteron_tensor::{DType, HostTensor, Shape};

use super::arguments::{Q4Linear, Q4LinearPositions};
use super::q4_row::ActivationForm;
use super::{q4_block, q4_few, q4_matrix, q4_row};
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::clock::Clock;
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::linear_finish;
use crate::norm::rms_norm;
use crate::plan::{PlanContext, Tensor, word};
use crate::quant::dynamic_rows;
use crate::quant::rounding::Rounding;
use crate::quant::weight::{Code, Layer};

pub(crate) const OPS: &[OpDef] = &[OpDef::fused(Q4Linear::NAME, plan, reference).accuracy(Accuracy::Accumulated)];

const AT: Q4LinearPositions = Q4LinearPositions::AT;

/// What follows the products.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Epilogue<T> {
    Plain,
    /// A tensor is added.
    Add(T),
    /// The weight has a gate for each output and, after all of those, its factor.
    Swiglu,
}

impl<T> Epilogue<T> {
    /// The kernels' name for it.
    pub(super) fn axis(&self) -> linear_finish::Epilogue {
        match self {
            Epilogue::Plain => linear_finish::Epilogue::Plain,
            Epilogue::Add(_) => linear_finish::Epilogue::Add,
            Epilogue::Swiglu => linear_finish::Epilogue::Swiglu,
        }
    }
}

/// The tensors and sizes of the operator.
pub(super) struct Linear<T> {
    pub(super) layer: Layer<T>,
    /// Weight and epsilon of the norm.
    pub(super) norm: Option<(T, f64)>,
    /// What becomes of the rows of the input, or of its norm.
    pub(super) rounding: Rounding,
    /// Whether scales have no more than eight bits.
    pub(super) short_scales: bool,
    pub(super) epilogue: Epilogue<T>,
    /// Columns of each output.
    pub(super) widths: Vec<usize>,
}

/// The outputs as kernels bind them: three, of which the last may be unused memory.
#[derive(Clone, Copy)]
pub(super) struct Outputs {
    pub(super) tensors: [Tensor; 3],
    /// First columns of the second and the third; the number of columns where there is none.
    pub(super) second: usize,
    pub(super) third: usize,
    /// Columns of all together.
    pub(super) columns: usize,
}

impl Outputs {
    /// Memory for the products of parts of the depth: as the one output of the launch that leaves them there, and as what
    /// [`finish`] adds up. The other outputs are bound and not written.
    pub(super) fn in_parts(
        cx: &mut PlanContext<'_>,
        parts: usize,
        rows: usize,
        columns: usize,
        finished: &Outputs,
    ) -> Result<(Outputs, Products)> {
        let tensor = cx.scratch(DType::F32, Shape::new(&[parts, rows, columns])?)?;
        let [_, second, third] = finished.tensors;
        let whole = Outputs { tensors: [tensor, second, third], second: columns, third: columns, columns };
        Ok((whole, Products { tensor, parts, rows, stride: columns }))
    }
}

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let linear = read(cx)?;
    let mut tensors = Vec::with_capacity(linear.widths.len());
    for (index, &width) in linear.widths.iter().enumerate() {
        tensors.push(cx.output_at(index, linear.shape(width)?)?);
    }
    let outputs = outputs(cx, &linear, tensors)?;
    dispatch(cx, linear, outputs)
}

/// Dispatches one layer into `output`, by the kernels for fused ones where they take it.
pub(crate) fn dispatch_layer(cx: &mut PlanContext<'_>, layer: Layer<Tensor>, output: Tensor) -> Result<()> {
    if layer.bias.is_some() || output.dtype != layer.input.dtype || layer.sizes.columns == 0 {
        return layer.dispatch(cx, output);
    }
    let widths = vec![layer.sizes.columns];
    let linear = Linear::new(layer, None, Epilogue::Plain, widths)?;
    let outputs = outputs(cx, &linear, vec![output])?;
    dispatch(cx, linear, outputs)
}

/// Dispatches the layers.
pub(super) fn dispatch(cx: &mut PlanContext<'_>, linear: Linear<Tensor>, outputs: Outputs) -> Result<()> {
    if linear.layer.rows == 0 {
        return Ok(());
    }
    if q4_row::fits(&linear, cx.caps()) {
        return q4_row::plan(cx, linear, outputs, ActivationForm::Floats);
    }
    let Linear { mut layer, norm, rounding, short_scales, epilogue, .. } = linear;
    if q4_few::fits(&layer, cx.caps()) {
        return q4_few::plan(cx, layer, norm, rounding, epilogue, outputs);
    }
    if q4_matrix::fits(&layer, &outputs, cx.caps()) {
        return q4_matrix::plan(cx, layer, norm, rounding, short_scales, epilogue, outputs);
    }
    if let Some((weight, epsilon)) = norm {
        let normalized = cx.scratch(layer.input.dtype, layer.input.shape)?;
        rms_norm::dispatch(cx, layer.input, weight, epsilon, normalized)?;
        layer.input = normalized;
    }
    if !rounding.is_none() {
        let rounded = cx.scratch(layer.input.dtype, layer.input.shape)?;
        dynamic_rows::dispatch(cx, layer.input, layer.rows, layer.sizes.depth, rounding, rounded)?;
        layer.input = rounded;
    }
    let is_whole = matches!(epilogue, Epilogue::Plain) && outputs.second == outputs.columns;
    if let Some(blocks) = q4_block::Blocks::new(&layer, cx.caps()) {
        if is_whole && blocks.parts == 1 && outputs.tensors[0].dtype == DType::F32 {
            return q4_block::plan(cx, layer, blocks, &outputs);
        }
        let (whole, products) = Outputs::in_parts(cx, blocks.parts, layer.rows, layer.sizes.columns, &outputs)?;
        q4_block::plan(cx, layer, blocks, &whole)?;
        return finish(cx, products, epilogue, outputs);
    }
    if is_whole {
        return layer.dispatch(cx, outputs.tensors[0]);
    }
    let (rows, stride) = (layer.rows, layer.sizes.columns);
    let products = cx.scratch(layer.input.dtype, layer.output)?;
    layer.dispatch(cx, products)?;
    finish(cx, Products { tensor: products, parts: 1, rows, stride }, epilogue, outputs)
}

/// Products of layers that are not finished: the sum of `parts` matrices.
pub(super) struct Products {
    pub(super) tensor: Tensor,
    pub(super) parts: usize,
    pub(super) rows: usize,
    pub(super) stride: usize,
}

/// Dispatches what follows the products.
pub(super) fn finish(
    cx: &mut PlanContext<'_>,
    products: Products,
    epilogue: Epilogue<Tensor>,
    outputs: Outputs,
) -> Result<()> {
    let Products { tensor: products, parts, rows, stride } = products;
    let wide = [outputs.columns, stride, outputs.second, outputs.third].iter().all(|columns| columns.is_multiple_of(4));
    let cells = |columns: usize| if wide { columns / 4 } else { columns };
    let params = linear_finish::Params { rows: word(rows) };
    let overrides = linear_finish::Overrides {
        columns: word(cells(outputs.columns)),
        stride: word(cells(stride)),
        parts: word(parts),
        second: word(cells(outputs.second)),
        third: word(cells(outputs.third)),
        ..Default::default()
    };
    let [output, output1, output2] = outputs.tensors;
    let variant = linear_finish::Variant {
        t: output.dtype.try_into()?,
        p: products.dtype.try_into()?,
        epilogue: epilogue.axis(),
        wide,
    };
    // A kernel that adds nothing never reads the binding; any buffer of the type will do.
    let addend = match epilogue {
        Epilogue::Add(addend) => addend,
        _ if products.dtype == output.dtype => products,
        _ => cx.scratch(output.dtype, Shape::new(&[4])?)?,
    };
    cx.dispatch(linear_finish::Bind { products, addend, output, output1, output2, params }, variant)
        .overrides(overrides)
        .threads(rows * cells(outputs.columns))
}

/// The outputs as kernels bind them.
pub(super) fn outputs(cx: &mut PlanContext<'_>, linear: &Linear<Tensor>, mut tensors: Vec<Tensor>) -> Result<Outputs> {
    let dtype = linear.layer.input.dtype;
    if let Some(tensor) = tensors.iter().find(|tensor| tensor.dtype != dtype) {
        return Err(OpError::DType { dtype: tensor.dtype, what: format!("an output of linear layers over {dtype}") });
    }
    while tensors.len() < 3 {
        tensors.push(cx.scratch(dtype, Shape::new(&[4])?)?);
    }
    let columns: usize = linear.widths.iter().sum();
    let second = linear.widths.first().copied().unwrap_or(columns);
    let third = second + linear.widths.get(1).copied().unwrap_or(columns - second);
    Ok(Outputs { tensors: [tensors[0], tensors[1], tensors[2]], second, third, columns })
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let linear = read(cx)?;
    let products = evaluate(&linear, cx.clock())?;
    let columns: usize = linear.widths.iter().sum();
    let mut start = 0;
    for (index, &width) in linear.widths.iter().enumerate() {
        let part = products.chunks(columns.max(1)).flat_map(|row| row[start..start + width].iter().copied());
        cx.set(index, HostTensor::from_f64s(cx.output_type(index)?, linear.shape(width)?, part)?)?;
        start += width;
    }
    Ok(())
}

/// The outputs side by side, row after row, in plain Rust.
pub(super) fn evaluate(linear: &Linear<HostTensor>, clock: &Clock) -> Result<Vec<f64>> {
    let Linear { layer, norm, rounding, epilogue, widths, .. } = linear;
    let input = match norm {
        Some((weight, epsilon)) => rms_norm::normalized(&layer.input, weight, *epsilon)?,
        None => layer.input.to_f64s(),
    };
    #[expect(clippy::cast_possible_truncation, reason = "layers take f32")]
    let mut input: Vec<f32> = input.into_iter().map(|value| value as f32).collect();
    input.chunks_mut(layer.sizes.depth.max(1)).for_each(|row| rounding.round(row));
    let mut products = layer.products(&input, clock)?;
    let columns: usize = widths.iter().sum();
    match epilogue {
        Epilogue::Plain => {}
        Epilogue::Add(addend) => products.iter_mut().zip(addend.to_f64s()).for_each(|(sum, addend)| *sum += addend),
        Epilogue::Swiglu => {
            let gated = |row: &[f64]| {
                let (gates, factors) = row.split_at(columns);
                let gate = |(gate, factor): (&f64, &f64)| gate / (1.0 + (-gate).exp()) * factor;
                gates.iter().zip(factors).map(gate).collect::<Vec<_>>()
            };
            products = products.chunks(layer.sizes.columns.max(1)).flat_map(gated).collect();
        }
    }
    Ok(products)
}

/// The weight and epsilon of the norm of an input, at these positions.
pub(super) fn norm<T: Described>(
    cx: &Args<'_, T>,
    input: &T,
    weight: usize,
    epsilon: usize,
) -> Result<Option<(T, f64)>> {
    let dtype = input.dtype();
    match cx.opt_tensor(weight)? {
        Some(weight) if **weight.shape() == [input.shape().last().copied().unwrap_or(0)] && weight.dtype() == dtype => {
            Ok(Some((weight, rms_norm::epsilon(cx.opt_float(epsilon)?, dtype))))
        }
        Some(weight) => {
            let (shape, input) = (weight.shape(), input.shape());
            Err(OpError::Shape(format!("a norm of {}{shape} does not fit {dtype}{input}", weight.dtype())))
        }
        None => Ok(None),
    }
}

fn read<T: Described + Clone>(cx: &Args<'_, T>) -> Result<Linear<T>> {
    let input = cx.tensor(AT.input)?;
    let norm = norm(cx, &input, AT.norm, AT.epsilon)?;
    let codes = [cx.tensor(AT.weight)?, cx.tensor(AT.scales)?];
    let layer = Layer::new(Code::LowNibbleFirst, input, codes, Some(cx.int(AT.group_size)?), None)?;
    let widths = cx.ints(AT.widths)?.into_iter().map(usize::try_from).collect::<Result<Vec<_>, _>>();
    let widths = widths.map_err(|_| OpError::Shape("an output has a negative width".to_owned()))?;
    let epilogue = match (cx.bool(AT.gated)?, cx.opt_tensor(AT.addend)?) {
        (false, None) => Epilogue::Plain,
        (true, None) => Epilogue::Swiglu,
        (false, Some(addend)) => Epilogue::Add(addend),
        (true, Some(_)) => return Err(OpError::Unsupported("layers both gated and added to".to_owned())),
    };
    let linear = Linear::new(layer, norm, epilogue, widths)?;
    let (rounding, short_scales) = (cx.str(AT.rounding)?.parse()?, cx.bool(AT.short_scales)?);
    Ok(Linear { rounding, short_scales, ..linear })
}

impl<T: Described> Linear<T> {
    /// Checks what belongs to the layers against them.
    pub(super) fn new(
        layer: Layer<T>,
        norm: Option<(T, f64)>,
        epilogue: Epilogue<T>,
        widths: Vec<usize>,
    ) -> Result<Linear<T>> {
        let dtype = layer.input.dtype();
        let columns = widths.iter().fold(0usize, |sum, &width| sum.saturating_add(width));
        let wanted = if matches!(epilogue, Epilogue::Swiglu) { columns.saturating_mul(2) } else { columns };
        let single = matches!(epilogue, Epilogue::Plain) || widths.len() == 1;
        if wanted != layer.sizes.columns || widths.is_empty() || widths.len() > 3 || !single {
            return Err(OpError::Shape(format!("outputs of {widths:?} columns do not fit {}", layer.sizes.columns)));
        }
        if let Epilogue::Add(addend) = &epilogue
            && (addend.shape().numel() != layer.rows * columns || addend.dtype() != dtype)
        {
            let (dtype, shape) = (addend.dtype(), addend.shape());
            return Err(OpError::Shape(format!("{dtype}{shape} cannot be added to {} rows of {columns}", layer.rows)));
        }
        Ok(Linear { layer, norm, rounding: Rounding::None, short_scales: false, epilogue, widths })
    }

    /// The shape of an output with this many columns.
    pub(super) fn shape(&self, width: usize) -> Result<Shape> {
        if let Epilogue::Add(addend) = &self.epilogue {
            return Ok(*addend.shape());
        }
        Ok(self.layer.output.with(self.layer.output.rank() - 1, width)?)
    }
}

/// Whether a layer of this weight is worth fusing: its rows are whole words of codes with one scale each, as the kernels
/// for one row and for matrix units take them.
pub fn is_regular(weight: &Shape, group_size: i64, dtype: DType) -> bool {
    matches!(**weight, [columns, bytes] if columns > 0 && columns % 8 == 0 && bytes > 0 && bytes % 16 == 0)
        && group_size > 0
        && group_size % 32 == 0
        && dtype.is_float()
}
