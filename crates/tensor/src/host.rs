//! Tensors in host memory.

use std::fmt;

use bytes::Bytes;
use half::{bf16, f16};

use crate::{DType, Element, Shape, ShapeError};

/// A tensor in host memory: contiguous, row-major, immutable and cheap to clone.
///
/// ```
/// use pteron_tensor::{DType, HostTensor};
///
/// let x = HostTensor::from_slice(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2])?;
/// assert_eq!(x.dtype(), DType::F32);
/// assert_eq!(x.as_slice::<f32>()?[3], 4.0);
/// # Ok::<(), pteron_tensor::TensorError>(())
/// ```
#[derive(Clone)]
pub struct HostTensor {
    dtype: DType,
    shape: Shape,
    /// Exactly `numel * dtype.size()` bytes, aligned for the element type.
    data: Bytes,
}

/// What can be wrong with a tensor that is made or read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TensorError {
    /// The sizes are no shape.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The data does not fill the shape.
    #[error("{shape} of {dtype} takes {expected} bytes, and {got} were given")]
    Length {
        /// The shape asked for.
        shape: Shape,
        /// The element type asked for.
        dtype: DType,
        /// Bytes that the shape takes.
        expected: usize,
        /// Bytes that were given.
        got: usize,
    },
    /// The tensor holds another type than the one asked for.
    #[error("the tensor holds {actual}, not {requested}")]
    Type {
        /// What it holds.
        actual: DType,
        /// What was asked for.
        requested: DType,
    },
    /// An element type that has no counterpart here.
    #[error("element type {0} is not supported")]
    Unsupported(String),
}

/// Owns the elements of a typed vector as bytes.
struct Owner<T>(Vec<T>);

impl<T: Element> AsRef<[u8]> for Owner<T> {
    fn as_ref(&self) -> &[u8] {
        bytemuck::cast_slice(&self.0)
    }
}

impl HostTensor {
    /// A tensor over bytes in this machine's byte order. Nothing is copied unless the bytes are not aligned for `dtype`.
    pub fn new(dtype: DType, dims: &[usize], data: impl Into<Bytes>) -> Result<HostTensor, TensorError> {
        HostTensor::with_shape(dtype, Shape::new(dims)?, data)
    }

    /// Like [`HostTensor::new`] with a shape that is already checked.
    pub fn with_shape(dtype: DType, shape: Shape, data: impl Into<Bytes>) -> Result<HostTensor, TensorError> {
        let mut data = data.into();
        let expected = shape.numel() * dtype.size();
        if data.len() != expected {
            return Err(TensorError::Length { shape, dtype, expected, got: data.len() });
        }
        if data.as_ptr().align_offset(dtype.size().min(8)) != 0 {
            let mut aligned = vec![0u64; expected.div_ceil(8)];
            bytemuck::cast_slice_mut::<u64, u8>(&mut aligned)[..expected].copy_from_slice(&data);
            data = words(aligned).slice(..expected);
        }
        Ok(HostTensor { dtype, shape, data })
    }

    /// A tensor that takes over a vector, without copying.
    pub fn from_vec<T: Element>(data: Vec<T>, dims: &[usize]) -> Result<HostTensor, TensorError> {
        HostTensor::with_shape(T::DTYPE, Shape::new(dims)?, Bytes::from_owner(Owner(data)))
    }

    /// A tensor with a copy of a slice.
    pub fn from_slice<T: Element>(data: &[T], dims: &[usize]) -> Result<HostTensor, TensorError> {
        HostTensor::from_vec(data.to_vec(), dims)
    }

    /// A `Bool` tensor.
    pub fn from_bools(data: &[bool], dims: &[usize]) -> Result<HostTensor, TensorError> {
        let bytes: Vec<u8> = data.iter().map(|&b| u8::from(b)).collect();
        HostTensor::new(DType::Bool, dims, bytes)
    }

    /// A rank-0 tensor.
    pub fn scalar<T: Element>(value: T) -> HostTensor {
        HostTensor { dtype: T::DTYPE, shape: Shape::SCALAR, data: Bytes::from_owner(Owner(vec![value])) }
    }

