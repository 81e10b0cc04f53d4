//! Rust numbers that tensors hold, and how they convert.

use bytemuck::Pod;
use half::{bf16, f16};

use crate::DType;

/// A Rust number that a tensor can hold.
///
/// `bool` is not one, since not every byte is a `bool`: read a `Bool` tensor as `u8`.
pub trait Element: Pod + PartialEq + Send + Sync {
    /// The element type of a tensor of `Self`.
    const DTYPE: DType;

    /// The nearest `f64`.
    fn to_f64(self) -> f64;

    /// The nearest value of this type; integers truncate towards zero and saturate.
    fn from_f64(value: f64) -> Self;

    /// The value as an `i64`; floats truncate towards zero and saturate.
    fn to_i64(self) -> i64;

    /// The value with the low bits of `value`, or the nearest float.
    fn from_i64(value: i64) -> Self;
}

macro_rules! integer {
    ($($ty:ty => $dtype:ident),*) => {$(
        #[expect(clippy::cast_possible_truncation, clippy::allow_attributes, reason = "conversions between element types are lossy by contract")]
        #[allow(clippy::cast_lossless, trivial_numeric_casts, clippy::unnecessary_cast, reason = "one body for every width")]
        impl Element for $ty {
            const DTYPE: DType = DType::$dtype;
            fn to_f64(self) -> f64 { self as f64 }
            fn from_f64(value: f64) -> Self { value as $ty }
            fn to_i64(self) -> i64 { self as i64 }
            fn from_i64(value: i64) -> Self { value as $ty }
        }
    )*};
}

integer!(u8 => U8, i8 => I8, i16 => I16, i32 => I32, i64 => I64);

#[expect(clippy::cast_possible_truncation, reason = "conversions between element types are lossy by contract")]
mod floats {
    use super::*;

    impl Element for f32 {
        const DTYPE: DType = DType::F32;
        fn to_f64(self) -> f64 {
            f64::from(self)
        }
        fn from_f64(value: f64) -> Self {
            value as f32
        }
        fn to_i64(self) -> i64 {
            self as i64
        }
        fn from_i64(value: i64) -> Self {
            value as f32
        }
    }

    impl Element for f64 {
        const DTYPE: DType = DType::F64;
        fn to_f64(self) -> f64 {
            self
        }
        fn from_f64(value: f64) -> Self {
            value
        }
        fn to_i64(self) -> i64 {
            self as i64
        }
        fn from_i64(value: i64) -> Self {
            value as f64
        }
    }
}

macro_rules! short_float {
    ($($ty:ty => $dtype:ident),*) => {$(
        impl Element for $ty {
            const DTYPE: DType = DType::$dtype;
            fn to_f64(self) -> f64 { <$ty>::to_f64(self) }
            fn from_f64(value: f64) -> Self { <$ty>::from_f64(value) }
            #[expect(clippy::cast_possible_truncation, reason = "conversions between element types are lossy by contract")]
            fn to_i64(self) -> i64 { <$ty>::to_f64(self) as i64 }
            fn from_i64(value: i64) -> Self { <$ty>::from_f64(value as f64) }
        }
    )*};
}

short_float!(f16 => F16, bf16 => BF16);
