//! `pteron.turn`: the rotary embedding of vectors, wherever they lie, as `transformers` writes it in parts.
//!
//! [`Turn`] declares its arguments.

use pteron_tensor::Shape;

use super::arguments::{Turn, TurnPositions};
use crate::args::{Args, Described};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;
use crate::kernels::turn;
use crate::plan::{PlanContext, word};

pub(crate) const OPS: &[OpDef] = &[OpDef::fused(Turn::NAME, plan, reference).accuracy(Accuracy::Rounded)];

const AT: TurnPositions = TurnPositions::AT;

/// Where everything is.
struct Places {
    output: Shape,
    /// The distances of the first three dimensions, and the first place, in the input and in the tables.
    input: [usize; 4],
    tables: [usize; 4],
}

fn plan(cx: &mut PlanContext<'_>) -> Result<()> {
    let places = read(cx)?;
    let (input, cos, sin) = (cx.tensor(AT.input)?, cx.tensor(AT.cos)?, cx.tensor(AT.sin)?);
    let output = cx.output(places.output)?;
    if let Some(other) = [&input, &cos, &sin].into_iter().find(|it| it.dtype != output.dtype) {
        return Err(OpError::DType { dtype: other.dtype, what: format!("a turn of {}", output.dtype) });
    }
    let pairs = output.numel() / 2;
    let params = turn::Params {
        pairs: word(pairs),
        half: word(output.shape[3] / 2),
        sizes: [output.shape[1], output.shape[2]].map(word),
        places: places.input.map(word),
        angles: places.tables.map(word),
    };
    let variant = turn::Variant { t: output.dtype.try_into()? };
    cx.dispatch(turn::Bind { input, cos, sin, output, params }, variant).threads(pairs)
}

fn reference(cx: &mut Eval<'_>) -> Result<()> {
    let Places { output, input: places, tables } = read(cx)?;
    let (input, cos, sin) =
        (cx.tensor(AT.input)?.to_f64s(), cx.tensor(AT.cos)?.to_f64s(), cx.tensor(AT.sin)?.to_f64s());
    let &[_, second, third, width] = &*output else { unreachable!("four sizes were read") };
    let half = width / 2;
    let place = |vector: usize, [a, b, c, first]: [usize; 4]| {
        first + vector / third / second * a + vector / third % second * b + vector % third * c
    };
    let element = |index: usize| {
        let (vector, element) = (index / width, index % width);
        let (from, angle) = (place(vector, places), place(vector, tables) + element);
        let other = if element < half { -input[from + element + half] } else { input[from + element - half] };
        input[from + element] * cos[angle] + other * sin[angle]
    };
    cx.set_f64s(output, (0..output.numel()).map(element).collect())
}

/// Reads the arguments, and checks that everything lies where its tensor is.
fn read<T: Described>(cx: &Args<'_, T>) -> Result<Places> {
    let wrong = |what: &str| OpError::Shape(format!("a turn of vectors whose {what}"));
    let numbers = |at: usize| -> Result<Vec<usize>> {
        let numbers = cx.ints(at)?.into_iter().map(|number| usize::try_from(number).ok());
        numbers.collect::<Option<_>>().ok_or_else(|| wrong("sizes or distances are below zero"))
    };
    let (sizes, places, angles) = (numbers(AT.sizes)?, numbers(AT.places)?, numbers(AT.angles)?);
    let (&[_, _, _, width], &[a, b, c, first], &[d, e, f]) = (&sizes[..], &places[..], &angles[..]) else {
        return Err(wrong("sizes and distances are not four, four and three"));
    };
    let output = Shape::new(&sizes)?;
    let places = Places { output, input: [a, b, c, first], tables: [d, e, f, 0] };
    let end = |[a, b, c, first]: [usize; 4]| {
        let steps = sizes.iter().zip([a, b, c]).map(|(size, distance)| (size - 1).checked_mul(distance));
        steps.chain([Some(first), Some(width)]).try_fold(0usize, |sum, step| sum.checked_add(step?))
    };
    let holds = |tensor: &T, places| end(places).is_some_and(|end| end <= tensor.shape().numel());
    let tables = [cx.tensor(AT.cos)?, cx.tensor(AT.sin)?];
    let all = output.numel() == 0
        || holds(&cx.tensor(AT.input)?, places.input) && tables.iter().all(|table| holds(table, places.tables));
    match (width % 2, all) {
        (0, true) => Ok(places),
        (0, false) => Err(wrong("places or angles are not all there")),
        _ => Err(wrong("length is odd")),
    }
}