    /// A tensor of zeros.
    pub fn zeros(dtype: DType, shape: Shape) -> HostTensor {
        let bytes = shape.numel() * dtype.size();
        HostTensor { dtype, shape, data: words(vec![0; bytes.div_ceil(8)]).slice(..bytes) }
    }

    /// A tensor of `dtype` from floats, rounded to the type.
    pub fn from_f64s(
        dtype: DType,
        shape: Shape,
        values: impl IntoIterator<Item = f64>,
    ) -> Result<HostTensor, TensorError> {
        // Every kind of iterator would have code of its own for every type.
        HostTensor::from_f64_vec(dtype, shape, values.into_iter().collect())
    }

    fn from_f64_vec(dtype: DType, shape: Shape, values: Vec<f64>) -> Result<HostTensor, TensorError> {
        fn collect<T: Element>(values: Vec<f64>) -> Bytes {
            Bytes::from_owner(Owner(values.into_iter().map(T::from_f64).collect()))
        }
        let data = match dtype {
            DType::Bool => Bytes::from(values.into_iter().map(|v| u8::from(v != 0.0)).collect::<Vec<_>>()),
            DType::U8 => collect::<u8>(values),
            DType::I8 => collect::<i8>(values),
            DType::I16 => collect::<i16>(values),
            DType::I32 => collect::<i32>(values),
            DType::I64 => collect::<i64>(values),
            DType::F16 => collect::<f16>(values),
            DType::BF16 => collect::<bf16>(values),
            DType::F32 => collect::<f32>(values),
            DType::F64 => collect::<f64>(values),
            DType::C64 | DType::C128 => {
                return HostTensor::from_complex(dtype, shape, values.into_iter().map(|v| [v, 0.0]));
            }
        };
        HostTensor::with_shape(dtype, shape, data)
    }

    /// A tensor of `dtype` from integers; an integer type keeps the low bits.
    pub fn from_i64s(
        dtype: DType,
        shape: Shape,
        values: impl IntoIterator<Item = i64>,
    ) -> Result<HostTensor, TensorError> {
        // Every kind of iterator would have code of its own for every type.
        HostTensor::from_i64_vec(dtype, shape, values.into_iter().collect())
    }

    fn from_i64_vec(dtype: DType, shape: Shape, values: Vec<i64>) -> Result<HostTensor, TensorError> {
        fn collect<T: Element>(values: Vec<i64>) -> Bytes {
            Bytes::from_owner(Owner(values.into_iter().map(T::from_i64).collect()))
        }
        let data = match dtype {
            DType::Bool => Bytes::from(values.into_iter().map(|v| u8::from(v != 0)).collect::<Vec<_>>()),
            DType::U8 => collect::<u8>(values),
            DType::I8 => collect::<i8>(values),
            DType::I16 => collect::<i16>(values),
            DType::I32 => collect::<i32>(values),
            DType::I64 => collect::<i64>(values),
            DType::F16 => collect::<f16>(values),
            DType::BF16 => collect::<bf16>(values),
            DType::F32 => collect::<f32>(values),
            DType::F64 => collect::<f64>(values),
            DType::C64 | DType::C128 => {
                return HostTensor::from_complex(dtype, shape, values.into_iter().map(|v| [v as f64, 0.0]));
            }
        };
        HostTensor::with_shape(dtype, shape, data)
    }

    /// A tensor of complex numbers from their real and imaginary parts; another type keeps the real ones.
    pub fn from_complex(
        dtype: DType,
        shape: Shape,
        values: impl IntoIterator<Item = [f64; 2]>,
    ) -> Result<HostTensor, TensorError> {
        let parts = values.into_iter().flatten();
        let data = match dtype {
            DType::C64 => Bytes::from_owner(Owner(parts.map(f32::from_f64).collect::<Vec<_>>())),
            DType::C128 => Bytes::from_owner(Owner(parts.collect::<Vec<f64>>())),
            _ => return HostTensor::from_f64s(dtype, shape, parts.step_by(2).collect::<Vec<_>>()),
        };
        HostTensor::with_shape(dtype, shape, data)
    }

