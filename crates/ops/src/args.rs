//! Reading an operator's arguments, the same way for plans and references.

use std::cell::RefCell;

use pteron_tensor::{DType, HostTensor, Shape};

use crate::error::{OpError, Result};
use crate::sym::{IntArg, Observation, RowRange, SymId};

/// One argument of an operator call.
#[derive(Clone, Debug)]
pub enum Arg<T> {
    /// Absent.
    Null,
    /// An integer.
    Int(i64),
    /// A float.
    Double(f64),
    /// A truth value.
    Bool(bool),
    /// A string.
    Str(String),
    /// A symbolic integer.
    Sym(SymId),
    /// A tensor.
    Tensor(T),
    /// A list of any of these.
    List(Vec<Arg<T>>),
}

/// Something with an element type and a shape.
pub trait Described: Clone {
    /// The element type.
    fn dtype(&self) -> DType;
    /// The sizes.
    fn shape(&self) -> &Shape;
}

impl Described for HostTensor {
    fn dtype(&self) -> DType {
        self.dtype()
    }
    fn shape(&self) -> &Shape {
        self.shape()
    }
}

impl<T> Arg<T> {
    fn kind(&self) -> &'static str {
        match self {
            Arg::Null => "null",
            Arg::Int(_) => "an integer",
            Arg::Double(_) => "a float",
            Arg::Bool(_) => "a truth value",
            Arg::Str(_) => "a string",
            Arg::Sym(_) => "a symbolic integer",
            Arg::Tensor(_) => "a tensor",
            Arg::List(_) => "a list",
        }
    }
}

/// The arguments of one call, with the symbolic integers of this call.
///
/// The exporter shares one value between equal numbers (0 and 0.0), so a float reads as an integer where it is one, and
/// an integer always reads as a float.
#[derive(Debug)]
pub struct Args<'a, T> {
    args: Vec<Arg<T>>,
    syms: &'a [i64],
    observed: RefCell<Vec<(Observation, i64)>>,
}

impl<'a, T: Described> Args<'a, T> {
    /// Arguments in the order of the operator's schema, without the output.
    pub fn new(args: Vec<Arg<T>>, syms: &'a [i64]) -> Args<'a, T> {
        Args { args, syms, observed: RefCell::default() }
    }

    /// The number of arguments.
    pub fn len(&self) -> usize {
        self.args.len()
    }

    /// Whether there are no arguments.
    pub fn is_empty(&self) -> bool {
        self.args.is_empty()
    }

    /// The symbolic integers of this call.
    pub fn syms(&self) -> &'a [i64] {
        self.syms
    }

    /// What was read of symbolic integers so far, with the values seen.
    pub fn observed(self) -> Vec<(Observation, i64)> {
        self.observed.into_inner()
    }

    /// The argument as it is.
    pub fn get(&self, index: usize) -> Option<&Arg<T>> {
        self.args.get(index)
    }

    /// A tensor.
    pub fn tensor(&self, index: usize) -> Result<T> {
        self.opt_tensor(index)?.ok_or_else(|| self.mismatch(index, "a tensor"))
    }

    /// A tensor or null.
    pub fn opt_tensor(&self, index: usize) -> Result<Option<T>> {
        match self.args.get(index) {
            Some(Arg::Tensor(tensor)) => Ok(Some(tensor.clone())),
            Some(Arg::Null) | None => Ok(None),
            Some(_) => Err(self.mismatch(index, "a tensor or null")),
        }
    }

    /// A list of tensors. A single tensor is a list of one.
    pub fn tensors(&self, index: usize) -> Result<Vec<T>> {
        let tensors = self.opt_tensors(index)?.into_iter();
        tensors.map(|tensor| tensor.ok_or_else(|| self.mismatch(index, "a list of tensors"))).collect()
    }

    /// A list of tensors or nulls. A single tensor is a list of one.
    pub fn opt_tensors(&self, index: usize) -> Result<Vec<Option<T>>> {
        let read = |arg: &Arg<T>| match arg {
            Arg::Tensor(tensor) => Ok(Some(tensor.clone())),
            Arg::Null => Ok(None),
            _ => Err(self.mismatch(index, "a list of tensors")),
        };
        match self.args.get(index) {
            Some(Arg::List(items)) => items.iter().map(read).collect(),
            Some(arg @ Arg::Tensor(_)) => Ok(vec![read(arg)?]),
            _ => Err(self.mismatch(index, "a list of tensors")),
        }
    }

    /// An integer whose value shapes the plan.
    pub fn int(&self, index: usize) -> Result<i64> {
        self.observe(self.int_arg(index)?)
    }

    /// An integer, or a default where it is null.
    pub fn int_or(&self, index: usize, default: i64) -> Result<i64> {
        if self.is_null(index) { Ok(default) } else { self.int(index) }
    }

    /// An integer as it is in the program: nothing is observed.
    pub fn int_arg(&self, index: usize) -> Result<IntArg> {
        self.args.get(index).and_then(as_int).ok_or_else(|| self.mismatch(index, "an integer"))
    }

    /// A float.
    pub fn float(&self, index: usize) -> Result<f64> {
        match self.args.get(index) {
            Some(&Arg::Double(value)) => Ok(value),
            Some(&Arg::Int(value)) => Ok(value as f64),
            Some(&Arg::Bool(value)) => Ok(f64::from(u8::from(value))),
            _ => Err(self.mismatch(index, "a number")),
        }
    }

    /// A float or null.
    pub fn opt_float(&self, index: usize) -> Result<Option<f64>> {
        if self.is_null(index) { Ok(None) } else { self.float(index).map(Some) }
    }

