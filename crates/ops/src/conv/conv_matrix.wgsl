//! output[b, o, p] = epilogue(Σ_t Σ_i input[b, i, source(p, t)] · weight[o, t, i]) as a product, or with SPLIT the sum over a
//! part of its depth, as `conv_tiled` has it, on matrix units: see the module `matrix_sums`. Rows are the channels o of a
//! group, columns the places p of all images, and the depth runs over taps t and then channels i, filled up to a multiple of
//! four. So four neighbouring depths have one tap.
//!
//! trusted: rows, columns and depths past the last are not read, and outputs past the last not written.
//!
//! variants: T = f32 | f16
//! variants: TRANSPOSED = on | off
//! variants: LEFT = depth
//! variants: RIGHT = places
//! variants: HIGH = 2 | 4
//! variants: HALVES = 2 | 1
//! variants: SPLIT = on | off
//! variants: EPILOGUE = on | off
//! variants: UNITS = on | emulated
//! except: SPLIT = on, EPILOGUE = on
//! except: T = f16, HALVES = 2

#import tensor
#import convolution_bindings
#import matrix_sums

/// Where an invocation reads: the last column that it loaded, mostly the only one, its place and where the channels of its
/// group begin in the input; the last depth with its tap and channel, and the element of a channel that the tap meets there. A
/// column past the last begins nowhere.
var<private> last_column: u32 = NONE;
var<private> place: vec3<u32>;
var<private> start: u32;
var<private> last_depth: u32;
var<private> tap: u32;
var<private> channel: u32;
var<private> source: u32;

fn find_source() {
    let it = params.convolution;
    source = select(source_of(it, place, position(tap, it.kernel)), NONE, start == NONE);
}

/// Finds a column and a depth.
fn find(group: u32, column: u32, depth: u32) {
    let it = params.convolution;
    let places = volume(it.result);
    let image = column / places;
    place = position(column % places, it.result);
    start = select(NONE, (image * it.groups + group) * it.in_group * volume(it.input), image < it.batch);
    tap = depth / it.padded_group;
    channel = depth - tap * it.padded_group;
    find_source();
    last_column = column;
    last_depth = depth;
}

/// Goes on to a depth of the last column.
fn go_to(depth: u32) {
    channel += depth - last_depth;
    last_depth = depth;
    let channels = params.convolution.padded_group;
    if channel >= channels {
        while channel >= channels {
            channel -= channels;
            tap += 1u;
        }
        find_source();
    }
}

fn load_left(group: u32, row: u32, depth: u32, end: u32) -> vec4<f32> {
    let it = params.convolution;
    let total = volume(it.kernel) * it.padded_group;
    let inside = depth < end;
    // Rows past the last are not written, so any will do.
    let line = (group * it.out_group + min(row, it.out_group - 1u)) * total;
    return select(vec4<f32>(), vec4<f32>(weight[(line + select(0u, depth, inside)) / 4u]), inside);
}

fn load_right(group: u32, column: u32, depth: u32, end: u32) -> vec4<f32> {
    let it = params.convolution;
    if column == last_column && depth >= last_depth {
        go_to(depth);
    } else {
        find(group, column, depth);
    }
    let area = volume(it.input);
    let inside = source != NONE && depth < end;
    let at = select(0u, start + channel * area + source, inside);
    var values = vec4<f32>();
    if it.in_group == it.padded_group {
        values = vec4(f32(input[at]), f32(input[at + area]), f32(input[at + 2u * area]), f32(input[at + 3u * area]));
        values = select(vec4<f32>(), values, inside);
    } else if inside {
        values[0] = f32(input[at]);
        if channel + 1u < it.in_group { values[1] = f32(input[at + area]); }
        if channel + 2u < it.in_group { values[2] = f32(input[at + 2u * area]); }
        if channel + 3u < it.in_group { values[3] = f32(input[at + 3u * area]); }
    }
    return values;
}

fn write_sum(work: Work, row: u32, column: u32, sum: f32) {
    let it = params.convolution;
    let places = volume(it.result);
    let columns = it.batch * places;
    if row < it.out_group && column < columns {
        let channel = work.slice * it.out_group + row;
        let index = (column / places * it.groups * it.out_group + channel) * places + column % places;
#if SPLIT
        output[work.part * columns * it.groups * it.out_group + index] = sum;
#else
        output[index] = T(finished(params.epilogue, sum, channel, 0u, index));
#endif
    }
}

@compute @workgroup_size(WG_SIZE)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
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
    let it = params.convolution;
    let number = flat_group(workgroup, workgroups);
    let depth = volume(it.kernel) * it.padded_group;
    let work = work_of(number, it.out_group, it.batch * volume(it.result), depth, params.parts, params.part_depth);
    if work.slice >= it.groups {
        return;
    }
    sum_tile(work, index, subgroup, lane);
}
