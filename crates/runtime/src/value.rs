//! What goes into a method and comes out of it.

use pteron_ops::Number;
use pteron_tensor::{DType, HostTensor, Shape};

use crate::engine::wgpu::DeviceTensor;
use crate::graph::ProgramValue;

/// An input or output of a method.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Value {
    /// Nothing.
    Null,
    /// A tensor on the host.
    Tensor(HostTensor),
    /// A tensor on the GPU.
    Device(DeviceTensor),
    /// An integer.
    Int(i64),
    /// A float.
    Double(f64),
    /// A truth value.
    Bool(bool),
    /// A string.
    Str(String),
}

impl Value {
    /// The host tensor, where it is one.
    pub fn tensor(&self) -> Option<&HostTensor> {
        match self {
            Value::Tensor(tensor) => Some(tensor),
            _ => None,
        }
    }

    /// The integer, where it is one: a number, or a tensor of one integer.
    pub fn int(&self) -> Option<i64> {
        match self {
            Value::Int(value) => Some(*value),
            Value::Bool(value) => Some(i64::from(*value)),
            Value::Tensor(tensor) if tensor.numel() == 1 && !tensor.dtype().is_float() => Some(tensor.to_i64s()[0]),
            _ => None,
        }
    }

    /// What an operator on numbers gives.
    pub(crate) fn of_number(number: Number) -> Value {
        match number {
            Number::Int(value) => Value::Int(value),
            Number::Double(value) => Value::Double(value),
            Number::Bool(value) => Value::Bool(value),
        }
    }

    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Tensor(_) => "tensor",
            Value::Device(_) => "device tensor",
            Value::Int(_) => "integer",
            Value::Double(_) => "float",
            Value::Bool(_) => "truth value",
            Value::Str(_) => "string",
        }
    }

    /// Type and shape of a tensor.
    pub(crate) fn described(&self) -> Option<(DType, Shape)> {
        match self {
            Value::Tensor(tensor) => Some((tensor.dtype(), *tensor.shape())),
            Value::Device(tensor) => Some((tensor.dtype(), *tensor.shape())),
            _ => None,
        }
    }

    /// What the program has for a value that is no tensor and no list.
    pub(crate) fn of_program(declared: &ProgramValue) -> Option<Value> {
        match declared {
            ProgramValue::Null => Some(Value::Null),
            ProgramValue::Int(kept) => Some(Value::Int(*kept)),
            ProgramValue::Double(kept) => Some(Value::Double(*kept)),
            ProgramValue::Bool(kept) => Some(Value::Bool(*kept)),
            ProgramValue::Str(kept) => Some(Value::Str(kept.to_string())),
            _ => None,
        }
    }

    /// What the program has for a value that is no tensor, where that is another.
    pub(crate) fn other_than(&self, declared: &ProgramValue) -> Option<String> {
        match (self, declared) {
            (Value::Int(given), ProgramValue::Int(kept)) if given != kept => Some(kept.to_string()),
            (Value::Double(given), ProgramValue::Double(kept)) if given.to_bits() != kept.to_bits() => {
                Some(kept.to_string())
            }
            (Value::Bool(given), ProgramValue::Bool(kept)) if given != kept => Some(kept.to_string()),
            (Value::Str(given), ProgramValue::Str(kept)) if **given != **kept => Some(format!("{kept:?}")),
            _ => None,
        }
    }

    /// Whether a value that is no tensor can stand for what the program declares.
    pub(crate) fn fits(&self, declared: &ProgramValue) -> bool {
        matches!(
            (self, declared),
            (Value::Null, ProgramValue::Null)
                | (Value::Int(_), ProgramValue::Int(_))
                | (Value::Double(_), ProgramValue::Double(_))
                | (Value::Bool(_), ProgramValue::Bool(_))
                | (Value::Str(_), ProgramValue::Str(_))
        )
    }
}

impl From<HostTensor> for Value {
    fn from(tensor: HostTensor) -> Value {
        Value::Tensor(tensor)
    }
}

impl From<&HostTensor> for Value {
    fn from(tensor: &HostTensor) -> Value {
        Value::Tensor(tensor.clone())
    }
}

impl From<DeviceTensor> for Value {
    fn from(tensor: DeviceTensor) -> Value {
        Value::Device(tensor)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value::Int(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Value {
        Value::Double(value)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}
