//! `aten::scatter_reduce`: values combined along one dimension with those where a tensor of indices says.

use pteron_tensor::HostTensor;

use super::gather::gathered;
use super::scatter::{check_source, source_places};
use crate::catalogue::{Accuracy, OpDef};
use crate::error::{OpError, Result};
use crate::eval::Eval;

pub(crate) const OPS: &[OpDef] =
    &[OpDef::host("aten::scatter_reduce.two_out", reference).accuracy(Accuracy::Accumulated)];

/// What becomes of values that meet.
#[derive(Clone, Copy)]
enum Reduce {
    Sum,
    Product,
    Mean,
    Largest,
    Smallest,
}

impl Reduce {
    fn named(name: &str) -> Result<Reduce> {
        Ok(match name {
            "sum" => Reduce::Sum,
            "prod" => Reduce::Product,
            "mean" => Reduce::Mean,
            "amax" => Reduce::Largest,
            "amin" => Reduce::Smallest,
            other => return Err(OpError::Unsupported(format!("values that meet by {other}"))),
        })
    }

    fn floats(self, a: f64, b: f64) -> f64 {
        match self {
            Reduce::Sum | Reduce::Mean => a + b,
            Reduce::Product => a * b,
            // What is no number stays none.
            Reduce::Largest | Reduce::Smallest if a.is_nan() || b.is_nan() => f64::NAN,
            Reduce::Largest => a.max(b),
            Reduce::Smallest => a.min(b),
        }
    }

    fn integers(self, a: i64, b: i64) -> i64 {
        match self {
            Reduce::Sum | Reduce::Mean => a.wrapping_add(b),
            Reduce::Product => a.wrapping_mul(b),
            Reduce::Largest => a.max(b),
            Reduce::Smallest => a.min(b),
        }
    }
}

/// Where values go and come from, and whether those that are there already count.
struct Meetings {
    /// Pairs of a place in the target and one in the source.
    pairs: Vec<(usize, usize)>,
    include_self: bool,
}

impl Meetings {
    /// What each element of a target becomes, and how many values it is made of.
    fn combined<T: Copy>(&self, target: Vec<T>, source: &[T], combine: impl Fn(T, T) -> T) -> Vec<(T, usize)> {
        let mut results: Vec<_> = target.into_iter().map(|value| (value, usize::from(self.include_self))).collect();
        for &(to, from) in &self.pairs {
            let (value, count) = &mut results[to];
            *value = if *count == 0 { source[from] } else { combine(*value, source[from]) };
            *count += 1;
        }
        results
    }
}

/// Arguments: target, dim, indices, source, reduction, and whether what is there already counts.
fn reference(cx: &mut Eval<'_>) -> Result<()> {
    check_source(cx)?;
    let (target, indices, source) = (cx.tensor(0)?, cx.tensor(2)?, cx.tensor(3)?);
    let reduce = Reduce::named(cx.str(4)?)?;
    let along = gathered(target.shape(), cx.int(1)?, indices.shape())?;
    let resolved = along.range.resolve(&indices)?;
    cx.clock().count(resolved.len())?;
    let pairs = along.places(&resolved).zip(source_places(&indices, &source));
    let pairs = pairs.filter_map(|(to, from)| Some((to?, from))).collect();
    let meetings = Meetings { pairs, include_self: cx.bool(5)? };
    let (dtype, shape) = (target.dtype(), *target.shape());
    let result = if dtype.is_float() {
        let combined = meetings.combined(target.to_f64s(), &source.to_f64s(), |a, b| reduce.floats(a, b));
        let mean = |(sum, count): (f64, usize)| match reduce {
            Reduce::Mean if count > 0 => sum / count as f64,
            _ => sum,
        };
        HostTensor::from_f64s(dtype, shape, combined.into_iter().map(mean))?
    } else {
        let combined = meetings.combined(target.to_i64s(), &source.to_i64s(), |a, b| reduce.integers(a, b));
        let mean = |(sum, count): (i64, usize)| match reduce {
            Reduce::Mean if count > 0 => sum.div_euclid(count as i64),
            _ => sum,
        };
        HostTensor::from_i64s(dtype, shape, combined.into_iter().map(mean))?
    };
    cx.set(0, result)
}
