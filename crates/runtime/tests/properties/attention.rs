//! Attention, caches and rotary embeddings over random shapes, positions and masks.

use proptest::prelude::*;
use pteron_runtime::testing::{TestArg, run_op};
use pteron_runtime::{DType, Device, DeviceChoice, DeviceOptions, HostTensor, Shape, Tolerance};

use crate::support::{Properties, agree, agree_if, agree_rounded, config, floats, gpu, integers};

pub(crate) const WITH_CACHE: &str = "sdpa_with_kv_cache.default";
const TURNED: &str = "pteron.rope_attention.default";
pub(crate) const SDPA: &str = "et_vk.sdpa.default";

/// Few queries, which divide the keys, or many, which are tiled; odd numbers of both.
fn rows() -> impl Strategy<Value = usize> {
    prop_oneof![3 => Just(1usize), 3 => 0usize..9, 3 => 9usize..80]
}

/// Head sizes: any small one, the usual ones, and one that is wider than a workgroup's columns.
fn head_size() -> impl Strategy<Value = usize> {
    prop_oneof![6 => 1usize..40, 1 => Just(64usize), 1 => Just(80), 1 => Just(128), 1 => Just(256), 1 => Just(300)]
}

fn float_type() -> impl Strategy<Value = DType> {
    prop::sample::select(vec![DType::F32, DType::F32, DType::F16])
}

/// A position that is in the program, or known only at the call.
fn position(symbolic: bool, value: i64) -> TestArg {
    if symbolic { TestArg::Sym(value) } else { TestArg::Int(value) }
}

/// Additive masks with some −∞.
fn mask(dtype: DType, dims: &[usize], seed: u64) -> HostTensor {
    let holes = integers(DType::I32, dims, 0..4, seed + 1).to_i64s();
    hiding(dtype, dims, seed, |at| holes[at] == 0)
}

/// Additive masks with −∞ at some places.
fn hiding(dtype: DType, dims: &[usize], seed: u64, hides: impl Fn(usize) -> bool) -> HostTensor {
    let values = floats(DType::F32, dims, seed).to_f64s();
    let values = values.into_iter().enumerate();
    let values = values.map(|(at, value)| if hides(at) { f64::NEG_INFINITY } else { value });
    HostTensor::from_f64s(dtype, Shape::new(dims).expect("a small shape"), values).expect("values fill the shape")
}

#[derive(Clone, Debug)]
pub(crate) struct Cached {
    pub(crate) batch: usize,
    pub(crate) rows: usize,
    pub(crate) kv_heads: usize,
    pub(crate) group: usize,
    pub(crate) size: usize,
    pub(crate) context: usize,
    pub(crate) start: i64,
    pub(crate) dtype: DType,
    pub(crate) seed: u64,
}

impl Cached {
    /// Whether the new rows lie within the cache.
    pub(crate) fn fits(&self) -> bool {
        usize::try_from(self.start).is_ok_and(|start| start + self.rows <= self.context)
    }

    pub(crate) fn args(&self, symbolic: bool, mask: TestArg, causal: bool, scale: TestArg) -> Vec<TestArg> {
        let &Cached { batch, rows, kv_heads, group, size, context, start, dtype, seed } = self;
        let new = |heads: usize, seed: u64| TestArg::Input(floats(dtype, &[batch, rows, heads, size], seed));
        let cache = |seed: u64| TestArg::State(floats(dtype, &[batch, context, kv_heads, size], seed));
        vec![
            new(kv_heads * group, seed),
            new(kv_heads, seed + 1),
            new(kv_heads, seed + 2),
            cache(seed + 3),
            cache(seed + 4),
            position(symbolic, start),
            TestArg::Int(1),
            mask,
            TestArg::Int(0),
            TestArg::Bool(causal),
            scale,
        ]
    }
}

/// Which rows of the rotary tables count.
#[derive(Clone, Debug)]
pub(crate) enum Angles {
    /// All.
    Whole,
    /// As many as there are queries, from this row on; the second number is how many rows are left out before the end.
    From(i64, usize),
    /// A row per query and head, which queries and keys have equally many of.
    PerHead,
}

