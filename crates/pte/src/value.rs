//! The values of a method.

use std::fmt;

use planus::Vector;
use pteron_tensor::{DType, Shape};

use crate::dtype::scalar_type;
use crate::error::{At, Error, Result, index};
use crate::generated::program as raw;
use crate::list::{Ids, List, OptionalIds};
use crate::program::method_place;

/// A value of a method.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Value<'a> {
    /// Nothing: an optional argument that is not given.
    Null,
    /// An integer.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A number.
    Double(f64),
    /// A tensor.
    Tensor(Tensor<'a>),
    /// A text.
    String(&'a str),
    /// Integers, as the ids of the values that hold them.
    IntList(Ids<'a>),
    /// Numbers.
    DoubleList(List<'a, f64>),
    /// Truth values.
    BoolList(List<'a, bool>),
    /// Tensors, as the ids of the values that hold them.
    TensorList(Ids<'a>),
    /// Tensors, some of them absent.
    OptionalTensorList(OptionalIds<'a>),
    /// A kind of value that this version does not know, by its code; 0 is a value without a kind.
    Unknown(u8),
}

impl<'a> Value<'a> {
    pub(crate) fn new(
        value: raw::EValueRef<'a>,
        id: u32,
        method: &'a str,
        values: usize,
        arenas: Vector<'a, i64>,
    ) -> Result<Value<'a>> {
        let at = || format!("{}, value {id}", method_place(method));
        let value = match value.val() {
            Err(planus::Error { error_kind: planus::errors::ErrorKind::UnknownUnionTag { tag }, .. }) => {
                return Ok(Value::Unknown(tag));
            }
            other => other.at(at)?,
        };
        let Some(value) = value else { return Ok(Value::Unknown(0)) };
        Ok(match value {
            raw::KernelTypesRef::Null(_) => Value::Null,
            raw::KernelTypesRef::Int(value) => Value::Int(value.int_val().at(at)?),
            raw::KernelTypesRef::Bool(value) => Value::Bool(value.bool_val().at(at)?),
            raw::KernelTypesRef::Double(value) => Value::Double(value.double_val().at(at)?),
            raw::KernelTypesRef::Tensor(tensor) => Value::Tensor(Tensor { tensor, id, method, arenas }),
            raw::KernelTypesRef::String(value) => {
                let text = value.string_val().at(at)?;
                Value::String(text.ok_or_else(|| Error::Missing { at: at(), what: "its text" })?)
            }
            raw::KernelTypesRef::IntList(list) => Value::IntList(Ids::check(list.items().at(at)?, values, at)?),
            raw::KernelTypesRef::DoubleList(list) => Value::DoubleList(List::new(list.items().at(at)?)),
            raw::KernelTypesRef::BoolList(list) => Value::BoolList(List::new(list.items().at(at)?)),
            raw::KernelTypesRef::TensorList(list) => Value::TensorList(Ids::check(list.items().at(at)?, values, at)?),
            raw::KernelTypesRef::OptionalTensorList(list) => {
                Value::OptionalTensorList(OptionalIds::check(list.items().at(at)?, values, at)?)
            }
        })
    }
}

/// A tensor among a method's values.
#[derive(Clone, Copy)]
pub struct Tensor<'a> {
    tensor: raw::TensorRef<'a>,
    id: u32,
    method: &'a str,
    arenas: Vector<'a, i64>,
}

/// Whether a tensor's sizes can change from call to call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dynamism {
    /// They cannot.
    Static,
    /// They can; the sizes in the file are the largest.
    UpperBound,
    /// They can, without a bound; the sizes in the file mean nothing.
    Unbound,
}

/// Where a tensor's data comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TensorKind<'a> {
    /// From the caller or from an instruction, at run time.
    Runtime,
    /// From a place in an arena that the exporter planned.
    Planned {
        /// The arena, one of [`Method::arena_sizes`](crate::Method::arena_sizes).
        memory_id: u32,
        /// Bytes into the arena. Not checked: a runtime that plans memory itself has no arena.
        offset: u64,
    },
    /// From the file, and it never changes.
    Constant {
        /// The number to give to [`Program::constant`](crate::Program::constant).
        buffer: u32,
    },
    /// From the file at first; instructions may change it.
    Mutable {
        /// The number to give to [`Program::mutable_initial`](crate::Program::mutable_initial).
        buffer: u32,
        /// The set to give with it.
        set: u64,
        /// The arena it was planned into.
        memory_id: u32,
        /// Bytes into the arena; not checked.
        offset: u64,
    },
    /// From another file, by name.
    External {
        /// The name, as in [`ptd::DataFile`](crate::ptd::DataFile).
        name: &'a str,
    },
}

impl<'a> Tensor<'a> {
    /// The element type.
    pub fn dtype(&self) -> Result<DType> {
        scalar_type(self.tensor.scalar_type().at(|| self.at())?, || self.at())
    }

    /// The sizes, outermost first; a negative one is an error.
    pub fn sizes(&self) -> Result<Sizes<'a>> {
        Sizes::check(self.tensor.sizes().at(|| self.at())?, || self.at())
    }

    /// The sizes as a shape.
    pub fn shape(&self) -> Result<Shape> {
        self.sizes()?.shape(|| self.at())
    }

    /// The number of elements, by the sizes in the file.
    pub fn numel(&self) -> Result<u64> {
        self.sizes()?.numel(|| self.at())
    }

    /// Bytes of a tensor of these sizes.
    pub fn nbytes(&self) -> Result<u64> {
        self.sizes()?.nbytes(self.dtype()?, || self.at())
    }

    /// The dimensions from outermost to innermost in memory: a permutation, or empty where the file does not say.
    pub fn dim_order(&self) -> Result<&'a [u8]> {
        let order = self.tensor.dim_order().at(|| self.at())?.unwrap_or_default();
        check_dim_order(order, self.sizes()?.len(), || self.at())?;
        Ok(order)
    }

    /// Whether the sizes can change.
    pub fn dynamism(&self) -> Result<Dynamism> {
        Ok(match self.tensor.shape_dynamism().at(|| self.at())? {
            0 => Dynamism::Static,
            1 => Dynamism::UpperBound,
            2 => Dynamism::Unbound,
            code => return Err(Error::Code { at: self.at(), what: "shape dynamism", code: i64::from(code) }),
        })
    }

    /// Where the data comes from.
    pub fn kind(&self) -> Result<TensorKind<'a>> {
        let at = || self.at();
        let extra = self.tensor.extra_tensor_info().at(at)?;
        let location = extra.map_or(Ok(0), |extra| extra.location()).at(at)?;
        match location {
            0 => {}
            1 => {
                let name = self.name()?.filter(|name| !name.is_empty());
                let name = name.ok_or_else(|| Error::Missing { at: at(), what: "the name of its external data" })?;
                return Ok(TensorKind::External { name });
            }
            code => return Err(Error::Code { at: at(), what: "data location", code: i64::from(code) }),
        }
        let buffer = self.tensor.data_buffer_idx().at(at)?;
        Ok(match (buffer, self.allocation()?) {
            (0, None) => TensorKind::Runtime,
            (0, Some((memory_id, offset))) => TensorKind::Planned { memory_id, offset },
            (buffer, None) => TensorKind::Constant { buffer },
            (buffer, Some((memory_id, offset))) => {
                let set = extra.map_or(Ok(0), |extra| extra.mutable_data_segments_idx()).at(at)?;
                TensorKind::Mutable { buffer, set, memory_id, offset }
            }
        })
    }

    /// The arena and the bytes into it that the exporter planned, if it did.
    pub fn allocation(&self) -> Result<Option<(u32, u64)>> {
        let at = || self.at();
        let Some(details) = self.tensor.allocation_info().at(at)? else { return Ok(None) };
        let memory_id = index(i64::from(details.memory_id().at(at)?), self.arenas.len(), "arena", at)?;
        let low = details.memory_offset_low().at(at)?;
        let high = details.memory_offset_high().at(at)?;
        Ok(Some((memory_id, u64::from(high) << 32 | u64::from(low))))
    }

    /// The name in the exported module, where the file says it.
    pub fn name(&self) -> Result<Option<&'a str>> {
        let at = || self.at();
        self.tensor.extra_tensor_info().at(at)?.map_or(Ok(None), |extra| extra.fully_qualified_name().at(at))
    }

    /// Elements between the start of the data and the first element.
    pub fn storage_offset(&self) -> Result<u32> {
        let offset = self.tensor.storage_offset().at(|| self.at())?;
        u32::try_from(offset)
            .map_err(|_| Error::Invalid { at: self.at(), reason: format!("its storage offset is {offset}") })
    }

    fn at(&self) -> String {
        format!("{}, tensor value {}", method_place(self.method), self.id)
    }
}

