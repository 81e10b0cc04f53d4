//! Damaged programs: no bytes make the reader, the lowering or the planner panic, hang, or hoard memory.
//!
//! Valid programs are truncated, flipped and spliced. Most damage that parses is subtle, so the test also counts how far
//! the mutants get: if few got past parsing, lowering and planning, it would prove little.

#[path = "../../pte/tests/counting/mod.rs"]
mod counting;

use std::panic::AssertUnwindSafe;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use counting::{ALLOCATED, PEAK};
use pteron_runtime::{Caps, Device, HostTensor, Limits, Program, Spec, Value};

const MUTANTS: usize = 100_000;
/// Mutants of programs made for XNNPACK alone.
const XNNPACK_MUTANTS: usize = 50_000;

/// One test at a time counts allocations.
static COUNTED: Mutex<()> = Mutex::new(());

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit.max(1) as u64).unwrap_or(0)
    }
}

/// Programs small enough that damage hits structure and not only constants.
fn seeds(folder: &str) -> Vec<Vec<u8>> {
    let mut cases = pteron_testkit::discover(&pteron_testkit::fixtures().join(folder)).expect("fixtures are readable");
    cases.retain(|case| case.rejected.is_none() && case.data.is_empty());
    let programs = cases.iter().map(|case| std::fs::read(&case.program).expect("fixtures are readable"));
    programs.filter(|program| program.len() <= 9 << 10).collect()
}

fn mutate(random: &mut Random, seeds: &[Vec<u8>]) -> Vec<u8> {
    const WORDS: [u32; 10] = [0, 1, 2, 4, 8, 127, 255, 0x7fff_ffff, 0x8000_0000, u32::MAX];
    let mut bytes = seeds[random.below(seeds.len())].clone();
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len());
        match random.below(8) {
            0 => bytes.truncate(at),
            1 | 2 => bytes[at] ^= 1 << random.below(8),
            3 => bytes[at] = u8::try_from(random.below(256)).unwrap_or(0),
            4 | 5 => {
                let word = WORDS[random.below(WORDS.len())].to_le_bytes();
                let at = at / 4 * 4;
                let length = bytes.len().saturating_sub(at).min(4);
                bytes[at..at + length].copy_from_slice(&word[..length]);
            }
            6 => {
                // A piece of the same program in another place, where indices and offsets mean something else.
                let from = random.below(bytes.len()) / 4 * 4;
                let length = (1 + random.below(16)) * 4;
                let (from_end, to_end) = ((from + length).min(bytes.len()), (at / 4 * 4 + length).min(bytes.len()));
                let length = (from_end - from).min(to_end - at / 4 * 4);
                bytes.copy_within(from..from + length, at / 4 * 4);
            }
            _ => {
                let other = &seeds[random.below(seeds.len())];
                let length = random.below(64).min(other.len()).min(bytes.len() - at);
                let from = random.below(other.len() - length + 1);
                bytes[at..at + length].copy_from_slice(&other[from..from + length]);
            }
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}

#[derive(Debug, Default)]
struct Reached {
    parsed: usize,
    lowered: usize,
    planned: usize,
}

fn feed(bytes: &[u8], caps: &Caps, reached: &mut Reached) {
    let before = ALLOCATED.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let visited = pteron_pte::visit_all(bytes);
    let peak = PEAK.load(Ordering::Relaxed) - before;
    assert!(peak <= 2 * bytes.len() + (64 << 10), "the parser took {peak} bytes for a file of {}", bytes.len());
    drop(visited);

    let Ok(program) = Program::from_bytes(bytes.to_vec()) else { return };
    reached.parsed += 1;
    let Ok(methods) = program.methods() else { return };
    let (mut lowered, mut planned) = (false, false);
    for method in methods {
        lowered |= pteron_runtime::block_on(program.lower_only(&method, caps)).is_ok();
        planned |= program.check(&method, caps).is_ok();
    }
    reached.lowered += usize::from(lowered);
    reached.planned += usize::from(planned);
}

