//! output[b, m, n] = epilogue(Σ_k left[b, m, k] · right[b, k, n]), for up to four rows; where it is SCALED, the k-th products are
//! multiplied by scale[b, k].
//! Each workgroup owns the outputs of one column; its lanes take every WG_SIZE-th product of each row. Both operands
//! are contiguous along the depth, which is a multiple of four where they are WIDE.
//!
//! variants: T = f32 | f16
//! variants: WIDE = on | off
//! variants: SCALED = on | off
//! variants: EPILOGUE = on | off
//! variants: REDUCE = reduce_shared | reduce_subgroup

#import tensor
#import wide
#import product
#import epilogue
#import REDUCE

struct Params {
    product: Product,
    epilogue: Epilogue,
}

@group(0) @binding(0) var<storage, read> left: array<V>;
@group(0) @binding(1) var<storage, read> right: array<V>;
@group(0) @binding(2) var<storage, read> bias: array<T>;
@group(0) @binding(3) var<storage, read> addend: array<T>;
@group(0) @binding(4) var<storage, read> scale: array<V>;
@group(0) @binding(5) var<storage, read_write> output: array<T>;
@group(0) @binding(6) var<uniform> params: Params;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, lane: Lane) {
    let product = params.product;
    let index = flat_group(group, groups);
    if index >= product.batch * product.columns {
        return;
    }
    let batch = index / product.columns;
    let column = index % product.columns;
    let left_start = batch * product.left.batch / STEP;
    let left_line = product.left.line / STEP;
    let right_start = (batch * product.right.batch + column * product.right.line) / STEP;
    var partial = vec4<f32>();
    for (var k = lane.index; k < product.depth / STEP; k += WG_SIZE) {
#if SCALED
        let weight = F(right[right_start + k]) * F(scale[batch * (product.depth / STEP) + k]);
#else
        let weight = F(right[right_start + k]);
#endif
        partial.x += times(F(left[left_start + k]), weight);
        if product.rows > 1u { partial.y += times(F(left[left_start + left_line + k]), weight); }
        if product.rows > 2u { partial.z += times(F(left[left_start + 2u * left_line + k]), weight); }
        if product.rows > 3u { partial.w += times(F(left[left_start + 3u * left_line + k]), weight); }
    }
    let target_column = product.first_column + column;
    for (var row = 0u; row < product.rows; row++) {
        let total = workgroup_sum(partial[row], lane);
        if lane.index == 0u {
            let at = (batch * product.rows + row) * product.output_columns + target_column;
            output[at] = T(finished(params.epilogue, total, row, target_column, at));
        }
        // The memory of one sum is that of the next.
        workgroupBarrier();
    }
}
