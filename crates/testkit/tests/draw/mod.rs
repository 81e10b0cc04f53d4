//! A method that chooses the next token on its device, by an operator that is appended to it.

use pteron_runtime::{Appended, Argument, Carry, DType, MethodOptions, Port, TensorType};

/// Appends the operator that draws a token from an output, and carries the token into the method's first input.
pub(crate) fn options(logits: usize) -> MethodOptions {
    let tensor = |dtype, dims: &[usize]| TensorType::fixed(dtype, dims).expect("a small shape");
    let draw = Appended {
        op: "pteron.next_token.default".to_owned(),
        args: vec![Argument::Output(Port::Program(logits)), Argument::Input(tensor(DType::F32, &[4]))],
        outputs: vec![tensor(DType::I64, &[1, 1])],
    };
    let carry = Carry { output: Port::Appended { operator: 0, number: 0 }, input: Port::Program(0) };
    MethodOptions::default().with_append(vec![draw]).with_carry(vec![carry])
}
