//! Rows as matrix units take them: x[r, c] = factors[r] · (halves[0, r, c] + halves[1, r, c]), in 16-bit floats that are
//! neither too large nor too small for them. With NORM, x is input · rsqrt(mean(input²) + epsilon) · norm; without BOTH
//! the second half is left out. With ROUND, x is rounded to 8 bits by its range, and the factor is a step. One workgroup
//! per row; its lanes take every WG_SIZE-th eight of columns.
//!
//! Of each eight columns the order is 0, 4, 1, 5, 2, 6, 3, 7, in which `q4_pairs` gives the codes of a word. With TILED,
//! halves lie in tiles of 16 rows and columns, for each tile the first halves and then the second. Without, the first quads
//! of four eights come before their second ones, so that invocations with a word each write side by side.
//!
//! variants: T = f32 | f16
//! variants: NORM = on | off
//! variants: BOTH = on | off
//! variants: TILED = on | off
//! variants: ROUND = off | on
//! except: ROUND = on, BOTH = on
//! requires: f16, subgroups
//! trusted: a workgroup past the last row returns, and lanes stop at a row's end

#import tensor
#import power_of_two
#import half_part

struct Params {
    rows: u32,
    epsilon: f32,
    /// As `row_code` takes it.
    least_scale: f32,
}

@group(0) @binding(0) var<storage, read> input: array<vec4<T>>;
@group(0) @binding(1) var<storage, read> norm: array<vec4<T>>;
@group(0) @binding(2) var<storage, read_write> halves: array<vec4<f16>>;
@group(0) @binding(3) var<storage, read_write> factors: array<f32>;
@group(0) @binding(4) var<uniform> params: Params;

/// Eights of columns.
override OCTETS: u32 = 256u;

/// Of each subgroup: the sum of squares, the greatest, and the least with its sign turned.
var<workgroup> sh_folded: array<vec3<f32>, WG_SIZE>;

struct Lane {
    @builtin(local_invocation_index) index: u32,
    @builtin(subgroup_invocation_id) in_subgroup: u32,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(num_subgroups) subgroups: u32,
}

#if TILED
#if BOTH
const HALVES = 2u;
#else
const HALVES = 1u;
#endif
/// Vectors of a tile.
const TILE = 64u;
/// How far the second quad of eight columns is from the first.
const BESIDE = 1u;
#else
const BESIDE = 4u;
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

/// Eight numbers of a row, and with NORM the sum of their squares before they have its weight.
struct Octet {
    x0: vec4<f32>,
    x1: vec4<f32>,
    squares: f32,
}

/// Past the last there are zeros.
fn octet_at(row: u32, octet: u32) -> Octet {
    var result: Octet;
    if octet < OCTETS {
        result.x0 = vec4<f32>(input[(row * OCTETS + octet) * 2u]);
        result.x1 = vec4<f32>(input[(row * OCTETS + octet) * 2u + 1u]);
#if NORM
        result.squares = dot(result.x0, result.x0) + dot(result.x1, result.x1);
        result.x0 *= vec4<f32>(norm[octet * 2u]);
        result.x1 *= vec4<f32>(norm[octet * 2u + 1u]);
#endif
    }
    return result;
}

/// What `sh_folded` is of, for one lane and more of its numbers.
fn folded_with(folded: vec3<f32>, octet: Octet) -> vec3<f32> {
    let greatest = max(octet.x0, octet.x1);
    let least = min(octet.x0, octet.x1);
    return vec3(
        folded.x + octet.squares,
        max(folded.y, max(max(greatest.x, greatest.y), max(greatest.z, greatest.w))),
        max(folded.z, -min(min(least.x, least.y), min(least.z, least.w))),
    );
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

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, lane: Lane) {
    let row = flat_group(group, groups);
    // A grid that is not folded ends with the last row.
    if groups.y > 1u && row >= params.rows {
        return;
    }
    // Rows of a usual length stay in registers.
    var folded = vec3<f32>();
#for u in 4
    let octet_$u = octet_at(row, lane.index + $uu * WG_SIZE);
    folded = folded_with(folded, octet_$u);
#end
    for (var octet = lane.index + 4u * WG_SIZE; octet < OCTETS; octet += WG_SIZE) {
        folded = folded_with(folded, octet_at(row, octet));
    }
    let in_subgroup = vec3(subgroupAdd(folded.x), subgroupMax(folded.yz));
    if lane.in_subgroup == 0u {
        sh_folded[lane.subgroup] = in_subgroup;
    }
    workgroupBarrier();
    folded = sh_folded[0];
    for (var i = 1u; i < lane.subgroups; i++) {
        let other = sh_folded[i];
        folded = vec3(folded.x + other.x, max(folded.yz, other.yz));
    }
    var normalized = 1.0;
#if NORM
    normalized = inverseSqrt(folded.x / f32(OCTETS * 8u) + params.epsilon);
#endif
#if ROUND
    let code = row_code(vec2(-folded.z, folded.y) * normalized, params.least_scale);
    let factor = code.size;
#else
    let power = power_towards(13u, max(folded.y, folded.z));
    let factor = normalized / power;
#endif
    if lane.index == 0u {
        factors[row] = factor;
    }
    for (var octet = lane.index; octet < OCTETS; octet += WG_SIZE) {
        let turn = octet / WG_SIZE;
        var given = octet_0;
        if turn >= 4u {
            given = octet_at(row, octet);
        }
#for u in 4
        if turn == $uu {
            given = octet_$u;
        }
#end
#if ROUND
        let x0 = steps_of(given.x0 * normalized, code);
        let x1 = steps_of(given.x1 * normalized, code);
#else
        let x0 = given.x0 * power;
        let x1 = given.x1 * power;
#endif
#if TILED
        let tile = row / 16u * (OCTETS / 2u) + octet / 2u;
        let at = tile * HALVES * TILE + row % 16u * 4u + octet % 2u * 2u;
        let distance = TILE;
#else
        let at = row * OCTETS * 2u + octet / 4u * 8u + octet % 4u;
        let distance = params.rows * OCTETS * 2u;
#endif
        write_halves(at, distance, vec4(x0.x, x1.x, x0.y, x1.y));
        write_halves(at + BESIDE, distance, vec4(x0.z, x1.z, x0.w, x1.w));
    }
}
