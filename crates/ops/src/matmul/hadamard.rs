//! `fast_hadamard_transform`: each row times a matrix of Hadamard, of a size that is a power of two, or 28 times one.
//!
//! The matrix is the Kronecker product of one of size 28, where there is that factor, and of as many of size 2 as there
//! are, each over √2. So a row is transformed factor by factor.

use pteron_tensor::{DType, HostTensor, Shape};

use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::hadamard;
use crate::plan::{PlanContext, word};

pub(crate) const OPS: &[OpDef] = &[OpDef::tensor("fast_hadamard_transform.default", plan, reference)
    .portable("llama::fast_hadamard_transform.out")
    .accuracy(Accuracy::Accumulated)];

/// The rows of the matrix of size 28: bit `j` says that element `j` is −1.
const SIGNS_28: [u32; 28] = [
    0x0329_61fe,
    0x0652_83fd,
    0x0c85_477b,
    0x092a_8e77,
    0x0275_1c6f,
    0x04ca_785f,
    0x0994_b0bf,
    0x04b9_bf3c,
    0x0953_7ef8,
    0x02a6_fdf1,
    0x054d_bbe3,
    0x0a9b_37c7,
    0x0536_6f8f,
    0x0a4c_df9e,
    0x079f_8cda,
    0x0f1f_5935,
    0x0e3e_f26a,
    0x0c7d_e4d5,
    0x08fb_c9ab,
    0x01f7_d356,
    0x03cf_e62d,
    0x0fd0_ed66,
    0x0fa1_dacd,
    0x0f63_b51b,
    0x0ee7_2ab6,
    0x0dee_15ec,
    0x0bfc_2b59,
    0x07f8_56b3,
];

/// The rows of the matrix of size 2.
const SIGNS_2: [u32; 2] = [0b00, 0b10];

/// A factor of the matrix, and how far apart the elements are that it takes together.
#[derive(Clone, Copy, Debug)]
struct Factor {
    signs: &'static [u32],
    stride: usize,
    scale: f32,
}

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let factors = factors(&input.shape)?;
    let output = cx.output(input.shape)?;
    let mut from = input;
    for (number, factor) in factors.iter().enumerate() {
        let to = if number + 1 == factors.len() { output } else { cx.scratch(DType::F32, input.shape)? };
        let mut signs = [[0; 4]; 7];
        signs.iter_mut().flatten().zip(factor.signs).for_each(|(slot, &row)| *slot = row);
        let params = hadamard::Params {
            signs,
            count: word(input.numel()),
            stride: word(factor.stride),
            size: word(factor.signs.len()),
            scale: factor.scale,
        };
        let variant = hadamard::Variant { t: from.dtype.try_into()?, out: to.dtype.try_into()? };
        cx.dispatch(hadamard::Bind { input: from, output: to, params }, variant).threads(input.numel())?;
        from = to;
    }
    Ok(())
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let mut values = input.to_f64s();
    for Factor { signs, stride, scale } in factors(input.shape())? {
        let size = signs.len();
        let element = |index: usize| {
            let (column, first) = (index / stride % size, index / (stride * size) * stride * size + index % stride);
            let term = |row: usize| {
                let value = values[first + row * stride];
                if signs[row] >> column & 1 == 1 { -value } else { value }
            };
            f64::from(scale) * (0..size).map(term).sum::<f64>()
        };
        values = (0..values.len()).map(element).collect();
    }
    cx.set(0, HostTensor::from_f64s(input.dtype(), *input.shape(), values)?)
}

/// The factors of the matrix for rows of this length. There is one at least.
fn factors(shape: &Shape) -> Result<Vec<Factor>> {
    let wrong = || OpError::Unsupported(format!("rows of {shape}: there is no such matrix of Hadamard here"));
    let &length = shape.last().ok_or_else(wrong)?;
    let (outer, twos) = match length {
        length if length.is_power_of_two() => (None, length),
        length if length % 28 == 0 && (length / 28).is_power_of_two() => {
            (Some(Factor { signs: &SIGNS_28, stride: length / 28, scale: 1.0 }), length / 28)
        }
        _ => return Err(wrong()),
    };
    // A row of one element is its own transform: a factor of size 1.
    let single = (length == 1).then_some(Factor { signs: &SIGNS_2[..1], stride: 1, scale: 1.0 });
    let two = |power| Factor { signs: &SIGNS_2, stride: 1usize << power, scale: std::f32::consts::FRAC_1_SQRT_2 };
    Ok((0..twos.ilog2()).map(two).chain(outer).chain(single).collect())
}
