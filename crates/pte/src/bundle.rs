//! A program with test cases: a `.bpte` file.

use std::fmt;

use planus::{ReadAsRoot, Vector};
use pteron_tensor::DType;

use crate::dtype::scalar_type;
use crate::error::{At, Error, Result, identifier, quoted};
use crate::generated::bundle as raw;
use crate::value::{Sizes, check_dim_order};

type Tables<'a, T> = Vector<'a, planus::Result<T>>;

/// A view of a `.bpte` file.
#[derive(Clone, Copy)]
pub struct Bundle<'a> {
    bytes: &'a [u8],
    version: u32,
    program: &'a [u8],
    suites: Tables<'a, raw::MethodTestSuiteRef<'a>>,
}

impl<'a> Bundle<'a> {
    /// Opens a whole file.
    pub fn parse(bytes: &'a [u8]) -> Result<Bundle<'a>> {
        identifier(bytes, b"BP08", "bundled program")?;
        let at = || "bundled program".to_string();
        let root = raw::BundledProgramRef::read_as_root(bytes).at(at)?;
        Ok(Bundle {
            bytes,
            version: root.version().at(at)?,
            program: root.program().at(at)?.ok_or_else(|| Error::Missing { at: at(), what: "its program" })?,
            suites: root.method_test_suites().at(at)?.unwrap_or_else(Vector::new_empty),
        })
    }

    /// The version that the bundle's schema has by its own account.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The bytes of the `.pte` file inside.
    pub fn program(&self) -> &'a [u8] {
        self.program
    }

    /// Bytes of the flatbuffer, the program included: what a caller can measure its work by.
    pub fn flatbuffer_len(&self) -> usize {
        self.bytes.len()
    }

    /// The test cases, by method.
    pub fn suites(&self) -> impl ExactSizeIterator<Item = Result<Suite<'a>>> + use<'a> {
        self.suites.iter().enumerate().map(|(index, suite)| {
            let at = || format!("test suite {index}");
            let suite = suite.at(at)?;
            let method = suite.method_name().at(at)?.ok_or_else(|| Error::Missing { at: at(), what: "its method" })?;
            Ok(Suite { method, cases: suite.test_cases().at(at)?.unwrap_or_else(Vector::new_empty) })
        })
    }
}

impl fmt::Debug for Bundle<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bundle")
            .field("version", &self.version)
            .field("program", &self.program.len())
            .field("suites", &self.suites.len())
            .finish_non_exhaustive()
    }
}

/// The test cases of one method.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Suite<'a> {
    /// The method's name.
    pub method: &'a str,
    cases: Tables<'a, raw::TestCaseRef<'a>>,
}

impl<'a> Suite<'a> {
    /// The cases, in file order.
    pub fn cases(&self) -> impl ExactSizeIterator<Item = Result<Case<'a>>> + use<'a> {
        let method = self.method;
        self.cases.iter().enumerate().map(move |(index, case)| {
            let at = || format!("test case {index} of method {}", quoted(method));
            let case = case.at(at)?;
            let inputs = case.inputs().at(at)?.unwrap_or_else(Vector::new_empty);
            let expected = case.expected_outputs().at(at)?.unwrap_or_else(Vector::new_empty);
            Ok(Case { method, index, inputs, expected })
        })
    }
}

impl fmt::Debug for Suite<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Suite").field("method", &self.method).field("cases", &self.cases.len()).finish()
    }
}

/// One call of a method and what it should give.
#[derive(Clone, Copy)]
pub struct Case<'a> {
    method: &'a str,
    index: usize,
    inputs: Tables<'a, raw::ValueRef<'a>>,
    expected: Tables<'a, raw::ValueRef<'a>>,
}

impl<'a> Case<'a> {
    /// The inputs, in order.
    pub fn inputs(&self) -> impl ExactSizeIterator<Item = Result<BundleValue<'a>>> + use<'a> {
        self.values("input", self.inputs)
    }

    /// The outputs to expect, in order. An empty list makes the case one of inputs only.
    pub fn expected(&self) -> impl ExactSizeIterator<Item = Result<BundleValue<'a>>> + use<'a> {
        self.values("expected output", self.expected)
    }

    fn values(
        &self,
        what: &'static str,
        values: Tables<'a, raw::ValueRef<'a>>,
    ) -> impl ExactSizeIterator<Item = Result<BundleValue<'a>>> + use<'a> {
        let (method, case) = (self.method, self.index);
        values.iter().enumerate().map(move |(index, value)| {
            let at = || format!("{what} {index} of test case {case} of method {}", quoted(method));
            BundleValue::new(value, at)
        })
    }
}

