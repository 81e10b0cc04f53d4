//! Finding and reading cases.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use pteron_runtime::{HostTensor, Tolerance, Value};
use safetensors::SafeTensors;
use serde::Deserialize;

use crate::bundle;

/// A case that could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CaseError {
    /// A file could not be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file holds something else than a case needs.
    #[error("{}: {reason}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

/// A program with inputs and the outputs that they must give.
#[derive(Clone, Debug)]
pub struct Case {
    /// The folder or file that it was read from.
    pub path: PathBuf,
    /// The program.
    pub program: PathBuf,
    /// Files with external data.
    pub data: Vec<PathBuf>,
    /// The method to call.
    pub method: String,
    /// How close the outputs must be.
    pub tolerance: Tolerance,
    /// Whether state persists from step to step.
    pub stateful: bool,
    /// Calls, in order.
    pub steps: Vec<Step>,
    /// Why the program must be refused, if it must.
    pub rejected: Option<String>,
    /// What constant methods must return.
    pub constants: BTreeMap<String, serde_json::Value>,
}

/// One call of a case.
#[derive(Clone, Debug)]
pub enum Step {
    /// Tensors in two safetensors files, and what is no tensor beside them.
    Files {
        /// Tensors by input number.
        inputs: PathBuf,
        /// Inputs that are no tensors, by number.
        plain_inputs: Vec<(usize, Value)>,
        /// Tensors by output number; one that is missing is not compared.
        expected: PathBuf,
        /// Expected outputs that are no tensors, by number.
        plain_expected: Vec<(usize, Value)>,
    },
    /// Inputs and expected outputs in memory.
    Values {
        /// Inputs in order.
        inputs: Vec<Value>,
        /// Expected outputs by number.
        expected: Vec<(usize, Value)>,
    },
}

#[derive(Deserialize)]
struct Description {
    #[serde(default = "forward")]
    method: String,
    atol: f64,
    rtol: f64,
    #[serde(default)]
    stateful: bool,
    steps: Vec<StepDescription>,
    #[serde(default)]
    data: Vec<String>,
    rejected: Option<String>,
    #[serde(default)]
    constants: BTreeMap<String, serde_json::Value>,
}

#[derive(Deserialize)]
struct StepDescription {
    inputs_file: String,
    expected_file: String,
    #[serde(default)]
    inputs: Vec<ValueDescription>,
    #[serde(default)]
    outputs: Vec<ValueDescription>,
}

/// What stands at one input or output: a kind and a value, or else a tensor, which lies in a file.
#[derive(Deserialize)]
struct ValueDescription {
    kind: Option<String>,
    #[serde(default)]
    value: serde_json::Value,
}

fn forward() -> String {
    "forward".to_owned()
}

/// Every case at or below a path, sorted: a case folder, a `.bpte` file, or a tree of them.
pub fn discover(path: &Path) -> Result<Vec<Case>, CaseError> {
    discover_each(path)?.into_iter().map(|(_, case)| case).collect()
}

/// A case, or why it could not be read, with the path that it was found at.
pub type Found = (PathBuf, Result<Case, CaseError>);

/// Like [`discover`], where a case that cannot be read does not hide the others.
pub fn discover_each(path: &Path) -> Result<Vec<Found>, CaseError> {
    let mut cases = Vec::new();
    visit(path, &mut cases)?;
    cases.sort_by(|a: &Found, b| a.0.cmp(&b.0));
    Ok(cases)
}

fn visit(path: &Path, cases: &mut Vec<Found>) -> Result<(), CaseError> {
    let fail = |source| CaseError::Io { path: path.to_owned(), source };
    if path.is_file() && path.extension().is_some_and(|extension| extension == "bpte") {
        match bundle::cases(path) {
            Ok(found) => cases.extend(found.into_iter().map(|case| (path.to_owned(), Ok(case)))),
            Err(error) => cases.push((path.to_owned(), Err(error))),
        }
        return Ok(());
    }
    if path.is_file() {
        return if path.file_name().is_some_and(|name| name == "case.json") {
            visit(path.parent().unwrap_or(Path::new(".")), cases)
        } else {
            let reason = "this is no case: give a .bpte file, a folder with a case.json, or a tree of them".to_owned();
            Err(CaseError::Content { path: path.to_owned(), reason })
        };
    }
    if path.join("case.json").is_file() {
        cases.push((path.to_owned(), Case::read(path)));
    }
    for entry in std::fs::read_dir(path).map_err(fail)? {
        let entry = entry.map_err(fail)?.path();
        if entry.is_dir() || entry.extension().is_some_and(|extension| extension == "bpte") {
            visit(&entry, cases)?;
        }
    }
    Ok(())
}

impl Case {
    /// Reads the case in a folder.
    pub fn read(folder: &Path) -> Result<Case, CaseError> {
        let path = folder.join("case.json");
        let text = std::fs::read(&path).map_err(|source| CaseError::Io { path: path.clone(), source })?;
        let content = |reason: String| CaseError::Content { path: path.clone(), reason };
        let description: Description = serde_json::from_slice(&text).map_err(|e| content(e.to_string()))?;
        let step = |step: StepDescription| {
            Ok(Step::Files {
                inputs: folder.join(step.inputs_file),
                plain_inputs: plain_values(&step.inputs).map_err(|e| content(format!("input {e}")))?,
                expected: folder.join(step.expected_file),
                plain_expected: plain_values(&step.outputs).map_err(|e| content(format!("output {e}")))?,
            })
        };
        Ok(Case {
            path: folder.to_owned(),
            program: folder.join("model.pte"),
            data: description.data.iter().map(|name| folder.join(name)).collect(),
            method: description.method,
            tolerance: Tolerance { atol: description.atol, rtol: description.rtol },
            stateful: description.stateful,
            steps: description.steps.into_iter().map(step).collect::<Result<_, _>>()?,
            rejected: description.rejected,
            constants: description.constants,
        })
    }
}

