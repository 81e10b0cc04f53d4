//! `aten::_cdist_forward` and `aten::_pdist_forward`: how far points are apart.

use pteron_tensor::Shape;

use crate::broadcast;
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;

pub(crate) const OPS: &[OpDef] = &[
    OpDef::host("aten::_cdist_forward.out", between).accuracy(Accuracy::Accumulated),
    OpDef::host("aten::_pdist_forward.out", within).accuracy(Accuracy::Accumulated),
];

/// The distance of two points in the norm of order `p`.
fn distance(a: &[f64], b: &[f64], p: f64) -> f64 {
    let apart = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    if p == 0.0 {
        apart.map(|x| if x == 0.0 { 0.0 } else { 1.0 }).sum()
    } else if p == 1.0 {
        apart.sum()
    } else if p == 2.0 {
        apart.map(|x| x * x).sum::<f64>().sqrt()
    } else if p.is_infinite() {
        apart.fold(0.0, |most, x| if x.is_nan() { x } else { x.max(most) })
    } else {
        apart.map(|x| x.powf(p)).sum::<f64>().powf(1.0 / p)
    }
}

fn check_order(p: f64) -> Result<()> {
    if p >= 0.0 { Ok(()) } else { Err(OpError::Unsupported(format!("distances of order {p}"))) }
}

/// From each point of one set to each of another. Arguments: the sets, the order.
fn between(cx: &mut Eval<'_>) -> Result<()> {
    let (a, b, p) = (cx.tensor(0)?, cx.tensor(1)?, cx.float(2)?);
    check_order(p)?;
    let wrong = || OpError::Shape(format!("{} and {} are no points of one space", a.shape(), b.shape()));
    let (&[ref batch_a @ .., rows, size], &[ref batch_b @ .., columns, other]) = (&**a.shape(), &**b.shape()) else {
        return Err(wrong());
    };
    if size != other {
        return Err(wrong());
    }
    let (batch_a, batch_b) = (Shape::new(batch_a)?, Shape::new(batch_b)?);
    let batch = broadcast::shape_of(&batch_a, &batch_b)?;
    let sets_a = broadcast::expand((0..batch_a.numel()).collect(), &batch_a, &batch);
    let sets_b = broadcast::expand((0..batch_b.numel()).collect(), &batch_b, &batch);
    let (values_a, values_b) = (a.to_f64s(), b.to_f64s());
    let shape = Shape::new(&[&batch[..], &[rows, columns]].concat())?;
    let mut distances = Vec::with_capacity(shape.numel());
    for (set_a, set_b) in sets_a.into_iter().zip(sets_b) {
        for (i, j) in (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))) {
            let (from, to) = ((set_a * rows + i) * size, (set_b * columns + j) * size);
            cx.clock().count(size)?;
            distances.push(distance(&values_a[from..from + size], &values_b[to..to + size], p));
        }
    }
    cx.set_f64s(shape, distances)
}

/// Between the points of one set, each pair once. Arguments: the set, the order.
fn within(cx: &mut Eval<'_>) -> Result<()> {
    let input = cx.tensor(0)?;
    let p = cx.opt_float(1)?.unwrap_or(2.0);
    check_order(p)?;
    let [rows, size] = **input.shape() else {
        return Err(OpError::Shape(format!("{} is no set of points", input.shape())));
    };
    // Each of the rows with each that follows; too many of them are no shape.
    let pairs = (rows as u64).saturating_mul((rows as u64).saturating_sub(1)) / 2;
    let shape = Shape::from_sizes([pairs])?;
    let values = input.to_f64s();
    let point = |i: usize| &values[i * size..(i + 1) * size];
    let pairs = (0..rows).flat_map(|i| (i + 1..rows).map(move |j| (i, j)));
    let measured = |(i, j)| cx.clock().count(size).map(|()| distance(point(i), point(j), p));
    let distances = pairs.map(measured).collect::<Result<Vec<_>>>()?;
    cx.set_f64s(shape, distances)
}

#[cfg(test)]
mod tests {
    use pteron_tensor::{DType, HostTensor};

    use super::*;
    use crate::args::Arg;

    #[test]
    fn every_order_has_its_distance() {
        let (a, b) = ([1.0, 2.0, 5.0], [1.0, 5.0, 1.0]);
        for (p, expected) in [(0.0, 2.0), (1.0, 7.0), (2.0, 5.0), (3.0, 91f64.cbrt()), (f64::INFINITY, 4.0)] {
            assert!((distance(&a, &b, p) - expected).abs() < 1e-12, "{p}");
        }
        assert!(distance(&[f64::NAN], &[0.0], f64::INFINITY).is_nan());
    }

    #[test]
    fn pairs_are_no_more_than_allowed() {
        for dims in [[1 << 20, 1], [1 << 59, 0]] {
            let points = Arg::Tensor(HostTensor::zeros(DType::F32, Shape::new(&dims).unwrap()));
            let op = OPS.iter().find(|op| op.name == "aten::_pdist_forward.out").unwrap();
            let refused = Shape::at_most(1 << 24, || Eval::run(op, vec![points, Arg::Double(2.0)], &[], &[DType::F32]));
            assert!(matches!(refused, Err(OpError::BadShape(_))), "{refused:?}");
        }
    }
}