fn angles() -> impl Strategy<Value = Angles> {
    prop_oneof![
        2 => Just(Angles::Whole),
        4 => (0i64..50, 0usize..20).prop_map(|(first, left)| Angles::From(first, left)),
        1 => Just(Angles::PerHead),
    ]
}

impl Cached {
    /// The arguments of the attention that turns queries and keys itself, by tables of this type.
    pub(crate) fn turned(&self, symbolic: bool, causal: bool, angles: &Angles, tables: DType) -> Vec<TestArg> {
        let &Cached { rows, kv_heads, size, seed, .. } = self;
        let table = match *angles {
            Angles::Whole => vec![rows, size / 2],
            Angles::From(first, left) => vec![rows + left + usize::try_from(first).unwrap_or(0), size / 2],
            Angles::PerHead => vec![rows, kv_heads, size / 2],
        };
        let mut args = self.args(symbolic, TestArg::Null, causal, TestArg::Null);
        args.extend([seed + 5, seed + 6].map(|seed| TestArg::Constant(floats(tables, &table, seed))));
        let end = |first: i64| position(symbolic, first + i64::try_from(rows).unwrap_or(0));
        args.extend(match *angles {
            Angles::From(first, _) => [position(symbolic, first), end(first)],
            _ => [TestArg::Null, TestArg::Null],
        });
        args
    }
}

/// Mostly positions that fit the cache; some reach past its end, and both engines must say so.
fn cached() -> impl Strategy<Value = Cached> {
    let context = prop_oneof![4 => 1usize..40, 2 => 40usize..300, 1 => 1000usize..1300];
    (1usize..3, rows(), 1usize..4, 1usize..7, head_size(), context, 0.0f64..1.02, float_type(), any::<u64>()).prop_map(
        |(batch, rows, kv_heads, group, size, context, at, dtype, seed)| {
            let rows = rows.min(context);
            #[expect(clippy::cast_possible_truncation, reason = "a small number")]
            let start = ((context - rows) as f64 * at).round() as i64;
            Cached { batch, rows, kv_heads, group, size, context, start, dtype, seed: seed >> 8 }
        },
    )
}

pub(crate) const PROPERTIES: Properties = &[
    (attention_follows_the_caches, &[&[WITH_CACHE]]),
    (attention_turns_queries_and_keys, &[&[TURNED]]),
    (attention_broadcasts, &[&[SDPA]]),
    (attention_of_heads, &[&["pteron.attention.default"]]),
    (caches_take_rows, &[&["update_cache.default"]]),
    (rotary_interleaved_turns, &[&["et_vk.apply_rotary_emb.default"]]),
    (rotary_halves_turn, &[&["et_vk.apply_rotary_emb_hf.default"]]),
    (rotary_pairs_turn, &[&["et_vk.apply_rotary_emb_interleaved.default"]]),
    (vectors_turn_where_they_are, &[&["pteron.turn.default"]]),
];

