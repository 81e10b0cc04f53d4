//! output[i] = what the last link of a chain of pointwise operators gives, where the first takes inputs[0][i], each other
//! what the one before it gave, and all of them elements of other inputs, which broadcast to the output's shape. Each
//! invocation owns one word of the output: a float, or four truth values.

#import tensor
#import chain_links

/// Links of the longest chain.
const LINKS: u32 = 12u;

struct Params {
    out: TensorMeta,
    /// For each dimension, the distances in the inputs. Flat inputs have those of the first alone.
    steps: array<vec4<u32>, 8>,
    /// For each link: its number, whether its first two operands change places, and the inputs of its second and third
    /// operand, or 4 where that is a number.
    links: array<vec4<u32>, 12>,
    /// Those numbers, two links in each.
    numbers: array<vec4<f32>, 6>,
    /// Elements of each input in a word, 1 or 4.
    packed: vec4<u32>,
    inputs: u32,
    count: u32,
    /// Whether every input is as large as the output, or one element.
    flat: u32,
    /// Elements of the output in a word, 1 or 4.
    per_word: u32,
}

@group(0) @binding(0) var<storage, read> input_0: array<u32>;
@group(0) @binding(1) var<storage, read> input_1: array<u32>;
@group(0) @binding(2) var<storage, read> input_2: array<u32>;
@group(0) @binding(3) var<storage, read> input_3: array<u32>;
@group(0) @binding(4) var<storage, read_write> output: array<u32>;
@group(0) @binding(5) var<uniform> params: Params;

/// The element of a word: a float, or a byte.
fn element_of(word: u32, index: u32, packed: u32) -> f32 {
    if packed == 1u {
        return bitcast<f32>(word);
    }
    return f32((word >> (index % 4u * 8u)) & 0xffu);
}

fn places(index: u32) -> vec4<u32> {
    if params.flat == 1u {
        return index * params.steps[0];
    }
    var place = vec4<u32>();
    var rest = index;
    for (var i = params.out.rank; i > 0u; i--) {
        let dim = i - 1u;
        let size = params.out.sizes[dim / 4u][dim % 4u];
        place += rest % size * params.steps[dim];
        rest /= size;
    }
    return place;
}

fn elements(index: u32) -> vec4<f32> {
    let place = places(index);
    let packed = params.packed;
    var values = vec4<f32>(element_of(input_0[place.x / packed.x], place.x, packed.x), 0.0, 0.0, 0.0);
    if params.inputs > 1u {
        values.y = element_of(input_1[place.y / packed.y], place.y, packed.y);
    }
    if params.inputs > 2u {
        values.z = element_of(input_2[place.z / packed.z], place.z, packed.z);
    }
    if params.inputs > 3u {
        values.w = element_of(input_3[place.w / packed.w], place.w, packed.w);
    }
    return values;
}

fn operand(values: vec4<f32>, input: u32, number: f32) -> f32 {
    if input == 0u {
        return values.x;
    }
    if input == 1u {
        return values.y;
    }
    if input == 2u {
        return values.z;
    }
    return select(number, values.w, input == 3u);
}

fn result(index: u32) -> f32 {
    let values = elements(index);
    var x = values.x;
    for (var i = 0u; i < min(params.count, LINKS); i++) {
        let link = params.links[i];
        let pair = params.numbers[i / 2u];
        let numbers = select(pair.xy, pair.zw, i % 2u == 1u);
        let y = operand(values, link.z, numbers.x);
        let z = operand(values, link.w, numbers.y);
        let swapped = link.y == 1u;
        x = linked(link.x, select(x, y, swapped), select(y, x, swapped), z);
    }
    return x;
}

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let number = flat_index(id, groups);
    let first = number * params.per_word;
    if first >= params.out.numel {
        return;
    }
    var word = 0u;
    for (var i = 0u; i < min(params.per_word, params.out.numel - first); i++) {
        let value = result(first + i);
        let truth = select(1u, 0u, value == 0.0) << (i * 8u);
        word |= select(truth, bitcast<u32>(value), params.per_word == 1u);
    }
    output[number] = word;
}