    /// The elements as real and imaginary parts, converted from any type.
    pub fn to_complex(&self) -> Vec<[f64; 2]> {
        let pairs = |parts: Vec<f64>| parts.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
        match self.dtype {
            DType::C64 => pairs(self.map::<f32, _>(Element::to_f64)),
            DType::C128 => pairs(self.map::<f64, _>(Element::to_f64)),
            _ => self.to_f64s().into_iter().map(|real| [real, 0.0]).collect(),
        }
    }

    /// Complex numbers as pairs of floats, which are a last dimension; another type as it is.
    pub fn as_real(&self) -> Result<HostTensor, TensorError> {
        let dtype = match self.dtype {
            DType::C64 => DType::F32,
            DType::C128 => DType::F64,
            _ => return Ok(self.clone()),
        };
        let dims: Vec<_> = self.shape.iter().copied().chain([2]).collect();
        HostTensor::new(dtype, &dims, self.data.clone())
    }

    /// The element type.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The sizes.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The number of elements.
    pub fn numel(&self) -> usize {
        self.shape.numel()
    }

    /// The elements as bytes in this machine's byte order.
    pub fn bytes(&self) -> &[u8] {
        &self.data
    }

    /// The elements as shared bytes.
    pub fn into_bytes(self) -> Bytes {
        self.data
    }

    /// The elements as Rust numbers. A `Bool` tensor reads as `u8`; any other mismatch is an error.
    pub fn as_slice<T: Element>(&self) -> Result<&[T], TensorError> {
        let same = self.dtype == T::DTYPE || (self.dtype == DType::Bool && T::DTYPE == DType::U8);
        match bytemuck::try_cast_slice(&self.data) {
            Ok(slice) if same => Ok(slice),
            _ => Err(TensorError::Type { actual: self.dtype, requested: T::DTYPE }),
        }
    }

    /// The elements as `f64`, converted from any type; of complex numbers the real parts.
    pub fn to_f64s(&self) -> Vec<f64> {
        match self.dtype {
            DType::Bool => self.data.iter().map(|&b| f64::from(u8::from(b != 0))).collect(),
            DType::U8 => self.map::<u8, _>(Element::to_f64),
            DType::I8 => self.map::<i8, _>(Element::to_f64),
            DType::I16 => self.map::<i16, _>(Element::to_f64),
            DType::I32 => self.map::<i32, _>(Element::to_f64),
            DType::I64 => self.map::<i64, _>(Element::to_f64),
            DType::F16 => self.map::<f16, _>(Element::to_f64),
            DType::BF16 => self.map::<bf16, _>(Element::to_f64),
            DType::F32 => self.map::<f32, _>(Element::to_f64),
            DType::F64 => self.map::<f64, _>(Element::to_f64),
            DType::C64 | DType::C128 => self.to_complex().into_iter().map(|[real, _]| real).collect(),
        }
    }

    /// The elements as `i64`, converted from any type; of complex numbers the real parts.
    pub fn to_i64s(&self) -> Vec<i64> {
        match self.dtype {
            DType::Bool => self.data.iter().map(|&b| i64::from(b != 0)).collect(),
            DType::U8 => self.map::<u8, _>(Element::to_i64),
            DType::I8 => self.map::<i8, _>(Element::to_i64),
            DType::I16 => self.map::<i16, _>(Element::to_i64),
            DType::I32 => self.map::<i32, _>(Element::to_i64),
            DType::I64 => self.map::<i64, _>(Element::to_i64),
            DType::F16 => self.map::<f16, _>(Element::to_i64),
            DType::BF16 => self.map::<bf16, _>(Element::to_i64),
            DType::F32 => self.map::<f32, _>(Element::to_i64),
            DType::F64 => self.map::<f64, _>(Element::to_i64),
            DType::C64 | DType::C128 => self.to_complex().into_iter().map(|[real, _]| real.to_i64()).collect(),
        }
    }

    /// The same elements under another shape of as many elements.
    pub fn reshape(&self, shape: Shape) -> Result<HostTensor, TensorError> {
        HostTensor::with_shape(self.dtype, shape, self.data.clone())
    }