    /// A truth value; numbers count as true unless zero.
    pub fn bool(&self, index: usize) -> Result<bool> {
        match self.args.get(index) {
            Some(&Arg::Bool(value)) => Ok(value),
            Some(&Arg::Int(value)) => Ok(value != 0),
            _ => Err(self.mismatch(index, "a truth value")),
        }
    }

    /// A string.
    pub fn str(&self, index: usize) -> Result<&str> {
        match self.args.get(index) {
            Some(Arg::Str(text)) => Ok(text),
            _ => Err(self.mismatch(index, "a string")),
        }
    }

    /// A list of integers whose values shape the plan. A single integer is a list of one.
    pub fn ints(&self, index: usize) -> Result<Vec<i64>> {
        let read = |arg| as_int(arg).ok_or_else(|| self.mismatch(index, "a list of integers"));
        match self.args.get(index) {
            Some(Arg::List(items)) => items.iter().map(|item| self.observe(read(item)?)).collect(),
            Some(arg) => Ok(vec![self.observe(read(arg)?)?]),
            None => Err(self.mismatch(index, "a list of integers")),
        }
    }

    /// A list of integers, or nothing where it is null.
    pub fn opt_ints(&self, index: usize) -> Result<Option<Vec<i64>>> {
        if self.is_null(index) { Ok(None) } else { self.ints(index).map(Some) }
    }

    /// A list of floats, or nothing where it is null.
    pub fn opt_floats(&self, index: usize) -> Result<Option<Vec<f64>>> {
        let read = |arg: &Arg<T>| match *arg {
            Arg::Double(value) => Ok(value),
            Arg::Int(value) => Ok(value as f64),
            _ => Err(self.mismatch(index, "a list of numbers")),
        };
        match self.args.get(index) {
            Some(Arg::List(items)) => items.iter().map(read).collect::<Result<_>>().map(Some),
            Some(Arg::Null) | None => Ok(None),
            Some(arg) => read(arg).map(|value| Some(vec![value])),
        }
    }

    /// Whether the argument is null or not there.
    pub fn is_null(&self, index: usize) -> bool {
        matches!(self.args.get(index), Some(Arg::Null) | None)
    }

    /// The number of elements of the slice `start..end` by `step` of a dimension of `size`, where only this length
    /// shapes the plan: a window that moves without changing its length keeps it.
    pub fn slice_length(&self, start: IntArg, end: IntArg, step: i64, size: usize) -> Result<usize> {
        let observation = Observation::SliceLength { start, end, step, size };
        let length = observation.eval(self.syms)?;
        if !matches!((start, end), (IntArg::Known(_), IntArg::Known(_))) {
            self.observed.borrow_mut().push((observation, length));
        }
        usize::try_from(length).map_err(|_| OpError::Shape(format!("a slice has length {length}")))
    }

    /// One past the last row of a range, rounded up, where only this shapes the plan.
    pub fn bucket(&self, range: RowRange) -> Result<usize> {
        let bucket = range.bucket(self.syms)?;
        if let IntArg::Sym(_) = range.start {
            self.observed.borrow_mut().push((Observation::Bucket(range), bucket as i64));
        }
        Ok(bucket)
    }

    fn observe(&self, arg: IntArg) -> Result<i64> {
        let value = arg.eval(self.syms)?;
        if let IntArg::Sym(id) = arg {
            self.observed.borrow_mut().push((Observation::Value(id), value));
        }
        Ok(value)
    }

    fn mismatch(&self, index: usize, expected: &'static str) -> OpError {
        let got = self.args.get(index).map_or("missing", Arg::kind).to_owned();
        OpError::Argument { index, expected, got }
    }
}

fn as_int<T>(arg: &Arg<T>) -> Option<IntArg> {
    match *arg {
        Arg::Int(value) => Some(IntArg::Known(value)),
        Arg::Bool(value) => Some(IntArg::Known(i64::from(value))),
        #[expect(clippy::cast_possible_truncation, reason = "a whole number within the range of i64 loses nothing")]
        Arg::Double(value) if value.fract() == 0.0 && value.abs() < 9e18 => Some(IntArg::Known(value as i64)),
        Arg::Sym(id) => Some(IntArg::Sym(id)),
        _ => None,
    }
}

/// The dimension of `shape` that `dim` names.
pub fn dim_of(shape: &Shape, dim: i64) -> Result<usize> {
    shape.dim(dim).ok_or(OpError::Dim { dim, rank: shape.rank() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(args: Vec<Arg<HostTensor>>, syms: &[i64]) -> Args<'_, HostTensor> {
        Args::new(args, syms)
    }

    #[test]
    fn numbers_read_as_either_type() {
        let args = args(vec![Arg::Double(2.0), Arg::Int(3), Arg::Double(0.5)], &[]);
        assert_eq!(args.int(0).unwrap(), 2);
        assert_eq!(args.float(1).unwrap(), 3.0);
        assert_eq!(args.int(2).unwrap_err().to_string(), "argument 2 is a float, expected an integer");
        assert_eq!(args.int(9).unwrap_err().to_string(), "argument 9 is missing, expected an integer");
    }

    #[test]
    fn only_what_is_read_by_value_is_observed() {
        let args = args(vec![Arg::Sym(SymId(0)), Arg::List(vec![Arg::Int(4), Arg::Sym(SymId(1))])], &[7, 9]);
        assert_eq!(args.int_arg(0).unwrap(), IntArg::Sym(SymId(0)));
        assert_eq!(args.ints(1).unwrap(), [4, 9]);
        assert_eq!(args.observed(), [(Observation::Value(SymId(1)), 9)]);
    }
}
