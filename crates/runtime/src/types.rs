//! The types of tensors: in the program, on a device, and as a caller may give them.
//!
//! WGSL has no 64-bit numbers and no brain floats, and not every device has 16-bit floats. [`TYPES`] says for each type of
//! a program which type stands for it on a device, and [`CONVERSIONS`] which types become each other at the boundary.
//! Everything that converts elements asks here.

use bytes::Bytes;
use half::{bf16, f16};
use pteron_ops::Caps;
use pteron_tensor::{DType, Element, HostTensor};

use crate::error::{Error, Result};

/// What stands for a type of a program.
struct ProgramType {
    program: DType,
    device: DType,
    /// The type on devices without 16-bit floats.
    without_f16: DType,
    /// Types that a caller may give in its place.
    given: &'static [DType],
}

const fn same(dtype: DType) -> ProgramType {
    ProgramType { program: dtype, device: dtype, without_f16: dtype, given: &[] }
}

/// Every type that a device can hold. Tensors of others stay on the host.
const TYPES: [ProgramType; 9] = [
    same(DType::Bool),
    same(DType::U8),
    same(DType::I8),
    same(DType::I32),
    ProgramType { program: DType::I64, device: DType::I32, without_f16: DType::I32, given: &[DType::I32] },
    ProgramType { program: DType::F16, device: DType::F16, without_f16: DType::F32, given: &[DType::F32] },
    ProgramType { program: DType::BF16, device: DType::F32, without_f16: DType::F32, given: &[DType::F32] },
    ProgramType { program: DType::F32, device: DType::F32, without_f16: DType::F32, given: &[DType::F16, DType::F64] },
    ProgramType { program: DType::F64, device: DType::F32, without_f16: DType::F32, given: &[DType::F32] },
];

/// Pairs of a type on the host and another on the device that become each other, in both directions.
///
/// Integers must fit; floats round. A graph may compute in 16-bit floats what its program declares with 32 bits.
const CONVERSIONS: [(DType, DType); 5] = [
    (DType::I64, DType::I32),
    (DType::F64, DType::F32),
    (DType::F32, DType::F16),
    (DType::F16, DType::F32),
    (DType::BF16, DType::F32),
];

/// The type that stands for a program's on a device, where there is one.
pub(crate) fn on_device(program: DType, caps: &Caps) -> Option<DType> {
    let found = TYPES.iter().find(|entry| entry.program == program)?;
    Some(if caps.f16 { found.device } else { found.without_f16 })
}

/// Whether a caller may give elements of a type where the program declares another.
pub(crate) fn may_be_given(given: DType, program: DType) -> bool {
    given == program || TYPES.iter().any(|entry| entry.program == program && entry.given.contains(&given))
}

/// Why elements cannot become those of another type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mismatch {
    /// The one type never becomes the other.
    Types { from: DType, to: DType },
    /// An integer is too large.
    Range { element: usize, value: i64 },
}

impl Mismatch {
    /// What is wrong with an input.
    pub(crate) fn of_input(self, index: usize) -> Error {
        match self {
            Mismatch::Types { from, to } => Error::types(index, from, to),
            Mismatch::Range { .. } => Error::input(index, self.reason()),
        }
    }

    /// What is wrong with a constant.
    fn of_constant(self) -> Error {
        Error::Program(format!("a constant cannot be narrowed: {}", self.reason()))
    }

    fn reason(self) -> String {
        match self {
            Mismatch::Types { from, to } => format!("{from} does not become {to}"),
            Mismatch::Range { element, value } => {
                format!("element {element} is {value}, which does not fit the program's int32")
            }
        }
    }
}

/// Whether elements of a type on the host become those of a type on the device, as far as types tell.
pub(crate) fn converts(host: DType, device: DType) -> Result<(), Mismatch> {
    if host == device || CONVERSIONS.contains(&(host, device)) {
        return Ok(());
    }
    Err(Mismatch::Types { from: host, to: device })
}

/// Checks that elements become those of a type on the device.
pub(crate) fn check(host: &HostTensor, device: DType) -> Result<(), Mismatch> {
    converts(host.dtype(), device)?;
    if (host.dtype(), device) == (DType::I64, DType::I32) {
        let outside = |&(_, &value): &(usize, &i64)| i32::try_from(value).is_err();
        if let Some((element, &value)) = elements::<i64>(host).iter().enumerate().find(outside) {
            return Err(Mismatch::Range { element, value });
        }
    }
    Ok(())
}