    /// The elements converted to `dtype`: integers keep their low bits, floats round, anything not zero is true.
    pub fn cast(&self, dtype: DType) -> HostTensor {
        if dtype == self.dtype {
            return self.clone();
        }
        let converted = if self.dtype.is_complex() {
            HostTensor::from_complex(dtype, self.shape, self.to_complex())
        } else if self.dtype.is_float() {
            HostTensor::from_f64s(dtype, self.shape, self.to_f64s())
        } else {
            HostTensor::from_i64s(dtype, self.shape, self.to_i64s())
        };
        converted.unwrap_or_else(|_| HostTensor::zeros(dtype, self.shape))
    }

    fn map<T: Element, U>(&self, f: impl Fn(T) -> U) -> Vec<U> {
        bytemuck::cast_slice::<u8, T>(&self.data).iter().map(|&v| f(v)).collect()
    }
}

fn words(words: Vec<u64>) -> Bytes {
    struct Words(Vec<u64>);
    impl AsRef<[u8]> for Words {
        fn as_ref(&self) -> &[u8] {
            bytemuck::cast_slice(&self.0)
        }
    }
    Bytes::from_owner(Words(words))
}

impl fmt::Debug for HostTensor {
    /// Type, shape and the first few elements.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 8;
        write!(f, "{}{} [", self.dtype, self.shape)?;
        let head = self.numel().min(SHOWN);
        let shown = &self.data[..head * self.dtype.size()];
        if let Ok(shape) = Shape::new(&[head])
            && let Ok(head) = HostTensor::with_shape(self.dtype, shape, Bytes::copy_from_slice(shown))
        {
            for (i, value) in head.to_f64s().into_iter().enumerate() {
                write!(f, "{}{value}", if i == 0 { "" } else { ", " })?;
            }
        }
        f.write_str(if self.numel() > SHOWN { ", …]" } else { "]" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misaligned_bytes_are_copied_once() {
        let bytes = Bytes::from(vec![0u8; 64]);
        let tensor = HostTensor::new(DType::F32, &[3], bytes.slice(1..13)).unwrap();
        assert_eq!(tensor.as_slice::<f32>().unwrap(), [0.0; 3]);
    }

    #[test]
    fn wrong_lengths_and_types_are_errors() {
        assert!(matches!(HostTensor::from_slice(&[1i64], &[2]), Err(TensorError::Length { .. })));
        let ids = HostTensor::from_slice(&[1i64, 2], &[2]).unwrap();
        assert!(matches!(ids.as_slice::<i32>(), Err(TensorError::Type { .. })));
        let bools = HostTensor::from_bools(&[true, false], &[2]).unwrap();
        assert_eq!(bools.as_slice::<u8>().unwrap(), [1, 0]);
    }

    #[test]
    fn complex_numbers_are_pairs() {
        let shape = Shape::new(&[2]).unwrap();
        for (dtype, real) in [(DType::C64, DType::F32), (DType::C128, DType::F64)] {
            let x = HostTensor::from_complex(dtype, shape, [[1.5, -2.0], [0.0, 0.25]]).unwrap();
            assert_eq!(x.to_complex(), [[1.5, -2.0], [0.0, 0.25]]);
            assert_eq!(x.to_f64s(), [1.5, 0.0]);
            let parts = x.as_real().unwrap();
            assert_eq!((parts.dtype(), parts.shape().dims()), (real, &[2, 2][..]));
            assert_eq!(parts.to_f64s(), [1.5, -2.0, 0.0, 0.25]);
            assert_eq!(x.cast(DType::I32).cast(dtype).to_complex(), [[1.0, 0.0], [0.0, 0.0]]);
        }
    }

    #[test]
    fn casts_convert_by_value() {
        let x = HostTensor::from_slice(&[-1.5f32, 0.0, 300.0], &[3]).unwrap();
        assert_eq!(x.cast(DType::I32).to_i64s(), [-1, 0, 300]);
        assert_eq!(x.cast(DType::Bool).to_i64s(), [1, 0, 1]);
        let big = HostTensor::from_slice(&[1i64 << 40], &[1]).unwrap();
        assert_eq!(big.cast(DType::I32).to_i64s(), [0]);
        assert_eq!(format!("{:?}", x), "f32[3] [-1.5, 0, 300]");
    }
}
