//! References take time and memory by what they read and make, whatever numbers and sizes they are given.

#[path = "../../pte/tests/counting/mod.rs"]
mod counting;

use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::channel;
use std::time::Duration;

use counting::{ALLOCATED, PEAK};
use pteron_ops::catalogue::lookup_portable;
use pteron_ops::{Arg, Eval, OpError, Result};
use pteron_tensor::{DType, HostTensor, Shape};

/// One test at a time counts allocations.
static COUNTED: Mutex<()> = Mutex::new(());

const MOST_BYTES: usize = 32 << 20;
const MOST_TIME: Duration = Duration::from_secs(20);

fn floats(dims: &[usize]) -> Arg<HostTensor> {
    Arg::Tensor(HostTensor::zeros(DType::F32, Shape::new(dims).expect("it can be counted")))
}

/// The outputs of an operator outside delegates, which may make so many elements. One that takes much time or memory fails.
fn bounded(
    elements: u64,
    name: &'static str,
    args: Vec<Arg<HostTensor>>,
    types: &'static [DType],
) -> Result<Vec<HostTensor>> {
    let _alone = COUNTED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let op = lookup_portable(name).unwrap_or_else(|| panic!("there is no {name}"));
    let before = ALLOCATED.load(Relaxed);
    PEAK.store(before, Relaxed);
    let (done, ended) = channel();
    // What does not end is left behind.
    std::thread::spawn(move || {
        let evaluated = Shape::at_most(elements, || Eval::run(op, args, &[], types));
        done.send(evaluated.map(|evaluated| evaluated.outputs))
    });
    let outcome = ended.recv_timeout(MOST_TIME).unwrap_or_else(|_| panic!("{name} does not end"));
    let peak = PEAK.load(Relaxed).saturating_sub(before);
    assert!(peak < MOST_BYTES, "{name} took {peak} bytes");
    outcome
}

#[test]
fn any_number_of_lines_without_elements_takes_no_time() {
    let (lines, rows) = (|| floats(&[0, 1 << 30, 1 << 20]), || floats(&[1 << 30, 1 << 20, 0]));
    let empty = |name, args, types| {
        let outputs = bounded(u64::MAX, name, args, types).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(outputs.iter().all(|output| output.numel() == 0), "{name}");
    };
    empty("aten::sort.values", vec![lines(), Arg::Int(0), Arg::Bool(false)], &[DType::F32, DType::I64]);
    empty("aten::cumsum.out", vec![lines(), Arg::Int(0)], &[DType::F32]);
    empty("aten::cat.out", vec![Arg::List(vec![rows(), rows()]), Arg::Int(2)], &[DType::F32]);
    empty("aten::_softmax.out", vec![lines(), Arg::Int(0), Arg::Bool(false)], &[DType::F32]);
    empty("aten::split_copy.Tensor_out", vec![rows(), Arg::Int(1 << 30), Arg::Int(0)], &[DType::F32]);
}

#[test]
fn no_more_pieces_are_made_than_there_are_outputs() {
    let rows = || floats(&[1 << 30, 1 << 20, 0]);
    bounded(u64::MAX, "aten::split_copy.Tensor_out", vec![rows(), Arg::Int(1), Arg::Int(0)], &[DType::F32])
        .unwrap_err();
    bounded(u64::MAX, "aten::unbind_copy.int_out", vec![rows(), Arg::Int(0)], &[DType::F32]).unwrap_err();
}

#[test]
fn numbers_are_repeated_no_more_often_than_allowed() {
    for times in [1i64 << 22, 1 << 27, i64::MAX] {
        let repeats = HostTensor::from_slice(&[times; 8], &[8]).expect("eight numbers");
        let refused = bounded(1 << 20, "aten::repeat_interleave.Tensor_out", vec![Arg::Tensor(repeats)], &[DType::I64]);
        assert!(matches!(refused, Err(OpError::BadShape(_))), "{refused:?}");
    }
}