impl fmt::Debug for Tensor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tensor")
            .field("id", &self.id)
            .field("dtype", &self.dtype())
            .field("sizes", &self.sizes())
            .field("dynamism", &self.dynamism())
            .field("kind", &self.kind())
            .finish_non_exhaustive()
    }
}

/// The sizes of a tensor, outermost first, each proven not to be negative.
#[derive(Clone, Copy)]
pub struct Sizes<'a>(Vector<'a, i32>);

impl<'a> Sizes<'a> {
    pub(crate) fn check(sizes: Option<Vector<'a, i32>>, at: impl FnOnce() -> String) -> Result<Self> {
        let sizes = sizes.unwrap_or_else(Vector::new_empty);
        match sizes.iter().enumerate().find(|&(_, size)| size < 0) {
            Some((dim, size)) => {
                Err(Error::Invalid { at: at(), reason: format!("the size of dimension {dim} is {size}") })
            }
            None => Ok(Sizes(sizes)),
        }
    }

    /// How many dimensions there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the tensor has rank 0.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The sizes in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = u64> + Clone + use<'a> {
        self.0.iter().map(|size| u64::try_from(size).unwrap_or_default())
    }

    pub(crate) fn shape(&self, at: impl FnOnce() -> String) -> Result<Shape> {
        Shape::from_sizes(self.iter()).map_err(|error| Error::Invalid { at: at(), reason: error.to_string() })
    }

    pub(crate) fn numel(&self, at: impl FnOnce() -> String) -> Result<u64> {
        numel(self.iter()).ok_or_else(|| too_large(at()))
    }

    pub(crate) fn nbytes(&self, dtype: DType, at: impl FnOnce() -> String) -> Result<u64> {
        numel(self.iter()).and_then(|numel| numel.checked_mul(dtype.size() as u64)).ok_or_else(|| too_large(at()))
    }
}