/// Adds the elements in their type on the device to some bytes, where that is another than their own; whether it is.
pub(crate) fn convert(host: &HostTensor, device: DType, converted: &mut Vec<u8>) -> Result<bool, Mismatch> {
    if host.dtype() == device {
        return Ok(false);
    }
    converts(host.dtype(), device)?;
    converted.reserve(host.numel() * device.size());
    match (host.dtype(), device) {
        (DType::I64, _) => {
            for (element, &value) in elements::<i64>(host).iter().enumerate() {
                let narrow = i32::try_from(value).map_err(|_| Mismatch::Range { element, value })?;
                converted.extend_from_slice(&narrow.to_ne_bytes());
            }
        }
        #[expect(clippy::cast_possible_truncation, reason = "the device computes in f32")]
        (DType::F64, _) => {
            elements::<f64>(host).iter().for_each(|&value| converted.extend_from_slice(&(value as f32).to_ne_bytes()));
        }
        (DType::F32, _) => {
            let narrow = |&value: &f32| converted.extend_from_slice(&f16::from_f32(value).to_ne_bytes());
            elements::<f32>(host).iter().for_each(narrow);
        }
        (DType::F16, _) => {
            elements::<f16>(host).iter().for_each(|value| converted.extend_from_slice(&value.to_f32().to_ne_bytes()));
        }
        (DType::BF16, _) => {
            elements::<bf16>(host).iter().for_each(|value| converted.extend_from_slice(&value.to_f32().to_ne_bytes()));
        }
        (from, to) => return Err(Mismatch::Types { from, to }),
    }
    Ok(true)
}

/// The elements of a tensor of this type.
fn elements<T: Element>(tensor: &HostTensor) -> &[T] {
    tensor.as_slice().unwrap_or_default()
}

/// A tensor in its type on the device.
pub(crate) fn to_device(host: &HostTensor, device: DType) -> Result<HostTensor, Mismatch> {
    let mut converted = Vec::new();
    if !convert(host, device, &mut converted)? {
        return Ok(host.clone());
    }
    let mismatch = |_| Mismatch::Types { from: host.dtype(), to: device };
    HostTensor::with_shape(device, *host.shape(), converted).map_err(mismatch)
}

/// The bytes of a constant, from the type in the file to the type on the device.
pub(crate) fn constant_to_device(bytes: &Bytes, stored: DType, device: DType) -> Result<Bytes> {
    if stored == device {
        return Ok(bytes.clone());
    }
    let host = HostTensor::new(stored, &[bytes.len() / stored.size()], bytes.clone())?;
    Ok(to_device(&host, device).map_err(Mismatch::of_constant)?.into_bytes())
}

/// Whether an output of a type on the device becomes what the program declares.
pub(crate) fn check_output(device: DType, program: DType) -> Result<()> {
    converts(program, device).map_err(|_| {
        Error::Program(format!("the program declares an output as {program}, and its graph gives {device}"))
    })
}

/// An output in the type that the program declares.
pub(crate) fn to_program(device: HostTensor, program: DType) -> Result<HostTensor> {
    if device.dtype() == program {
        return Ok(device);
    }
    check_output(device.dtype(), program)?;
    Ok(device.cast(program))
}

#[cfg(test)]
mod tests {
    use pteron_tensor::Shape;

    use super::*;

    fn caps(f16: bool) -> Caps {
        let mut caps = Caps::webgpu_minimum();
        caps.f16 = f16;
        caps
    }

    /// Small numbers that every type holds, truth values where it holds no others.
    fn numbers(dtype: DType) -> HostTensor {
        let numbers = if dtype == DType::Bool { [0, 1, 1] } else { [0, 1, 100] };
        HostTensor::from_i64s(dtype, Shape::new(&[3]).unwrap(), numbers).unwrap()
    }

    #[test]
    fn every_type_of_a_program_has_one_on_a_device_or_stays_on_the_host() {
        for (program, device, without_f16) in [
            (DType::Bool, Some(DType::Bool), Some(DType::Bool)),
            (DType::U8, Some(DType::U8), Some(DType::U8)),
            (DType::I8, Some(DType::I8), Some(DType::I8)),
            (DType::I16, None, None),
            (DType::I32, Some(DType::I32), Some(DType::I32)),
            (DType::I64, Some(DType::I32), Some(DType::I32)),
            (DType::F16, Some(DType::F16), Some(DType::F32)),
            (DType::BF16, Some(DType::F32), Some(DType::F32)),
            (DType::F32, Some(DType::F32), Some(DType::F32)),
            (DType::F64, Some(DType::F32), Some(DType::F32)),
            (DType::C64, None, None),
            (DType::C128, None, None),
        ] {
            assert_eq!(on_device(program, &caps(true)), device, "{program}");
            assert_eq!(on_device(program, &caps(false)), without_f16, "{program}");
        }
        assert_eq!(TYPES.len() + 3, DType::ALL.len());
    }

