//! Values across the boundary: plain JavaScript objects on one side, the runtime's values on the other.

use js_sys::{Array, ArrayBuffer, JsString, Object, Reflect, Symbol, Uint8Array};
use pteron_runtime::{DType, Error, GpuBytes, HostTensor, Spec, Value};
use wasm_bindgen::{JsCast, JsValue};

use crate::error::{Result, WebError};
use crate::tensors;

/// The kind of a typed array, such as `Float32Array`, from whichever frame of the page it comes.
pub(crate) fn array_kind(value: &JsValue) -> Option<String> {
    if !value.is_object() || !ArrayBuffer::is_view(value) {
        return None;
    }
    Reflect::get(value, &Symbol::to_string_tag()).ok()?.as_string()
}

/// The property of an object; `undefined` where there is none.
pub(crate) fn property(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &JsString::from(name)).unwrap_or(JsValue::UNDEFINED)
}

/// An object with these properties.
pub(crate) fn object<const N: usize>(properties: [(&str, JsValue); N]) -> JsValue {
    let object = Object::new();
    for (name, value) in properties {
        // Setting a property of an object that was just made cannot fail.
        let _ = Reflect::set(&object, &JsString::from(name), &value);
    }
    object.into()
}

/// The inputs of a call, checked against what the method takes as far as their kinds go.
pub(crate) fn inputs_from_js(inputs: &JsValue, specs: &[Spec]) -> Result<Vec<Value>> {
    let Some(inputs) = inputs.dyn_ref::<Array>() else {
        return Err(WebError::argument("inputs are given as an array"));
    };
    let input = |(index, value): (usize, JsValue)| {
        value_from_js(&value, specs.get(index)).map_err(|reason| WebError::Runtime(Error::Input { index, reason }))
    };
    inputs.iter().enumerate().map(input).collect()
}

fn value_from_js(value: &JsValue, spec: Option<&Spec>) -> Result<Value, String> {
    if value.is_null() || value.is_undefined() {
        return Ok(Value::Null);
    }
    if let Some(truth) = value.as_bool() {
        return Ok(Value::Bool(truth));
    }
    if let Some(number) = value.as_f64() {
        return match spec {
            Some(Spec::Other("int")) => {
                integer(number).map(Value::Int).ok_or_else(|| format!("{number} is no integer"))
            }
            _ => Ok(Value::Double(number)),
        };
    }
    if let Some(text) = value.as_string() {
        return Ok(Value::Str(text));
    }
    if value.is_bigint() {
        let integer = i64::try_from(value.clone()).map_err(|_| "the bigint does not fit 64 bits".to_owned())?;
        return Ok(Value::Int(integer));
    }
    if let Some(id) = property(value, "deviceTensor").as_f64().and_then(integer).and_then(|id| u32::try_from(id).ok()) {
        return tensors::find(id).map(Value::Device).ok_or_else(|| "the tensor was disposed of".to_owned());
    }
    tensor_from_js(value).map(Value::Tensor)
}

/// A number that JavaScript holds exactly as an integer.
fn integer(number: f64) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    #[expect(clippy::cast_possible_truncation, reason = "whole and within 53 bits")]
    (number.fract() == 0.0 && number.abs() <= EXACT).then_some(number as i64)
}

pub(crate) fn tensor_from_js(value: &JsValue) -> Result<HostTensor, String> {
    let dtype = property(value, "dtype").as_string().ok_or("a tensor is an object with dtype, shape and data")?;
    let dtype = DType::parse(&dtype).ok_or_else(|| format!("{dtype:?} is no element type"))?;
    let data = property(value, "data");
    let kind = array_kind(&data).ok_or("data is no typed array")?;
    // Browsers that have Float16Array may pass it as it is.
    let fits = kind == array_of(dtype) || (dtype == DType::F16 && kind == "Float16Array");
    if !fits {
        return Err(format!("data is a {kind}, and {dtype} takes a {}", array_of(dtype)));
    }
    let shape = property(value, "shape");
    let shape = shape.dyn_ref::<Array>().ok_or("shape is no array")?;
    let dims = shape.iter().map(|dim| dim.as_f64().and_then(integer).and_then(|dim| usize::try_from(dim).ok()));
    let dims = dims.collect::<Option<Vec<_>>>().ok_or("shape holds something that is no size")?;
    // Every kind of typed array has the three properties that are read here.
    let view: Uint8Array = data.unchecked_into();
    let view = Uint8Array::new_with_byte_offset_and_length(&view.buffer(), view.byte_offset(), view.byte_length());
    let mut bytes = view.to_vec();
    if dtype == DType::Bool {
        bytes.iter_mut().for_each(|byte| *byte = u8::from(*byte != 0));
    }
    HostTensor::new(dtype, &dims, bytes).map_err(|error| error.to_string())
}

