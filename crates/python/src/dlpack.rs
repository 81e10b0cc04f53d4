//! DLPack: tensors that other libraries give and take without a copy.
//!
//! The structures are those of DLPack 1, and of the versions before, which have no flags.

use std::ffi::{CStr, c_void};
use std::ptr;

use bytes::Bytes;
use pteron::{DType, HostTensor, MAX_RANK};
use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors;
use crate::strided;

/// Memory of the host.
pub(crate) const CPU: i32 = 1;
/// Memory of the host that a GPU reads too.
const CUDA_HOST: i32 = 3;

const READ_ONLY: u64 = 1;
const IS_COPIED: u64 = 2;

const PLAIN: &CStr = c"dltensor";
const PLAIN_USED: &CStr = c"used_dltensor";
const VERSIONED: &CStr = c"dltensor_versioned";
const VERSIONED_USED: &CStr = c"used_dltensor_versioned";

#[repr(C)]
struct ElementType {
    code: u8,
    bits: u8,
    lanes: u16,
}

#[repr(C)]
struct RawTensor {
    data: *mut c_void,
    device_type: i32,
    device_id: i32,
    ndim: i32,
    dtype: ElementType,
    shape: *mut i64,
    strides: *mut i64,
    byte_offset: u64,
}

#[repr(C)]
struct Managed {
    tensor: RawTensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Managed)>,
}

#[repr(C)]
struct ManagedVersioned {
    major: u32,
    minor: u32,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut ManagedVersioned)>,
    flags: u64,
    tensor: RawTensor,
}

/// What a consumer's capsule points at, with all that it needs.
struct Export<T> {
    managed: T,
    /// Owns the memory.
    _tensor: HostTensor,
    dims: Vec<i64>,
    strides: Vec<i64>,
}

/// What DLPack's two layouts have in common.
trait Layout {
    fn parts(&mut self) -> (&mut RawTensor, &mut *mut c_void);
}

impl Layout for Managed {
    fn parts(&mut self) -> (&mut RawTensor, &mut *mut c_void) {
        (&mut self.tensor, &mut self.context)
    }
}

impl Layout for ManagedVersioned {
    fn parts(&mut self) -> (&mut RawTensor, &mut *mut c_void) {
        (&mut self.tensor, &mut self.context)
    }
}

impl<T: Layout> Export<T> {
    /// What a capsule points at. It is freed by a deleter, through its context.
    fn into_raw(self) -> *mut T {
        let mut export = Box::new(self);
        let (shape, strides) = (export.dims.as_mut_ptr(), export.strides.as_mut_ptr());
        let export = Box::into_raw(export);
        // SAFETY: the box is whole and nobody else has it yet.
        unsafe {
            let (tensor, context) = (*export).managed.parts();
            (tensor.shape, tensor.strides) = (shape, strides);
            *context = export.cast();
            &raw mut (*export).managed
        }
    }
}

/// A capsule with the tensor for another library. Its memory is shared and read-only where the consumer knows what that is
/// (`versioned`), and a copy of its own otherwise, or where it asks for one.
pub(crate) fn export<'py>(
    py: Python<'py>,
    tensor: &HostTensor,
    versioned: bool,
    copy: Option<bool>,
) -> PyResult<Bound<'py, PyAny>> {
    if copy == Some(false) && !versioned {
        return Err(PyBufferError::new_err("the tensor is read-only, which DLPack before version 1 cannot tell"));
    }
    let copied = copy == Some(true) || !versioned;
    let tensor = if copied {
        let bytes = Bytes::from(tensor.bytes().to_vec());
        HostTensor::with_shape(tensor.dtype(), *tensor.shape(), bytes).map_err(|error| errors::runtime(error.into()))?
    } else {
        tensor.clone()
    };
    let dims: Vec<i64> = tensor.shape().iter().map(|&size| size.cast_signed() as i64).collect();
    let strides: Vec<i64> = tensor.shape().strides()[..dims.len()].iter().map(|&size| size as i64).collect();
    if versioned {
        let flags = if copied { IS_COPIED } else { READ_ONLY };
        let managed = ManagedVersioned {
            major: 1,
            minor: 0,
            context: ptr::null_mut(),
            deleter: Some(delete_versioned),
            flags,
            tensor: raw(&tensor),
        };
        let managed = Export { managed, _tensor: tensor, dims, strides }.into_raw();
        capsule(py, managed.cast(), VERSIONED, drop_versioned)
    } else {
        let managed = Managed { tensor: raw(&tensor), context: ptr::null_mut(), deleter: Some(delete_plain) };
        let managed = Export { managed, _tensor: tensor, dims, strides }.into_raw();
        capsule(py, managed.cast(), PLAIN, drop_plain)
    }
}

