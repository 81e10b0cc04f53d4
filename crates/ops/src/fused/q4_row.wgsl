//! output[n] = Σ_k x[k] · (nibble(weight, n, k) − 8) · scales[k / group, n], for one row x.
//! With NORM, x is input · rsqrt(mean(input²) + epsilon) · norm. EPILOGUE add adds a row; swiglu makes output[n] from
//! the products g of row n and u of row n + columns as g · sigmoid(g) · u. Columns go to up to three outputs in turn. With
//! ROUND, x is what the input or its norm is after it was rounded to 8 bits by its range, and x is taken in steps of that.
//!
//! A team of LANES invocations owns four rows of the weight, with SPLIT or swiglu four and four; a workgroup has TEAMS.
//! Each lane takes 16 bytes of a row at a time: 32 columns, which share a scale. With SPLIT all teams of a workgroup own
//! the same rows and divide the columns. With STAGE x lies in workgroup memory, padded so that lanes read from different
//! banks. With SPLIT and ROUND it need not: a lane can round the columns that it alone multiplies.
//!
//! With DIGITS, x is staged in blocks of 32 as integers of that many signed bytes, in units of a power of two near the
//! largest of the block: products of packed bytes take the place of floating-point ones, and are exact. Three digits hold
//! what a 32-bit float does of all but the smallest of a block. Where the outputs are the input of the next launch, they
//! can be handed on as digits (TO), vector by vector of all blocks, and taken so (FROM): no workgroup makes them again.
//! With ROUND, x is whole numbers, of which two digits hold all.
//!
//! variants: T = f32 | f16
//! variants: NORM = off | on
//! variants: EPILOGUE = plain | add | swiglu
//! variants: SPLIT = off | on
//! variants: DIGITS = 0 | 2 | 3
//! variants: REDUCE = team_shared | team_subgroup
//! variants: FROM = floats | digits
//! variants: TO = floats | digits
//! variants: ROUND = off | on
//! except: FROM = digits, DIGITS = 0
//! except: FROM = digits, NORM = on
//! except: FROM = digits, EPILOGUE = swiglu
//! except: TO = digits, DIGITS = 0
//! except: TO = digits, EPILOGUE = plain
//! except: TO = digits, EPILOGUE = add
//! except: TO = digits, SPLIT = on
//! except: ROUND = on, FROM = digits
//! except: ROUND = on, TO = digits
//! except: ROUND = on, DIGITS = 3
//! except: DIGITS = 2, REDUCE = team_shared
//! except: DIGITS = 3, REDUCE = team_shared
//! trusted: rows past the last are clamped to it, words past the last are skipped, and ids of outputs follow the widths

#import q4_code

struct Params {
    epsilon: f32,
    /// As `row_code` takes it.
    least_scale: f32,
}

#if SPLIT || EPILOGUE_swiglu
const SETS = 2u;
#else
const SETS = 1u;
#endif

override LANES: u32 = 32u;
override TEAMS: u32 = 4u;
override WG_SIZE: u32 = 128u;
/// 16-byte words of a row, and how many of them share a scale.
override WORDS: u32 = 64u;
override GROUP_WORDS: u32 = 2u;
/// Columns of the outputs together, and the first ones of the second and third output.
override COLUMNS: u32 = 1024u;
override SECOND: u32 = 1024u;
override THIRD: u32 = 1024u;
/// Scales of a group, in vectors.
override SCALE_STRIDE: u32 = 256u;
/// Vectors of x in workgroup memory: nine for each 32 numbers, or five for as many digits of rounded ones.
override STAGED: u32 = 576u;
/// Whether x is staged.
override STAGE: bool = true;
/// Whether all codes are on their way while x is staged: no lane has more than two words of a row then.
override EARLY: bool = false;

#if FROM_digits
@group(0) @binding(0) var<storage, read> input: array<vec4<u32>>;
#else
@group(0) @binding(0) var<storage, read> input: array<vec4<T>>;
#endif
@group(0) @binding(1) var<storage, read> norm: array<vec4<T>>;
@group(0) @binding(2) var<storage, read> weight: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> scales: array<vec4<T>>;
@group(0) @binding(4) var<storage, read> addend: array<T>;
#if TO_digits
@group(0) @binding(5) var<storage, read_write> output: array<vec4<u32>>;
#else
@group(0) @binding(5) var<storage, read_write> output: array<T>;
#endif
@group(0) @binding(6) var<storage, read_write> output1: array<T>;
@group(0) @binding(7) var<storage, read_write> output2: array<T>;
@group(0) @binding(8) var<uniform> params: Params;

