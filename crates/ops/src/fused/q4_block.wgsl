//! output[part, m, n] = Σ_k input[m, k] · (nibble(weight, n, k) − 8) · scales[k / group, n], over each part of the depth.
//!
//! A workgroup owns 4 · FOURS rows and WG_SIZE columns of a part. Four invocations share four columns, and each takes every
//! fourth 16 bytes of their codes: 32 depths, which share a scale. The inputs of all four lie in workgroup memory, padded
//! so that they read from different banks. What an invocation reads of them it multiplies with all its columns.
//!
//! variants: T = f32 | f16
//! variants: FOURS = 2 | 4

#import q4_code

struct Params {
    rows: u32,
}

const ROWS = 4u * FOURS;
/// Invocations that share columns.
const LANES = 4u;
/// Vectors of workgroup memory for 32 inputs, and for those of a row.
const WORD = 9u;
const ROW = LANES * WORD;
const WG_SIZE = 128u;
#if FOURS_2
/// As many as sums of four rows take, which is more than the inputs do.
const SHARED = 4u * WG_SIZE;
#else
const SHARED = ROWS * ROW;
#endif

/// 16-byte words of a row of the weight, and how many of them share a scale.
override WORDS: u32 = 64u;
override GROUP_WORDS: u32 = 2u;
override COLUMNS: u32 = 1024u;
/// Scales of a group, in vectors.
override SCALE_STRIDE: u32 = 256u;
/// Times LANES words that a part has.
override CHUNKS: u32 = 16u;

@group(0) @binding(0) var<storage, read> input: array<vec4<T>>;
@group(0) @binding(1) var<storage, read> weight: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> scales: array<vec4<T>>;
@group(0) @binding(3) var<storage, read_write> output: array<vec4<f32>>;
@group(0) @binding(4) var<uniform> params: Params;

#import q4_rows

/// First the inputs of a chunk, then the sums of invocations that share columns.
var<workgroup> sh_x: array<vec4<f32>, SHARED>;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let share = lane % LANES;
    let column = group.x * WG_SIZE + lane / LANES * 4u;
    let source = min(column, COLUMNS - 4u);
    let first_row = group.y * ROWS;
    let first_word = group.z * CHUNKS * LANES;
    let end = min(WORDS, first_word + CHUNKS * LANES);
    var sums: array<mat4x4<f32>, FOURS>;
    var next = codes_at(source, min(first_word + share, WORDS - 1u));
    for (var word = first_word; word < end; word += LANES) {
        workgroupBarrier();
        for (var at = lane; at < ROWS * LANES * 8u; at += WG_SIZE) {
            let row = at / (LANES * 8u);
            let place = at % (LANES * 8u);
            let source_quad = min(word * 8u + place, WORDS * 8u - 1u);
            sh_x[row * ROW + place / 8u * WORD + place % 8u] =
                vec4<f32>(input[min(first_row + row, params.rows - 1u) * WORDS * 8u + source_quad]);
        }
        workgroupBarrier();
        var codes = next;
        next = codes_at(source, min(word + LANES + share, WORDS - 1u));
        if word + share < end {
            for (var i = 0u; i < 8u; i++) {
                let shifts = vec4(0u, 4u, 8u, 12u) + i % 2u * 16u;
                // A vector of columns for each of four depths.
                let quad = transpose(mat4x4(
                    q4_values(codes.row0.x, shifts) * codes.scale.x,
                    q4_values(codes.row1.x, shifts) * codes.scale.y,
                    q4_values(codes.row2.x, shifts) * codes.scale.z,
                    q4_values(codes.row3.x, shifts) * codes.scale.w,
                ));
#for f in FOURS
#for r in 4
                {
                    let x = sh_x[($fu * 4u + $ru) * ROW + share * WORD + i];
                    let sum = sums[$f][$r] + x.x * quad[0] + x.y * quad[1];
                    sums[$f][$r] = sum + x.z * quad[2] + x.w * quad[3];
                }
#end
#end
                if i % 2u == 1u {
                    codes.row0 = codes.row0.yzwx;
                    codes.row1 = codes.row1.yzwx;
                    codes.row2 = codes.row2.yzwx;
                    codes.row3 = codes.row3.yzwx;
                }
            }
        }
    }
    // Four rows at a time, of which each invocation finishes one.
#for f in FOURS
    {
        workgroupBarrier();
#for r in 4
        sh_x[$ru * WG_SIZE + lane] = sums[$f][$r];
#end
        workgroupBarrier();
        let begin = share * WG_SIZE + lane - share;
        let sum = (sh_x[begin] + sh_x[begin + 1u]) + (sh_x[begin + 2u] + sh_x[begin + 3u]);
        let row = first_row + $fu * 4u + share;
        if row < params.rows && column < COLUMNS {
            output[((group.z * params.rows + row) * COLUMNS + column) / 4u] = sum;
        }
    }
#end
}
