//! Element type codes: the program and the delegate's graph number them differently.

use pteron_tensor::DType;

use crate::error::{Error, Result};

/// The element type of a scalar type code of a program, a `.ptd` or a `.bpte` file.
pub(crate) fn scalar_type(code: i8, at: impl FnOnce() -> String) -> Result<DType> {
    Ok(match code {
        0 => DType::U8,
        1 => DType::I8,
        2 => DType::I16,
        3 => DType::I32,
        4 => DType::I64,
        5 => DType::F16,
        6 => DType::F32,
        7 => DType::F64,
        9 => DType::C64,
        10 => DType::C128,
        11 => DType::Bool,
        15 => DType::BF16,
        _ => return Err(Error::Code { at: at(), what: "scalar type", code: i64::from(code) }),
    })
}

/// The element type of a data type code of a delegate's graph; 127, "unset", is not one.
pub(crate) fn graph_type(code: i8, at: impl FnOnce() -> String) -> Result<DType> {
    Ok(match code {
        0 => DType::Bool,
        1 => DType::U8,
        2 => DType::I8,
        3 => DType::I32,
        4 => DType::F16,
        5 => DType::F32,
        6 => DType::F64,
        7 => DType::I64,
        _ => return Err(Error::Code { at: at(), what: "data type", code: i64::from(code) }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_code_is_named() {
        for code in i8::MIN..=i8::MAX {
            let at = || "value 3".to_string();
            for (known, result) in [
                (matches!(code, 0..=7 | 9..=11 | 15), scalar_type(code, at)),
                (matches!(code, 0..=7), graph_type(code, at)),
            ] {
                assert_eq!(result.is_ok(), known);
                assert!(known || result.unwrap_err().to_string().contains(&code.to_string()));
            }
        }
    }
}
