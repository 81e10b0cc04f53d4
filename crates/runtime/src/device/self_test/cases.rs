//! One call for each family of kernels, small and with sizes that end within a tile.

use pteron_ops::Caps;
use pteron_tensor::{DType, HostTensor, Shape};

use crate::error::Result;
use crate::testing::TestArg;

/// A call that is compared with its reference.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) op: &'static str,
    pub(super) args: Vec<TestArg>,
    pub(super) outputs: Vec<DType>,
}

/// Calls that launch the kernels which most programs need, of every type that the device computes in.
pub(super) fn cases(caps: &Caps) -> Result<Vec<Case>> {
    let mut cases = bytes()?;
    for dtype in [Some(DType::F32), caps.f16.then_some(DType::F16)].into_iter().flatten() {
        cases.extend(plain(dtype)?);
        cases.extend(products(dtype)?);
        cases.extend(attention(dtype)?);
    }
    Ok(cases)
}

/// Numbers between −1 and 1 that follow no pattern of a kernel.
fn floats(dtype: DType, dims: &[usize]) -> Result<HostTensor> {
    let shape = Shape::new(dims)?;
    let values = (1u32..).map(|i| f64::from(i.wrapping_mul(0x9e37_79b9) >> 8) / f64::from(1 << 23) - 1.0);
    Ok(HostTensor::from_f64s(dtype, shape, values.take(shape.numel()))?)
}

/// Integers below a limit, likewise.
fn integers(dtype: DType, dims: &[usize], limit: u32) -> Result<HostTensor> {
    let shape = Shape::new(dims)?;
    let values = (1u32..).map(|i| i64::from((i.wrapping_mul(0x9e37_79b9) >> 12) % limit));
    Ok(HostTensor::from_i64s(dtype, shape, values.take(shape.numel()))?)
}

fn input(dtype: DType, dims: &[usize]) -> Result<TestArg> {
    floats(dtype, dims).map(TestArg::Input)
}

fn constant(dtype: DType, dims: &[usize]) -> Result<TestArg> {
    floats(dtype, dims).map(TestArg::Constant)
}

/// Positive and small, as scales of codes are.
fn scales(dtype: DType, dims: &[usize]) -> Result<TestArg> {
    let values = floats(dtype, dims)?.to_f64s().into_iter().map(|value| 0.01 + value.abs() / 100.0);
    Ok(TestArg::Constant(HostTensor::from_f64s(dtype, Shape::new(dims)?, values)?))
}

fn case(op: &'static str, args: Vec<TestArg>, outputs: &[DType]) -> Case {
    Case { op, args, outputs: outputs.to_vec() }
}

/// Bytes four to a word, and indices.
fn bytes() -> Result<Vec<Case>> {
    let codes = || integers(DType::U8, &[5, 7], 200).map(TestArg::Input);
    let rows = TestArg::Input(integers(DType::I32, &[3], 5)?);
    let table = TestArg::Constant(integers(DType::U8, &[5, 16], 256)?);
    let ids = TestArg::Input(integers(DType::I32, &[9], 5)?);
    Ok(vec![
        case("aten.index_select.default", vec![codes()?, TestArg::Int(0), rows], &[DType::U8]),
        case(
            "et_vk.embedding_q4gsw.default",
            vec![table, scales(DType::F32, &[5, 2])?, TestArg::Int(16), ids, TestArg::Bool(true)],
            &[DType::F32],
        ),
    ])
}

/// Elements by themselves, along rows, and moved.
fn plain(dtype: DType) -> Result<Vec<Case>> {
    let x = || input(dtype, &[5, 67]);
    Ok(vec![
        case("aten.mul.Tensor", vec![x()?, input(dtype, &[67])?], &[dtype]),
        case("aten.sigmoid.default", vec![x()?], &[dtype]),
        case("aten.permute_copy.default", vec![x()?, TestArg::Ints(vec![1, 0])], &[dtype]),
        case("aten._softmax.default", vec![x()?, TestArg::Int(-1), TestArg::Bool(false)], &[dtype]),
        case("aten.amax.default", vec![x()?, TestArg::Ints(vec![1])], &[dtype]),
        case("et_vk.rms_norm.default", vec![x()?, constant(dtype, &[67])?, TestArg::Double(1e-5)], &[dtype]),
    ])
}

/// Sums of products: tiles, rows, depths that are divided, convolutions and 4-bit weights.
fn products(dtype: DType) -> Result<Vec<Case>> {
    let convolution = |groups: usize, inputs: usize| -> Result<Vec<TestArg>> {
        let pair = |value: i64| TestArg::Ints(vec![value; 2]);
        Ok(vec![
            input(dtype, &[1, groups * inputs, 9, 11])?,
            constant(dtype, &[if groups == 1 { 6 } else { groups }, inputs, 3, 3])?,
            TestArg::Null,
            pair(1),
            pair(1),
            pair(1),
            TestArg::Bool(false),
            pair(0),
            TestArg::Int(i64::try_from(groups).unwrap_or(1)),
        ])
    };
    let mut cases = vec![
        case("aten.mm.default", vec![input(dtype, &[37, 41])?, input(dtype, &[41, 35])?], &[dtype]),
        case("aten.mm.default", vec![input(dtype, &[6, 300])?, input(dtype, &[300, 7])?], &[dtype]),
        case("aten.mm.default", vec![input(dtype, &[1, 130])?, input(dtype, &[130, 33])?], &[dtype]),
        case("aten.convolution.default", convolution(1, 5)?, &[dtype]),
        case("aten.convolution.default", convolution(6, 1)?, &[dtype]),
    ];
    for rows in [1, 9, 70] {
        let (depth, columns) = (128usize, 40usize);
        let weight = TestArg::Constant(integers(DType::U8, &[columns, depth / 2], 256)?);
        let args = vec![
            input(dtype, &[1, rows, depth])?,
            constant(dtype, &[depth])?,
            TestArg::Double(1e-5),
            TestArg::Str(""),
            weight,
            scales(dtype, &[depth / 32, columns])?,
            TestArg::Int(32),
            TestArg::Bool(false),
            TestArg::Ints(vec![40]),
            TestArg::Bool(false),
            TestArg::Null,
        ];
        cases.push(case("pteron.q4_linear.default", args, &[dtype]));
    }
    Ok(cases)
}

/// One query and several, over keys that are divided among workgroups.
fn attention(dtype: DType) -> Result<Vec<Case>> {
    let (heads, size, context) = (2, 64, 300);
    let attend = |rows: usize| -> Result<Case> {
        let row = |heads: usize| input(dtype, &[1, rows, heads, size]);
        let cache = || Ok::<_, crate::error::Error>(TestArg::State(floats(dtype, &[1, context, heads, size])?));
        let args = vec![
            row(2 * heads)?,
            row(heads)?,
            row(heads)?,
            cache()?,
            cache()?,
            TestArg::Int(260),
            TestArg::Int(1),
            TestArg::Null,
            TestArg::Int(0),
            TestArg::Bool(true),
            TestArg::Null,
        ];
        Ok(case("sdpa_with_kv_cache.default", args, &[dtype]))
    };
    Ok(vec![attend(1)?, attend(19)?])
}