#[test]
fn damage_is_an_error_and_nothing_worse() {
    damage("", 50, MUTANTS);
}

#[test]
fn damage_of_programs_for_xnnpack_is_an_error_and_nothing_worse() {
    damage("xnnpack", 10, XNNPACK_MUTANTS);
}

fn damage(folder: &str, least: usize, mutants: usize) {
    // Reading fixtures takes memory, too. A test that failed has left nothing half done.
    let _counted = COUNTED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let seeds = &seeds(folder);
    assert!(seeds.len() > least, "only {} small fixtures", seeds.len());
    let mut random = Random(2026);
    let mut reached = Reached::default();
    let caps = Caps::webgpu_minimum();
    for number in 0..mutants {
        let mutant = mutate(&mut random, seeds);
        let started = Instant::now();
        let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| feed(&mutant, &caps, &mut reached)));
        if outcome.is_err() {
            let path = std::env::temp_dir().join(format!("pteron-mutant-{number}.pte"));
            std::fs::write(&path, &mutant).expect("the mutant can be kept");
            panic!("mutant {number} broke the loader; it is kept as {}", path.display());
        }
        assert!(started.elapsed() < Duration::from_secs(5), "mutant {number} took {:?}", started.elapsed());
    }
    eprintln!("of {mutants} mutants: {reached:?}");
    assert!(reached.parsed > mutants / 4, "{reached:?}");
    assert!(reached.lowered > mutants / 8, "{reached:?}");
    assert!(reached.planned > mutants / 10, "{reached:?}");
}

/// Mutants that are run to their end, and how far they got.
const RUN: usize = 4000;

/// Runs the methods of a program on the reference engine with zeros; whether one came to its end.
fn run_all(bytes: &[u8], limits: Limits) -> bool {
    let Ok(program) = Program::from_bytes(bytes.to_vec()) else { return false };
    let program = program.with_limits(limits).on(&Device::cpu());
    let mut ran = false;
    for name in program.methods().unwrap_or_default() {
        let Ok(mut method) = program.method(&name) else { continue };
        let zeros = |spec: &Spec| match spec {
            Spec::Tensor { dtype, shape, .. } if shape.numel() <= 1 << 20 => {
                Some(HostTensor::zeros(*dtype, *shape).into())
            }
            Spec::Tensor { .. } => None,
            _ => Some(Value::Int(1)),
        };
        let inputs: Option<Vec<_>> = method.inputs().iter().map(zeros).collect();
        ran |= inputs.is_some_and(|inputs| method.run(&inputs).is_ok());
    }
    ran
}

#[test]
fn damaged_programs_that_load_run_within_their_limits() {
    let _counted = COUNTED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let seeds = &seeds("");
    let limits = Limits::default().with_host_bytes(64 << 20).with_call_time(Duration::from_secs(2));
    let (mut random, mut ran) = (Random(1326), 0);
    for number in 0..RUN {
        let mutant = mutate(&mut random, seeds);
        let (started, before) = (Instant::now(), ALLOCATED.load(Ordering::Relaxed));
        PEAK.store(before, Ordering::Relaxed);
        let outcome = std::panic::catch_unwind(|| run_all(&mutant, limits));
        let peak = PEAK.load(Ordering::Relaxed) - before;
        let (Ok(came_to_its_end), true) = (outcome, peak < 1 << 30) else {
            let path = std::env::temp_dir().join(format!("pteron-run-{number}.pte"));
            std::fs::write(&path, &mutant).expect("the mutant can be kept");
            panic!("mutant {number} panicked, or took {peak} bytes; it is kept as {}", path.display());
        };
        assert!(started.elapsed() < Duration::from_secs(20), "mutant {number} took {:?}", started.elapsed());
        ran += usize::from(came_to_its_end);
    }
    eprintln!("of {RUN} mutants {ran} ran to their end");
    assert!(ran > RUN / 10, "only {ran} ran");
}
