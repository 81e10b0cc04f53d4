//! Memory of Python objects that have the buffer protocol: numpy arrays, `bytes`, `array.array`, `memoryview`.
//!
//! The protocol is part of the stable interface from Python 3.11 on, where it took over the structure and the functions of
//! 3.10 as they were; they are declared here, so that one module serves both.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;

use bytes::Bytes;
use pteron::{DType, HostTensor, MAX_RANK};
use pyo3::ffi::{Py_ssize_t, PyObject};
use pyo3::prelude::*;

use crate::errors;
use crate::strided;

#[repr(C)]
struct RawView {
    buf: *mut c_void,
    obj: *mut PyObject,
    len: Py_ssize_t,
    itemsize: Py_ssize_t,
    readonly: c_int,
    ndim: c_int,
    format: *mut c_char,
    shape: *mut Py_ssize_t,
    strides: *mut Py_ssize_t,
    suboffsets: *mut Py_ssize_t,
    internal: *mut c_void,
}

unsafe extern "C" {
    fn PyObject_CheckBuffer(object: *mut PyObject) -> c_int;
    fn PyObject_GetBuffer(object: *mut PyObject, view: *mut RawView, flags: c_int) -> c_int;
    fn PyBuffer_Release(view: *mut RawView);
}

/// Strides and format, of read-only memory too. Memory in pieces is refused by its owner.
const RECORDS_RO: c_int = 0x0010 | 0x0008 | 0x0004;

/// A view of an object's memory, which the object keeps in its place until the view is dropped.
struct View(Box<RawView>);

// SAFETY: the view is a description of memory that stays where it is; it is released with the interpreter's lock held.
unsafe impl Send for View {}
// SAFETY: nothing of it changes between its making and its release.
unsafe impl Sync for View {}

impl Drop for View {
    fn drop(&mut self) {
        // Without an interpreter there is nobody to give the memory back to.
        let _ = Python::try_attach(|_| {
            // SAFETY: the view was filled by PyObject_GetBuffer and is released once.
            unsafe { PyBuffer_Release(&raw mut *self.0) };
        });
    }
}

impl AsRef<[u8]> for View {
    fn as_ref(&self) -> &[u8] {
        let length = usize::try_from(self.0.len).unwrap_or(0);
        if length == 0 || self.0.buf.is_null() {
            return &[];
        }
        // SAFETY: the object keeps these bytes in their place while the view exists. Like every reader of this protocol we
        // rely on nobody writing there during a call.
        unsafe { std::slice::from_raw_parts(self.0.buf.cast::<u8>().cast_const(), length) }
    }
}

/// Whether an object has the protocol.
pub(crate) fn is_buffer(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: the object is alive, and the interpreter's lock is held.
    unsafe { PyObject_CheckBuffer(object.as_ptr()) != 0 }
}

/// The elements of an object with the buffer protocol. Contiguous ones are not copied unless they are to be `owned`.
///
/// `dtype` overrides what the object says, for elements that the protocol has no name for.
pub(crate) fn tensor(object: &Bound<'_, PyAny>, dtype: Option<DType>, owned: bool) -> PyResult<HostTensor> {
    let view = open(object)?;
    let format = if view.0.format.is_null() {
        "B".to_owned()
    } else {
        // SAFETY: the format ends with a zero and lives as long as the view.
        unsafe { CStr::from_ptr(view.0.format) }.to_string_lossy().into_owned()
    };
    let itemsize = usize::try_from(view.0.itemsize).unwrap_or(0);
    let dtype = match dtype.or_else(|| element_type(&format, itemsize)) {
        Some(dtype) if dtype.size() == itemsize => dtype,
        _ => return Err(errors::wrong_type(&format!("elements of the buffer format {format:?} are not supported"))),
    };
    let rank = usize::try_from(view.0.ndim).unwrap_or(0);
    if rank > MAX_RANK {
        return Err(errors::wrong_input(&format!("a tensor of {rank} dimensions has more than {MAX_RANK}")));
    }
    // SAFETY: with the flags asked for, both arrays have `ndim` entries where they are not null.
    let sizes = unsafe { entries(view.0.shape, rank) };
    // SAFETY: as above.
    let strides = unsafe { entries(view.0.strides, rank) };
    let dims: Vec<usize> = match sizes {
        Some(sizes) => sizes.iter().map(|&size| usize::try_from(size).unwrap_or(0)).collect(),
        None => vec![view.as_ref().len() / itemsize.max(1); rank],
    };
    if strides.is_some_and(|strides| !strided::is_contiguous(&dims, strides, itemsize)) {
        let strides = strides.unwrap_or_default();
        // SAFETY: the object promises that every element of the view is there while the view exists.
        let bytes = unsafe { strided::gather(view.0.buf.cast::<u8>().cast_const(), &dims, strides, itemsize) };
        return HostTensor::new(dtype, &dims, bytes).map_err(|error| errors::runtime(error.into()));
    }
    let bytes = if owned { Bytes::copy_from_slice(view.as_ref()) } else { Bytes::from_owner(view) };
    HostTensor::new(dtype, &dims, bytes).map_err(|error| errors::runtime(error.into()))
}

