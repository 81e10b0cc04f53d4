//! Keys and values as `attention_matrix` takes them: sums of HALVES 16-bit floats, in tiles of 32 keys, and for each tile the
//! powers of two that its keys and its values are multiplied by to be in the range of such floats.
//! One workgroup per tile and head of keys and values. Tiles that no query sees are left out, and past the last key that one
//! sees is that key again.
//!
//! variants: T = f32 | f16
//! variants: HALVES = 2 | 1
//! requires: f16, subgroups
//! trusted: keys past the last are clamped to it, and the plan checks the rows of caches.

#import attention
#import power_of_two
#import half_part

struct Params {
    it: Attention,
    /// Tiles of a head.
    tiles: u32,
}

struct Call {
    start: i32,
}

@group(0) @binding(0) var<storage, read> key: array<vec4<T>>;
@group(0) @binding(1) var<storage, read> value: array<vec4<T>>;
@group(0) @binding(2) var<storage, read_write> halves: array<vec4<f16>>;
@group(0) @binding(3) var<storage, read_write> powers: array<vec2<f32>>;
@group(0) @binding(4) var<uniform> params: Params;
@group(0) @binding(5) var<uniform> call: Call;

const KEYS = 32u;
/// Quads of a vector, and of the vectors of a tile.
const QUADS = 16u;
const TILE = KEYS * QUADS;
/// The binary exponent that the largest element of a tile gets: a sum of two is within the range of 16-bit floats.
const EXPONENT = 13u;

/// The largest elements of keys and values that each subgroup has.
var<workgroup> sh_largest: array<vec2<f32>, 4>;

fn largest_of(quad: vec4<f32>) -> f32 {
    let sizes = abs(quad);
    return max(max(sizes.x, sizes.y), max(sizes.z, sizes.w));
}

fn divide(at: u32, quad: vec4<f32>) {
#if HALVES_2
    let high = half_part(quad);
    halves[at] = vec4<f16>(high);
    halves[at + TILE] = vec4<f16>(quad - high);
#else
    halves[at] = vec4<f16>(quad);
#endif
}

@compute @workgroup_size(128)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) index: u32,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(num_subgroups) subgroups: u32,
    @builtin(subgroup_invocation_id) lane: u32,
) {
    let it = params.it;
    let source = shared_head(it, group.x);
    let end = seen_by(it, call.start, it.rows - 1u);
    let first_key = group.y * KEYS;
    if first_key >= end {
        return;
    }
    // An invocation has the same quad of every eighth vector.
    let quad = index % QUADS;
    let vector = index / QUADS;
    var largest = vec2<f32>();
#for i in 4
    let from_$i = min(first_key + vector + $iu * 8u, end - 1u);
    let key_$i = vec4<f32>(key[(head_at(it.key, source.batch, source.head) + from_$i * it.key.z) / 4u + quad]);
    let value_$i = vec4<f32>(value[(head_at(it.value, source.batch, source.head) + from_$i * it.value.z) / 4u + quad]);
    largest = max(largest, vec2(largest_of(key_$i), largest_of(value_$i)));
#end
    largest = subgroupMax(largest);
    if lane == 0u {
        sh_largest[subgroup] = largest;
    }
    workgroupBarrier();
    for (var i = 0u; i < subgroups; i++) {
        largest = max(largest, sh_largest[i]);
    }
    let power = vec2(power_towards(EXPONENT, largest.x), power_towards(EXPONENT, largest.y));
    let tile = group.x * params.tiles + group.y;
#for i in 4
    {
        let at = tile * (2u * HALVES * TILE) + (vector + $iu * 8u) * QUADS + quad;
        divide(at, key_$i * power.x);
        divide(at + HALVES * TILE, value_$i * power.y);
    }
#end
    if index == 0u {
        powers[tile] = power;
    }
}