impl Step {
    /// The inputs in order, and the expected outputs by number.
    #[expect(clippy::type_complexity, reason = "two lists of values")]
    pub fn load(&self) -> Result<(Vec<Value>, Vec<(usize, Value)>), CaseError> {
        match self {
            Step::Values { inputs, expected } => Ok((inputs.clone(), expected.clone())),
            Step::Files { inputs, plain_inputs, expected, plain_expected } => {
                let given = read_values(inputs, plain_inputs)?;
                if let Some((number, _)) = given.iter().enumerate().find(|(number, (index, _))| number != index) {
                    let reason = format!("the case gives no input {number}");
                    return Err(CaseError::Content { path: inputs.clone(), reason });
                }
                let given = given.into_iter().map(|(_, value)| value).collect();
                Ok((given, read_values(expected, plain_expected)?))
            }
        }
    }
}

/// The values of a list that are no tensors, by their place in it.
fn plain_values(list: &[ValueDescription]) -> Result<Vec<(usize, Value)>, String> {
    let plain = |(index, description): (usize, &ValueDescription)| {
        let kind = description.kind.as_deref()?;
        let value = &description.value;
        let read = match kind {
            "int" => value.as_i64().map(Value::Int),
            "float" => value.as_f64().map(Value::Double),
            "bool" => value.as_bool().map(Value::Bool),
            "string" => value.as_str().map(|text| Value::Str(text.to_owned())),
            "null" => value.is_null().then_some(Value::Null),
            _ => None,
        };
        Some(read.map(|value| (index, value)).ok_or_else(|| format!("{index}: {value} is no value of kind {kind:?}")))
    };
    list.iter().enumerate().filter_map(plain).collect()
}

/// The tensors of a file and the plain values beside it, in the order of their numbers, none of which comes twice.
fn read_values(path: &Path, plain: &[(usize, Value)]) -> Result<Vec<(usize, Value)>, CaseError> {
    let tensors = read_tensors(path)?.into_iter().map(|(index, tensor)| (index, tensor.into()));
    let mut values: Vec<(usize, Value)> = tensors.chain(plain.iter().cloned()).collect();
    values.sort_by_key(|value| value.0);
    if let Some(pair) = values.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        let reason = format!("{} is a tensor here and something else in the case's description", pair[0].0);
        return Err(CaseError::Content { path: path.to_owned(), reason });
    }
    Ok(values)
}

/// The tensors of a safetensors file whose names are numbers, in the order of the numbers.
pub fn read_tensors(path: &Path) -> Result<Vec<(usize, HostTensor)>, CaseError> {
    let mut tensors = Vec::new();
    for (name, tensor) in read_named_tensors(path)? {
        let reason = format!("tensor {name:?} is not named by a number");
        let index = name.parse().map_err(|_| CaseError::Content { path: path.to_owned(), reason })?;
        tensors.push((index, tensor));
    }
    tensors.sort_by_key(|tensor| tensor.0);
    Ok(tensors)
}

/// The tensors of a safetensors file by name.
pub(crate) fn read_named_tensors(path: &Path) -> Result<BTreeMap<String, HostTensor>, CaseError> {
    let content = |reason: String| CaseError::Content { path: path.to_owned(), reason };
    let bytes = std::fs::read(path).map_err(|source| CaseError::Io { path: path.to_owned(), source })?;
    let file = SafeTensors::deserialize(&bytes).map_err(|e| content(e.to_string()))?;
    file.iter()
        .map(|(name, view)| {
            let tensor = HostTensor::try_from(&view).map_err(|e| content(format!("tensor {name}: {e}")))?;
            Ok((name.to_owned(), tensor))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(list: &str) -> Result<Vec<(usize, Value)>, String> {
        plain_values(&serde_json::from_str::<Vec<ValueDescription>>(list).expect("a list of descriptions"))
    }

    #[test]
    fn plain_values_have_their_place_and_kind() {
        let values = read(
            r#"[{"dtype": "float32", "shape": [2]}, {"kind": "float", "value": 4}, {"kind": "int", "value": -3},
                {"kind": "bool", "value": true}, {"dtype": "int64", "shape": []}, {"kind": "null"},
                {"kind": "string", "value": "none"}]"#,
        );
        let values = values.expect("every kind is known");
        assert!(
            matches!(
                &values[..],
                [
                    (1, Value::Double(4.0)),
                    (2, Value::Int(-3)),
                    (3, Value::Bool(true)),
                    (5, Value::Null),
                    (6, Value::Str(text))
                ] if text == "none"
            ),
            "{values:?}"
        );
    }

    #[test]
    fn a_value_of_another_kind_is_an_error() {
        for list in [
            r#"[{"kind": "int", "value": 1.5}]"#,
            r#"[{"kind": "float", "value": "1"}]"#,
            r#"[{"kind": "null", "value": 0}]"#,
            r#"[{"kind": "bool"}]"#,
            r#"[{"kind": "complex", "value": 1}]"#,
        ] {
            assert!(read(list).is_err(), "{list}");
        }
    }
}