#import REDUCE

#if DIGITS_0
var<workgroup> sh_x: array<vec4<f32>, STAGED>;
#else
/// For each eight columns the digits of the even ones, most significant first, and those of the odd ones. What is left
/// of the first vectors of a block is eight times the sum of each digit, and the unit. Each block has nine vectors. With
/// ROUND it has five, and there is nothing but digits.
var<workgroup> sh_digits: array<vec4<u32>, STAGED>;
#endif
#if TO_digits
/// The outputs of each team, before they become digits.
var<workgroup> sh_results: array<vec4<f32>, TEAMS>;
#endif

#if ROUND
#import rounding

/// How x is rounded, and the factor of its norm.
struct Rounding {
    code: RowCode,
    factor: f32,
}

/// Four inputs in steps from zero.
fn rounded(quad: vec4<f32>, rounding: Rounding) -> vec4<f32> {
    let x = quad * rounding.factor;
    var steps: vec4<f32>;
#for i in 4
    steps[$i] = rounded_steps(x[$i], rounding.code);
#end
    return steps;
}
#endif

#if FROM_floats
/// Four inputs, with the weight of the norm.
fn input_quad(quad: u32) -> vec4<f32> {
#if NORM
    return vec4<f32>(input[quad]) * vec4<f32>(norm[quad]);
#else
    return vec4<f32>(input[quad]);
#endif
}

/// Eight inputs, and with NORM the sum of their squares before they have its weight.
struct Octet {
    x0: vec4<f32>,
    x1: vec4<f32>,
    squares: f32,
}

/// Past the last, the last again.
fn octet_at(octet: u32) -> Octet {
    let quad = min(octet, WORDS * 4u - 1u) * 2u;
#if NORM
    let given0 = vec4<f32>(input[quad]);
    let given1 = vec4<f32>(input[quad + 1u]);
    let squares = select(0.0, dot(given0, given0) + dot(given1, given1), octet < WORDS * 4u);
    return Octet(given0 * vec4<f32>(norm[quad]), given1 * vec4<f32>(norm[quad + 1u]), squares);
#else
    return Octet(input_quad(quad), input_quad(quad + 1u), 0.0);
#endif
}
#endif

#if DIGITS_0
/// The inputs that a word of codes is multiplied with.
struct Inputs {
#for i in 8
    x$i: vec4<f32>,
#end
}

fn inputs_at(word: u32) -> Inputs {
    var inputs: Inputs;
#for i in 8
    if STAGE {
        inputs.x$i = sh_x[word * 9u + $iu];
    } else {
        inputs.x$i = input_quad(word * 8u + $iu);
    }
#end
    return inputs;
}

#if ROUND
/// The same of inputs that are not staged.
fn rounded_inputs_at(word: u32, rounding: Rounding) -> Inputs {
    var inputs: Inputs;
#for i in 8
    inputs.x$i = rounded(input_quad(word * 8u + $iu), rounding);
#end
    return inputs;
}
#endif

fn dot8(word: u32, x0: vec4<f32>, x1: vec4<f32>) -> f32 {
    return dot(q4_low(word), x0) + dot(q4_high(word), x1);
}

/// Σ codes · inputs over a word of codes.
fn word_product(codes: vec4<u32>, inputs: Inputs) -> f32 {
    return (dot8(codes.x, inputs.x0, inputs.x1) + dot8(codes.y, inputs.x2, inputs.x3))
        + (dot8(codes.z, inputs.x4, inputs.x5) + dot8(codes.w, inputs.x6, inputs.x7));
}
#else
#import q4_digits

/// Σ codes · inputs over a word of codes. Gated layers have the most of them.
fn word_product(codes: vec4<u32>, inputs: Inputs) -> f32 {
#if EPILOGUE_swiglu
    return product_in_integers(codes, inputs);
#else
    return product(codes, inputs);
#endif
}