    #[test]
    fn whatever_may_be_given_becomes_the_type_on_a_device_and_comes_back() {
        for program in DType::ALL {
            for f16 in [false, true] {
                let Some(device) = on_device(program, &caps(f16)) else { continue };
                for given in DType::ALL.into_iter().filter(|&given| may_be_given(given, program)) {
                    let there = to_device(&numbers(given), device).unwrap();
                    let back = to_program(there, program).unwrap();
                    assert_eq!(back.dtype(), program);
                    assert_eq!(back.to_i64s(), numbers(program).to_i64s(), "{given} for {program} as {device}");
                }
            }
        }
    }

    #[test]
    fn every_other_pair_of_types_is_refused() {
        for host in DType::ALL {
            for device in DType::ALL {
                let known = host == device || CONVERSIONS.contains(&(host, device));
                let mismatch = Mismatch::Types { from: host, to: device };
                let expected = if known { Ok(()) } else { Err(mismatch) };
                assert_eq!(converts(host, device), expected);
                assert_eq!(check(&numbers(host), device), expected);
                assert_eq!(to_device(&numbers(host), device).map(|tensor| tensor.dtype()), expected.map(|()| device));
                assert_eq!(to_program(numbers(device), host).is_ok(), known, "{device} to {host}");
                let constant = numbers(host).into_bytes();
                assert_eq!(constant_to_device(&constant, host, device).is_ok(), known, "{host} to {device}");
            }
        }
        assert_eq!(CONVERSIONS.len(), 5);
    }

    #[test]
    fn a_program_takes_its_own_types_and_these() {
        for program in DType::ALL {
            let given: Vec<_> = DType::ALL.into_iter().filter(|&given| may_be_given(given, program)).collect();
            let expected = match program {
                DType::I64 => vec![DType::I32, DType::I64],
                DType::F16 => vec![DType::F16, DType::F32],
                DType::BF16 => vec![DType::BF16, DType::F32],
                DType::F32 => vec![DType::F16, DType::F32, DType::F64],
                DType::F64 => vec![DType::F32, DType::F64],
                other => vec![other],
            };
            assert_eq!(given, expected, "{program}");
        }
    }

    #[test]
    fn equal_types_are_not_copied() {
        let mut converted = Vec::new();
        for dtype in DType::ALL {
            assert_eq!(convert(&numbers(dtype), dtype, &mut converted), Ok(false));
        }
        assert!(converted.is_empty());
        let ids = numbers(DType::I32);
        assert_eq!(to_device(&ids, DType::I32).unwrap().bytes().as_ptr(), ids.bytes().as_ptr());
    }

    #[test]
    fn int64_narrows_to_its_whole_range_and_not_beyond() {
        let limits = [i64::from(i32::MIN), -1, 0, i64::from(i32::MAX)];
        let ids = HostTensor::from_slice(&limits, &[4]).unwrap();
        assert_eq!(check(&ids, DType::I32), Ok(()));
        assert_eq!(to_device(&ids, DType::I32).unwrap().to_i64s(), limits);
        for value in [i64::from(i32::MAX) + 1, i64::from(i32::MIN) - 1, i64::MAX] {
            let ids = HostTensor::from_slice(&[0, value], &[2]).unwrap();
            let mismatch = check(&ids, DType::I32).unwrap_err();
            assert_eq!(mismatch, Mismatch::Range { element: 1, value });
            assert_eq!(to_device(&ids, DType::I32).unwrap_err(), mismatch);
            let error = mismatch.of_input(3).to_string();
            assert_eq!(error, format!("input 3: element 1 is {value}, which does not fit the program's int32"));
            let error = constant_to_device(&ids.into_bytes(), DType::I64, DType::I32).unwrap_err().to_string();
            assert!(error.contains("constant") && error.contains(&value.to_string()), "{error}");
        }
    }

    #[test]
    fn floats_round_and_keep_what_is_no_number() {
        for (host, device) in [(DType::F64, DType::F32), (DType::F32, DType::F16), (DType::BF16, DType::F32)] {
            let values = [1.0 / 3.0, f64::NAN, f64::INFINITY, -0.0];
            let there = HostTensor::from_f64s(host, Shape::new(&[4]).unwrap(), values).unwrap();
            let [third, nan, infinity, zero] = to_device(&there, device).unwrap().to_f64s()[..] else { panic!("four") };
            assert!((third - 1.0 / 3.0).abs() < 1e-2 && nan.is_nan() && infinity == f64::INFINITY);
            assert!(zero == 0.0 && zero.is_sign_negative());
        }
    }
}
