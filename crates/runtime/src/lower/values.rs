//! The values of a program.

use pteron_pte::{self as pte, TensorKind};

use super::budget::Budget;
use super::data::{self, NamedData, data_of};
use crate::error::{Error, Result};
use crate::graph::{Allocation, ProgramTensor, ProgramValue};

/// Every value of a method, by id.
pub(super) fn values(
    method: &pte::Method<'_>,
    named: &NamedData<'_>,
    budget: &mut Budget,
) -> Result<Vec<ProgramValue>> {
    let program = method.program();
    let mut values = Vec::with_capacity(method.values());
    for id in 0..method.values() {
        let id = u32::try_from(id).map_err(|_| Error::Program("too many values".to_owned()))?;
        values.push(value(&program, method.value(id)?, named, budget)?);
    }
    check_lists(&values)?;
    Ok(values)
}

/// Refuses lists of what is not there and lists of lists, one of which could hold itself.
fn check_lists(values: &[ProgramValue]) -> Result<()> {
    for (id, value) in values.iter().enumerate() {
        let items: Vec<i64> = match value {
            ProgramValue::Ints(items) => items.iter().map(|&item| i64::from(item)).collect(),
            ProgramValue::Tensors(items) => items.iter().flatten().map(|&item| i64::from(item)).collect(),
            _ => continue,
        };
        let is_single = |item: i64| {
            let value = usize::try_from(item).ok().and_then(|item| values.get(item));
            value.is_some_and(|value| !matches!(value, ProgramValue::Ints(_) | ProgramValue::Tensors(_)))
        };
        if let Some(item) = items.into_iter().find(|&item| !is_single(item)) {
            return Err(Error::Program(format!("value {id} lists value {item}, which is not there or a list itself")));
        }
    }
    Ok(())
}

fn value(
    program: &pte::Program<'_>,
    value: pte::Value<'_>,
    named: &NamedData<'_>,
    budget: &mut Budget,
) -> Result<ProgramValue> {
    Ok(match value {
        pte::Value::Null => ProgramValue::Null,
        pte::Value::Int(value) => ProgramValue::Int(value),
        pte::Value::Bool(value) => ProgramValue::Bool(value),
        pte::Value::Double(value) => ProgramValue::Double(value),
        pte::Value::String(text) => {
            budget.take(text.len())?;
            ProgramValue::Str(text.to_owned())
        }
        pte::Value::IntList(items) => {
            budget.take(items.len())?;
            ProgramValue::Ints(items.iter().collect())
        }
        pte::Value::DoubleList(items) => {
            budget.take(items.len())?;
            ProgramValue::Doubles(items.iter().collect())
        }
        pte::Value::BoolList(items) => {
            budget.take(items.len())?;
            ProgramValue::Bools(items.iter().collect())
        }
        pte::Value::TensorList(items) => {
            budget.take(items.len())?;
            ProgramValue::Tensors(items.iter().map(Some).collect())
        }
        pte::Value::OptionalTensorList(items) => {
            budget.take(items.len())?;
            ProgramValue::Tensors(items.iter().collect())
        }
        pte::Value::Tensor(tensor) => ProgramValue::Tensor(program_tensor(program, &tensor, named)?),
        _ => ProgramValue::Unknown,
    })
}

fn program_tensor(
    program: &pte::Program<'_>,
    tensor: &pte::Tensor<'_>,
    named: &NamedData<'_>,
) -> Result<ProgramTensor> {
    let (dtype, shape) = (tensor.dtype()?, tensor.shape()?);
    let order = tensor.dim_order()?;
    let order = (!order.is_sorted()).then(|| order.to_vec());
    if tensor.storage_offset()? != 0 {
        return Err(Error::Program("a tensor begins in the middle of its data".to_owned()));
    }
    let data = match tensor.kind()? {
        TensorKind::Constant { buffer } => Some(data_of(program.constant(buffer, tensor.nbytes()?)?)),
        TensorKind::Mutable { buffer, set, .. } => {
            Some(data_of(program.mutable_initial(set, buffer, tensor.nbytes()?)?))
        }
        TensorKind::External { name } => Some(data::find(named, name, tensor.nbytes()?)?),
        _ => None,
    };
    let allocation = tensor.allocation()?.map(|(memory, offset)| Allocation { memory, offset });
    Ok(ProgramTensor { dtype, shape, dynamism: tensor.dynamism()?, data, order, allocation })
}
