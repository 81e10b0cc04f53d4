//! Operators that give the same elements another shape. Nothing is dispatched.

use pteron_tensor::Shape;

use crate::args::{Args, Described};
use crate::error::Result;
use crate::eval::Eval;
use crate::plan::PlanContext;

/// An operator that is another view of its first argument.
pub(super) trait Views {
    /// The shape of the view, with as many elements as the input's.
    fn shape<T: Described>(cx: &Args<'_, T>, input: &Shape) -> Result<Shape>;
}

/// The plan of a view.
pub(super) fn plan<V: Views>(cx: &mut PlanContext<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let shape = V::shape(cx, &input.shape)?;
    cx.alias(0, input, shape)
}

/// The reference of a view.
pub(super) fn reference<V: Views>(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    super::strided::check_types(input.dtype(), cx.output_type(0)?)?;
    let shape = V::shape(cx, input.shape())?;
    cx.set(0, input.reshape(shape)?)
}