proptest! {
    #![proptest_config(config())]

    /// Queries, keys and values with rows or heads outside.
    #[test]
    fn attention_of_heads(
        (batch, heads) in (1usize..4, 1usize..7),
        rows in rows(),
        keys in 1usize..150,
        [depth, width] in [head_size(), head_size()],
        order in [0i64..3, 0i64..3, 0i64..3, 0i64..3],
        scale in 0.05f64..0.5,
        repeated in prop::option::of(any::<[bool; 4]>()),
        beside in prop::option::of(0usize..9),
        (zeros, dtype) in (any::<bool>(), float_type()),
        seed in 0..1u64 << 40,
    ) {
        let tensor = |number: usize, rows: usize, size: usize| {
            if let Some(beside) = beside {
                // Every vector comes after something else.
                return TestArg::Input(floats(dtype, &[rows, batch, heads, beside + size], seed + number as u64));
            }
            let sizes = match order[number] {
                0 => [batch, heads, rows, size],
                1 => [rows, batch, heads, size],
                _ => [batch, rows, heads, size],
            };
            TestArg::Input(floats(dtype, &sizes, seed + number as u64))
        };
        let mask = repeated.map_or(TestArg::Null, |repeated| {
            let sizes = [batch, heads, rows, keys];
            let sizes: [usize; 4] = std::array::from_fn(|at| if repeated[at] { 1 } else { sizes[at] });
            TestArg::Input(if seed % 3 == 0 {
                // Some see no key at all.
                hiding(dtype, &sizes, seed + 4, |at| (at / sizes[3]).is_multiple_of(3))
            } else {
                mask(dtype, &sizes, seed + 4)
            })
        });
        let place = |(size, count): (usize, usize)| {
            let head = beside.unwrap_or(0) + size;
            [size, count, heads * head, head, batch * heads * head, head - size]
        };
        let sides = [(depth, rows), (depth, keys), (width, keys)].into_iter().filter(|_| beside.is_some());
        let places = sides.flat_map(place).map(|number| i64::try_from(number).expect("small tensors"));
        let args = [
            tensor(0, rows, depth),
            tensor(1, keys, depth),
            tensor(2, keys, width),
            TestArg::Ints([batch, heads].map(|count| i64::try_from(count).expect("few heads")).to_vec()),
            TestArg::Ints(order.to_vec()),
            TestArg::Double(scale),
            mask,
            TestArg::Bool(zeros),
            TestArg::Ints(places.collect()),
        ];
        agree("pteron.attention.default", &args, &[dtype])?;
    }

    #[test]
    fn attention_follows_the_caches(it in cached(), symbolic: bool, causal: bool, scale in prop::option::of(0.1f64..1.0)) {
        // Around the usual 1/√size: larger products lose digits in any order of adding.
        let scale = scale.map(|scale| 3.0 * scale / (it.size as f64).sqrt());
        let scale = scale.map_or(TestArg::Null, TestArg::Double);
        agree_if(it.fits(), WITH_CACHE, &it.args(symbolic, TestArg::Null, causal, scale), &[it.dtype])?;
    }

    #[test]
    fn attention_turns_queries_and_keys(it in cached(), symbolic: bool, causal: bool, angles in angles(), wide: bool) {
        let group = if matches!(angles, Angles::PerHead) { 1 } else { it.group };
        let it = Cached { size: it.size * 2 % 302, group, ..it };
        let tables = if wide { DType::F32 } else { it.dtype };
        let args = it.turned(symbolic, causal, &angles, tables);
        // Turned queries and keys are rounded to 16 bits, and their products grow the step from one number to the next.
        if it.fits() && it.dtype == DType::F16 {
            agree_rounded(1e-2, TURNED, &args, &[it.dtype])?;
        } else {
            agree_if(it.fits(), TURNED, &args, &[it.dtype])?;
        }
    }

    #[test]
    fn a_mask_covers_the_whole_cache(it in cached(), symbolic: bool) {
        let mask = TestArg::Input(mask(it.dtype, &[it.rows, it.context], it.seed + 9));
        agree_if(it.fits(), WITH_CACHE, &it.args(symbolic, mask, false, TestArg::Null), &[it.dtype])?;
    }

    #[test]
    fn attention_broadcasts(
        (batch, heads) in (0usize..3, 1usize..4),
        repeated in prop::collection::vec(any::<bool>(), 10),
        (rows, keys) in (rows(), prop_oneof![0usize..70, 200usize..300]),
        (size, width) in (head_size(), head_size()),
        rank in 2usize..5,
        masked: bool,
        dtype in float_type(),
        seed in 0u64..1 << 40,
    ) {
        let side = |number: usize, rows: usize, columns: usize| {
            let one = |size: usize, bit: usize| if repeated[bit] { 1 } else { size };
            let dims = [one(batch, number * 2), one(heads, number * 2 + 1), rows, columns];
            dims[4 - rank..].to_vec()
        };
        let tensor = |dims: &[usize], seed: u64| TestArg::Input(floats(dtype, dims, seed));
        let shared = |size: usize, bit: usize| if repeated[bit] { 1 } else { size };
        let mask = if masked {
            TestArg::Input(mask(dtype, &side(3, shared(rows, 8), shared(keys, 9)), seed + 3))
        } else {
            TestArg::Null
        };
        let args = [
            tensor(&side(0, rows, size), seed),
            tensor(&side(1, keys, size), seed + 1),
            tensor(&side(2, keys, width), seed + 2),
            mask,
            TestArg::Null,
        ];
        agree(SDPA, &args, &[dtype])?;
    }

    #[test]
    fn caches_take_rows(
        dims in prop::collection::vec(0usize..6, 4),
        context in 0usize..20,
        start in prop_oneof![4 => 0i64..8, 1 => -1i64..20],
        symbolic: bool,
        dtype in float_type(),
        seed in 0u64..1 << 40,
    ) {
        let fits = usize::try_from(start).is_ok_and(|start| start + dims[1] <= context);
        let cache = [dims[0], context, dims[2], dims[3]];
        let args = [
            TestArg::Input(floats(dtype, &dims, seed)),
            TestArg::State(floats(dtype, &cache, seed + 1)),
            position(symbolic, start),
        ];
        agree_if(fits, "update_cache.default", &args, &[DType::F32])?;
    }

    #[test]
    fn rotary_interleaved_turns(
        (batch, rows, heads, key_heads, pairs) in (0usize..3, 0usize..9, 1usize..5, 1usize..5, 1usize..20),
        per_head: bool,
        dtype in float_type(),
        seed in 0u64..1 << 40,
    ) {
        let key_heads = if per_head { heads } else { key_heads };
        let table: &[usize] = if per_head { &[rows, heads, pairs] } else { &[rows, pairs] };
        let args = [
            TestArg::Input(floats(dtype, &[batch, rows, heads, pairs * 2], seed)),
            TestArg::Input(floats(dtype, &[batch, rows, key_heads, pairs * 2], seed + 1)),
            TestArg::Constant(floats(dtype, table, seed + 2)),
            TestArg::Constant(floats(dtype, table, seed + 3)),
        ];
        agree("et_vk.apply_rotary_emb.default", &args, &[dtype, dtype])?;
    }

    #[test]
    fn rotary_halves_turn(
        (batch, rows, heads, key_heads) in (0usize..3, 0usize..9, 1usize..5, 1usize..5),
        (half, rest) in (0usize..20, 0usize..6),
        (table, start) in (0usize..20, prop_oneof![4 => 0i64..4, 1 => -1i64..20]),
        (symbolic, by_head, one_table) in any::<(bool, bool, bool)>(),
        dtype in float_type(),
        seed in 0u64..1 << 40,
    ) {
        // Tables of a batch go with vectors that lie head by head.
        let order = |heads: usize| if by_head { [heads, rows] } else { [rows, heads] };
        let [query, key] = [heads, key_heads].map(|heads| {
            let [outer, inner] = order(heads);
            [batch, outer, inner, half * 2 + rest]
        });
        let limit = table.max(rows);
        let fits = usize::try_from(start).is_ok_and(|start| start + rows <= limit);
        let table = [if one_table { 1 } else { batch }, limit, half * 2];
        let table = if by_head { &table[..] } else { &table[1..] };
        let args = [
            TestArg::Input(floats(dtype, &query, seed)),
            TestArg::Input(floats(dtype, &key, seed + 1)),
            TestArg::Constant(floats(dtype, table, seed + 2)),
            TestArg::Constant(floats(dtype, table, seed + 3)),
            position(symbolic, start),
        ];
        agree_if(fits, "et_vk.apply_rotary_emb_hf.default", &args, &[dtype, dtype])?;
    }

    /// Vectors in any order of rows of more columns, by tables that some dimensions share.
    #[test]
    fn vectors_turn_where_they_are(
        sizes in [0usize..4, 0usize..7, 0usize..5],
        (half, before, after) in (0usize..20, 0usize..6, 0usize..6),
        order in Just([0usize, 1, 2]).prop_shuffle(),
        shared in any::<[bool; 3]>(),
        short in prop::bool::weighted(0.1),
        dtype in float_type(),
        seed in 0u64..1 << 40,
    ) {
        let width = 2 * half;
        let row = before + width + after;
        let distances = |row: usize, counts: [bool; 3]| {
            let mut distances = [0; 3];
            let mut next = row;
            for &dim in order.iter().rev().filter(|&&dim| counts[dim]) {
                distances[dim] = next;
                next *= sizes[dim];
            }
            (distances, next)
        };
        let (places, count) = distances(row, [true; 3]);
        let (angles, table) = distances(width, shared.map(|shared| !shared));
        // All vectors are within the rows, but where the last elements are missing.
        let (empty, short) = (sizes.contains(&0) || half == 0, short && count > after);
        let count = if short { count - after - 1 } else { count };
        let ints = |numbers: &[usize]| TestArg::Ints(numbers.iter().map(|&it| i64::try_from(it).expect("small")).collect());
        let args = [
            TestArg::Input(floats(dtype, &[count], seed)),
            TestArg::Constant(floats(dtype, &[table], seed + 1)),
            TestArg::Constant(floats(dtype, &[table], seed + 2)),
            ints(&[&sizes[..], &[width]].concat()),
            ints(&[&places[..], &[before]].concat()),
            ints(&angles),
        ];
        agree_if(!short || empty, "pteron.turn.default", &args, &[dtype])?;
    }

    #[test]
    fn rotary_pairs_turn(
        (batch, rows, pairs) in (0usize..4, 0usize..9, 0usize..20),
        high_rank: bool,
        dtype in float_type(),
        seed in 0u64..1 << 40,
    ) {
        let angles: &[usize] = if high_rank { &[1, rows, pairs, 2] } else { &[rows, pairs * 2] };
        let args = [
            TestArg::Input(floats(dtype, &[batch, rows, pairs * 2], seed)),
            TestArg::Input(floats(dtype, angles, seed + 1)),
        ];
        agree("et_vk.apply_rotary_emb_interleaved.default", &args, &[dtype])?;
    }
}

