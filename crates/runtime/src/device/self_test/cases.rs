//! One call for each family of kernels, small and with sizes that end within a tile.

use pteron_ops::Caps;
use pteron_tensor::{DType, HostTensor, Shape};

use crate::error::Result;
use crate::testing::TestArg;

/// A call that is compared with its reference, or with those of other calls.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) op: &'static str,
    pub(super) args: Vec<TestArg>,
    pub(super) outputs: [DType; 1],
    /// Calls that give the same, each of which but the first takes what the one before it gives; none where the operator has a
    /// reference of its own.
    pub(super) same: Vec<Case>,
}

/// An argument of a call. Floats have the type that is tested.
enum Given {
    /// Floats that the caller gives.
    Input(&'static [usize]),
    /// Floats of the program.
    Constant(&'static [usize]),
    /// Floats that persist between calls.
    State(&'static [usize]),
    /// A number of the program over and over.
    Filled(f64, &'static [usize]),
    /// Positive and small, as scales of codes are.
    Scales(&'static [usize]),
    /// Bytes that the caller gives, and bytes of the program.
    Codes(&'static [usize]),
    Packed(&'static [usize]),
    /// Numbers of rows of a table of five.
    Rows(&'static [usize]),
    Null,
    Int(i64),
    Ints(&'static [i64]),
    Double(f64),
    Bool(bool),
    Text(&'static str),
}

use Given::{Bool, Codes, Constant, Double, Filled, Input, Int, Ints, Null, Packed, Rows, Scales, State, Text};

type Call = (&'static str, &'static [Given]);

/// Bytes four to a word, and indices.
const BYTES: &[(Call, DType)] = &[
    (("aten.index_select.default", &[Codes(&[5, 7]), Int(0), Rows(&[3])]), DType::U8),
    (
        ("et_vk.embedding_q4gsw.default", &[Packed(&[5, 16]), Scales(&[5, 2]), Int(16), Rows(&[9]), Bool(true)]),
        DType::F32,
    ),
];

const FLOATS: &[Call] = &[
    // Elements by themselves, along rows, and moved.
    ("aten.mul.Tensor", &[Input(&[5, 67]), Input(&[67])]),
    ("aten.sigmoid.default", &[Input(&[5, 67])]),
    ("aten.permute_copy.default", &[Input(&[5, 67]), Ints(&[1, 0])]),
    ("aten._softmax.default", &[Input(&[5, 67]), Int(-1), Bool(false)]),
    ("aten.amax.default", &[Input(&[5, 67]), Ints(&[1])]),
    ("et_vk.rms_norm.default", &[Input(&[5, 67]), Constant(&[67]), Double(1e-5)]),
    // Sums of products: tiles, convolutions and 4-bit weights.
    ("aten.mm.default", &[Input(&[37, 41]), Input(&[41, 35])]),
    ("aten.convolution.default", &convolution(&[1, 5, 9, 11], &[6, 5, 3, 3], 1)),
    ("aten.convolution.default", &convolution(&[1, 6, 9, 11], &[6, 1, 3, 3], 6)),
];

/// Calls of large kernels, which take a software adapter seconds to compile.
const LARGE: &[Call] = &[
    // Depths that are divided, and several rows.
    ("aten.mm.default", &[Input(&[6, 300]), Input(&[300, 7])]),
    ("aten.mm.default", &[Input(&[1, 130]), Input(&[130, 33])]),
    // One query and several, over keys that are divided among workgroups.
    ("sdpa_with_kv_cache.default", &attention(&[1, 1, 4, 64], &[1, 1, 2, 64], 260)),
    ("sdpa_with_kv_cache.default", &attention(&[1, 19, 4, 64], &[1, 19, 2, 64], 260)),
];

/// A call of an operator that only passes make, whose own reference pages do not have, and calls that give the same.
type Fused = (Call, &'static [Call]);

/// A layer with 4-bit weights after a norm, of one row.
const FUSED: &[Fused] = &[(
    ("pteron.q4_linear.default", &q4_linear(ROW)),
    &[("et_vk.rms_norm.default", &norm(ROW)), ("et_vk.linear_q4gsw.default", &linear(ROW))],
)];

/// Large kernels: the layer of several rows, and a query that is turned by nothing over few keys and over many.
const LARGE_FUSED: &[Fused] = &[
    (
        ("pteron.q4_linear.default", &q4_linear(ROWS)),
        &[("et_vk.rms_norm.default", &norm(ROWS)), ("et_vk.linear_q4gsw.default", &linear(ROWS))],
    ),
    (
        ("pteron.q4_linear.default", &q4_linear(MANY_ROWS)),
        &[("et_vk.rms_norm.default", &norm(MANY_ROWS)), ("et_vk.linear_q4gsw.default", &linear(MANY_ROWS))],
    ),
    (
        ("pteron.rope_attention.default", &turned_attention(100, Filled(1.0, ANGLES), Filled(0.0, ANGLES))),
        &[("sdpa_with_kv_cache.default", &attention(QUERY, KEY, 100))],
    ),
    (
        ("pteron.rope_attention.default", &turned_attention(260, Filled(1.0, ANGLES), Filled(0.0, ANGLES))),
        &[("sdpa_with_kv_cache.default", &attention(QUERY, KEY, 260))],
    ),
];

const ROW: &[usize] = &[1, 1, 128];
const ROWS: &[usize] = &[1, 5, 128];
const MANY_ROWS: &[usize] = &[1, 70, 128];
const QUERY: &[usize] = &[1, 1, 4, 64];
const KEY: &[usize] = &[1, 1, 2, 64];
const ANGLES: &[usize] = &[1, 32];

/// What pages have no reference of: attention of a query that is turned, and the layer after it, which brings parts together.
/// And what they have no kernel of: products that are large enough for matrix units.
const NATIVE: &[Call] = match cfg!(target_arch = "wasm32") {
    true => &[],
    false => &[
        ("pteron.rope_attention.default", &turned_attention(260, Constant(ANGLES), Constant(ANGLES))),
        ("pteron.q4_attention.default", &attention_layer(260)),
        ("aten.mm.default", &[Input(&[700, 260]), Input(&[260, 700])]),
    ],
};

const fn linear(input: &'static [usize]) -> [Given; 5] {
    [Input(input), Packed(&[40, 64]), Scales(&[4, 40]), Int(32), Null]
}

const fn norm(input: &'static [usize]) -> [Given; 3] {
    [Input(input), Constant(&[128]), Double(1e-5)]
}

const fn convolution(input: &'static [usize], weight: &'static [usize], groups: i64) -> [Given; 9] {
    let [stride, padding, dilation] = [Ints(&[1, 1]), Ints(&[1, 1]), Ints(&[1, 1])];
    [Input(input), Constant(weight), Null, stride, padding, dilation, Bool(false), Ints(&[0, 0]), Int(groups)]
}

const fn q4_linear(input: &'static [usize]) -> [Given; 11] {
    [
        Input(input),
        Constant(&[128]),
        Double(1e-5),
        Text(""),
        Packed(&[40, 64]),
        Scales(&[4, 40]),
        Int(32),
        Bool(false),
        Ints(&[40]),
        Bool(false),
        Null,
    ]
}

const fn turned_attention(start: i64, cos: Given, sin: Given) -> [Given; 15] {
    const CACHE: &[usize] = &[1, 300, 2, 64];
    [
        Input(QUERY),
        Input(KEY),
        Input(KEY),
        State(CACHE),
        State(CACHE),
        Int(start),
        Int(1),
        Null,
        Int(0),
        Bool(true),
        Null,
        cos,
        sin,
        Null,
        Null,
    ]
}

const fn attention_layer(start: i64) -> [Given; 19] {
    let [query, key, value, keys, values, first, length, mask, dropout, causal, scale, cos, sin, first_row, end_row] =
        turned_attention(start, Constant(ANGLES), Constant(ANGLES));
    let (weight, scales) = (Packed(&[40, 128]), Scales(&[8, 40]));
    [
        query,
        key,
        value,
        keys,
        values,
        first,
        length,
        mask,
        dropout,
        causal,
        scale,
        cos,
        sin,
        first_row,
        end_row,
        weight,
        scales,
        Int(32),
        Null,
    ]
}

const fn attention(query: &'static [usize], key: &'static [usize], start: i64) -> [Given; 11] {
    const CACHE: &[usize] = &[1, 300, 2, 64];
    let (start, length) = (Int(start), Int(1));
    let [keys, values] = [State(CACHE), State(CACHE)];
    [Input(query), Input(key), Input(key), keys, values, start, length, Null, Int(0), Bool(true), Null]
}

/// Calls that launch the kernels which most programs need, of every type that the device computes in.
pub(super) fn cases(caps: &Caps, software: bool) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for (call, output) in BYTES {
        cases.push(case(call, DType::F32, *output)?);
    }
    let (large, large_fused, native) =
        if software { (&[][..], &[][..], &[][..]) } else { (LARGE, LARGE_FUSED, NATIVE) };
    for dtype in [DType::F32, DType::F16] {
        if dtype == DType::F32 || caps.f16 {
            for call in FLOATS.iter().chain(large) {
                cases.push(case(call, dtype, dtype)?);
            }
            for (fused, calls) in FUSED.iter().chain(large_fused) {
                let same = calls.iter().map(|call| case(call, dtype, dtype)).collect::<Result<_>>()?;
                cases.push(Case { same, ..case(fused, dtype, dtype)? });
            }
        }
    }
    // In 16-bit floats the reference rounds between attention and layer, and kernels do not.
    for call in native {
        cases.push(case(call, DType::F32, DType::F32)?);
    }
    Ok(cases)
}

fn case(&(op, args): &Call, dtype: DType, output: DType) -> Result<Case> {
    let args = args.iter().map(|given| argument(given, dtype)).collect::<Result<_>>()?;
    Ok(Case { op, args, outputs: [output], same: Vec::new() })
}

fn argument(given: &Given, dtype: DType) -> Result<TestArg> {
    Ok(match *given {
        Input(dims) => TestArg::Input(floats(dtype, dims, 1.0, 0.0)?),
        Constant(dims) => TestArg::Constant(floats(dtype, dims, 1.0, 0.0)?),
        State(dims) => TestArg::State(floats(dtype, dims, 1.0, 0.0)?),
        Filled(value, dims) => {
            let shape = Shape::new(dims)?;
            TestArg::Constant(HostTensor::from_f64s(dtype, shape, std::iter::repeat_n(value, shape.numel()))?)
        }
        Scales(dims) => TestArg::Constant(floats(dtype, dims, 0.005, 0.015)?),
        Codes(dims) => TestArg::Input(integers(DType::U8, dims, 200)?),
        Packed(dims) => TestArg::Constant(integers(DType::U8, dims, 256)?),
        Rows(dims) => TestArg::Input(integers(DType::I32, dims, 5)?),
        Null => TestArg::Null,
        Int(value) => TestArg::Int(value),
        Ints(values) => TestArg::Ints(values.to_vec()),
        Double(value) => TestArg::Double(value),
        Bool(value) => TestArg::Bool(value),
        Text(text) => TestArg::Str(text),
    })
}

/// Numbers that follow no pattern of a kernel.
fn words() -> impl Iterator<Item = u32> {
    (1u32..).map(|i| i.wrapping_mul(0x9e37_79b9) >> 8)
}

/// Such numbers, no further than `reach` from a middle.
fn floats(dtype: DType, dims: &[usize], reach: f64, middle: f64) -> Result<HostTensor> {
    let shape = Shape::new(dims)?;
    let values = words().map(|word| middle + reach * (f64::from(word) / f64::from(1 << 23) - 1.0));
    Ok(HostTensor::from_f64s(dtype, shape, values.take(shape.numel()))?)
}

/// Such numbers below a limit.
fn integers(dtype: DType, dims: &[usize], limit: u32) -> Result<HostTensor> {
    let shape = Shape::new(dims)?;
    let values = words().map(|word| i64::from((word >> 4) % limit));
    Ok(HostTensor::from_i64s(dtype, shape, values.take(shape.numel()))?)
}
