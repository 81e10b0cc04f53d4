//! The gated delta rule over random heads, tokens and states.

use proptest::prelude::*;
use pteron_runtime::testing::TestArg;
use pteron_runtime::{DType, HostTensor};

use crate::support::{Properties, agree, config, floats, refuse};

const OPS: [&str; 2] = ["llama.channelwise_gated_delta_rule.default", "llama.gated_delta_rule.default"];

pub(crate) const PROPERTIES: Properties = &[(states_follow_their_tokens, &[&OPS])];

/// Floats times a factor.
fn scaled(dims: &[usize], factor: f64, seed: u64) -> HostTensor {
    let tensor = floats(DType::F32, dims, seed);
    let values: Vec<_> = tensor.to_f64s().into_iter().map(|value| value * factor).collect();
    HostTensor::from_f64s(DType::F32, *tensor.shape(), values).expect("as many values")
}

proptest! {
    #![proptest_config(config())]

    /// Keys are short and decays below 1, as models keep them, so that states stay in range.
    #[test]
    fn states_follow_their_tokens(
        (batch, heads, readers) in (0usize..3, 1usize..4, 1usize..4),
        (tokens, rows, columns) in (0usize..6, 1usize..20, 1usize..20),
        channels: bool,
        seed in 0u64..1 << 40,
    ) {
        let short = 0.5 / (rows as f64).sqrt();
        let of_token = [batch, heads, tokens];
        let decay = if channels { vec![batch, heads, tokens, rows] } else { of_token.to_vec() };
        let mut args = [
            TestArg::Input(scaled(&[batch, heads * readers, tokens, rows], short, seed)),
            TestArg::Input(scaled(&[batch, heads, tokens, rows], short, seed + 1)),
            TestArg::Input(floats(DType::F32, &[batch, heads, tokens, columns], seed + 2)),
            TestArg::Input(scaled(&decay, 0.5, seed + 3)),
            TestArg::Input(scaled(&of_token, 0.5, seed + 4)),
            TestArg::Input(floats(DType::F32, &[batch, heads, rows, columns], seed + 5)),
        ];
        for op in OPS {
            agree(op, &args, &[DType::F32, DType::F32])?;
        }
        args[4] = TestArg::Input(floats(DType::F32, &[batch, heads, tokens + 1], seed));
        refuse(OPS[1], &args, &[DType::F32, DType::F32])?;
    }
}
