//! Element types by the names that numpy and PyTorch share.

use pteron::DType;

use crate::errors;

/// The name that Python users know.
pub(crate) fn name(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "bool",
        DType::U8 => "uint8",
        DType::I8 => "int8",
        DType::I16 => "int16",
        DType::I32 => "int32",
        DType::I64 => "int64",
        DType::F16 => "float16",
        DType::BF16 => "bfloat16",
        DType::F32 => "float32",
        DType::F64 => "float64",
        DType::C64 => "complex64",
        DType::C128 => "complex128",
        _ => "unknown",
    }
}

/// The type of this name, with or without the library that it is of.
pub(crate) fn parse(text: &str) -> pyo3::PyResult<DType> {
    let name = text.rsplit('.').next().unwrap_or(text);
    let name = name.trim_start_matches("<class '").trim_end_matches("'>");
    DType::parse(name).ok_or_else(|| errors::wrong_type(&format!("there is no element type {text:?}")))
}

/// What numpy's array interface calls the type; brain floats are words of 16 bits there.
pub(crate) fn type_string(dtype: DType) -> String {
    let order = if cfg!(target_endian = "little") { '<' } else { '>' };
    match dtype {
        DType::Bool => "|b1".to_owned(),
        DType::U8 => "|u1".to_owned(),
        DType::I8 => "|i1".to_owned(),
        DType::BF16 => format!("{order}u2"),
        _ if dtype.is_complex() => format!("{order}c{}", dtype.size()),
        _ if dtype.is_float() => format!("{order}f{}", dtype.size()),
        _ => format!("{order}i{}", dtype.size()),
    }
}