/// Scores of several hundred, positive and negative: only the differences count.
#[test]
fn large_scores_are_stable() {
    for (rows, keys) in [(3, 400), (40, 400)] {
        let tensor = |rows: usize, seed: u64| TestArg::Input(floats(DType::F32, &[1, 2, rows, 64], seed));
        let args = [tensor(rows, 1), tensor(keys, 2), tensor(keys, 3), TestArg::Null, TestArg::Double(20.0)];
        let expected = run_op(&Device::cpu(), SDPA, &args, &[DType::F32]).expect("the reference runs");
        let got = run_op(gpu(), SDPA, &args, &[DType::F32]).expect("the GPU runs");
        let comparison = Tolerance { atol: 1e-3, rtol: 1e-3 }.compare(&got[0], &expected[0]).expect("the same shape");
        assert!(comparison.passed(), "{rows} rows: {comparison:?}");
    }
}

/// The heads of language models, at positions around the ends of parts and tiles, with all that the adapter has and with
/// no more than every device has.
#[test]
fn usual_shapes_run_on_every_device() {
    let least = Device::open(DeviceOptions::new(DeviceChoice::Gpu).with_webgpu_minimum());
    let least = least.expect("tests need a WebGPU adapter");
    for (kv_heads, group, size) in [(8, 4, 64), (3, 3, 64), (2, 2, 16), (2, 1, 128)] {
        for (rows, start) in [(1, 0), (1, 127), (1, 128), (1, 700), (3, 300), (8, 126), (9, 0), (64, 0), (70, 130)] {
            let it = Cached { batch: 1, rows, kv_heads, group, size, context: 768, start, dtype: DType::F32, seed: 7 };
            let args = it.turned(true, true, &Angles::From(start, 3), DType::F32);
            let expected = run_op(&Device::cpu(), TURNED, &args, &[DType::F32]).expect("the reference runs");
            for device in [gpu(), &least] {
                let got = run_op(device, TURNED, &args, &[DType::F32]).expect("the GPU runs");
                for (got, expected) in got.iter().zip(&expected) {
                    let comparison = Tolerance { atol: 1e-5, rtol: 1e-5 }.compare(got, expected);
                    let comparison = comparison.expect("the same shape");
                    assert!(comparison.passed(), "{it:?}: {comparison:?}");
                }
            }
        }
    }
}

