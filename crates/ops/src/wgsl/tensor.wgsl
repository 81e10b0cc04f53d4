//! Sizes and strides of a tensor, and the number of an invocation in a folded grid.

struct TensorMeta {
    sizes: array<vec4<u32>, 2>,
    strides: array<vec4<u32>, 2>,
    rank: u32,
    numel: u32,
}

override WG_SIZE: u32 = 64u;

/// The number of this invocation, where the grid may be folded to two directions.
fn flat_index(id: vec3<u32>, groups: vec3<u32>) -> u32 {
    return id.y * groups.x * WG_SIZE + id.x;
}

/// The number of this workgroup, where the grid may be folded to two directions.
fn flat_group(group: vec3<u32>, groups: vec3<u32>) -> u32 {
    return group.y * groups.x + group.x;
}
