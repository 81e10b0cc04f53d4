//! Conversions to and from `safetensors`.

use std::borrow::Cow;

use ::safetensors::tensor::{Dtype, TensorView, View};
use bytes::Bytes;

use crate::{DType, HostTensor, TensorError};

impl TryFrom<&TensorView<'_>> for HostTensor {
    type Error = TensorError;

    fn try_from(view: &TensorView<'_>) -> Result<HostTensor, TensorError> {
        let dtype = match view.dtype() {
            Dtype::BOOL => DType::Bool,
            Dtype::U8 => DType::U8,
            Dtype::I8 => DType::I8,
            Dtype::I16 => DType::I16,
            Dtype::I32 => DType::I32,
            Dtype::I64 => DType::I64,
            Dtype::F16 => DType::F16,
            Dtype::BF16 => DType::BF16,
            Dtype::F32 => DType::F32,
            Dtype::F64 => DType::F64,
            Dtype::C64 => DType::C64,
            other => return Err(TensorError::Unsupported(format!("{other:?}"))),
        };
        HostTensor::new(dtype, view.shape(), Bytes::copy_from_slice(view.data()))
    }
}

/// Lets `safetensors::serialize` write host tensors.
impl View for &HostTensor {
    fn dtype(&self) -> Dtype {
        match HostTensor::dtype(self) {
            DType::Bool => Dtype::BOOL,
            DType::U8 => Dtype::U8,
            DType::I8 => Dtype::I8,
            DType::I16 => Dtype::I16,
            DType::I32 => Dtype::I32,
            DType::I64 => Dtype::I64,
            DType::F16 => Dtype::F16,
            DType::BF16 => Dtype::BF16,
            DType::F32 => Dtype::F32,
            // The format has no complex numbers of double precision: their parts are written.
            DType::F64 | DType::C128 => Dtype::F64,
            DType::C64 => Dtype::C64,
        }
    }

    fn shape(&self) -> &[usize] {
        HostTensor::shape(self).dims()
    }

    fn data(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(self.bytes())
    }

    fn data_len(&self) -> usize {
        self.bytes().len()
    }
}
