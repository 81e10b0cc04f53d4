//! Cases in a `.bpte` file.

use std::collections::BTreeMap;
use std::path::Path;

use pteron_pte::bundle::{Bundle, BundleValue};
use pteron_runtime::{HostTensor, Tolerance, Value};

use crate::case::{Case, CaseError, Step};

/// A bundle names no tolerance; this is what ExecuTorch's own comparison takes by default.
const TOLERANCE: Tolerance = Tolerance { atol: 1e-5, rtol: 1e-5 };

/// One case per method that has test cases.
pub(crate) fn cases(path: &Path) -> Result<Vec<Case>, CaseError> {
    let content = |reason: String| CaseError::Content { path: path.to_owned(), reason };
    let bytes = std::fs::read(path).map_err(|source| CaseError::Io { path: path.to_owned(), source })?;
    let bundle = Bundle::parse(&bytes).map_err(|e| content(e.to_string()))?;
    let mut cases = Vec::new();
    for suite in bundle.suites() {
        let suite = suite.map_err(|e| content(e.to_string()))?;
        let mut steps = Vec::new();
        for case in suite.cases() {
            let case = case.map_err(|e| content(e.to_string()))?;
            let read = |value: pteron_pte::Result<BundleValue<'_>>| {
                value.map_err(|e| content(e.to_string())).and_then(|value| host_value(&value).map_err(content))
            };
            let inputs = case.inputs().map(read).collect::<Result<_, _>>()?;
            let expected: Vec<_> = case.expected().map(read).collect::<Result<_, _>>()?;
            steps.push(Step::Values { inputs, expected: expected.into_iter().enumerate().collect() });
        }
        cases.push(Case {
            path: path.to_owned(),
            program: path.to_owned(),
            data: Vec::new(),
            method: suite.method.to_owned(),
            tolerance: TOLERANCE,
            stateful: false,
            steps,
            rejected: None,
            constants: BTreeMap::new(),
        });
    }
    Ok(cases)
}

fn host_value(value: &BundleValue<'_>) -> Result<Value, String> {
    Ok(match value {
        BundleValue::Tensor { dim_order, .. } if !dim_order.is_sorted() => {
            return Err(format!("a tensor with its dimensions stored in order {dim_order:?}"));
        }
        BundleValue::Tensor { dtype, sizes, data, .. } => {
            let shape = pteron_tensor::Shape::from_sizes(sizes.iter()).map_err(|e| e.to_string())?;
            HostTensor::with_shape(*dtype, shape, data.to_vec()).map_err(|e| e.to_string())?.into()
        }
        BundleValue::Int(value) => Value::Int(*value),
        BundleValue::Bool(value) => Value::Bool(*value),
        BundleValue::Double(value) => Value::Double(*value),
        other => return Err(format!("a value of kind {other:?}")),
    })
}
