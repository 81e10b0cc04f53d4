//! output[n] = Σ_k x[k] · (nibble(weight, n, k) − 8) · scales[k / group, n] for one row x, which is what attention gives and
//! comes in parts: for each head, over each part of its keys, sums of values, the largest score m and the sum of weights l.
//! Of the parts p of a head x is Σ_p exp(m_p − m) · sum_p / Σ_p exp(m_p − m) · l_p, with m = max_p m_p. EPILOGUE add adds a
//! row.
//!
//! Every workgroup brings the parts together by itself, as digits in its memory: see `q4_row`, whose teams do the rest. What
//! it reads of all parts is on its way before anything is computed.
//!
//! A part whose sum of weights is zero has no keys, and its sums are whatever memory held.
//!
//! variants: T = f32 | f16
//! variants: EPILOGUE = plain | add
//! variants: DIGITS = 2 | 3
//! requires: subgroups
//! trusted: rows past the last are clamped to it, words past the last are skipped, and parts are as many as the plan makes

#import q4_digits

override LANES: u32 = 32u;
override TEAMS: u32 = 8u;
/// 16-byte words of a row, and how many of them share a scale.
override WORDS: u32 = 64u;
override GROUP_WORDS: u32 = 2u;
override COLUMNS: u32 = 1024u;
/// Scales of a group, in vectors.
override SCALE_STRIDE: u32 = 256u;
/// Vectors of x in workgroup memory: nine for each word.
override STAGED: u32 = 576u;
/// Parts of the keys, and quads of a head.
override PARTS: u32 = 16u;
override HEAD_QUADS: u32 = 16u;
/// Whether all codes are on their way while x is staged: no lane has more than two words of a row then.
override EARLY: bool = false;

const WORKGROUP = 256u;

@group(0) @binding(0) var<storage, read> partial: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> weight: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> scales: array<vec4<T>>;
@group(0) @binding(3) var<storage, read> addend: array<T>;
@group(0) @binding(4) var<storage, read_write> output: array<T>;

#import team_subgroup
#import q4_rows

/// The digits of x: see `q4_row`.
var<workgroup> sh_digits: array<vec4<u32>, STAGED>;

/// Eight columns of x.
struct Octet {
    x0: vec4<f32>,
    x1: vec4<f32>,
}

/// Past the last, the last again.
fn octet_at(octet: u32) -> Octet {
    let quad = min(octet, WORDS * 4u - 1u) * 2u;
    let within = quad % HEAD_QUADS;
    let head_at = quad / HEAD_QUADS * PARTS * (HEAD_QUADS + 1u);
#for p in 16
    var weights$p = vec2<f32>();
    var sums$p_0 = vec4<f32>();
    var sums$p_1 = vec4<f32>();
    if $pu < PARTS {
        let at = head_at + $pu * (HEAD_QUADS + 1u);
        weights$p = partial[at + HEAD_QUADS].xy;
        sums$p_0 = partial[at + within];
        sums$p_1 = partial[at + within + 1u];
    }
#end
    // A sum that is no number is not zero, and comparisons of floats do not say so.
#for p in 16
    let counts$p = (bitcast<u32>(weights$p.y) & 0x7fffffffu) != 0u;
#end
    // There are keys in the first part.
    var most = weights0.x;
#for p in 16
    most = max(most, select(most, weights$p.x, counts$p));
#end
    var total = 0.0;
    var x0 = vec4<f32>();
    var x1 = vec4<f32>();
#for p in 16
    {
        let factor = select(0.0, exp(weights$p.x - most), counts$p);
        total += factor * weights$p.y;
        x0 += factor * select(vec4<f32>(), sums$p_0, counts$p);
        x1 += factor * select(vec4<f32>(), sums$p_1, counts$p);
    }
#end
    return Octet(x0 / total, x1 / total);
}

/// The inputs that a word of codes is multiplied with.
fn inputs_at(word: u32) -> Inputs {
#for o in 4
    let even$o = sh_digits[word * 9u + 2u * $ou];
    let odd$o = sh_digits[word * 9u + 2u * $ou + 1u];
#end
    return inputs_of(array(even0, even1, even2, even3), array(odd0, odd1, odd2, odd3));
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, member: Member) {
    let first = lane_of(member);
    // Teams past the last row compute it again, and do not write.
    let row = ((group.x + group.y * groups.x) * TEAMS + team_of(member)) * 4u;
    let source = min(row, COLUMNS - 4u);
    // Parts are asked for before the codes: they are nearer, and needed sooner.
    let early_octet = octet_at(member.index);
    var codes = codes_at(source, min(first, WORDS - 1u));
    var second = codes;
    if EARLY {
        second = codes_at(source, min(first + LANES, WORDS - 1u));
    }
    for (var at = member.index; at - member.index < WORDS * 4u; at += WORKGROUP) {
        var octet = early_octet;
        if at != member.index {
            octet = octet_at(at);
        }
        let digits = digits_of(octet.x0, octet.x1, at);
        if at < WORDS * 4u {
            let place = at / 4u * 9u + at % 4u * 2u;
            sh_digits[place] = digits.evens;
            sh_digits[place + 1u] = digits.odds;
        }
    }
    workgroupBarrier();
    var sums = vec4<f32>();
    for (var word = first; word < WORDS; word += LANES) {
        // Where a lane has more than one word, the next codes are on their way.
        var next_codes = second;
        if LANES < WORDS && !EARLY {
            next_codes = codes_at(source, min(word + LANES, WORDS - 1u));
        }
        let inputs = inputs_at(word);
#for r in 4
        sums[$r] += codes.scale[$r] * product(codes.row$r, inputs);
#end
        codes = next_codes;
    }
    sums = team_sum(sums, member);
    let lane = lane_of(member);
    if lane < 4u && row < COLUMNS {
        var result = sums[lane];
#if EPILOGUE_add
        result += f32(addend[row + lane]);
#endif
        output[row + lane] = T(result);
    }
}
