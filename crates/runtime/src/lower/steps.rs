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
/// both places; what gathers the rows of a loop returns nothing, and changes its first argument.
fn kernel_arguments(name: &str, args: &[u32], values: &[ProgramValue]) -> Result<(Vec<u32>, Vec<u32>)> {
    if let ("executorch_prim::et_copy_index.tensor", &[gathered, ..]) = (name, args) {
        return Ok((args.to_vec(), vec![gathered]));
    }
    let Some((&last, rest)) = args.split_last() else {
        return Err(Error::Program("a kernel is called without arguments".to_owned()));
    };
    let outputs: Vec<u32> = match values.get(last as usize) {
        Some(ProgramValue::Tensors(items)) => items.iter().copied().flatten().collect(),
        _ => vec![last],
    };
    let inputs = rest.strip_suffix(&outputs[..]).unwrap_or(rest);
    Ok((inputs.to_vec(), outputs))
}
