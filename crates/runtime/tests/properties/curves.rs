//! Operators of one float: within their range, and where it ends.

use proptest::prelude::*;
use pteron_runtime::testing::TestArg;
use pteron_runtime::{DType, HostTensor, Shape};

use crate::pointwise::{input, special};
use crate::support::{Properties, agree, config, floats, integers, sizes};

/// Operators of floats, which integers are converted to.
const CURVES: [&str; 30] = [
    "aten.tan.default",
    "aten.asin.default",
    "aten.acos.default",
    "aten.atan.default",
    "aten.sinh.default",
    "aten.cosh.default",
    "aten.asinh.default",
    "aten.acosh.default",
    "aten.atanh.default",
    "aten.logit.default",
    "aten.exp.default",
    "aten.expm1.default",
    "aten.sqrt.default",
    "aten.rsqrt.default",
    "aten.reciprocal.default",
    "aten.sin.default",
    "aten.cos.default",
    "aten.tanh.default",
    "aten.sigmoid.default",
    "aten.silu.default",
    "aten.erf.default",
    "aten.elu.default",
    "aten.log.default",
    "aten.log2.default",
    "aten.log10.default",
    "aten.log1p.default",
    "aten.hardsigmoid.default",
    "aten.hardswish.default",
    "aten.hardshrink.default",
    "aten.leaky_relu.default",
];

/// Numbers where the GPU's and the reference's results can be told apart from their ends of the range.
fn curve_input(op: &str, dims: &[usize], seed: u64) -> HostTensor {
    let wide = floats(DType::F32, dims, seed).to_f64s();
    let positive = op.contains("log") || op.contains("sqrt");
    let values = wide.into_iter().map(|x| match op {
        "aten.reciprocal.default" => x + 2.5f64.copysign(x),
        // Away from where they grow without bound.
        "aten.tan.default" => x * 0.7,
        "aten.atanh.default" => x * 0.49,
        "aten.asin.default" | "aten.acos.default" => x * 0.5,
        "aten.acosh.default" => x.abs() * 20.0 + 1.01,
        "aten.logit.default" => x * 0.24 + 0.5,
        "aten.sinh.default" | "aten.cosh.default" => x * 20.0,
        "aten.sin.default" | "aten.cos.default" => x * 300.0,
        "aten.exp.default" => x * 40.0,
        _ if positive => (x + 2.0) * 50.0 + 1e-3,
        _ => x * 4.0,
    });
    HostTensor::from_f64s(DType::F32, Shape::new(dims).expect("a small shape"), values).expect("values fill the shape")
}

pub(crate) const PROPERTIES: Properties = &[(curves, &[&CURVES])];

proptest! {
    #![proptest_config(config())]

    #[test]
    fn parameters_of_curves(dims in sizes(0..4), number in 0.0f64..2.0, seed: u64) {
        for op in ["aten.leaky_relu.default", "aten.hardshrink.default", "aten.elu.default"] {
            agree(op, &[input(floats(DType::F32, &dims, seed)), TestArg::Double(number)], &[DType::F32])?;
        }
    }
}

#[test]
fn curves() {
    for op in CURVES {
        for (seed, dims) in [&[3, 5, 7][..], &[8, 64], &[1]].into_iter().enumerate() {
            let seed = u64::try_from(seed).expect("small");
            agree(op, &[input(curve_input(op, dims, seed))], &[DType::F32]).expect("both engines agree");
        }
        for (from, to) in [(DType::F16, DType::F16), (DType::I32, DType::F32), (DType::U8, DType::F32)] {
            agree(op, &[input(integers(from, &[4, 7], 1..9, 5))], &[to]).expect("both engines agree");
        }
    }
}

#[test]
fn curves_end_where_floats_do() {
    for op in CURVES {
        for dims in [&[128][..], &[127]] {
            agree(op, &[input(special(dims, 3))], &[DType::F32]).expect("both engines agree");
        }
    }
}
