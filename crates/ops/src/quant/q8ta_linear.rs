//! Linear layers from 8-bit integers with one scale for the input and one per output: `et_vk.q8ta_linear` and
//! `q8ta_linear_gemv` to 8-bit integers, `et_vk.linear_q8ta_q8csw` to floats.
//!
//! Products of integers are added exactly. The sums of weights in the program are not read: a kernel adds the weights
//! up while it has them.

use pteron_tensor::{DType, HostTensor};

use super::q8ta::{Bias, Finish, check_byte, check_columns, check_lengths};
use super::weight::floats;
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::q8ta_linear;
use crate::plan::{PlanContext, Tensor, word};

const TO_FLOAT: &str = "et_vk.linear_q8ta_q8csw.default";

pub(crate) const OPS: &[OpDef] = &[
    // The exporter declares integers where there is no bias.
    OpDef::tensor(TO_FLOAT, plan, reference).accuracy(Accuracy::Accumulated).typed_like(5),
    OpDef::tensor("et_vk.q8ta_linear.default", plan, reference).accuracy(Accuracy::Step),
    OpDef::tensor("et_vk.q8ta_linear_gemv.default", plan, reference).accuracy(Accuracy::Step),
];

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    Layer::read(cx, cx.name(), cx.output_type(0)?)?.plan(cx)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let layer = Layer::read(cx, cx.name(), cx.output_type(0)?)?;
    layer.evaluate(cx)
}

/// The tensors and sizes of a layer, checked against each other.
pub(super) struct Layer<T> {
    input: T,
    weight: T,
    scales: T,
    bias: Option<T>,
    rows: usize,
    columns: usize,
    depth: usize,
    finish: Finish,
}

impl Layer<Tensor> {
    /// Dispatches the layer.
    pub(super) fn plan(self, cx: &mut PlanContext<'_>) -> Result<()> {
        let Layer { input, weight, scales, bias, rows, columns, depth, finish } = self;
        let output = cx.output(input.shape.with(input.shape.rank() - 1, columns)?)?;
        let [low, high] = finish.bounds();
        let params = q8ta_linear::Params {
            count: word(output.numel()),
            columns: word(columns),
            depth: word(depth),
            input_zero: finish.input_zero,
            input_scale: finish.input_scale,
            inverse_scale: finish.inverse_scale,
            zero: finish.zero,
            least: finish.least,
            low,
            high,
        };
        let variant = q8ta_linear::Variant {
            s: scales.dtype.try_into()?,
            q: output.dtype.try_into()?,
            bias: bias.map_or(q8ta_linear::Bias::None, |bias| match bias.dtype {
                DType::I32 => q8ta_linear::Bias::Integer,
                _ => q8ta_linear::Bias::Float,
            }),
            words: depth % 4 == 0,
        };
        cx.dispatch(q8ta_linear::Bind { input, weight, scales, bias: bias.unwrap_or(scales), output, params }, variant)
            .threads(if rows == 0 { 0 } else { output.numel().div_ceil(4) })
    }
}

impl Layer<HostTensor> {
    /// The layer in plain Rust.
    pub(super) fn evaluate(&self, cx: &mut Eval<'_>) -> Result<()> {
        let dtype = cx.output_type(0)?;
        let shape = self.input.shape().with(self.input.shape().rank() - 1, self.columns)?;
        let (x, w): (&[i8], &[i8]) = (self.input.as_slice()?, self.weight.as_slice()?);
        let (scales, bias) = (floats(&self.scales), Bias::of(self.bias.as_ref()));
        let zero = self.finish.input_zero;
        let mut values = Vec::with_capacity(shape.numel());
        for row in 0..self.rows {
            let x = &x[row * self.depth..][..self.depth];
            for column in 0..self.columns {
                cx.clock().count(self.depth)?;
                let w = &w[column * self.depth..][..self.depth];
                let sum = x.iter().zip(w).map(|(&x, &w)| i64::from(i32::from(x) - zero) * i64::from(w)).sum();
                values.push(self.finish.of(sum, scales[column], &bias, column, dtype));
            }
        }
        cx.set(0, HostTensor::from_f64s(dtype, shape, values)?)
    }
}

impl<T: Described> Layer<T> {
    fn read(cx: &Args<'_, T>, name: &str, output: DType) -> Result<Layer<T>> {
        let (input, weight, scales) = (cx.tensor(0)?, cx.tensor(3)?, cx.tensor(5)?);
        let (bias, finish) = if name == TO_FLOAT {
            (cx.opt_tensor(6)?, Finish::to_float(cx)?)
        } else {
            (cx.opt_tensor(8)?, Finish::to_byte(cx, [6, 7], 9)?)
        };
        if output.is_float() != (name == TO_FLOAT) || !(output.is_float() || output == DType::I8) {
            return Err(OpError::DType { dtype: output, what: format!("the output of {name}") });
        }
        check_columns(&scales, bias.as_ref())?;
        Layer::new([input, weight, scales], bias, finish)
    }

    /// Checks that the tensors fit each other.
    pub(super) fn new([input, weight, scales]: [T; 3], bias: Option<T>, finish: Finish) -> Result<Layer<T>> {
        check_byte(&input, "the input")?;
        check_byte(&weight, "the weight")?;
        let wrong =
            || OpError::Shape(format!("a weight of {} does not fit an input of {}", weight.shape(), input.shape()));
        let (Some((&depth, outer)), &[columns, weight_depth]) = (input.shape().split_last(), &**weight.shape()) else {
            return Err(wrong());
        };
        if weight_depth != depth {
            return Err(wrong());
        }
        check_lengths(columns, &scales, bias.as_ref())?;
        let rows = outer.iter().product();
        Ok(Layer { input, weight, scales, bias, rows, columns, depth, finish })
    }
}