#if ROUND
/// The digits of eight columns: those of the even ones, most significant first, and those of the odd ones.
fn packed_steps(x0: vec4<f32>, x1: vec4<f32>) -> vec4<u32> {
    let even = with_signed_digits(vec4(x0.xz, x1.xz));
    let odd = with_signed_digits(vec4(x0.yw, x1.yw));
    return vec4(pack4xU8(even >> vec4(8u)), pack4xU8(even), pack4xU8(odd >> vec4(8u)), pack4xU8(odd));
}

/// The inputs that a word of codes is multiplied with.
fn inputs_at(word: u32) -> Inputs {
    var inputs: Inputs;
    var sums = vec2<i32>();
#for o in 4
    let octet$o = sh_digits[word * 5u + $ou];
    inputs.evens0[$o] = octet$o.x;
    inputs.evens1[$o] = octet$o.y;
    inputs.odds0[$o] = octet$o.z;
    inputs.odds1[$o] = octet$o.w;
    sums.x += dot4I8Packed(octet$o.x, 0x01010101u) + dot4I8Packed(octet$o.z, 0x01010101u);
    sums.y += dot4I8Packed(octet$o.y, 0x01010101u) + dot4I8Packed(octet$o.w, 0x01010101u);
#end
    inputs.corrections = vec3(8 * sums, 0);
    inputs.unit = 1.0;
    return inputs;
}
#else
/// The inputs that a word of codes is multiplied with.
fn inputs_at(word: u32) -> Inputs {
#for o in 4
#if FROM_digits
    let even$o = input[2u * $ou * WORDS + word];
    let odd$o = input[(2u * $ou + 1u) * WORDS + word];
#else
    let even$o = sh_digits[word * 9u + 2u * $ou];
    let odd$o = sh_digits[word * 9u + 2u * $ou + 1u];
#endif
#end
    return inputs_of(array(even0, even1, even2, even3), array(odd0, odd1, odd2, odd3));
}
#endif
#endif

