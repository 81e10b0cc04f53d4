//! Operators that run on the host alone and that no program of the exporter holds, against their definitions.

use proptest::prelude::*;
use pteron_ops::catalogue::lookup_portable;
use pteron_ops::{Arg, Eval};
use pteron_runtime::{DType, HostTensor, Shape};

use crate::support::{Properties, config, floats, integers, ran, sizes};

/// What a portable operator gives.
fn run(op: &str, args: Vec<Arg<HostTensor>>, outputs: &[DType]) -> Result<Vec<HostTensor>, TestCaseError> {
    let definition = lookup_portable(op).ok_or_else(|| TestCaseError::fail(format!("no operator {op}")))?;
    let done = Eval::run(definition, args, &[], outputs).map_err(|e| TestCaseError::fail(format!("{op}: {e}")))?;
    ran(definition.name);
    Ok(done.outputs.into_iter().chain(done.mutated.into_iter().map(|(_, tensor)| tensor)).collect())
}

fn close(got: f64, expected: f64) -> bool {
    (got - expected).abs() <= 1e-4 + 1e-4 * expected.abs()
}

pub(crate) const PROPERTIES: Properties = &[
    (statistics_move, &[&["aten::_native_batch_norm_legit.out", "aten._native_batch_norm_legit.no_stats"]]),
    (tensors_are_close, &[&["aten::allclose.out", "aten::allclose.Tensor"]]),
    (codes_are_added, &[&["quantized_decomposed::add.out"]]),
    (codes_are_multiplied, &[&["quantized_decomposed::mixed_mm.out", "quantized_decomposed::mixed_linear.out"]]),
];

proptest! {
    #![proptest_config(config())]

    /// In training the running statistics go a part of the way to the input's own; the result is that of the latter.
    #[test]
    fn statistics_move(samples in 1usize..4, channels in 1usize..4, size in 2usize..6, momentum in 0.0f64..1.0, seed: u64) {
        let tensor = |dims: &[usize], seed| Arg::Tensor(floats(DType::F32, dims, seed));
        let (input, weight, bias) =
            (tensor(&[samples, channels, size], seed), tensor(&[channels], seed + 1), tensor(&[channels], seed + 2));
        let running = [floats(DType::F32, &[channels], seed + 3), floats(DType::F32, &[channels], seed + 4)];
        let rest = [Arg::Bool(true), Arg::Double(momentum), Arg::Double(1e-5)];
        let own = [input.clone(), weight.clone(), bias.clone()].into_iter().chain(rest.clone()).collect();
        let own = run("aten::_native_batch_norm_legit.no_stats_out", own, &[DType::F32; 3])?;
        let moving = [input.clone(), weight, bias].into_iter().chain(running.clone().map(Arg::Tensor)).chain(rest);
        let moved = run("aten::_native_batch_norm_legit.out", moving.collect(), &[DType::F32; 3])?;
        for (own, moved) in own.iter().zip(&moved) {
            prop_assert_eq!(own.bytes(), moved.bytes());
        }
        let count = (samples * size) as f64;
        let (means, rstds) = (own[1].to_f64s(), own[2].to_f64s());
        let variances = rstds.iter().map(|rstd| (1.0 / (rstd * rstd) - 1e-5) * count / (count - 1.0)).collect();
        for ((before, after), now) in running.iter().zip(&moved[3..]).zip([means, variances]) {
            for ((before, after), now) in before.to_f64s().into_iter().zip(after.to_f64s()).zip(now) {
                prop_assert!(close(after, before * (1.0 - momentum) + now * momentum), "{before} to {after}, by {now}");
            }
        }
    }

    #[test]
    fn tensors_are_close(dims in sizes(0..4), distance in 0.0f64..0.02, seed: u64) {
        let a = floats(DType::F32, &dims, seed);
        let values = a.to_f64s().into_iter().map(|x| x + distance);
        let b = HostTensor::from_f64s(DType::F32, Shape::new(&dims).expect("a small shape"), values).expect("as many");
        let within = |(a, b): (f64, f64)| (a - b).abs() <= 0.01 + 0.001 * b.abs();
        let expected = a.to_f64s().into_iter().zip(b.to_f64s()).all(within);
        for op in ["aten::allclose.out", "aten::allclose.Tensor"] {
            let numbers = [Arg::Double(0.001), Arg::Double(0.01), Arg::Bool(false), Arg::Bool(false)];
            let args = [Arg::Tensor(a.clone()), Arg::Tensor(b.clone())].into_iter().chain(numbers).collect();
            prop_assert_eq!(run(op, args, &[DType::Bool])?[0].to_i64s(), [i64::from(expected)]);
        }
    }

    #[test]
    fn codes_are_added(dims in sizes(0..4), zeros in prop::array::uniform3(-5i64..5), scales in prop::array::uniform3(0.01f64..2.0), seed: u64) {
        let [a, b] = [seed, seed ^ 1].map(|seed| integers(DType::I8, &dims, -128..128, seed));
        let side = |index: usize| vec![Arg::Double(scales[index]), Arg::Int(zeros[index]), Arg::Int(-128), Arg::Int(127)];
        let args = [vec![Arg::Tensor(a.clone())], side(0), vec![Arg::Tensor(b.clone())], side(1), side(2)].concat();
        let sums = run("quantized_decomposed::add.out", args, &[DType::I8])?[0].to_f64s();
        for ((a, b), sum) in a.to_i64s().into_iter().zip(b.to_i64s()).zip(sums) {
            let value = (a - zeros[0]) as f64 * scales[0] + (b - zeros[1]) as f64 * scales[1];
            let exact = (value / scales[2] + zeros[2] as f64).clamp(-128.0, 127.0);
            // Halves go either way, since the kernel computes in single precision.
            prop_assert!((sum - exact).abs() <= 0.501, "{sum} for {exact}");
        }
    }

    #[test]
    fn codes_are_multiplied(rows in 1usize..4, groups in 1usize..4, size in 1usize..5, columns in 1usize..5, seed: u64) {
        let inner = groups * size;
        let input = floats(DType::F32, &[rows, inner], seed);
        let codes = |dims: &[usize]| integers(DType::I8, dims, -128..128, seed ^ 1);
        let (across, along) = (codes(&[inner, columns]), codes(&[columns, inner]));
        let by_row = floats(DType::F32, &[inner], seed ^ 2);
        let by_group = floats(DType::F32, &[columns, groups], seed ^ 3);
        let args = |weight: &HostTensor, scales: &HostTensor| {
            vec![Arg::Tensor(input.clone()), Arg::Tensor(weight.clone()), Arg::Tensor(scales.clone()), Arg::Null]
        };
        let mm = run("quantized_decomposed::mixed_mm.out", args(&across, &by_row), &[DType::F32])?[0].to_f64s();
        let linear = run("quantized_decomposed::mixed_linear.out", args(&along, &by_group), &[DType::F32])?[0].to_f64s();
        let (x, across, along) = (input.to_f64s(), across.to_f64s(), along.to_f64s());
        let (by_row, by_group) = (by_row.to_f64s(), by_group.to_f64s());
        for (i, j) in (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))) {
            let term = |k: usize| x[i * inner + k] * across[k * columns + j] * by_row[k];
            prop_assert!(close(mm[i * columns + j], (0..inner).map(term).sum()));
            let term = |k: usize| x[i * inner + k] * along[j * inner + k] * by_group[j * groups + k / size];
            prop_assert!(close(linear[i * columns + j], (0..inner).map(term).sum()));
        }
    }
}