/// Values without elements give an output without any; queries and keys without any are no panic.
#[test]
fn vectors_may_have_no_elements() {
    for (size, width) in [(4, 0), (0, 0), (0, 4)] {
        let tensor = |rows: usize, size: usize| TestArg::Input(floats(DType::F32, &[2, 3, rows, size], 1));
        let args = [tensor(2, size), tensor(5, size), tensor(5, width), TestArg::Null, TestArg::Double(1.0)];
        for device in [&Device::cpu(), gpu()] {
            let output = run_op(device, SDPA, &args, &[DType::F32]).expect("it runs");
            assert_eq!(output[0].shape()[..], [2, 3, 2, width], "{} with {size} and {width}", device.name());
        }
    }
}

/// Bounds of the rotary tables mean what they mean to a slice, also where they count from the end.
#[test]
fn rows_of_tables_are_sliced() {
    let it =
        Cached { batch: 1, rows: 2, kv_heads: 1, group: 2, size: 4, context: 10, start: 3, dtype: DType::F32, seed: 1 };
    let run = |device: &Device, first: i64, end: i64| {
        let mut args = it.turned(true, true, &Angles::From(5, 1), DType::F32);
        args.splice(13.., [TestArg::Sym(first), TestArg::Sym(end)]);
        run_op(device, TURNED, &args, &[DType::F32])
    };
    for device in [&Device::cpu(), gpu()] {
        let expected = run(device, 5, 7).expect("two rows of eight");
        let got = run(device, -3, -1).expect("the same two rows");
        assert_eq!(expected[0].bytes(), got[0].bytes());
        let error = run(device, 7, 9).expect_err("one row is left").to_string();
        assert!(error.contains("cannot be turned by tables [1, 2]"), "{error}");
    }
}