/// The bytes of an object, shared where it cannot change them.
pub(crate) fn bytes(object: &Bound<'_, PyAny>) -> PyResult<Bytes> {
    let view = open(object)?;
    // SAFETY: with the flags asked for, both arrays have `ndim` entries where they are not null.
    let strides = unsafe { entries(view.0.strides, usize::try_from(view.0.ndim).unwrap_or(0)) };
    let step = strides.and_then(|strides| strides.last()).copied().unwrap_or(view.0.itemsize);
    if view.0.ndim > 1 || step != view.0.itemsize {
        return Err(errors::wrong_type("a program is one row of bytes"));
    }
    Ok(if view.0.readonly == 0 { Bytes::copy_from_slice(view.as_ref()) } else { Bytes::from_owner(view) })
}

fn open(object: &Bound<'_, PyAny>) -> PyResult<View> {
    let mut raw = Box::new(RawView {
        buf: ptr::null_mut(),
        obj: ptr::null_mut(),
        len: 0,
        itemsize: 0,
        readonly: 0,
        ndim: 0,
        format: ptr::null_mut(),
        shape: ptr::null_mut(),
        strides: ptr::null_mut(),
        suboffsets: ptr::null_mut(),
        internal: ptr::null_mut(),
    });
    // SAFETY: the object is alive, the interpreter's lock is held, and the view is ours to fill.
    if unsafe { PyObject_GetBuffer(object.as_ptr(), &raw mut *raw, RECORDS_RO) } != 0 {
        let reason = PyErr::fetch(object.py());
        return Err(errors::wrong_type(&format!("its memory cannot be read: {}", reason.value(object.py()))));
    }
    Ok(View(raw))
}

/// # Safety
/// The array has `count` entries that live as long as the result, or is null.
unsafe fn entries<'a>(array: *const Py_ssize_t, count: usize) -> Option<&'a [Py_ssize_t]> {
    // SAFETY: the caller's promise.
    (!array.is_null()).then(|| unsafe { std::slice::from_raw_parts(array, count) })
}

/// The element type of a format of the `struct` module, in this machine's byte order.
fn element_type(format: &str, size: usize) -> Option<DType> {
    let name = format.strip_prefix(['@', '=', if cfg!(target_endian = "little") { '<' } else { '>' }]);
    Some(match (name.unwrap_or(format), size) {
        ("?", 1) => DType::Bool,
        ("B" | "c", 1) => DType::U8,
        ("b", 1) => DType::I8,
        ("h", 2) => DType::I16,
        ("i" | "l", 4) => DType::I32,
        ("q" | "l", 8) => DType::I64,
        ("e", 2) => DType::F16,
        ("f", 4) => DType::F32,
        ("d", 8) => DType::F64,
        ("Zf" | "F", 8) => DType::C64,
        ("Zd" | "D", 16) => DType::C128,
        _ => return None,
    })
}
