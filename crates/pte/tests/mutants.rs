//! Damages files in many ways: whatever comes out, reading it neither panics nor allocates beyond its size.

mod counting;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard, PoisonError};

use counting::{ALLOCATED, PEAK};
use pteron_pte::bundle::Bundle;
use pteron_pte::delegate::Delegate;
use pteron_pte::ptd::DataFile;
use pteron_pte::xnnpack::Graph;
use pteron_pte::{Blob, Head, Program, visit_all};

#[path = "../src/samples.rs"]
mod samples;
#[path = "../src/xnnpack/samples.rs"]
mod xnnpack_samples;

/// SplitMix64: small, and the same everywhere.
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
        usize::try_from(self.next() % limit.max(1) as u64).unwrap()
    }
}

/// A file and where in it mutations bite: headers and flatbuffers, not weights.
struct Seed {
    name: String,
    bytes: Vec<u8>,
    hot: Vec<std::ops::Range<usize>>,
}

impl Seed {
    fn new(name: String, bytes: Vec<u8>) -> Seed {
        let mut hot = Vec::new();
        hot.push(0..48.min(bytes.len()));
        let program =
            Head::parse(&bytes, bytes.len() as u64).ok().and_then(|head| usize::try_from(head.program_size).ok());
        hot.push(0..program.unwrap_or(bytes.len()));
        let is_graph = |window: &[u8]| matches!(window, b"VK00" | b"XN00" | b"XN01");
        for at in bytes.windows(4).enumerate().filter(|(_, window)| is_graph(window)).map(|(at, _)| at) {
            hot.push(at.saturating_sub(36)..at + 4);
            hot.push(at.saturating_sub(4)..bytes.len().min(at + 8192));
        }
        Seed { name, bytes, hot }
    }

    fn mutant(&self, random: &mut Random) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        for _ in 0..=random.below(3) {
            let range = match random.below(10) {
                0 => 0..bytes.len(),
                choice => self.hot[choice % self.hot.len()].clone(),
            };
            let place = |random: &mut Random| range.start + random.below(range.len());
            let (at, other) = (place(random), place(random));
            match random.below(12) {
                0 if random.below(4) == 0 => bytes.truncate(random.below(bytes.len() + 1)),
                1 if random.below(4) == 0 => bytes.truncate(at),
                0..4 => with(&mut bytes, at, |byte| *byte ^= 1 << (random.next() % 8)),
                4 => with(&mut bytes, at, |byte| *byte = random.next().to_le_bytes()[0]),
                5 | 6 => write(&mut bytes, at & !3, &interesting(random, self.bytes.len()).to_le_bytes()[..4]),
                7 => write(&mut bytes, at & !3, &interesting(random, self.bytes.len()).to_le_bytes()),
                8 => write(&mut bytes, at & !1, &interesting(random, self.bytes.len()).to_le_bytes()[..2]),
                9 => {
                    let length = 1 + random.below(64);
                    let piece: Vec<u8> = bytes.iter().skip(other).take(length).copied().collect();
                    write(&mut bytes, at, &piece);
                }
                10 => {
                    for step in 0..4 * (1 + random.below(4)) {
                        if at.max(other) + step < bytes.len() {
                            bytes.swap(at + step, other + step);
                        }
                    }
                }
                _ => {
                    let at = at.min(bytes.len());
                    if random.below(2) == 0 {
                        let piece: Vec<u8> = bytes.iter().skip(other).take(8).copied().collect();
                        bytes.splice(at..at, piece);
                    } else {
                        let end = bytes.len().min(at + 1 + random.below(16));
                        bytes.drain(at..end);
                    }
                }
            }
        }
        bytes
    }
}

fn with(bytes: &mut [u8], at: usize, change: impl FnOnce(&mut u8)) {
    if let Some(byte) = bytes.get_mut(at) {
        change(byte);
    }
}

fn write(bytes: &mut [u8], at: usize, new: &[u8]) {
    for (byte, new) in bytes.iter_mut().skip(at).zip(new) {
        *byte = *new;
    }
}

/// Numbers at the edges of types and of the file.
fn interesting(random: &mut Random, length: usize) -> u64 {
    let length = length as u64;
    match random.below(14) {
        0 => 0,
        1 => u64::MAX,
        2 => u64::from(u32::MAX),
        3 => i64::MAX.cast_unsigned(),
        4 => i64::MIN.cast_unsigned(),
        5 => 1 << 31,
        6 => (1 << 31) - 1,
        7 => length,
        8 => length + 1,
        9 => length.wrapping_neg(),
        10 => u64::from(u16::MAX) << 16 | 4,
        11 => random.next() % 256,
        12 => random.next() % length.max(1),
        _ => random.next(),
    }
}

