//! output[b, m, n] = epilogue(Σ_k left[b, m, k] · right[b, k, n]), or with SPLIT the sum over a part of the depth.
//! Where it is SCALED, the k-th products are multiplied by scale[b, k].
//! Each workgroup owns a tile of TILE×TILE outputs and a part of the depth: see the module `tile_sums`.
//!
//! LEFT and RIGHT say how an operand is read: four elements at a time along the depth or across lines, whose number is a
//! multiple of four then, or one by one.
//!
//! trusted: lines and depths past the last are not read, and outputs past the last not written.
//!
//! variants: T = f32 | f16
//! variants: LEFT = depth | across | single
//! variants: RIGHT = depth | across | single
//! variants: TILE = 32 | 64
//! variants: SCALED = on | off
//! variants: SPLIT = on | off
//! variants: EPILOGUE = on | off
//! except: SPLIT = on, EPILOGUE = on
//! except: SCALED = on, LEFT = across
//! except: SCALED = on, RIGHT = depth

#import tensor
#import product_bindings
#import tile_sums
#import tile_work

/// The i-th line of a quad.
fn row_of(quad: u32, i: u32) -> u32 {
#if LEFT_across
    return near_line(quad, i);
#else
    return apart_line(quad, i);
#endif
}

fn column_of(quad: u32, i: u32) -> u32 {
#if RIGHT_across
    return near_line(quad, i);
#else
    return apart_line(quad, i);
#endif
}

fn load_left(quad: u32, batch: u32, first: u32, depth: u32, end: u32) -> mat4x4<f32> {
    let operand = params.product.left;
    let lines = params.product.rows;
    var values = mat4x4<f32>();
#for i in 4
#if LEFT_depth
    let line_$i = first + row_of(quad, $iu);
    if line_$i < lines && depth < end {
        values[$i] = vec4<f32>(left[(batch * operand.batch + line_$i * operand.line + depth) / 4u]);
    }
#endif
#if LEFT_across
    let line_$i = first + quad * 4u;
    if line_$i < lines && depth + $iu < end {
        values[$i] = vec4<f32>(left[(batch * operand.batch + (depth + $iu) * operand.depth + line_$i) / 4u]);
    }
#endif
#if LEFT_single
    let line_$i = first + row_of(quad, $iu);
    if line_$i < lines {
        let start_$i = batch * operand.batch + line_$i * operand.line + depth * operand.depth;
#for k in 4
        if depth + $ku < end {
            values[$k][$i] = f32(left[start_$i + $ku * operand.depth]);
        }
#end
    }
#endif
#end
#if LEFT_depth
    return transpose(values);
#else
    return values;
#endif
}

fn load_right(quad: u32, batch: u32, first: u32, depth: u32, end: u32) -> mat4x4<f32> {
    let operand = params.product.right;
    let lines = params.product.columns;
    var values = mat4x4<f32>();
#for i in 4
#if RIGHT_depth
    let line_$i = first + column_of(quad, $iu);
    if line_$i < lines && depth < end {
        values[$i] = vec4<f32>(right[(batch * operand.batch + line_$i * operand.line + depth) / 4u]);
    }
#endif
#if RIGHT_across
    let line_$i = first + quad * 4u;
    if line_$i < lines && depth + $iu < end {
        values[$i] = vec4<f32>(right[(batch * operand.batch + (depth + $iu) * operand.depth + line_$i) / 4u]);
    }
#endif
#if RIGHT_single
    let line_$i = first + column_of(quad, $iu);
    if line_$i < lines {
        let start_$i = batch * operand.batch + line_$i * operand.line + depth * operand.depth;
#for k in 4
        if depth + $ku < end {
            values[$k][$i] = f32(right[start_$i + $ku * operand.depth]);
        }
#end
    }
#endif
#end
#if SCALED
#for k in 4
    if depth + $ku < end {
        values[$k] *= f32(scale[batch * params.product.depth + depth + $ku]);
    }
#end
#endif
#if RIGHT_depth
    return transpose(values);
#else
    return values;
#endif
}

fn load_block(block: Block, batch: u32, first_line: u32, depth: u32, end: u32) -> mat4x4<f32> {
    if block.is_left {
        return load_left(block.quad, batch, first_line, depth, end);
    }
    return load_right(block.quad, batch, first_line, depth, end);
}

@compute @workgroup_size(WG_SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let product = params.product;
    let number = flat_group(group, groups);
    let work = work_of(number, product.rows, product.columns, product.depth, params.parts, params.part_depth);
    let batch = work.slice;
    if batch >= product.batch {
        return;
    }
    var sums = tile_sums(batch, work.first_row, work.first_column, work.start, work.end, lane);
    for (var r = 0u; r < ROWS; r++) {
        let row = work.first_row + row_of(row_quad(lane, r), r % 4u);
        let line = (batch * product.rows + row) * product.output_columns;
        for (var i = 0u; i < 4u; i++) {
            let column = work.first_column + column_of(column_quad(lane), i);
            if row < product.rows && column < product.columns {
                let to = product.first_column + column;
#if SPLIT
                let total = product.batch * product.rows * product.output_columns;
                output[work.part * total + line + to] = sums[r][i];
#else
                output[line + to] = T(finished(params.epilogue, sums[r][i], row, to, line + to));
#endif
            }
        }
    }
}
