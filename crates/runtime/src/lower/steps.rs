//! The instructions of a program.

use pteron_ops::catalogue;
use pteron_pte::{self as pte, Instruction};

use super::budget::Budget;
use crate::error::{Error, Result, UnsupportedNode};
use crate::graph::{ProgramValue, Step};

/// The instructions of all chains, one after the other.
pub(super) fn steps(
    method: &pte::Method<'_>,
    values: &[ProgramValue],
    missing: &mut Vec<UnsupportedNode>,
    budget: &mut Budget,
) -> Result<Vec<Step>> {
    let mut steps = Vec::new();
    for chain in method.chains() {
        let chain = chain?;
        let base = steps.len();
        for (index, instruction) in chain.instructions().enumerate() {
            steps.push(match instruction? {
                Instruction::KernelCall { op, args } => {
                    budget.take(args.len())?;
                    let name = method.operator(op)?.to_string();
                    let (args, outputs) = kernel_arguments(&name, &args.iter().collect::<Vec<_>>(), values)?;
                    match catalogue::lookup_portable(&name) {
                        Some(op) => Step::Kernel { op, args, outputs },
                        None => {
                            let at = format!("instruction {index} of method {}", method.name());
                            let reason = "no such portable operator here".to_owned();
                            missing.push(UnsupportedNode { at, op: name, reason });
                            continue;
                        }
                    }
                }
                Instruction::DelegateCall { delegate, args } => {
                    budget.take(args.len())?;
                    let args: Vec<u32> = args.iter().collect();
                    let index = delegate as usize;
                    Step::Delegate { index, inputs: args, outputs: Vec::new(), numbers: Vec::new() }
                }
                Instruction::MoveCall { from, to } => Step::Move { from, to },
                Instruction::JumpFalseCall { cond, destination } => {
                    Step::JumpFalse { condition: cond, destination: base.saturating_add(destination as usize) }
                }
                Instruction::FreeCall { value } => Step::Free { value },
            });
        }
    }
    Ok(steps)
}

/// Splits the arguments of a portable kernel: by its schema, then what it returns. An out-variant names its outputs in
/// both places, each by itself or all in a list; what gathers the rows of a loop returns nothing, and changes its first
/// argument.
fn kernel_arguments(name: &str, args: &[u32], values: &[ProgramValue]) -> Result<(Vec<u32>, Vec<u32>)> {
    if let ("executorch_prim::et_copy_index.tensor", &[gathered, ..]) = (name, args) {
        return Ok((args.to_vec(), vec![gathered]));
    }
    let Some((&last, rest)) = args.split_last() else {
        return Err(Error::Program("a kernel is called without arguments".to_owned()));
    };
    let listed = |id: u32| match values.get(id as usize) {
        Some(ProgramValue::Tensors(items)) => Some(items.iter().copied().flatten().collect::<Vec<u32>>()),
        _ => None,
    };
    let outputs = listed(last).unwrap_or_else(|| vec![last]);
    // A list of outputs that stayed would be read before it is written, as only what persists between calls is.
    let inputs = match rest.split_last() {
        Some((&list, inputs)) if listed(list).as_ref() == Some(&outputs) => inputs,
        _ => rest.strip_suffix(&outputs[..]).unwrap_or(rest),
    };
    Ok((inputs.to_vec(), outputs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_no_arguments_whether_named_one_by_one_or_in_a_list() {
        let both = || ProgramValue::Tensors(vec![Some(1), Some(2)]);
        let values = [ProgramValue::Null, ProgramValue::Null, ProgramValue::Null, ProgramValue::Int(1), both(), both()];
        let split = |args: &[u32]| kernel_arguments("", args, &values).unwrap();
        let expected = (vec![0, 3], vec![1, 2]);
        // `_native_batch_norm_legit_no_training.out` and `split_with_sizes_copy.out`.
        assert_eq!(split(&[0, 3, 1, 2, 5]), expected);
        assert_eq!(split(&[0, 3, 4, 5]), expected);
        assert_eq!(split(&[0, 3, 4, 4]), expected);
        // `relu.out`, and `cat.out`, whose list is what it reads.
        assert_eq!(split(&[0, 3, 3]), (vec![0], vec![3]));
        assert_eq!(split(&[4, 3, 0, 0]), (vec![4, 3], vec![0]));
    }
}