/// The kind of typed array that holds elements of a type.
fn array_of(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool | DType::U8 => "Uint8Array",
        DType::I8 => "Int8Array",
        DType::I16 => "Int16Array",
        DType::I32 => "Int32Array",
        DType::I64 => "BigInt64Array",
        DType::F32 => "Float32Array",
        DType::F64 => "Float64Array",
        // F16 and BF16, as bits.
        _ => "Uint16Array",
    }
}

/// Outputs as JavaScript sees them.
pub(crate) fn outputs_to_js(outputs: &[Value]) -> Result<Array> {
    outputs.iter().map(value_to_js).collect()
}

fn value_to_js(value: &Value) -> Result<JsValue> {
    Ok(match value {
        Value::Null => JsValue::NULL,
        Value::Int(value) => JsValue::from(*value),
        Value::Double(value) => JsValue::from(*value),
        Value::Bool(value) => JsValue::from(*value),
        Value::Str(text) => JsValue::from(text.as_str()),
        Value::Tensor(tensor) => tensor_to_js(tensor),
        Value::Device(tensor) => tensors::keep(tensor),
        other => return Err(Error::Program(format!("an output is no value of JavaScript: {other:?}")).into()),
    })
}

pub(crate) fn tensor_to_js(tensor: &HostTensor) -> JsValue {
    let buffer = Uint8Array::from(tensor.bytes()).buffer();
    let data: JsValue = match tensor.dtype() {
        DType::Bool | DType::U8 => Uint8Array::new(&buffer).into(),
        DType::I8 => js_sys::Int8Array::new(&buffer).into(),
        DType::I16 => js_sys::Int16Array::new(&buffer).into(),
        DType::I32 => js_sys::Int32Array::new(&buffer).into(),
        DType::I64 => js_sys::BigInt64Array::new(&buffer).into(),
        DType::F32 => js_sys::Float32Array::new(&buffer).into(),
        DType::F64 => js_sys::Float64Array::new(&buffer).into(),
        // F16 and BF16, as bits.
        _ => js_sys::Uint16Array::new(&buffer).into(),
    };
    object([("dtype", tensor.dtype().name().into()), ("shape", sizes(tensor.shape().iter())), ("data", data)])
}

/// Memory on the GPU, as JavaScript sees it.
pub(crate) fn gpu_bytes(bytes: GpuBytes) -> JsValue {
    let number = |bytes: u64| JsValue::from(bytes as f64);
    object([("constants", number(bytes.constants)), ("state", number(bytes.state)), ("scratch", number(bytes.scratch))])
}

/// What a method takes or gives, as JavaScript sees it.
pub(crate) fn specs_to_js(specs: &[Spec]) -> Array {
    let spec = |spec: &Spec| match spec {
        Spec::Tensor { dtype, shape, dynamic, .. } => object([
            ("kind", "tensor".into()),
            ("dtype", dtype.name().into()),
            ("shape", sizes(shape.iter())),
            ("dynamic", (*dynamic).into()),
        ]),
        Spec::Other(kind) => object([("kind", (*kind).into())]),
        _ => object([("kind", "other".into())]),
    };
    specs.iter().map(spec).collect()
}

/// Sizes as an array of numbers.
pub(crate) fn sizes<'a>(sizes: impl Iterator<Item = &'a usize>) -> JsValue {
    sizes.map(|&size| JsValue::from(size as f64)).collect::<Array>().into()
}
