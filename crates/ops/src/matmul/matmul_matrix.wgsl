//! output[b, m, n] = epilogue(Σ_k left[b, m, k] · right[b, k, n]), or with SPLIT the sum over a part of the depth, as
//! `matmul_tiled` has it, on matrix units: see the module `matrix_sums`.
//!
//! LEFT and RIGHT say how an operand is read: four elements at a time along the depth or across lines, whose number is a
//! multiple of four then, or one by one.
//!
//! trusted: lines and depths past the last are not read, and outputs past the last not written.
//!
//! variants: T = f32 | f16
//! variants: LEFT = depth | across | single
//! variants: RIGHT = depth | across | single
//! variants: HIGH = 2 | 4
//! variants: HALVES = 2 | 1
//! variants: SCALED = on | off
//! variants: SPLIT = on | off
//! variants: EPILOGUE = on | off
//! variants: UNITS = on | emulated
//! except: SPLIT = on, EPILOGUE = on
//! except: SCALED = on, LEFT = across
//! except: SCALED = on, RIGHT = depth
//! except: T = f16, HALVES = 2, SCALED = off

#import tensor
#import product_bindings
#import matrix_sums

/// Whether single elements of a line are neighbours.
fn is_left_along() -> bool {
    return params.product.left.depth == 1u;
}

fn is_right_along() -> bool {
    return params.product.right.depth == 1u;
}

fn load_left(batch: u32, line: u32, depth: u32, end: u32) -> vec4<f32> {
    let operand = params.product.left;
    let inside = depth < end;
#if LEFT_across
    // Lines past the last are not written, so any will do.
    let line_at = batch * operand.batch + min(line, params.product.rows - 4u);
#else
    let line_at = batch * operand.batch + min(line, params.product.rows - 1u) * operand.line;
#endif
    let at = line_at + select(0u, depth, inside) * operand.depth;
#if LEFT_single
    var values = vec4(f32(left[at]), 0.0, 0.0, 0.0);
    if depth + 1u < end { values[1] = f32(left[at + operand.depth]); }
    if depth + 2u < end { values[2] = f32(left[at + 2u * operand.depth]); }
    if depth + 3u < end { values[3] = f32(left[at + 3u * operand.depth]); }
#else
    let values = vec4<f32>(left[at / 4u]);
#endif
    return select(vec4<f32>(), values, inside);
}

fn load_right(batch: u32, line: u32, depth: u32, end: u32) -> vec4<f32> {
    let operand = params.product.right;
    let inside = depth < end;
#if RIGHT_across
    let line_at = batch * operand.batch + min(line, params.product.columns - 4u);
#else
    let line_at = batch * operand.batch + min(line, params.product.columns - 1u) * operand.line;
#endif
    let at = line_at + select(0u, depth, inside) * operand.depth;
#if SCALED
    let factor = batch * params.product.depth + select(0u, depth, inside);
#endif
#if RIGHT_single
    var values = vec4(f32(right[at]), 0.0, 0.0, 0.0);
    if depth + 1u < end { values[1] = f32(right[at + operand.depth]); }
    if depth + 2u < end { values[2] = f32(right[at + 2u * operand.depth]); }
    if depth + 3u < end { values[3] = f32(right[at + 3u * operand.depth]); }
#if SCALED
    values[0] *= f32(scale[factor]);
    if depth + 1u < end { values[1] *= f32(scale[factor + 1u]); }
    if depth + 2u < end { values[2] *= f32(scale[factor + 2u]); }
    if depth + 3u < end { values[3] *= f32(scale[factor + 3u]); }
#endif
#else
    var values = vec4<f32>(right[at / 4u]);
#if SCALED
    values *= f32(scale[factor]);
#endif
#endif
    return select(vec4<f32>(), values, inside);
}

fn write_sum(work: Work, row: u32, column: u32, sum: f32) {
    let product = params.product;
    if row < product.rows && column < product.columns {
        let to = product.first_column + column;
        let line = (work.slice * product.rows + row) * product.output_columns;
#if SPLIT
        let total = product.batch * product.rows * product.output_columns;
        output[work.part * total + line + to] = sum;
#else
        output[line + to] = T(finished(params.epilogue, sum, row, to, line + to));
#endif
    }
}

@compute @workgroup_size(WG_SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) index: u32,
#if UNITS_on
    @builtin(subgroup_id) subgroup: u32,
    @builtin(subgroup_invocation_id) lane: u32,
#endif
) {
#if UNITS_emulated
    let subgroup = index / 32u;
    let lane = index % 32u;
#endif
    let product = params.product;
    let number = flat_group(group, groups);
    let work = work_of(number, product.rows, product.columns, product.depth, params.parts, params.part_depth);
    if work.slice >= product.batch {
        return;
    }
    sum_tile(work, index, subgroup, lane);
}