fn raw(tensor: &HostTensor) -> RawTensor {
    let (code, bits) = match tensor.dtype() {
        DType::Bool => (6, 8),
        DType::U8 => (1, 8),
        DType::I8 => (0, 8),
        DType::I16 => (0, 16),
        DType::I32 => (0, 32),
        DType::I64 => (0, 64),
        DType::F16 => (2, 16),
        DType::BF16 => (4, 16),
        DType::F32 => (2, 32),
        DType::F64 => (2, 64),
        DType::C64 => (5, 64),
        _ => (5, 128),
    };
    RawTensor {
        data: tensor.bytes().as_ptr().cast_mut().cast(),
        device_type: CPU,
        device_id: 0,
        ndim: i32::try_from(tensor.shape().rank()).unwrap_or(0),
        dtype: ElementType { code, bits, lanes: 1 },
        shape: ptr::null_mut(),
        strides: ptr::null_mut(),
        byte_offset: 0,
    }
}

unsafe extern "C" fn delete_plain(managed: *mut Managed) {
    // SAFETY: the context is the box that this deleter was made for, and a consumer calls it once.
    drop(unsafe { Box::from_raw((*managed).context.cast::<Export<Managed>>()) });
}

unsafe extern "C" fn delete_versioned(managed: *mut ManagedVersioned) {
    // SAFETY: the context is the box that this deleter was made for, and a consumer calls it once.
    drop(unsafe { Box::from_raw((*managed).context.cast::<Export<ManagedVersioned>>()) });
}

fn capsule<'py>(
    py: Python<'py>,
    pointer: *mut c_void,
    name: &'static CStr,
    destructor: unsafe extern "C" fn(*mut ffi::PyObject),
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the pointer is not null, the name is static, and the destructor fits what it points at.
    unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyCapsule_New(pointer, name.as_ptr(), Some(destructor))) }
}

/// Frees what nobody took.
unsafe extern "C" fn drop_plain(capsule: *mut ffi::PyObject) {
    // SAFETY: Python calls this with a capsule of ours; one that was taken has another name.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, PLAIN.as_ptr()) != 0 {
            delete_plain(ffi::PyCapsule_GetPointer(capsule, PLAIN.as_ptr()).cast());
        }
    }
}

/// Frees what nobody took.
unsafe extern "C" fn drop_versioned(capsule: *mut ffi::PyObject) {
    // SAFETY: Python calls this with a capsule of ours; one that was taken has another name.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, VERSIONED.as_ptr()) != 0 {
            delete_versioned(ffi::PyCapsule_GetPointer(capsule, VERSIONED.as_ptr()).cast());
        }
    }
}

/// A tensor of another library, which is told when nobody reads it any more.
enum Taken {
    Plain(*mut Managed),
    Versioned(*mut ManagedVersioned),
}

// SAFETY: a consumer may call the deleter from any thread; this one holds the interpreter's lock then.
unsafe impl Send for Taken {}
// SAFETY: nothing of it changes between its making and its end.
unsafe impl Sync for Taken {}

impl Drop for Taken {
    fn drop(&mut self) {
        let _ = Python::try_attach(|_| {
            // SAFETY: the structure came with its deleter, which is called once.
            unsafe {
                match *self {
                    Taken::Plain(managed) => {
                        if let Some(deleter) = (*managed).deleter {
                            deleter(managed);
                        }
                    }
                    Taken::Versioned(managed) => {
                        if let Some(deleter) = (*managed).deleter {
                            deleter(managed);
                        }
                    }
                }
            }
        });
    }
}

/// The bytes of a contiguous tensor.
struct TakenBytes {
    _taken: Taken,
    start: *const u8,
    length: usize,
}

// SAFETY: as for what it holds.
unsafe impl Send for TakenBytes {}
// SAFETY: as for what it holds.
unsafe impl Sync for TakenBytes {}

impl AsRef<[u8]> for TakenBytes {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: the producer keeps these bytes in their place until its deleter is called. Like every consumer we rely on
        // nobody writing there during a call.
        if self.length == 0 { &[] } else { unsafe { std::slice::from_raw_parts(self.start, self.length) } }
    }
}

