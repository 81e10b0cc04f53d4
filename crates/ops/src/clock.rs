//! When a reference must have come to its end.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use web_time::Instant;

use crate::error::{OpError, Result};

/// Steps between two looks at the time; all of them take some milliseconds.
const STEPS: usize = 1 << 20;

/// Ends references whose time is over.
///
/// References that do more than a few steps for each element that they read and write, as products and windows do, count their
/// steps here. Others end soon by themselves, since limits bound their tensors.
#[derive(Debug, Default)]
pub struct Clock {
    end: Option<Instant>,
    /// Steps since the last look at the time. What threads that count at once lose of it does not matter.
    steps: AtomicUsize,
}

/// The clock of what may take any time.
pub(crate) static ENDLESS: Clock = Clock { end: None, steps: AtomicUsize::new(0) };

impl Clock {
    /// A clock that ends references at a moment; without one, never.
    pub fn until(end: Option<Instant>) -> Clock {
        Clock { end, steps: AtomicUsize::new(0) }
    }

    /// Counts steps; an error where the time is over.
    pub(crate) fn count(&self, steps: usize) -> Result<()> {
        let Some(end) = self.end else { return Ok(()) };
        // What has no elements takes a step too.
        let steps = self.steps.load(Relaxed).saturating_add(steps.max(1));
        if steps < STEPS {
            self.steps.store(steps, Relaxed);
            return Ok(());
        }
        self.steps.store(0, Relaxed);
        if Instant::now() < end { Ok(()) } else { Err(OpError::Time) }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use pteron_tensor::{DType, HostTensor, Shape};

    use super::*;
    use crate::args::Arg;
    use crate::catalogue::{lookup, lookup_portable};
    use crate::eval::Eval;

    type Case = (&'static str, Vec<Arg<HostTensor>>, &'static [DType]);

    fn zeros(dtype: DType, dims: &[usize]) -> Arg<HostTensor> {
        Arg::Tensor(HostTensor::zeros(dtype, Shape::new(dims).unwrap()))
    }

    fn floats(dims: &[usize]) -> Arg<HostTensor> {
        zeros(DType::F32, dims)
    }

    fn ints(values: &[i64]) -> Arg<HostTensor> {
        Arg::List(values.iter().map(|&value| Arg::Int(value)).collect())
    }

    /// A call of each family of references that do much with small tensors, with more steps than are between two looks.
    fn cases() -> Vec<Case> {
        let convolution = || {
            let sizes = [ints(&[1, 1]), ints(&[16, 16]), ints(&[1, 1]), Arg::Bool(false), ints(&[0, 0]), Arg::Int(1)];
            sizes.into_iter()
        };
        let image = || floats(&[1, 1, 64, 64]);
        let weight = || floats(&[1, 1, 33, 33]);
        let backward = [image(), image(), weight(), Arg::Null].into_iter().chain(convolution());
        let wanted = Arg::List(vec![Arg::Bool(true); 3]);
        let bytes = |dims: &[usize]| zeros(DType::I8, dims);
        vec![
            ("aten.mm.default", vec![floats(&[128, 128]), floats(&[128, 128])], &[DType::F32]),
            ("aten.bmm.default", vec![floats(&[2, 128, 128]), floats(&[2, 128, 128])], &[DType::F32]),
            (
                "aten.convolution.default",
                [image(), weight(), Arg::Null].into_iter().chain(convolution()).collect(),
                &[DType::F32],
            ),
            ("aten::convolution_backward.out", backward.chain([wanted]).collect(), &[DType::F32; 3]),
            (
                "et_vk.sdpa.default",
                vec![floats(&[256, 64]), floats(&[256, 64]), floats(&[256, 64]), Arg::Null, Arg::Null],
                &[DType::F32],
            ),
            (
                "aten.max_pool2d_with_indices.default",
                vec![image(), ints(&[33, 33]), ints(&[1, 1]), ints(&[16, 16]), ints(&[1, 1]), Arg::Bool(false)],
                &[DType::F32, DType::I64],
            ),
            (
                "aten.avg_pool2d.default",
                vec![image(), ints(&[33, 33]), ints(&[1, 1]), ints(&[16, 16]), Arg::Bool(false), Arg::Bool(true)],
                &[DType::F32],
            ),
            (
                "aten::adaptive_max_pool2d.out",
                vec![floats(&[1, 63, 63]), ints(&[1100, 1100])],
                &[DType::F32, DType::I64],
            ),
            ("aten::_adaptive_avg_pool2d.out", vec![floats(&[1, 1, 16, 90_000]), ints(&[4, 1])], &[DType::F32]),
            (
                "aten::_upsample_bilinear2d_aa.out",
                vec![image(), ints(&[1100, 1100]), Arg::Bool(false), Arg::Null, Arg::Null],
                &[DType::F32],
            ),
            (
                "aten::_cdist_forward.out",
                vec![floats(&[128, 128]), floats(&[128, 128]), Arg::Double(2.0)],
                &[DType::F32],
            ),
            ("aten::_pdist_forward.out", vec![floats(&[256, 128]), Arg::Double(2.0)], &[DType::F32]),
            (
                "aten::_fft_c2c.out",
                vec![zeros(DType::C64, &[2003]), ints(&[0]), Arg::Int(0), Arg::Bool(true)],
                &[DType::C64],
            ),
            (
                "aten::_embedding_bag.out",
                [floats(&[1, 4096]), zeros(DType::I64, &[512]), zeros(DType::I64, &[1])]
                    .into_iter()
                    .chain([Arg::Bool(false), Arg::Int(0), Arg::Bool(false), Arg::Null, Arg::Bool(false), Arg::Int(-1)])
                    .collect(),
                &[DType::F32, DType::I64, DType::I64, DType::I64],
            ),
            (
                "et_vk.linear_q4gsw.default",
                vec![floats(&[128, 128]), zeros(DType::U8, &[128, 64]), floats(&[4, 128]), Arg::Int(32), Arg::Null],
                &[DType::F32],
            ),
            (
                "quantized_decomposed::mixed_mm.out",
                vec![floats(&[128, 128]), bytes(&[128, 128]), floats(&[128]), Arg::Null],
                &[DType::F32],
            ),
            (
                "pteron.bytes_linear.default",
                [bytes(&[128, 128]), Arg::Double(1.0), Arg::Int(0), bytes(&[128, 128]), floats(&[128])]
                    .into_iter()
                    .chain([Arg::Double(1.0), Arg::Int(0), Arg::Null, Arg::Int(-128), Arg::Int(127)])
                    .collect(),
                &[DType::I8],
            ),
        ]
    }

    #[test]
    fn references_end_when_their_time_is_over() {
        let over = Instant::now();
        for (name, args, types) in cases() {
            let op = lookup(name).or_else(|| lookup_portable(name)).unwrap_or_else(|| panic!("there is no {name}"));
            Eval::run(op, args.clone(), &[], types).unwrap_or_else(|error| panic!("{name}: {error}"));
            let clock = Clock::until(Some(over));
            let ended = Eval::run_within(op, args, &[], types, 0, &clock);
            assert_eq!(ended.map(|_| ()), Err(OpError::Time), "{name}");
        }
    }

    #[test]
    fn time_is_looked_at_after_many_steps() {
        let clock = Clock::until(Instant::now().checked_add(Duration::from_secs(3600)));
        clock.count(usize::MAX).unwrap();
        let clock = Clock::until(Some(Instant::now()));
        clock.count(STEPS - 1).unwrap();
        assert_eq!(clock.count(1), Err(OpError::Time));
        clock.count(1).unwrap();
        Clock::until(None).count(usize::MAX).unwrap();
    }
}