/// Whether the damage left a file that opens, so that an error, if any, is further in.
fn opens(bytes: &[u8]) -> bool {
    Program::parse(bytes, bytes.len() as u64).is_ok()
        || Delegate::parse(bytes).is_ok()
        || Graph::parse(bytes).is_ok()
        || DataFile::parse(bytes).is_ok()
        || Bundle::parse(bytes).is_ok()
}

fn fixtures(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            fixtures(&path, files);
        } else if path.extension().is_some_and(|ext| ext == "pte" || ext == "ptd" || ext == "bpte") {
            files.push(path);
        }
    }
}

/// Small programs, bundles and data files below a folder of fixtures.
fn small_fixtures(folder: &str) -> Vec<Seed> {
    let mut files = Vec::new();
    fixtures(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(folder), &mut files);
    files.sort();
    files.retain(|path| path.metadata().is_ok_and(|data| data.len() <= 32 << 10));
    files.iter().map(|path| Seed::new(path.display().to_string(), std::fs::read(path).unwrap())).collect()
}

/// The data of a program's XNNPACK delegates, each by itself.
fn xnnpack_blobs(seed: &Seed) -> Vec<Seed> {
    let program = Program::parse(&seed.bytes, seed.bytes.len() as u64).unwrap();
    let mut blobs = Vec::new();
    for method in program.methods().map(Result::unwrap) {
        for index in 0..u32::try_from(method.delegates()).unwrap() {
            let blob = match method.delegate(index).unwrap().data {
                Blob::Inline(bytes) => bytes,
                Blob::File(range) => {
                    &seed.bytes[usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap()]
                }
            };
            if Graph::is(blob) {
                blobs.push(Seed::new(format!("delegate {index} of {}", seed.name), blob.to_vec()));
            }
        }
    }
    blobs
}

/// Waits until no other test allocates; what is allocated is counted for one at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads as many mutants of each seed as it says, and says how many that were.
fn damage(seeds: &[(Seed, usize)]) -> usize {
    std::panic::set_hook(Box::new(|_| {}));
    let (mut total, mut opened, mut sound, mut most) = (0, 0, 0, 0);
    for (number, (seed, count)) in seeds.iter().enumerate() {
        let mut random = Random(number as u64);
        for round in 0..*count {
            let mutant = seed.mutant(&mut random);
            let before = ALLOCATED.load(Relaxed);
            PEAK.store(before, Relaxed);
            let result = catch_unwind(AssertUnwindSafe(|| visit_all(&mutant)));
            let peak = PEAK.load(Relaxed).saturating_sub(before);
            most = most.max(peak);
            let result = result.unwrap_or_else(|_| {
                let _ = std::panic::take_hook();
                panic!("mutant {round} of {} ({} bytes) made the reader panic", seed.name, mutant.len())
            });
            assert!(
                peak <= 2 * mutant.len() + (64 << 10),
                "mutant {round} of {}: {peak} bytes allocated for {}",
                seed.name,
                mutant.len()
            );
            total += 1;
            opened += usize::from(opens(&mutant));
            sound += usize::from(result.is_ok());
        }
    }
    let _ = std::panic::take_hook();
    eprintln!("{total} mutants: {opened} opened, {sound} without any error; at most {most} bytes allocated");
    total
}

#[test]
fn no_damage_makes_the_reader_panic_or_hoard() {
    let _alone = alone();
    let mut seeds: Vec<_> =
        samples::all().into_iter().map(|(name, bytes)| (Seed::new(name.into(), bytes), 60_000)).collect();
    let files = small_fixtures("");
    let count = (60_000 / files.len()).max(1);
    seeds.extend(files.into_iter().map(|seed| (seed, count)));
    assert!(damage(&seeds) >= 20_000);
}

#[test]
fn no_damage_to_an_xnnpack_graph_makes_the_reader_panic_or_hoard() {
    let _alone = alone();
    let mut seeds: Vec<_> =
        xnnpack_samples::all().into_iter().map(|(name, bytes)| (Seed::new(name.into(), bytes), 20_000)).collect();
    let blobs: Vec<_> = small_fixtures("xnnpack").iter().flat_map(xnnpack_blobs).collect();
    assert!(!blobs.is_empty(), "no program with an XNNPACK delegate");
    let count = 30_000 / blobs.len() + 1;
    seeds.extend(blobs.into_iter().map(|seed| (seed, count)));
    assert!(damage(&seeds) >= 50_000);
}