/// The tensor of an object with `__dlpack__`. A contiguous one is not copied unless it is to be `owned`.
pub(crate) fn import(object: &Bound<'_, PyAny>, owned: bool) -> PyResult<HostTensor> {
    let py = object.py();
    let (kind, _): (i32, i64) = object.call_method0(intern!(py, "__dlpack_device__"))?.extract()?;
    if kind != CPU && kind != CUDA_HOST {
        return Err(errors::wrong_type("the tensor is in the memory of another device: copy it to the host first"));
    }
    let options = PyDict::new(py);
    options.set_item(intern!(py, "max_version"), (1, 0))?;
    let capsule = match object.call_method(intern!(py, "__dlpack__"), (), Some(&options)) {
        Err(error) if error.is_instance_of::<PyTypeError>(py) => object.call_method0(intern!(py, "__dlpack__"))?,
        capsule => capsule?,
    };
    let taken = take(&capsule)?;
    let tensor = match taken {
        // SAFETY: the capsule was valid, so the structure is whole.
        Taken::Plain(managed) => unsafe { &raw const (*managed).tensor },
        // SAFETY: as above.
        Taken::Versioned(managed) => unsafe { &raw const (*managed).tensor },
    };
    // SAFETY: `taken` keeps the structure alive, and is moved and not dropped below.
    let tensor = unsafe { &*tensor };
    let dtype = element_type(&tensor.dtype).ok_or_else(|| {
        let ElementType { code, bits, lanes } = tensor.dtype;
        errors::wrong_type(&format!(
            "DLPack elements of kind {code} with {bits} bits and {lanes} lanes are not supported"
        ))
    })?;
    let rank = usize::try_from(tensor.ndim).unwrap_or(0);
    if rank > MAX_RANK {
        return Err(errors::wrong_input(&format!("a tensor of {rank} dimensions has more than {MAX_RANK}")));
    }
    let list = |pointer: *mut i64| match rank {
        0 => Some(&[][..]),
        // SAFETY: a list that is there has as many entries as the tensor has dimensions.
        _ => (!pointer.is_null()).then(|| unsafe { std::slice::from_raw_parts(pointer.cast_const(), rank) }),
    };
    let sizes = list(tensor.shape).unwrap_or_default();
    let dims: Vec<usize> = sizes.iter().map(|&size| usize::try_from(size).unwrap_or(0)).collect();
    // SAFETY: the producer says that the elements begin there.
    let start = unsafe { tensor.data.cast::<u8>().cast_const().add(usize::try_from(tensor.byte_offset).unwrap_or(0)) };
    let length = dims.iter().product::<usize>() * dtype.size();
    let element = isize::try_from(dtype.size()).unwrap_or(1);
    let steps: Option<Vec<isize>> = list(tensor.strides)
        .map(|strides| strides.iter().map(|&stride| isize::try_from(stride).unwrap_or(0) * element).collect());
    let bytes = match steps {
        Some(steps) if !strided::is_contiguous(&dims, &steps, dtype.size()) => {
            // SAFETY: the producer promises that every element of the tensor is there until its deleter is called.
            unsafe { strided::gather(start, &dims, &steps, dtype.size()) }.into()
        }
        _ => {
            let bytes = TakenBytes { _taken: taken, start, length };
            if owned { Bytes::copy_from_slice(bytes.as_ref()) } else { Bytes::from_owner(bytes) }
        }
    };
    HostTensor::new(dtype, &dims, bytes).map_err(|error| errors::runtime(error.into()))
}

/// Takes what a capsule holds, so that nobody else does.
fn take(capsule: &Bound<'_, PyAny>) -> PyResult<Taken> {
    let object = capsule.as_ptr();
    // SAFETY: the object is alive, and a pointer is only taken from a capsule with the name that says what it is.
    unsafe {
        if ffi::PyCapsule_IsValid(object, VERSIONED.as_ptr()) != 0 {
            let managed = ffi::PyCapsule_GetPointer(object, VERSIONED.as_ptr()).cast::<ManagedVersioned>();
            if (*managed).major > 1 {
                return Err(PyBufferError::new_err("a later version of DLPack than was asked for"));
            }
            ffi::PyCapsule_SetName(object, VERSIONED_USED.as_ptr());
            return Ok(Taken::Versioned(managed));
        }
        if ffi::PyCapsule_IsValid(object, PLAIN.as_ptr()) != 0 {
            let managed = ffi::PyCapsule_GetPointer(object, PLAIN.as_ptr()).cast::<Managed>();
            ffi::PyCapsule_SetName(object, PLAIN_USED.as_ptr());
            return Ok(Taken::Plain(managed));
        }
    }
    Err(errors::wrong_type("__dlpack__ gave no capsule of DLPack"))
}

fn element_type(element: &ElementType) -> Option<DType> {
    Some(match (element.code, element.bits, element.lanes) {
        (6, 8, 1) => DType::Bool,
        (1, 8, 1) => DType::U8,
        (0, 8, 1) => DType::I8,
        (0, 16, 1) => DType::I16,
        (0, 32, 1) => DType::I32,
        (0, 64, 1) => DType::I64,
        (2, 16, 1) => DType::F16,
        (4, 16, 1) => DType::BF16,
        (2, 32, 1) => DType::F32,
        (2, 64, 1) => DType::F64,
        (5, 64, 1) => DType::C64,
        (5, 128, 1) => DType::C128,
        _ => return None,
    })
}