impl fmt::Debug for Case<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Case")
            .field("method", &self.method)
            .field("index", &self.index)
            .field("inputs", &self.inputs.len())
            .field("expected", &self.expected.len())
            .finish()
    }
}

/// An input or an expected output.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum BundleValue<'a> {
    /// A tensor.
    Tensor {
        /// The element type.
        dtype: DType,
        /// The sizes, outermost first.
        sizes: Sizes<'a>,
        /// The elements: as many bytes as the sizes take.
        data: &'a [u8],
        /// The dimensions from outermost to innermost in memory: a permutation, or empty where the file does not say.
        dim_order: &'a [u8],
    },
    /// An integer.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A number.
    Double(f64),
}

impl<'a> BundleValue<'a> {
    fn new(value: planus::Result<raw::ValueRef<'a>>, at: impl Fn() -> String) -> Result<Self> {
        let value = match value.and_then(|value| value.val()) {
            Err(planus::Error { error_kind: planus::errors::ErrorKind::UnknownUnionTag { tag }, .. }) => {
                return Err(Error::Code { at: at(), what: "kind of value", code: i64::from(tag) });
            }
            other => other.at(&at)?.ok_or_else(|| Error::Missing { at: at(), what: "its value" })?,
        };
        Ok(match value {
            raw::ValueUnionRef::Int(value) => BundleValue::Int(value.int_val().at(at)?),
            raw::ValueUnionRef::Bool(value) => BundleValue::Bool(value.bool_val().at(at)?),
            raw::ValueUnionRef::Double(value) => BundleValue::Double(value.double_val().at(at)?),
            raw::ValueUnionRef::Tensor(tensor) => {
                let dtype = scalar_type(tensor.scalar_type().at(&at)?, &at)?;
                let sizes = Sizes::check(tensor.sizes().at(&at)?, &at)?;
                let data = tensor.data().at(&at)?.unwrap_or_default();
                let dim_order = tensor.dim_order().at(&at)?.unwrap_or_default();
                check_dim_order(dim_order, sizes.len(), &at)?;
                let nbytes = sizes.nbytes(dtype, &at)?;
                if data.len() as u64 != nbytes {
                    let reason = format!("its sizes take {nbytes} bytes of {dtype}, and it holds {}", data.len());
                    return Err(Error::Invalid { at: at(), reason });
                }
                BundleValue::Tensor { dtype, sizes, data, dim_order }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    fn values(change: impl FnOnce(&mut raw::Tensor)) -> Vec<Result<String>> {
        let mut bundle = samples::bundle(vec![1, 2, 3]);
        let case = &mut bundle.method_test_suites.as_mut().unwrap()[0].test_cases.as_mut().unwrap()[0];
        if let Some(raw::ValueUnion::Tensor(tensor)) = &mut case.expected_outputs.as_mut().unwrap()[0].val {
            change(tensor);
        }
        let file = samples::finish(&bundle, b"BP08");
        let bundle = Bundle::parse(&file).unwrap();
        assert_eq!(bundle.program(), [1, 2, 3]);
        let suite = bundle.suites().next().unwrap().unwrap();
        assert_eq!(suite.method, "forward");
        let case = suite.cases().next().unwrap().unwrap();
        assert_eq!(case.inputs().len(), 1);
        case.expected().map(|value| value.map(|value| format!("{value:?}"))).collect()
    }

    #[test]
    fn cases_come_as_written() {
        let values: Vec<_> = values(|tensor| {
            *tensor = raw::Tensor { scalar_type: 0, data: Some(vec![9]), ..Default::default() };
        })
        .into_iter()
        .map(Result::unwrap)
        .collect();
        let tensor = "Tensor { dtype: U8, sizes: [], data: [9], dim_order: [] }";
        assert_eq!(values, [tensor, "Int(3)", "Bool(true)", "Double(2.5)"]);
    }

    #[test]
    fn data_that_does_not_fill_the_sizes_is_an_error() {
        let error = values(|tensor| tensor.sizes = Some(vec![2, 3])).remove(0).unwrap_err();
        assert_eq!(
            error.to_string(),
            "expected output 0 of test case 0 of method `forward`: its sizes take 48 bytes of i64, and it holds 32"
        );
        assert!(values(|tensor| tensor.sizes = Some(vec![-1, 2]))[0].is_err());
        assert!(values(|tensor| tensor.scalar_type = 99)[0].is_err());
        assert!(values(|tensor| tensor.dim_order = Some(vec![1, 1]))[0].is_err());
    }

    #[test]
    fn a_bundle_holds_a_program() {
        let bundle = raw::BundledProgram { program: None, ..samples::bundle(Vec::new()) };
        let file = samples::finish(&bundle, b"BP08");
        assert!(matches!(Bundle::parse(&file), Err(Error::Missing { .. })));
    }
}
