//! offsets[p] = indices[Σ p[a] · steps[a]] · stride, added to what is there where `add` is set.
//! Each invocation owns one place. Negative indices count from the end; one outside the range is reported, and taken
//! for the last.

#import tensor
#import status

struct Params {
    sizes: array<vec4<u32>, 2>,
    steps: array<vec4<u32>, 2>,
    axes: u32,
    count: u32,
    stride: u32,
    limit: u32,
    add: u32,
    node: u32,
}

@group(0) @binding(0) var<storage, read> indices: array<i32>;
@group(0) @binding(1) var<storage, read_write> offsets: array<i32>;
@group(0) @binding(2) var<uniform> params: Params;
@group(0) @binding(3) var<storage, read_write> status: array<atomic<u32>, 2>;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let place = flat_index(id, groups);
    if place >= params.count {
        return;
    }
    var at = 0u;
    var rest = place;
    for (var i = params.axes; i > 0u; i--) {
        let axis = i - 1u;
        let size = params.sizes[axis / 4u][axis % 4u];
        at += rest % size * params.steps[axis / 4u][axis % 4u];
        rest /= size;
    }
    let given = indices[at];
    var index = bitcast<u32>(given);
    if given < 0 {
        index += params.limit;
    }
    if index >= params.limit {
        report_index(params.node, given);
        index = params.limit - 1u;
    }
    var offset = i32(index * params.stride);
    if params.add != 0u {
        offset += offsets[place];
    }
    offsets[place] = offset;
}
