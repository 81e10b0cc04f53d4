//! The boundary between the caller's tensors and the device's.
//!
//! Equal types are copied byte for byte. int64 narrows to int32 where every value fits; floats convert by the type on
//! the device. Anything else is an error. Outputs widen back the same way.

use bytes::Bytes;
use half::f16;
use pteron_tensor::{DType, HostTensor, MAX_RANK};

use crate::error::{Error, Result};

/// Converts an input to the device's type. `scratch` is reused from call to call.
pub(crate) fn narrow<'a>(
    index: usize,
    host: &'a HostTensor,
    device: DType,
    scratch: &'a mut Vec<u8>,
) -> Result<&'a [u8]> {
    if host.dtype() == device {
        return Ok(host.bytes());
    }
    scratch.clear();
    match (host.dtype(), device) {
        (DType::I64, DType::I32) => {
            for (element, &value) in host.as_slice::<i64>()?.iter().enumerate() {
                let narrow = i32::try_from(value).map_err(|_| {
                    Error::input(index, format!("element {element} is {value}, which does not fit the program's int32"))
                })?;
                scratch.extend_from_slice(&narrow.to_ne_bytes());
            }
        }
        #[expect(clippy::cast_possible_truncation, reason = "the program computes in f32")]
        (DType::F64, DType::F32) => {
            host.as_slice::<f64>()?.iter().for_each(|&v| scratch.extend_from_slice(&(v as f32).to_ne_bytes()));
        }
        (DType::F32, DType::F16) => {
            host.as_slice::<f32>()?.iter().for_each(|&v| scratch.extend_from_slice(&f16::from_f32(v).to_ne_bytes()));
        }
        (DType::F16, DType::F32) => {
            host.as_slice::<f16>()?.iter().for_each(|&v| scratch.extend_from_slice(&v.to_f32().to_ne_bytes()));
        }
        (given, device) => return Err(Error::types(index, given, device)),
    }
    Ok(scratch)
}

/// Converts constant bytes from the type in the file to the type on the device.
pub(crate) fn convert_constant(bytes: &Bytes, stored: DType, device: DType) -> Result<Bytes> {
    if stored == device {
        return Ok(bytes.clone());
    }
    let elements = bytes.len() / stored.size();
    let host = HostTensor::new(stored, &[elements], bytes.clone())?;
    let mut converted = Vec::new();
    narrow(0, &host, device, &mut converted).map_err(|error| match error {
        Error::Input { reason, .. } => Error::Program(format!("a constant cannot be narrowed: {reason}")),
        other => other,
    })?;
    Ok(Bytes::from(converted))
}

/// The elements of a tensor in the order of its dimensions, from memory that holds them in another: `order` names the
/// dimensions from outermost to innermost.
pub(crate) fn in_order(stored: &HostTensor, order: &[u8]) -> Result<HostTensor> {
    let (shape, size) = (stored.shape(), stored.dtype().size());
    let mut steps = [0; MAX_RANK];
    let mut step = size;
    for &dim in order.iter().rev() {
        steps[usize::from(dim)] = step;
        step *= shape[usize::from(dim)];
    }
    let strides = shape.strides();
    let mut ordered = Vec::with_capacity(stored.bytes().len());
    for element in 0..shape.numel() {
        let coordinates = shape.iter().zip(strides).map(|(size, stride)| element / stride % size);
        let start: usize = coordinates.zip(steps).map(|(coordinate, step)| coordinate * step).sum();
        ordered.extend_from_slice(&stored.bytes()[start..start + size]);
    }
    Ok(HostTensor::with_shape(stored.dtype(), *shape, ordered)?)
}

/// Widens an output to the program's type.
pub(crate) fn widen(device: HostTensor, program: DType) -> Result<HostTensor> {
    match (device.dtype(), program) {
        (from, to) if from == to => Ok(device),
        (DType::I32, DType::I64) | (DType::F32, DType::F64 | DType::F16) | (DType::F16, DType::F32) => {
            Ok(device.cast(program))
        }
        (from, to) => {
            Err(Error::Program(format!("the program declares an output as {to}, and its graph gives {from}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_in_another_order_is_put_in_order() {
        // Two images of three channels and one row of two, with the channels innermost.
        let stored = HostTensor::from_slice(&(0..12).collect::<Vec<i32>>(), &[2, 3, 1, 2]).unwrap();
        let ordered = in_order(&stored, &[0, 2, 3, 1]).unwrap();
        assert_eq!(ordered.as_slice::<i32>().unwrap(), [0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11]);
    }

    #[test]
    fn equal_types_are_not_copied() {
        let ids = HostTensor::from_slice(&[1i32, 2], &[2]).unwrap();
        let mut scratch = Vec::new();
        let bytes = narrow(0, &ids, DType::I32, &mut scratch).unwrap();
        assert_eq!(bytes.as_ptr(), ids.bytes().as_ptr());
    }

    #[test]
    fn int64_narrows_to_its_whole_range_and_not_beyond() {
        let limits = [i64::from(i32::MIN), -1, 0, i64::from(i32::MAX)];
        let ids = HostTensor::from_slice(&limits, &[4]).unwrap();
        let mut scratch = Vec::new();
        let bytes = narrow(0, &ids, DType::I32, &mut scratch).unwrap();
        let narrowed = HostTensor::new(DType::I32, &[4], Bytes::copy_from_slice(bytes)).unwrap();
        assert_eq!(narrowed.to_i64s(), limits);
        for outside in [i64::from(i32::MAX) + 1, i64::from(i32::MIN) - 1, i64::MAX] {
            let ids = HostTensor::from_slice(&[0, outside], &[2]).unwrap();
            let error = narrow(3, &ids, DType::I32, &mut scratch).unwrap_err().to_string();
            assert_eq!(error, format!("input 3: element 1 is {outside}, which does not fit the program's int32"));
        }
    }

    #[test]
    fn anything_else_is_an_error() {
        let mut scratch = Vec::new();
        for (host, device) in [
            (DType::F32, DType::I32),
            (DType::I32, DType::F32),
            (DType::I32, DType::I64),
            (DType::U8, DType::Bool),
            (DType::F64, DType::F16),
        ] {
            let tensor = HostTensor::zeros(host, pteron_tensor::Shape::new(&[2]).unwrap());
            assert!(narrow(0, &tensor, device, &mut scratch).is_err(), "{host} to {device}");
        }
    }

    #[test]
    fn outputs_widen_back() {
        let device = HostTensor::from_slice(&[i32::MIN, 7], &[2]).unwrap();
        assert_eq!(widen(device.clone(), DType::I64).unwrap().to_i64s(), [i64::from(i32::MIN), 7]);
        assert!(widen(device, DType::F32).is_err());
    }
}
