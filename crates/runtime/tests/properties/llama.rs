//! Operators that language models have outside their delegates: attention over caches, rows by number, and transforms.

use proptest::prelude::*;
use pteron_runtime::testing::TestArg;
use pteron_runtime::{DType, HostTensor, Shape};

use crate::support::{Properties, agree, agree_if, config, floats, integers, random};

fn scales(dims: &[usize], seed: u64) -> HostTensor {
    let shape = Shape::new(dims).expect("a small shape");
    let values = random(seed).take(shape.numel()).map(|bits| 0.001 + (bits >> 11) as f64 / (1u64 << 53) as f64 * 0.009);
    HostTensor::from_f64s(DType::F32, shape, values).expect("as many")
}

pub(crate) const PROPERTIES: Properties = &[
    (attention_over_caches, &[&["custom_sdpa.default", "custom_quantized_sdpa.default"]]),
    (caches_take_rows_by_number, &[&["update_cache_with_indices.default"]]),
    (caches_of_bytes_take_rows, &[&["update_cache.default"]]),
    (rows_are_transformed, &[&["fast_hadamard_transform.default"]]),
];

proptest! {
    #![proptest_config(config())]

    #[test]
    fn attention_over_caches(
        (batch, rows, kv_heads, group, size) in (0usize..3, 0usize..12, 1usize..3, 1usize..4, 1usize..20),
        context in 1usize..40,
        start in prop_oneof![4 => 0i64..20, 1 => -1i64..50],
        (symbolic, causal, masked) in any::<(bool, bool, bool)>(),
        seed in 0u64..1 << 40,
    ) {
        let (causal, masked) = (causal && !masked, masked);
        let (queries, caches) = ([batch, rows, kv_heads * group, size], [batch, context, kv_heads, size]);
        let mask = floats(DType::F32, &[rows, context], seed + 3);
        let rest = || vec![
            if symbolic { TestArg::Sym(start) } else { TestArg::Int(start) },
            if masked { TestArg::Input(mask.clone()) } else { TestArg::Null },
            TestArg::Double(0.0),
            TestArg::Bool(causal),
            TestArg::Null,
        ];
        let fits = masked || usize::try_from(start).is_ok_and(|start| start + rows <= context);
        let plain = |dims: &[usize], seed: u64| TestArg::Input(floats(DType::F32, dims, seed));
        let mut args = vec![plain(&queries, seed), plain(&caches, seed + 1), plain(&caches, seed + 2)];
        args.extend(rest());
        agree_if(fits, "custom_sdpa.default", &args, &[DType::F32])?;

        let codes = |dims: &[usize], seed: u64| TestArg::Input(integers(DType::I8, dims, -128..128, seed));
        let mut args = vec![codes(&queries, seed), codes(&caches, seed + 1), codes(&caches, seed + 2)];
        args.extend(rest());
        for (number, dims) in (4u64..).zip([queries, caches, caches]) {
            let each = [dims[0], dims[1], dims[2], 1];
            args.push(TestArg::Input(integers(DType::I8, &each, -30..30, seed + number)));
            args.push(TestArg::Input(scales(&each, seed + 2 * number)));
        }
        agree_if(fits, "custom_quantized_sdpa.default", &args, &[DType::F32])?;
    }

    #[test]
    fn caches_take_rows_by_number(
        (batch, rows, size, context) in (1usize..3, 0usize..5, 1usize..6, 5usize..12),
        seed in 0u64..1 << 40,
    ) {
        // Rows that differ, so that no two are written to one place.
        let numbers = (0..batch * rows).map(|index| ((index % rows) * 2 + 1) as i64 % context as i64);
        let shape = Shape::new(&[batch, rows]).expect("a small shape");
        let numbers = HostTensor::from_i64s(DType::I32, shape, numbers).expect("as many");
        let distinct = 2 * rows <= context;
        prop_assume!(distinct);
        let args = [
            TestArg::Input(floats(DType::F32, &[batch, rows, 2, size], seed)),
            TestArg::State(floats(DType::F32, &[batch, context, 2, size], seed + 1)),
            TestArg::Int(0),
            TestArg::Input(numbers),
        ];
        agree("update_cache_with_indices.default", &args, &[DType::F32])?;
    }

    #[test]
    fn caches_of_bytes_take_rows(
        (batch, rows, words, context) in (0usize..3, 0usize..5, 1usize..6, 5usize..12),
        start in 0i64..8,
        seed in 0u64..1 << 40,
    ) {
        let fits = usize::try_from(start).is_ok_and(|start| start + rows <= context);
        let args = [
            TestArg::Input(integers(DType::I8, &[batch, rows, 2, 2 * words], -128..128, seed)),
            TestArg::State(integers(DType::I8, &[batch, context, 2, 2 * words], -128..128, seed + 1)),
            TestArg::Int(start),
        ];
        agree_if(fits, "update_cache.default", &args, &[DType::F32])?;
    }

    #[test]
    fn rows_are_transformed(
        rows in 0usize..4,
        length in prop::sample::select(vec![1usize, 2, 4, 28, 64, 56, 224, 6]),
        half: bool,
        seed: u64,
    ) {
        let dtype = if half { DType::F16 } else { DType::F32 };
        let args = [TestArg::Input(floats(dtype, &[rows, length], seed))];
        agree_if(length != 6, "fast_hadamard_transform.default", &args, &[dtype])?;
    }
}
