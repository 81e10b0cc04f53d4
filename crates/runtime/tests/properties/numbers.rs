//! Numbers outside a delegate, against what Python makes of the same operands. Programs hold them; no GPU does.

use proptest::prelude::*;
use pteron_ops::catalogue::lookup_portable;
use pteron_ops::{Arg, Args, Body, Number};
use pteron_runtime::{DType, HostTensor};

use crate::support::{Properties, config, floats, ran, sizes};

/// What a number operator gives.
fn number(op: &str, args: &[Arg<HostTensor>]) -> Result<Number, TestCaseError> {
    let Some(Body::Number(compute)) = lookup_portable(op).map(|op| op.body) else {
        return Err(TestCaseError::fail(format!("{op} gives no number")));
    };
    let result =
        compute(&Args::new(args.to_vec(), &[])).map_err(|error| TestCaseError::fail(format!("{op}: {error}")))?;
    ran(op);
    Ok(result)
}

pub(crate) const PROPERTIES: Properties = &[
    (quotients_go_down, &[&["executorch_prim::floordiv.int", "executorch_prim::floordiv.Scalar"]]),
    (remainders_have_the_sign_of_the_divisor, &[&["executorch_prim::mod.int", "executorch_prim::mod.Scalar"]]),
    (choices_are_made, &[&["executorch_prim::sym_ite.Scalar"]]),
    (floats_lose_what_is_no_integer, &[&["executorch_prim::sym_int.Scalar"]]),
    (tensors_have_sizes_and_steps, &[&["aten::sym_numel", "aten::sym_stride.int"]]),
];

proptest! {
    #![proptest_config(config())]

    #[test]
    fn remainders_have_the_sign_of_the_divisor(a in -1000i64..1000, b in prop_oneof![-30i64..0, 1i64..30]) {
        let expected = (a % b + b) % b;
        for op in ["executorch_prim::mod.int", "executorch_prim::mod.Scalar"] {
            prop_assert_eq!(number(op, &[Arg::Int(a), Arg::Int(b)])?, Number::Int(expected));
        }
    }

    #[test]
    fn quotients_go_down(a in -1000i64..1000, b in prop_oneof![-30i64..0, 1i64..30]) {
        let expected = (a - (a % b + b) % b) / b;
        for op in ["executorch_prim::floordiv.int", "executorch_prim::floordiv.Scalar"] {
            prop_assert_eq!(number(op, &[Arg::Int(a), Arg::Int(b)])?, Number::Int(expected));
        }
    }

    #[test]
    fn choices_are_made(condition: bool, a: i32, b in -5.0f64..5.0) {
        let args = [Arg::Bool(condition), Arg::Int(a.into()), Arg::Double(b)];
        let expected = if condition { Number::Int(a.into()) } else { Number::Double(b) };
        prop_assert_eq!(number("executorch_prim::sym_ite.Scalar", &args)?, expected);
    }

    #[test]
    fn floats_lose_what_is_no_integer(whole in -100_000i32..100_000, rest in 0u8..4) {
        let value = f64::from(whole) + f64::from(whole.signum()) * f64::from(rest) / 4.0;
        let got = number("executorch_prim::sym_int.Scalar", &[Arg::Double(value)])?;
        prop_assert_eq!(got, Number::Int(whole.into()));
    }

    #[test]
    fn tensors_have_sizes_and_steps(dims in sizes(1..5), seed: u64) {
        let tensor = Arg::Tensor(floats(DType::F32, &dims, seed));
        let integer = |value: usize| i64::try_from(value).expect("a small number");
        let numel = number("aten::sym_numel", std::slice::from_ref(&tensor))?;
        prop_assert_eq!(numel, Number::Int(integer(dims.iter().product())));
        for (dim, inner) in (0i64..).zip((1..=dims.len()).map(|from| &dims[from..])) {
            // An empty dimension counts as one, as in PyTorch.
            let expected = inner.iter().map(|&size| size.max(1)).product();
            let got = number("aten::sym_stride.int", &[tensor.clone(), Arg::Int(dim)])?;
            prop_assert_eq!(got, Number::Int(integer(expected)));
        }
    }
}