#import q4_rows

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, member: Member) {
    let block = group.x + group.y * groups.x;
#if SPLIT
    let first = member.index;
    let step = WG_SIZE;
    let team = block;
#else
    let first = lane_of(member);
    let step = LANES;
    let team = block * TEAMS + team_of(member);
#endif
    // Teams past the last row compute it again, and do not write.
#if EPILOGUE_swiglu
    let row = team * 4u;
    let source = min(row, COLUMNS - 4u);
    let other = source + COLUMNS;
#else
    let row = team * 4u * SETS;
    let source = min(row, COLUMNS - 4u * SETS);
    let other = source + 4u;
#endif
#if FROM_floats
    // The first inputs are asked for before the codes: they are nearer, and needed sooner.
    let early_octet = octet_at(member.index);
#endif
    // The first codes are on their way while x is staged.
    var codes = codes_at(source, min(first, WORDS - 1u));
#if SPLIT || EPILOGUE_swiglu
    var more = codes_at(other, min(first, WORDS - 1u));
#endif
    var second = codes;
    if EARLY {
        second = codes_at(source, min(first + step, WORDS - 1u));
    }
#if ROUND
    var given_squares = 0.0;
    // The least and the greatest of x, or zero; of the least its distance from zero.
    var ends = vec2<f32>();
    for (var at = member.index; at < WORDS * 4u; at += WG_SIZE) {
        var octet = early_octet;
        if at != member.index {
            octet = octet_at(at);
        }
        given_squares += octet.squares;
        let least = min(octet.x0, octet.x1);
        let greatest = max(octet.x0, octet.x1);
        ends.x = max(ends.x, -min(min(least.x, least.y), min(least.z, least.w)));
        ends.y = max(ends.y, max(max(greatest.x, greatest.y), max(greatest.z, greatest.w)));
    }
    let folded = workgroup_sum_and_largest(given_squares, ends, member);
    var rounding: Rounding;
    rounding.factor = 1.0;
#if NORM
    rounding.factor = inverseSqrt(folded.x / f32(WORDS * 32u) + params.epsilon);
#endif
    rounding.code = row_code(vec2(-folded.y, folded.z) * rounding.factor, params.least_scale);
#endif
#if FROM_floats
    var squares = 0.0;
    for (var at = member.index; at - member.index < WORDS * 4u; at += WG_SIZE) {
        var octet = early_octet;
        if at != member.index {
            octet = octet_at(at);
        }
        squares += octet.squares;
        if STAGE {
#if ROUND
            let x0 = rounded(octet.x0, rounding);
            let x1 = rounded(octet.x1, rounding);
#else
            let x0 = octet.x0;
            let x1 = octet.x1;
#endif
#if DIGITS_0 || !ROUND
            let place = at / 4u * 9u + at % 4u * 2u;
#endif
#if DIGITS_0
            if at < WORDS * 4u {
                sh_x[place] = x0;
                sh_x[place + 1u] = x1;
            }
#else
#if ROUND
            if at < WORDS * 4u {
                sh_digits[at / 4u * 5u + at % 4u] = packed_steps(x0, x1);
            }
#else
            let digits = digits_of(x0, x1, at);
            if at < WORDS * 4u {
                sh_digits[place] = digits.evens;
                sh_digits[place + 1u] = digits.odds;
            }
#endif
#endif
        }
    }
#endif
    workgroupBarrier();
    var sums = vec4<f32>();
    var others = vec4<f32>();
    for (var word = first; word < WORDS; word += step) {
        // Where a lane has more than one word, the next codes are on their way.
        let next = min(word + step, WORDS - 1u);
        var next_codes = second;
        if step < WORDS && !EARLY {
            next_codes = codes_at(source, next);
        }
#if SPLIT || EPILOGUE_swiglu
        var next_more = more;
        if step < WORDS {
            next_more = codes_at(other, next);
        }
#endif
#if ROUND
#if DIGITS_0
        var inputs: Inputs;
        if STAGE {
            inputs = inputs_at(word);
        } else {
            inputs = rounded_inputs_at(word, rounding);
        }
#else
        let inputs = inputs_at(word);
#endif
#else
        let inputs = inputs_at(word);
#endif
#for r in 4
        sums[$r] += codes.scale[$r] * word_product(codes.row$r, inputs);
#if SPLIT || EPILOGUE_swiglu
        others[$r] += more.scale[$r] * word_product(more.row$r, inputs);
#endif
#end
        codes = next_codes;
#if SPLIT || EPILOGUE_swiglu
        more = next_more;
#endif
    }
    sums = team_sum(sums, member);
#if SPLIT || EPILOGUE_swiglu
    others = team_sum(others, member);
#endif
#if SPLIT
    sums = across_teams(sums, member);
    others = across_teams(others, member);
    let lane = member.index;
#else
    let lane = lane_of(member);
#endif
#if ROUND
    sums *= rounding.code.size;
    others *= rounding.code.size;
#else
#if NORM
    let scale = inverseSqrt(workgroup_total(squares, member) / f32(WORDS * 32u) + params.epsilon);
    sums *= scale;
    others *= scale;
#endif
#endif
#if EPILOGUE_swiglu
    sums = sums / (1.0 + exp(-sums)) * others;
    let count = 4u;
#else
    let count = 4u * SETS;
#endif
#if TO_digits
    if lane == 0u {
        sh_results[team_of(member)] = select(vec4<f32>(), sums, vec4(row < COLUMNS));
    }
    workgroupBarrier();
    let octets = TEAMS / 2u;
    let octet = min(member.index, octets - 1u);
    let digits = digits_of(sh_results[octet * 2u], sh_results[octet * 2u + 1u], octet);
    let place = block * octets + octet;
    let blocks = COLUMNS / 32u;
    if member.index < octets && place / 4u < blocks {
        output[place % 4u * 2u * blocks + place / 4u] = digits.evens;
        output[(place % 4u * 2u + 1u) * blocks + place / 4u] = digits.odds;
    }
#else
    if lane < count && row < COLUMNS {
        let column = row + lane;
        var result = select(sums[lane % 4u], others[lane % 4u], lane >= 4u);
#if EPILOGUE_add
        result += f32(addend[column]);
#endif
        if column < SECOND {
            output[column] = T(result);
        } else if column < THIRD {
            output1[column - SECOND] = T(result);
        } else {
            output2[column - THIRD] = T(result);
        }
    }
#endif
}