/// The error of a position that does not fit comes before any work, and says where and what.
#[test]
fn a_position_past_the_cache_is_refused() {
    let it =
        Cached { batch: 1, rows: 3, kv_heads: 1, group: 2, size: 4, context: 10, start: 8, dtype: DType::F32, seed: 1 };
    for device in [&Device::cpu(), gpu()] {
        for symbolic in [true, false] {
            let args = it.args(symbolic, TestArg::Null, true, TestArg::Null);
            let error =
                run_op(device, WITH_CACHE, &args, &[DType::F32]).expect_err("11 rows do not fit 10").to_string();
            assert!(error.contains("3 rows from row 8 do not lie within the 10 of the cache"), "{error}");
            assert!(error.contains(WITH_CACHE), "{error}");
        }
    }
}

/// So many heads that tiles of their queries fill a large device, with a mask and without.
#[test]
fn attention_of_many_heads_is_tiled() {
    for (rows, size, masked) in [(9, 64, true), (70, 20, false), (33, 17, true)] {
        let tensor = |rows: usize, seed: u64| TestArg::Input(floats(DType::F32, &[1, 66, rows, size], seed));
        let mask = if masked { TestArg::Input(mask(DType::F32, &[rows, 71], 9)) } else { TestArg::Null };
        let args = [tensor(rows, 1), tensor(71, 2), tensor(71, 3), mask, TestArg::Null];
        agree(SDPA, &args, &[DType::F32]).expect("both engines agree");
    }
}

/// Masks that leave nothing of whole parts and tiles: keys that come later than the query, and such as fill up a batch.
#[test]
fn masks_may_hide_all_keys_of_a_part() {
    for (heads, rows, keys, size) in [(8, 256, 256, 8), (66, 70, 200, 16), (2, 3, 700, 64), (1, 1, 4096, 16)] {
        let later = |at: usize| at % keys > at / keys + keys - rows;
        let early = |at: usize| at % keys < keys / 2 + 7;
        let full = |at: usize| at % keys >= 40;
        let masks: [(&str, &dyn Fn(usize) -> bool); 3] = [("later", &later), ("early", &early), ("full", &full)];
        for (name, hides) in masks {
            let tensor = |rows: usize, seed: u64| TestArg::Input(floats(DType::F32, &[1, heads, rows, size], seed));
            let mask = TestArg::Input(hiding(DType::F32, &[rows, keys], 9, hides));
            let args = [tensor(rows, 1), tensor(keys, 2), tensor(keys, 3), mask, TestArg::Null];
            agree(SDPA, &args, &[DType::F32]).unwrap_or_else(|error| panic!("{name} of {rows} × {keys}: {error}"));
        }
    }
    let it = Cached {
        batch: 1,
        rows: 1,
        kv_heads: 8,
        group: 4,
        size: 16,
        context: 4096,
        start: 100,
        dtype: DType::F32,
        seed: 3,
    };
    let mask = TestArg::Input(hiding(DType::F32, &[1, it.context], 9, |at| at > 100));
    agree(WITH_CACHE, &it.args(true, mask, false, TestArg::Null), &[DType::F32]).expect("both engines agree");
}
