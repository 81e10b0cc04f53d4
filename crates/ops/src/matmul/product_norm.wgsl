//! sum[m, n] = epilogue(Σ_p partial[p, m, n]), the sums over the parts of a depth in their order, and
//! normalized[m, n] = (sum[m, n] − mean[m]) · rstd[m] · scale[n] + shift[n], where the mean is that of a row, or 0 where rows are
//! not `centered`, and rstd = 1 / √(the mean of the squares of what is left + epsilon).
//! One workgroup per row; its lanes take every WG_SIZE-th column.
//!
//! trusted: there is a sum of each part for every output, and rows have no more columns than workgroup memory.
//!
//! variants: T = f32 | f16
//! variants: EPILOGUE = on
//! variants: REDUCE = reduce_shared | reduce_subgroup

#import tensor
#import epilogue
#import parts
#import REDUCE

struct Params {
    epilogue: Epilogue,
    rows: u32,
    columns: u32,
    parts: u32,
    /// Outputs, as many as each part has sums.
    count: u32,
    epsilon: f32,
    centered: u32,
    has_scale: u32,
    has_shift: u32,
    /// Whether anybody reads the sums.
    keeps: u32,
}

@group(0) @binding(0) var<storage, read> partial: array<f32>;
@group(0) @binding(1) var<storage, read> bias: array<T>;
@group(0) @binding(2) var<storage, read> addend: array<T>;
@group(0) @binding(3) var<storage, read> scale: array<T>;
@group(0) @binding(4) var<storage, read> shift: array<T>;
@group(0) @binding(5) var<storage, read_write> output: array<T>;
@group(0) @binding(6) var<storage, read_write> normalized: array<T>;
@group(0) @binding(7) var<uniform> params: Params;

/// The sums of the row. Each lane reads what it wrote, and nothing else.
var<workgroup> sh_row: array<f32, 2048>;

@compute @workgroup_size(WG_SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, lane: Lane) {
    let row = flat_group(group, groups);
    if row >= params.rows {
        return;
    }
    let start = row * params.columns;
    var sum = 0.0;
    for (var column = lane.index; column < params.columns; column += WG_SIZE) {
        let index = start + column;
        let total = sum_of_parts(index, params.parts, params.count);
        let value = T(finished(params.epilogue, total, row, column, index));
        if params.keeps != 0u {
            output[index] = value;
        }
        sh_row[column] = f32(value);
        sum += f32(value);
    }
    var center = 0.0;
    if params.centered != 0u {
        center = workgroup_sum(sum, lane) / f32(params.columns);
        // Every lane has read the first sum before its memory is used again.
        workgroupBarrier();
    }
    var squares = 0.0;
    for (var column = lane.index; column < params.columns; column += WG_SIZE) {
        let distance = sh_row[column] - center;
        squares += distance * distance;
    }
    let rstd = inverseSqrt(workgroup_sum(squares, lane) / f32(params.columns) + params.epsilon);
    for (var column = lane.index; column < params.columns; column += WG_SIZE) {
        var value = (sh_row[column] - center) * rstd;
        if params.has_scale != 0u {
            value *= f32(scale[column]);
        }
        if params.has_shift != 0u {
            value += f32(shift[column]);
        }
        normalized[start + column] = T(value);
    }
}
