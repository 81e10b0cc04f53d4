//! Lists of numbers as they lie in the file: read one by one, since their bytes need not be aligned.

use std::fmt;

use planus::Vector;

use crate::error::{Result, index};

mod sealed {
    #[expect(unnameable_types, reason = "nobody else implements it")]
    pub trait Sealed: for<'a> planus::VectorRead<'a> + Copy + std::fmt::Debug {}
}

/// A number that a [`List`] can hold.
pub trait ListItem: sealed::Sealed {}

macro_rules! items {
    ($($ty:ty),*) => {$(
        impl sealed::Sealed for $ty {}
        impl ListItem for $ty {}
    )*};
}
items!(u16, i32, u32, i64, u64, f32, f64, bool);

/// A list of numbers in the file.
#[derive(Clone, Copy)]
pub struct List<'a, T: ListItem>(Vector<'a, T>);

impl<'a, T: ListItem> List<'a, T> {
    pub(crate) fn new(vector: Option<Vector<'a, T>>) -> Self {
        List(vector.unwrap_or_else(Vector::new_empty))
    }

    /// How many numbers there are; the file holds as many.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number at `index`.
    pub fn get(&self, index: usize) -> Option<T> {
        self.0.get(index)
    }

    /// The numbers in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = T> + Clone + use<'a, T> {
        self.0.iter()
    }
}

impl<T: ListItem> fmt::Debug for List<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// How the file writes a list of indices.
#[derive(Clone, Copy)]
pub(crate) enum Items<'a> {
    I32(Vector<'a, i32>),
    U32(Vector<'a, u32>),
    I64(Vector<'a, i64>),
}

impl Items<'_> {
    fn len(&self) -> usize {
        match self {
            Items::I32(items) => items.len(),
            Items::U32(items) => items.len(),
            Items::I64(items) => items.len(),
        }
    }

    fn get(&self, at: usize) -> Option<i64> {
        match self {
            Items::I32(items) => items.get(at).map(i64::from),
            Items::U32(items) => items.get(at).map(i64::from),
            Items::I64(items) => items.get(at),
        }
    }
}

impl<'a> From<Option<Vector<'a, i32>>> for Items<'a> {
    fn from(items: Option<Vector<'a, i32>>) -> Self {
        Items::I32(items.unwrap_or_else(Vector::new_empty))
    }
}

impl<'a> From<Option<Vector<'a, u32>>> for Items<'a> {
    fn from(items: Option<Vector<'a, u32>>) -> Self {
        Items::U32(items.unwrap_or_else(Vector::new_empty))
    }
}

impl<'a> From<Option<Vector<'a, i64>>> for Items<'a> {
    fn from(items: Option<Vector<'a, i64>>) -> Self {
        Items::I64(items.unwrap_or_else(Vector::new_empty))
    }
}

/// A list of value ids, each proven to name a value.
#[derive(Clone, Copy)]
pub struct Ids<'a>(Items<'a>);

impl<'a> Ids<'a> {
    /// Checks every id against the number of values.
    pub(crate) fn check<T>(items: Option<Vector<'a, T>>, values: usize, at: impl Fn() -> String) -> Result<Self>
    where
        Option<Vector<'a, T>>: Into<Items<'a>>,
    {
        let items = items.into();
        for position in 0..items.len() {
            index(items.get(position).unwrap_or(-1), values, "value", || format!("{}, item {position}", at()))?;
        }
        Ok(Ids(items))
    }

    /// How many ids there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The id at `index`.
    pub fn get(&self, index: usize) -> Option<u32> {
        self.0.get(index).and_then(|id| u32::try_from(id).ok())
    }

    /// The ids in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = u32> + Clone + use<'a> {
        let ids = *self;
        (0..self.len()).map(move |index| ids.get(index).unwrap_or_default())
    }
}

impl fmt::Debug for Ids<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// A list of value ids with gaps: each is proven to name a value, or is absent.
#[derive(Clone, Copy)]
pub struct OptionalIds<'a>(Vector<'a, i32>);

impl<'a> OptionalIds<'a> {
    /// Checks every id against the number of values; −1 stands for an absent one.
    pub(crate) fn check(items: Option<Vector<'a, i32>>, values: usize, at: impl Fn() -> String) -> Result<Self> {
        let items = items.unwrap_or_else(Vector::new_empty);
        for (position, id) in items.iter().enumerate() {
            if id != -1 {
                index(i64::from(id), values, "value", || format!("{}, item {position}", at()))?;
            }
        }
        Ok(OptionalIds(items))
    }

    /// How many places there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The id at `index`; the inner `None` is a gap.
    pub fn get(&self, index: usize) -> Option<Option<u32>> {
        self.0.get(index).map(|id| u32::try_from(id).ok())
    }

    /// The ids in order, `None` where there is a gap.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Option<u32>> + Clone + use<'a> {
        self.0.iter().map(|id| u32::try_from(id).ok())
    }
}

impl fmt::Debug for OptionalIds<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Program, Value, samples};

    #[test]
    fn lists_are_read_at_any_alignment() {
        let file = samples::finish(&samples::inline_program(), b"ET12");
        for shift in 0..8 {
            let shifted = [&vec![0; shift], file.as_slice()].concat();
            let method = Program::parse(&shifted[shift..], file.len() as u64).unwrap().method("forward").unwrap();
            let Value::DoubleList(list) = method.unwrap().value(11).unwrap() else { panic!("no list") };
            assert_eq!((list.len(), list.get(0), list.get(2)), (2, Some(1.5), None));
            let Value::OptionalTensorList(ids) = method.unwrap().value(14).unwrap() else { panic!("no list") };
            assert_eq!((ids.get(0), ids.get(1), ids.get(2)), (Some(None), Some(Some(2)), None));
        }
        assert!(List::<i64>::new(None).is_empty());
    }
}
