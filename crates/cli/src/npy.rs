//! NumPy's `.npy` files.
//!
//! The published crates parse the header with a grammar for all of Python's literals and a parser generator. NumPy
//! writes one line of one form, so the few lines here do.

use anyhow::{Result, bail, ensure};
use pteron_runtime::{DType, HostTensor, Shape};

use crate::failure::Usage;

const MAGIC: &[u8] = b"\x93NUMPY";

/// Reads an array.
pub(crate) fn read(bytes: &[u8]) -> Result<HostTensor> {
    let malformed = || Usage::error("this is no .npy file, or it is cut off");
    let rest = bytes.strip_prefix(MAGIC).ok_or_else(malformed)?;
    let (length, body) = match *rest {
        [1, _, a, b, ref body @ ..] => (usize::from(u16::from_le_bytes([a, b])), body),
        [2 | 3, _, a, b, c, d, ref body @ ..] => (usize::try_from(u32::from_le_bytes([a, b, c, d]))?, body),
        _ => return Err(malformed()),
    };
    let (header, data) = body.split_at_checked(length).ok_or_else(malformed)?;
    let header = Header::parse(std::str::from_utf8(header)?).ok_or_else(malformed)?;
    ensure!(!header.fortran_order, Usage::error("the array is in Fortran order: save numpy.ascontiguousarray(x)"));
    let shape = Shape::from_sizes(header.shape.iter().copied())?;
    let (order, dtype) = dtype_of(&header.descr)?;
    let expected = shape.numel() * dtype.size();
    ensure!(
        data.len() >= expected,
        Usage::error(format!("{dtype}{shape} takes {expected} bytes, and the file holds {}", data.len()))
    );
    let mut data = data[..expected].to_vec();
    if order == Order::Big {
        // The parts of a complex number keep their order.
        let part = if dtype.is_complex() { dtype.size() / 2 } else { dtype.size() };
        data.chunks_exact_mut(part).for_each(<[u8]>::reverse);
    }
    Ok(HostTensor::with_shape(dtype, shape, data)?)
}

/// The bytes of a file with this tensor.
pub(crate) fn write(tensor: &HostTensor) -> Result<Vec<u8>> {
    let descr = match tensor.dtype() {
        DType::Bool => "|b1",
        DType::U8 => "|u1",
        DType::I8 => "|i1",
        DType::I16 => "<i2",
        DType::I32 => "<i4",
        DType::I64 => "<i8",
        DType::F16 => "<f2",
        DType::F32 => "<f4",
        DType::F64 => "<f8",
        DType::C64 => "<c8",
        DType::C128 => "<c16",
        other => bail!(Usage::error(format!("NumPy has no {other}: write a .safetensors file"))),
    };
    let sizes: String = tensor.shape().iter().map(|size| format!("{size}, ")).collect();
    let sizes = if tensor.shape().rank() == 1 { sizes.trim_end() } else { sizes.trim_end_matches(", ") };
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({sizes}), }}");
    // Data begins at a multiple of 64 bytes, after a newline.
    let before = MAGIC.len() + 4;
    let padding = (before + header.len() + 1).next_multiple_of(64) - (before + header.len() + 1);
    header += &" ".repeat(padding);
    header.push('\n');
    let mut bytes = MAGIC.to_vec();
    bytes.extend([1, 0]);
    bytes.extend(u16::try_from(header.len())?.to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(tensor.bytes());
    Ok(bytes)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Little,
    Big,
}

fn dtype_of(descr: &str) -> Result<(Order, DType)> {
    let (order, name) = match descr.split_at_checked(1) {
        Some(("<" | "|", name)) => (Order::Little, name),
        Some((">", name)) => (Order::Big, name),
        _ => (Order::Little, descr),
    };
    let dtype = match name {
        "b1" => DType::Bool,
        "u1" => DType::U8,
        "i1" => DType::I8,
        "i2" => DType::I16,
        "i4" => DType::I32,
        "i8" => DType::I64,
        "f2" => DType::F16,
        "f4" => DType::F32,
        "f8" => DType::F64,
        "c8" => DType::C64,
        "c16" => DType::C128,
        _ => bail!(Usage::error(format!("arrays of type {descr:?} are not supported: convert with x.astype"))),
    };
    Ok((order, dtype))
}

/// The dictionary at the start of a file.
#[derive(Debug)]
struct Header {
    descr: String,
    fortran_order: bool,
    shape: Vec<u64>,
}

impl Header {
    /// Reads `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`, keys in any order.
    fn parse(text: &str) -> Option<Header> {
        let field = |key: &str| {
            let at = text.find(&format!("'{key}'"))?;
            text.get(at + key.len() + 2..)?.trim_start().strip_prefix(':').map(str::trim_start)
        };
        let descr = field("descr")?.strip_prefix('\'')?.split('\'').next()?.to_owned();
        let fortran_order = match field("fortran_order")? {
            value if value.starts_with("False") => false,
            value if value.starts_with("True") => true,
            _ => return None,
        };
        let sizes = field("shape")?.strip_prefix('(')?.split(')').next()?;
        let sizes = sizes.split(',').map(str::trim).filter(|size| !size.is_empty());
        let shape = sizes.map(|size| size.parse().ok()).collect::<Option<_>>()?;
        Some(Header { descr, fortran_order, shape })
    }
}

#[cfg(test)]
mod tests {
    use half::f16;

    use super::*;

    #[test]
    fn tensors_come_back_as_written() {
        for dtype in DType::ALL {
            for dims in [&[][..], &[3], &[2, 3], &[0, 4]] {
                let shape = Shape::new(dims).unwrap();
                let values = (0..shape.numel()).map(|i| i as f64);
                let tensor = HostTensor::from_f64s(dtype, shape, values).unwrap();
                if dtype == DType::BF16 {
                    assert!(write(&tensor).is_err());
                    continue;
                }
                let bytes = write(&tensor).unwrap();
                assert_eq!((bytes.len() - tensor.bytes().len()) % 64, 0);
                let back = read(&bytes).unwrap();
                assert_eq!((back.dtype(), back.shape(), back.bytes()), (dtype, &shape, tensor.bytes()));
            }
        }
    }

    #[test]
    fn a_file_that_numpy_wrote_is_read() {
        // numpy.save of numpy.array([[1, 2]], '>i2'), NumPy 2.1.
        let mut file = b"\x93NUMPY\x01\x00\x76\x00{'descr': '>i2', 'fortran_order': False, 'shape': (1, 2), }".to_vec();
        file.resize(127, b' ');
        file.extend(b"\n\0\x01\0\x02");
        let array = read(&file).unwrap();
        assert_eq!((array.shape().dims(), array.to_i64s()), (&[1, 2][..], vec![1, 2]));
    }

    #[test]
    fn files_that_fuzzing_kept_are_arrays_or_errors() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/kept/tensors");
        let files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        let arrays: Vec<_> = files.iter().filter_map(|path| read(&std::fs::read(path).unwrap()).ok()).collect();
        assert!(!arrays.is_empty());
        for array in arrays {
            let again = read(&write(&array).unwrap()).unwrap();
            assert_eq!((again.shape(), again.bytes()), (array.shape(), array.bytes()));
        }
    }

    #[test]
    fn broken_files_are_errors() {
        let whole = write(&HostTensor::scalar(f16::ONE)).unwrap();
        for length in 0..whole.len() {
            assert!(read(&whole[..length]).is_err(), "cut at {length}");
        }
        let fortran = String::from_utf8_lossy(&whole[6..]).replace("False", "True ");
        assert!(read(&[MAGIC, fortran.as_bytes()].concat()).is_err());
    }
}
