//! output[b, o, p] = epilogue(Σ_t Σ_i input[b, i, source(p, t)] · weight[o, t, i]) as a product, or with SPLIT the sum over a
//! part of its depth. Rows are the channels o of a group, columns the places p of all images, and the depth runs over taps t
//! and then channels i, filled up to a multiple of four. So four neighbouring depths have one tap.
//! Each workgroup owns a tile of TILE×TILE outputs and a part of the depth: see the module `tile_sums`.
//!
//! trusted: rows, columns and depths past the last are not read, and outputs past the last not written.
//!
//! variants: T = f32 | f16
//! variants: TRANSPOSED = on | off
//! variants: TILE = 32 | 64
//! variants: SPLIT = on | off
//! variants: EPILOGUE = on | off
//! except: SPLIT = on, EPILOGUE = on

#import tensor
#import convolution_bindings
#import tile_sums
#import tile_work

/// The columns that an invocation loads: their places, where the channels of their group begin in the input, and the element
/// of a channel that the last tap met there. A column past the last begins nowhere.
#for i in 4
var<private> place_$i: vec3<u32>;
var<private> start_$i: u32;
var<private> source_$i: u32;
#end
var<private> last_tap: u32 = NONE;

fn find_columns(group: u32, first_column: u32, quad: u32) {
    let it = params.convolution;
    let places = volume(it.result);
    let area = volume(it.input);
#for i in 4
    let column_$i = first_column + apart_line(quad, $iu);
    let image_$i = column_$i / places;
    place_$i = position(column_$i % places, it.result);
    start_$i = select(NONE, (image_$i * it.groups + group) * it.in_group * area, image_$i < it.batch);
#end
}

fn load_weights(quad: u32, group: u32, first_row: u32, depth: u32) -> mat4x4<f32> {
    let it = params.convolution;
    let total = volume(it.kernel) * it.padded_group;
    var values = mat4x4<f32>();
#for i in 4
    let row_$i = first_row + apart_line(quad, $iu);
    if row_$i < it.out_group {
        values[$i] = vec4<f32>(weight[((group * it.out_group + row_$i) * total + depth) / 4u]);
    }
#end
    return transpose(values);
}

fn load_places(depth: u32) -> mat4x4<f32> {
    let it = params.convolution;
    let area = volume(it.input);
    let tap = depth / it.padded_group;
    let channel = depth - tap * it.padded_group;
    // Many neighbouring depths have one tap.
    if tap != last_tap {
        last_tap = tap;
        let at = position(tap, it.kernel);
#for i in 4
        source_$i = select(source_of(it, place_$i, at), NONE, start_$i == NONE);
#end
    }
    var values = mat4x4<f32>();
#for i in 4
    if source_$i != NONE {
        let at = start_$i + channel * area + source_$i;
        values[0][$i] = f32(input[at]);
        if channel + 1u < it.in_group { values[1][$i] = f32(input[at + area]); }
        if channel + 2u < it.in_group { values[2][$i] = f32(input[at + 2u * area]); }
        if channel + 3u < it.in_group { values[3][$i] = f32(input[at + 3u * area]); }
    }
#end
    return values;
}

fn load_block(block: Block, group: u32, first_line: u32, depth: u32, end: u32) -> mat4x4<f32> {
    if depth >= end {
        return mat4x4<f32>();
    }
    if block.is_left {
        return load_weights(block.quad, group, first_line, depth);
    }
    return load_places(depth);
}

@compute @workgroup_size(WG_SIZE)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let it = params.convolution;
    let places = volume(it.result);
    let columns = it.batch * places;
    let number = flat_group(workgroup, workgroups);
    let depth = volume(it.kernel) * it.padded_group;
    let work = work_of(number, it.out_group, columns, depth, params.parts, params.part_depth);
    let group = work.slice;
    if group >= it.groups {
        return;
    }
    find_columns(group, work.first_column, block_of(lane).quad);
    var sums = tile_sums(group, work.first_row, work.first_column, work.start, work.end, lane);
    for (var i = 0u; i < 4u; i++) {
        let column = work.first_column + apart_line(column_quad(lane), i);
        let image = column / places;
        for (var r = 0u; r < ROWS; r++) {
            let row = work.first_row + apart_line(row_quad(lane, r), r % 4u);
            let channel = group * it.out_group + row;
            let index = (image * it.groups * it.out_group + channel) * places + column % places;
            if row < it.out_group && column < columns {
#if SPLIT
                output[work.part * columns * it.groups * it.out_group + index] = sums[r][i];
#else
                output[index] = T(finished(params.epilogue, sums[r][i], channel, 0u, index));
#endif
            }
        }
    }
}