impl fmt::Debug for Sizes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The number of elements of these sizes, unless it does not fit 64 bits. A zero does not hide sizes that are too large.
pub fn numel(sizes: impl IntoIterator<Item = u64>) -> Option<u64> {
    let (mut numel, mut empty) = (1u64, false);
    for size in sizes {
        empty |= size == 0;
        numel = numel.checked_mul(size.max(1))?;
    }
    Some(if empty { 0 } else { numel })
}

pub(crate) fn too_large(at: String) -> Error {
    Error::Invalid { at, reason: "the tensor has too many elements to count".into() }
}

/// Checks that a dimension order is absent or a permutation.
pub(crate) fn check_dim_order(order: &[u8], rank: usize, at: impl FnOnce() -> String) -> Result<()> {
    let mut seen = [false; 256];
    let fresh = |&dim: &u8| {
        let within = usize::from(dim) < rank;
        seen.get_mut(usize::from(dim)).is_some_and(|seen| within && !std::mem::replace(seen, true))
    };
    if order.is_empty() || (order.len() == rank && order.iter().all(fresh)) {
        return Ok(());
    }
    Err(Error::Invalid { at: at(), reason: format!("the dimension order is no permutation of its {rank} dimensions") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Program, samples};

    fn with_value<T>(value: raw::KernelTypes, check: impl FnOnce(Result<Value<'_>>) -> T) -> T {
        let (mut program, segments) = samples::segment_program();
        let plan = &mut program.execution_plan.as_mut().unwrap()[0];
        plan.values.as_mut().unwrap()[0] = samples::value(value);
        let file = samples::with_header(&program, &segments);
        check(Program::parse(&file, file.len() as u64).unwrap().method("forward").unwrap().unwrap().value(0))
    }

    fn with_tensor<T>(tensor: raw::Tensor, check: impl FnOnce(Tensor<'_>) -> T) -> T {
        with_value(raw::KernelTypes::Tensor(Box::new(tensor)), |value| match value.unwrap() {
            Value::Tensor(tensor) => check(tensor),
            other => panic!("{other:?}"),
        })
    }

    #[test]
    fn every_kind_of_value_comes_as_written() {
        let (program, segments) = samples::segment_program();
        let file = samples::with_header(&program, &segments);
        let method = Program::parse(&file, file.len() as u64).unwrap().method("forward").unwrap().unwrap();
        let shown: Vec<_> = (5..16).map(|id| format!("{:?}", method.value(id).unwrap())).collect();
        assert_eq!(
            shown,
            [
                "Null",
                "Int(-7)",
                "Bool(true)",
                "Double(0.5)",
                "String(\"none\")",
                "IntList([6, 6])",
                "DoubleList([1.5, inf])",
                "BoolList([true, false, true])",
                "TensorList([0, 1])",
                "OptionalTensorList([None, Some(2)])",
                "Unknown(0)",
            ]
        );
        let offset = 1 << 32 | 16;
        let kinds = [
            TensorKind::Runtime,
            TensorKind::Planned { memory_id: 1, offset },
            TensorKind::Constant { buffer: 1 },
            TensorKind::Mutable { buffer: 1, set: 0, memory_id: 1, offset },
            TensorKind::External { name: "outer.weight" },
        ];
        for (id, expected) in (0..).zip(kinds) {
            let Value::Tensor(tensor) = method.value(id).unwrap() else { panic!("value {id}") };
            assert_eq!(tensor.kind().unwrap(), expected);
        }
    }

    #[test]
    fn a_tensor_says_its_type_and_sizes() {
        with_tensor(samples::tensor(5, &[2, 0, 3]), |tensor| {
            assert_eq!(tensor.dtype().unwrap(), DType::F16);
            assert_eq!(tensor.sizes().unwrap().iter().collect::<Vec<_>>(), [2, 0, 3]);
            assert_eq!(tensor.shape().unwrap().dims(), [2, 0, 3]);
            assert_eq!(tensor.nbytes().unwrap(), 0);
            assert_eq!(tensor.dim_order().unwrap(), [0, 1, 2]);
            assert_eq!(tensor.dynamism().unwrap(), Dynamism::Static);
        });
    }

    #[test]
    fn what_is_wrong_with_a_tensor_is_said() {
        let good = || samples::tensor(6, &[2, 2]);
        let extra = |extra| Some(Box::new(extra));
        let wrong: [(raw::Tensor, &str); 10] = [
            (raw::Tensor { scalar_type: 42, ..good() }, "scalar type 42 is not supported"),
            (raw::Tensor { sizes: Some(vec![2, -3]), ..good() }, "the size of dimension 1 is -3"),
            (raw::Tensor { sizes: Some(vec![i32::MAX; 3]), dim_order: None, ..good() }, "too many elements"),
            (raw::Tensor { sizes: Some(vec![0, i32::MAX, i32::MAX, 9]), dim_order: None, ..good() }, "too many"),
            (raw::Tensor { dim_order: Some(vec![0, 0]), ..good() }, "no permutation"),
            (raw::Tensor { dim_order: Some(vec![0, 2]), ..good() }, "no permutation"),
            (raw::Tensor { dim_order: Some(vec![0]), ..good() }, "no permutation"),
            (raw::Tensor { shape_dynamism: 3, ..good() }, "shape dynamism 3"),
            (raw::Tensor { storage_offset: -1, ..good() }, "storage offset is -1"),
            (
                raw::Tensor {
                    extra_tensor_info: extra(raw::ExtraTensorInfo { location: 1, ..Default::default() }),
                    ..good()
                },
                "name of its external data is missing",
            ),
        ];
        for (tensor, expected) in wrong {
            with_tensor(tensor, |tensor| {
                let errors = [
                    tensor.dtype().err(),
                    tensor.nbytes().err(),
                    tensor.dim_order().err(),
                    tensor.dynamism().err(),
                    tensor.storage_offset().err(),
                    tensor.kind().err(),
                ];
                let text = errors.into_iter().flatten().next().unwrap().to_string();
                assert!(text.contains(expected) && text.starts_with("method `forward`, tensor value 0"), "{text}");
            });
        }
    }

    #[test]
    fn an_arena_that_does_not_exist_is_an_error() {
        let allocation = raw::AllocationDetails { memory_id: 2, ..Default::default() };
        let tensor = raw::Tensor { allocation_info: Some(Box::new(allocation)), ..samples::tensor(6, &[1]) };
        with_tensor(tensor, |tensor| assert!(matches!(tensor.kind(), Err(Error::Index { what: "arena", .. }))));
    }

    #[test]
    fn lists_of_values_are_checked() {
        use raw::KernelTypes as K;
        for value in [
            K::IntList(Box::new(raw::IntList { items: Some(vec![1 << 40]) })),
            K::IntList(Box::new(raw::IntList { items: Some(vec![-1]) })),
            K::TensorList(Box::new(raw::TensorList { items: Some(vec![0, 16]) })),
            K::OptionalTensorList(Box::new(raw::OptionalTensorList { items: Some(vec![-1, -2]) })),
        ] {
            with_value(value, |value| assert!(matches!(value, Err(Error::Index { .. }))));
        }
    }

    #[test]
    fn an_unknown_kind_of_value_is_kept_by_its_code() {
        let (program, segments) = samples::segment_program();
        let mut file = samples::with_header(&program, &segments);
        // The text's tag is 6, and a table of one union holds it after its offset to the table.
        let codes: Vec<usize> = (0..file.len()).filter(|&at| file[at] == 6).collect();
        let found = codes.into_iter().any(|at| {
            file[at] = 200;
            let unknown = {
                let program = Program::parse(&file, file.len() as u64);
                let value = program.and_then(|program| program.method("forward")?.unwrap().value(9));
                matches!(value, Ok(Value::Unknown(200)))
            };
            file[at] = 6;
            unknown
        });
        assert!(found);
    }
}
