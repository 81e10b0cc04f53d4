//! output[n] = Σ_k x[k] · (nibble(weight, n, k) − 8) · scales[k / group, n], for one row x.
//! With NORM, x is input · rsqrt(mean(input²) + epsilon) · norm. EPILOGUE add adds a row; swiglu makes output[n] from
//! the products g of row n and u of row n + columns as g · sigmoid(g) · u. Columns go to up to three outputs in turn.
//!
//! A team of LANES invocations owns four rows of the weight (four and four with swiglu); a workgroup has TEAMS of them.
//! Each lane takes 16 bytes of a row at a time: 32 columns, which share a scale. With SPLIT all teams of a workgroup own
//! the same rows and divide the columns. With STAGE x lies in workgroup memory, padded so that lanes read from different
//! banks.
//!
//! variants: T = f32 | f16
//! variants: NORM = off | on
//! variants: EPILOGUE = plain | add | swiglu
//! variants: SPLIT = off | on
//! variants: STAGE = off | on
//! variants: REDUCE = team_shared | team_subgroup
//! trusted: rows past the last are clamped to it, words past the last are skipped, and ids of outputs follow the widths

#import q4_code

struct Params {
    /// Columns of the outputs together.
    columns: u32,
    groups_of_words: u32,
    /// Scales of a group, in vectors.
    scale_stride: u32,
    /// First columns of the second and third output.
    second: u32,
    third: u32,
    epsilon: f32,
}

override LANES: u32 = 32u;
override TEAMS: u32 = 4u;
override WG_SIZE: u32 = 128u;
/// 16-byte words of a row.
override WORDS: u32 = 64u;
/// Padded vectors of x in workgroup memory: nine for each eight.
override STAGED: u32 = 576u;

@group(0) @binding(0) var<storage, read> input: array<vec4<T>>;
@group(0) @binding(1) var<storage, read> norm: array<vec4<T>>;
@group(0) @binding(2) var<storage, read> weight: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> scales: array<vec4<T>>;
@group(0) @binding(4) var<storage, read> addend: array<T>;
@group(0) @binding(5) var<storage, read_write> output: array<T>;
@group(0) @binding(6) var<storage, read_write> output1: array<T>;
@group(0) @binding(7) var<storage, read_write> output2: array<T>;
@group(0) @binding(8) var<uniform> params: Params;

#import REDUCE

#if STAGE
var<workgroup> sh_x: array<vec4<f32>, STAGED>;
#endif

/// Four inputs, with the weight of the norm.
fn input_quad(quad: u32) -> vec4<f32> {
#if NORM
    return vec4<f32>(input[quad]) * vec4<f32>(norm[quad]);
#else
    return vec4<f32>(input[quad]);
#endif
}

/// The inputs of half a word of codes: quad `part` of word `word`.
fn x_quad(word: u32, part: u32) -> vec4<f32> {
#if STAGE
    return sh_x[word * 9u + part];
#else
    return input_quad(word * 8u + part);
#endif
}

fn dot8(word: u32, x0: vec4<f32>, x1: vec4<f32>) -> f32 {
    return dot(q4_low(word), x0) + dot(q4_high(word), x1);
}

/// The products of word `word` of four rows from `row` on, with their scales.
fn products(row: u32, word: u32) -> vec4<f32> {
    var sums: vec4<f32>;
    let w0 = weight[row * WORDS + word];
    let w1 = weight[(row + 1u) * WORDS + word];
    let w2 = weight[(row + 2u) * WORDS + word];
    let w3 = weight[(row + 3u) * WORDS + word];
    let scale = vec4<f32>(scales[word / params.groups_of_words * params.scale_stride + row / 4u]);
#for i in 4
    {
        let x0 = x_quad(word, 2u * $iu);
        let x1 = x_quad(word, 2u * $iu + 1u);
        sums += vec4(dot8(w0[$i], x0, x1), dot8(w1[$i], x0, x1), dot8(w2[$i], x0, x1), dot8(w3[$i], x0, x1));
    }
#end
    return sums * scale;
}

@compute @workgroup_size(WG_SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    member: Member,
) {
    var squares = 0.0;
#if STAGE || NORM
    for (var i = member.index; i < WORDS * 8u; i += WG_SIZE) {
#if NORM
        let x = vec4<f32>(input[i]);
        squares += dot(x, x);
#endif
#if STAGE
        sh_x[i + i / 8u] = input_quad(i);
#endif
    }
#endif
    let block = group.x + group.y * groups.x;
#if SPLIT
    let row = block * 4u;
    let first = member.index;
    let step = WG_SIZE;
#else
    let row = (block * TEAMS + team_of(member)) * 4u;
    let first = lane_of(member);
    let step = LANES;
#endif
#if STAGE
    workgroupBarrier();
#endif
    // Teams past the last row compute it again, and do not write.
    let source = min(row, params.columns - 4u);
    var sums = vec4<f32>();
    var up = vec4<f32>();
    for (var word = first; word < WORDS; word += step) {
        sums += products(source, word);
#if EPILOGUE_swiglu
        up += products(source + params.columns, word);
#endif
    }
    sums = team_sum(sums, member);
#if EPILOGUE_swiglu
    up = team_sum(up, member);
#endif
#if SPLIT
    sums = across_teams(sums, member);
#if EPILOGUE_swiglu
    up = across_teams(up, member);
#endif
#endif
#if NORM
    let scale = inverseSqrt(workgroup_total(squares, member) / f32(WORDS * 32u) + params.epsilon);
    sums *= scale;
    up *= scale;
#endif
#if EPILOGUE_swiglu
    sums = sums / (1.0 + exp(-sums)) * up;
#endif
    let lane = lane_of(member);
#if SPLIT
    let writes = member.index < 4u;
#else
    let writes = lane < 4u;
#endif
    if writes && row < params.columns {
        let column = row + lane;
        var result = sums[lane];
#if EPILOGUE_add
        result += f32(addend[column]);
#endif
        if column < params.second {
            output[column] = T(result);
        } else if column < params.third {
            output1[column - params.second] = T(result);
        } else {
            output2[column - params.third] = T(result);
        }
    }
}
