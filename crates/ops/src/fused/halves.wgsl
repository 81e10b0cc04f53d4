//! Rows as matrix units take them: x[r, c] = factors[r] · (halves[0, r, c] + halves[1, r, c]), in 16-bit floats that are
//! neither too large nor too small for them. With NORM, x is input · rsqrt(mean(input²) + epsilon) · norm; without BOTH
//! the second half is left out. With ROUND, x is rounded to 8 bits by its range, and the factor is a step. One workgroup per row; its lanes take every WG_SIZE-th vector, or two vectors.
//!
//! Of each eight columns the order is 0, 4, 1, 5, 2, 6, 3, 7, in which `q4_pairs` gives the codes of a word. With TILED,
//! halves lie in tiles of 16 rows and columns, for each tile the first halves and then the second.
//!
//! variants: T = f32 | f16
//! variants: NORM = on | off
//! variants: BOTH = on | off
//! variants: TILED = on | off
//! variants: ROUND = off | on
//! except: ROUND = on, BOTH = on
//! requires: f16
//! trusted: a workgroup past the last row returns, and lanes stop at a row's end

#import tensor
#import reduce_subgroup
#import power_of_two
#import half_part

struct Params {
    rows: u32,
    /// Vectors of a row.
    width: u32,
    epsilon: f32,
    /// As `row_code` takes it.
    least_scale: f32,
}

@group(0) @binding(0) var<storage, read> input: array<vec4<T>>;
@group(0) @binding(1) var<storage, read> norm: array<vec4<T>>;
@group(0) @binding(2) var<storage, read_write> halves: array<vec4<f16>>;
@group(0) @binding(3) var<storage, read_write> factors: array<f32>;
@group(0) @binding(4) var<uniform> params: Params;

var<workgroup> sh_largest: array<f32, WG_SIZE>;

#if TILED
#if BOTH
const HALVES = 2u;
#else
const HALVES = 1u;
#endif
/// Vectors of a tile.
const TILE = 64u;
#endif

#if ROUND
#import rounding

/// Numbers in steps from zero.
fn steps_of(numbers: vec4<f32>, code: RowCode) -> vec4<f32> {
    var steps: vec4<f32>;
#for i in 4
    steps[$i] = rounded_steps(numbers[$i], code);
#end
    return steps;
}
#endif

/// The largest `value` of the workgroup, none below zero, for every invocation.
fn workgroup_largest(value: f32, lane: Lane) -> f32 {
    let partial = subgroupMax(value);
    workgroupBarrier();
    if lane.in_subgroup == 0u {
        sh_largest[lane.subgroup] = partial;
    }
    workgroupBarrier();
    var largest = 0.0;
    for (var i = 0u; i < lane.subgroups; i++) {
        largest = max(largest, sh_largest[i]);
    }
    return largest;
}

/// Writes four numbers, their second halves so much further.
fn write_halves(at: u32, distance: u32, value: vec4<f32>) {
#if BOTH
    let high = half_part(value);
    halves[at] = vec4<f16>(high);
    halves[at + distance] = vec4<f16>(value - high);
#else
    halves[at] = vec4<f16>(value);
#endif
}

fn value_at(row: u32, column: u32) -> vec4<f32> {
#if NORM
    return vec4<f32>(input[row * params.width + column]) * vec4<f32>(norm[column]);
#else
    return vec4<f32>(input[row * params.width + column]);
#endif
}

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, lane: Lane) {
    let row = flat_group(group, groups);
    if row >= params.rows {
        return;
    }
    // The greatest and, its sign turned, the least of the row, or zero.
    var greatest = 0.0;
    var least = 0.0;
    var squares = 0.0;
    for (var column = lane.index; column < params.width; column += WG_SIZE) {
        let value = value_at(row, column);
        greatest = max(greatest, max(max(value.x, value.y), max(value.z, value.w)));
        least = max(least, -min(min(value.x, value.y), min(value.z, value.w)));
#if NORM
        let given = vec4<f32>(input[row * params.width + column]);
        squares += dot(given, given);
#endif
    }
    var normalized = 1.0;
#if NORM
    normalized = inverseSqrt(workgroup_sum(squares, lane) / f32(params.width * 4u) + params.epsilon);
#endif
#if ROUND
    let range = vec2(-workgroup_largest(least, lane), workgroup_largest(greatest, lane));
    let code = row_code(range * normalized, params.least_scale);
    let factor = code.size;
#else
    let power = power_towards(13u, workgroup_largest(max(least, greatest), lane));
    let factor = normalized / power;
#endif
    if lane.index == 0u {
        factors[row] = factor;
    }
    for (var octet = lane.index; octet < params.width / 2u; octet += WG_SIZE) {
#if ROUND
        let x0 = steps_of(value_at(row, octet * 2u) * normalized, code);
        let x1 = steps_of(value_at(row, octet * 2u + 1u) * normalized, code);
#else
        let x0 = value_at(row, octet * 2u) * power;
        let x1 = value_at(row, octet * 2u + 1u) * power;
#endif
#if TILED
        let tile = row / 16u * (params.width / 4u) + octet / 2u;
        let at = tile * HALVES * TILE + row % 16u * 4u + octet % 2u * 2u;
        let distance = TILE;
#else
        let at = row * params.width + octet * 2u;
        let distance = params.rows * params.width;
#endif
        write_halves(at, distance, vec4(x0.x, x1.x, x0.y, x1.y));
        write_halves(at + 1u, distance, vec4(x0.z, x1.z, x0.w, x1.w));
    }
}
