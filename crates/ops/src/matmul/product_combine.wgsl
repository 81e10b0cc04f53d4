//! output[b, m, n] = epilogue(Σ_p partial[p, b, m, n]): the sums over the parts of a depth, in their order.
//! One invocation per output element.
//!
//! trusted: there is a sum of each part for every output.
//!
//! variants: T = f32 | f16
//! variants: EPILOGUE = on | off

#import tensor
#import epilogue
#import parts

struct Params {
    epilogue: Epilogue,
    rows: u32,
    columns: u32,
    parts: u32,
    /// Outputs, as many as each part has sums.
    count: u32,
}

@group(0) @binding(0) var<storage, read> partial: array<f32>;
@group(0) @binding(1) var<storage, read> bias: array<T>;
@group(0) @binding(2) var<storage, read> addend: array<T>;
@group(0) @binding(3) var<storage, read_write> output: array<T>;
@group(0) @binding(4) var<uniform> params: Params;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let index = flat_index(id, groups);
    let count = params.count;
    if index >= count {
        return;
    }
    let sum = sum_of_parts(index, params.parts, count);
    let row = index / params.columns % params.rows;
    output[index] = T(finished(params.epilogue, sum, row, index % params.columns, index));
}
