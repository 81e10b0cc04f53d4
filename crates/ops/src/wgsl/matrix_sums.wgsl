//! The sums of a tile of TILE×TILE products on matrix units, SLAB depths at a time, by 2·TILE invocations. The kernel gives
//! four elements of an operand with `load_left(slice, line, depth, end)` and `load_right`: four depths of a line, or where it
//! lies across, four lines at a depth; a slice is one of several products. Each sum goes to `write_sum(work, row, column, sum)`.
//!
//! Matrix units multiply 16-bit floats and add in 32 bits. With two HALVES an element is the sum of two such floats: three
//! products instead of one keep the error near that of 32-bit arithmetic. Elements of a line are multiplied by a power of
//! two, so that none is too large or too small for 16 bits. It follows from the largest that was met so far: where one is
//! much larger, the sums are multiplied too.
//!
//! A tile has 2·HIGH subgroups, two of them below each other, and each owns HIGH×2 tiles of 16×16. The next slab is on its
//! way in registers while matrix units work on the one in workgroup memory.
//!
//! Where UNITS are emulated, invocations do in plain arithmetic what matrix units would: tests compare the rest of a kernel
//! where there are none.
//!
//! requires: f16
//! requires: subgroups, matrix where UNITS = on
//!
//! axes: UNITS = on | emulated
//! axes: HIGH = 2 | 4
//! axes: HALVES = 2 | 1
//! axes: LEFT = depth | across | single
//! axes: RIGHT = depth | across | single | places

#import power_of_two
#import half_part
#import tile_work

const SLAB = 32u;
const TILE = 32u * HIGH;
/// Quads of depths in a slab, and of lines in a tile.
const DEPTHS = SLAB / 4u;
const LINES = TILE / 4u;
/// Vectors of a staged line, and of a staged depth where the operand lies across; the first halves of four elements each, then
/// the second, and two more so that they begin in different banks.
const LINE_PITCH = HALVES * DEPTHS + 2u;
const DEPTH_PITCH = HALVES * LINES + 2u;
const OPERAND = TILE * LINE_PITCH;
/// The binary exponent that the largest element of a line gets, what later ones may grow to, and the largest power. Were it
/// larger, an element after a line of zeros could be infinite.
const EXPONENT = 10u;
const MOST = 32768.0;
const MOST_POWER = 0x1p80;

var<workgroup> sh_left: array<vec4<f16>, OPERAND>;
var<workgroup> sh_right: array<vec4<f16>, OPERAND>;
/// A tile for each subgroup. In vectors: a driver is slow to store matrices among scalars, and wrong.
var<workgroup> sh_sums: array<vec4<f32>, TILE * 4u>;
/// Of each row, and then of each column: the bits of the largest element, the power of two, and what it changed by. In the end
/// this is what undoes it, or zero where an element is infinite.
var<workgroup> sh_largest: array<atomic<u32>, TILE * 2u>;
var<workgroup> sh_powers: array<f32, TILE * 2u>;
var<workgroup> sh_changes: array<f32, TILE * 2u>;
/// Whether an element is too large for the power of its line.
var<workgroup> sh_grew: atomic<u32>;

/// An invocation's i-th four elements of a slab: a line and the first of four depths, or four lines and a depth.
struct Share {
    line: u32,
    depth: u32,
}

/// Side by side along the depth.
fn share_along(index: u32, i: u32) -> Share {
    return Share(index / DEPTHS + i * LINES, index % DEPTHS * 4u);
}

/// Side by side across lines, each with half of a line's depths.
fn share_beside(index: u32, i: u32) -> Share {
    return Share(index % TILE, (index / TILE * 4u + i) * 4u);
}

/// Side by side across lines, four at a time.
fn share_across(index: u32, i: u32) -> Share {
    return Share(index % LINES * 4u, index / LINES + i * 8u);
}

fn left_share(index: u32, i: u32) -> Share {
#if LEFT_across
    return share_across(index, i);
#else
#if LEFT_depth
    return share_along(index, i);
#else
    if is_left_along() {
        return share_along(index, i);
    }
    return share_beside(index, i);
#endif
#endif
}

fn right_share(index: u32, i: u32) -> Share {
#if RIGHT_across
    return share_across(index, i);
#else
#if RIGHT_depth
    return share_along(index, i);
#else
#if RIGHT_places
    return share_beside(index, i);
#else
    if is_right_along() {
        return share_along(index, i);
    }
    return share_beside(index, i);
#endif
#endif
#endif
}

/// Where four elements are staged, and how much further their second halves.
fn staged_line(share: Share) -> u32 {
    return share.line * LINE_PITCH + share.depth / 4u;
}

fn staged_depth(share: Share) -> u32 {
    return share.depth * DEPTH_PITCH + share.line / 4u;
}

fn largest_of(quad: vec4<f32>) -> f32 {
    let sizes = abs(quad);
    return max(max(sizes.x, sizes.y), max(sizes.z, sizes.w));
}

fn note_size(line: u32, size: f32) {
    atomicMax(&sh_largest[line], bitcast<u32>(size));
}

fn stage_left(at: u32, quad: vec4<f32>) {
#if HALVES_2
    let high = half_part(quad);
    sh_left[at] = vec4<f16>(high);
#if LEFT_across
    sh_left[at + LINES] = vec4<f16>(quad - high);
#else
    sh_left[at + DEPTHS] = vec4<f16>(quad - high);
#endif
#else
    sh_left[at] = vec4<f16>(quad);
#endif
}

fn stage_right(at: u32, quad: vec4<f32>) {
#if HALVES_2
    let high = half_part(quad);
    sh_right[at] = vec4<f16>(high);
#if RIGHT_across
    sh_right[at + LINES] = vec4<f16>(quad - high);
#else
    sh_right[at + DEPTHS] = vec4<f16>(quad - high);
#endif
#else
    sh_right[at] = vec4<f16>(quad);
#endif
}

#if UNITS_emulated
/// Adds the products of a tile of 16×16 by another to those of its sums that a lane has.
fn add_products(left: u32, right: u32, lane: u32, sums: ptr<function, array<f32, 8>>) {
    let column = lane % 16u;
    for (var i = 0u; i < 8u; i++) {
        let row = i * 2u + lane / 16u;
        for (var k = 0u; k < 16u; k++) {
#if LEFT_across
            let x = sh_left[left + k * DEPTH_PITCH + row / 4u][row % 4u];
#else
            let x = sh_left[left + row * LINE_PITCH + k / 4u][k % 4u];
#endif
#if RIGHT_across
            let y = sh_right[right + k * DEPTH_PITCH + column / 4u][column % 4u];
#else
            let y = sh_right[right + column * LINE_PITCH + k / 4u][k % 4u];
#endif
            (*sums)[i] += f32(x) * f32(y);
        }
    }
}

fn put_sums(first: u32, lane: u32, sums: array<f32, 8>) {
    for (var i = 0u; i < 8u; i++) {
        sh_sums[(first + i * 32u + lane) / 4u][lane % 4u] = sums[i];
    }
}

fn get_sums(first: u32, lane: u32) -> array<f32, 8> {
    var sums: array<f32, 8>;
    for (var i = 0u; i < 8u; i++) {
        sums[i] = sh_sums[(first + i * 32u + lane) / 4u][lane % 4u];
    }
    return sums;
}
#endif

/// Where a tile of 16 lines and as many depths begins.
fn left_tile(line: u32, depth: u32) -> u32 {
#if LEFT_across
    return depth * DEPTH_PITCH + line / 4u;
#else
    return line * LINE_PITCH + depth / 4u;
#endif
}

fn right_tile(line: u32, depth: u32) -> u32 {
#if RIGHT_across
    return depth * DEPTH_PITCH + line / 4u;
#else
    return line * LINE_PITCH + depth / 4u;
#endif
}

#if LEFT_across
const LEFT_REST = LINES;
#else
const LEFT_REST = DEPTHS;
#endif
#if RIGHT_across
const RIGHT_REST = LINES;
#else
const RIGHT_REST = DEPTHS;
#endif

/// The sum of a row and a column in plain arithmetic: halves of infinite elements make no sense.
fn plain_sum(work: Work, row: u32, column: u32) -> f32 {
    var sum = 0.0;
    for (var depth = work.start; depth < work.end; depth += 4u) {
#if LEFT_across
        var x = vec4<f32>();
#for k in 4
        if depth + $ku < work.end {
            x[$k] = load_left(work.slice, row - row % 4u, depth + $ku, work.end)[row % 4u];
        }
#end
#else
        let x = load_left(work.slice, row, depth, work.end);
#endif
#if RIGHT_across
        var y = vec4<f32>();
#for k in 4
        if depth + $ku < work.end {
            y[$k] = load_right(work.slice, column - column % 4u, depth + $ku, work.end)[column % 4u];
        }
#end
#else
        let y = load_right(work.slice, column, depth, work.end);
#endif
#for k in 4
        if depth + $ku < work.end {
            sum += x[$k] * y[$k];
        }
#end
    }
    return sum;
}

fn sum_tile(work: Work, index: u32, subgroup: u32, lane: u32) {
    let tile_row = subgroup / HIGH * (HIGH * 16u);
    let tile_column = subgroup % HIGH * 32u;
    let own = subgroup * 256u;
    sh_powers[index] = 1.0;
    atomicStore(&sh_largest[index], 0u);
    if index == 0u {
        atomicStore(&sh_grew, 0u);
    }
    workgroupBarrier();

#for i in 4
    let left_share_$i = left_share(index, $iu);
    let right_share_$i = right_share(index, $iu);
#if LEFT_across
    let left_at_$i = staged_depth(left_share_$i);
#else
    let left_at_$i = staged_line(left_share_$i);
    var left_power_$i = 1.0;
#endif
#if RIGHT_across
    let right_at_$i = staged_depth(right_share_$i);
#else
    let right_at_$i = staged_line(right_share_$i);
    var right_power_$i = 1.0;
#endif
    var left_$i = vec4<f32>();
    var right_$i = vec4<f32>();
#end
    // Four lines are the same at all depths.
    var left_powers = vec4(1.0);
    var right_powers = vec4(1.0);
#for i in HIGH
#for j in 2
#if UNITS_on
    var sums_$i_$j = coop_mat16x16<f32, C>();
#else
    var sums_$i_$j = array<f32, 8>();
#endif
#end
#end
    // Before the first slab there is nothing to multiply.
    for (var slab = work.start; ; slab += SLAB) {
        if slab < work.end {
#for i in 4
            left_$i = load_left(work.slice, work.first_row + left_share_$i.line, slab + left_share_$i.depth, work.end);
            right_$i = load_right(work.slice, work.first_column + right_share_$i.line, slab + right_share_$i.depth, work.end);
#end
        }
        loop {
            if slab == work.start {
                break;
            }
#for k in 2
            {
#for j in 2
                let right_from_$j = right_tile(tile_column + $ju * 16u, $ku * 16u);
#if UNITS_on
#if RIGHT_across
                let columns_$j = coopLoadT<coop_mat16x16<f16, B>>(&sh_right[right_from_$j], DEPTH_PITCH);
#else
                let columns_$j = coopLoad<coop_mat16x16<f16, B>>(&sh_right[right_from_$j], LINE_PITCH);
#endif
#if HALVES_2
#if RIGHT_across
                let column_rests_$j = coopLoadT<coop_mat16x16<f16, B>>(&sh_right[right_from_$j + RIGHT_REST], DEPTH_PITCH);
#else
                let column_rests_$j = coopLoad<coop_mat16x16<f16, B>>(&sh_right[right_from_$j + RIGHT_REST], LINE_PITCH);
#endif
#endif
#endif
#end
#for i in HIGH
                let left_from_$i = left_tile(tile_row + $iu * 16u, $ku * 16u);
#if UNITS_on
#if LEFT_across
                let rows_$i = coopLoad<coop_mat16x16<f16, A>>(&sh_left[left_from_$i], DEPTH_PITCH);
#else
                let rows_$i = coopLoadT<coop_mat16x16<f16, A>>(&sh_left[left_from_$i], LINE_PITCH);
#endif
#for j in 2
                sums_$i_$j = coopMultiplyAdd(rows_$i, columns_$j, sums_$i_$j);
#end
#if HALVES_2
#for j in 2
                sums_$i_$j = coopMultiplyAdd(rows_$i, column_rests_$j, sums_$i_$j);
#end
#if LEFT_across
                let row_rests_$i = coopLoad<coop_mat16x16<f16, A>>(&sh_left[left_from_$i + LEFT_REST], DEPTH_PITCH);
#else
                let row_rests_$i = coopLoadT<coop_mat16x16<f16, A>>(&sh_left[left_from_$i + LEFT_REST], LINE_PITCH);
#endif
#for j in 2
                sums_$i_$j = coopMultiplyAdd(row_rests_$i, columns_$j, sums_$i_$j);
#end
#endif
#else
#for j in 2
                add_products(left_from_$i, right_from_$j, lane, &sums_$i_$j);
#if HALVES_2
                add_products(left_from_$i, right_from_$j + RIGHT_REST, lane, &sums_$i_$j);
                add_products(left_from_$i + LEFT_REST, right_from_$j, lane, &sums_$i_$j);
#endif
#end
#endif
#end
            }
#end
            break;
        }
        if slab >= work.end {
            break;
        }
        var most = 0.0;
#for i in 4
#if LEFT_across
        left_$i *= left_powers;
#else
        left_$i *= left_power_$i;
#endif
#if RIGHT_across
        right_$i *= right_powers;
#else
        right_$i *= right_power_$i;
#endif
        most = max(most, max(largest_of(left_$i), largest_of(right_$i)));
#end
        // The first slab tells the powers, and later ones what is too large for them.
        if slab == work.start || most > MOST {
#for i in 4
#if LEFT_across
#for c in 4
            note_size(left_share_$i.line + $cu, abs(left_$i[$c]) / left_powers[$c]);
#end
#else
            note_size(left_share_$i.line, largest_of(left_$i) / left_power_$i);
#endif
#if RIGHT_across
#for c in 4
            note_size(TILE + right_share_$i.line + $cu, abs(right_$i[$c]) / right_powers[$c]);
#end
#else
            note_size(TILE + right_share_$i.line, largest_of(right_$i) / right_power_$i);
#endif
#end
            atomicStore(&sh_grew, 1u);
        }
        workgroupBarrier();
        // The same for the whole workgroup, which naga cannot know of an `if`, and a driver not without `subgroupAny`.
#if UNITS_on
        let grew = subgroupAny(atomicLoad(&sh_grew) != 0u);
#else
        let grew = atomicLoad(&sh_grew) != 0u;
#endif
        loop {
            if !grew {
                break;
            }
            let power = min(power_towards(EXPONENT, bitcast<f32>(atomicLoad(&sh_largest[index]))), MOST_POWER);
            sh_changes[index] = power / sh_powers[index];
            sh_powers[index] = power;
            workgroupBarrier();
            if index == 0u {
                atomicStore(&sh_grew, 0u);
            }
#for i in 4
#if LEFT_across
#for c in 4
            left_powers[$c] = sh_powers[left_share_$i.line + $cu];
            left_$i[$c] *= sh_changes[left_share_$i.line + $cu];
#end
#else
            left_power_$i = sh_powers[left_share_$i.line];
            left_$i *= sh_changes[left_share_$i.line];
#endif
#if RIGHT_across
#for c in 4
            right_powers[$c] = sh_powers[TILE + right_share_$i.line + $cu];
            right_$i[$c] *= sh_changes[TILE + right_share_$i.line + $cu];
#end
#else
            right_power_$i = sh_powers[TILE + right_share_$i.line];
            right_$i *= sh_changes[TILE + right_share_$i.line];
#endif
#end
            if slab == work.start {
                break;
            }
            let column = tile_column + lane % 16u;
            let row = tile_row + lane / 16u;
#for i in HIGH
#for j in 2
#if UNITS_on
            subgroupBarrier();
            coopStoreT(sums_$i_$j, &sh_sums[own / 4u], 4u);
            subgroupBarrier();
#else
            put_sums(own, lane, sums_$i_$j);
#endif
            for (var e = 0u; e < 8u; e++) {
                let change = sh_changes[row + $iu * 16u + e * 2u] * sh_changes[TILE + column + $ju * 16u];
                sh_sums[(own + e * 32u + lane) / 4u][lane % 4u] *= change;
            }
#if UNITS_on
            subgroupBarrier();
            sums_$i_$j = coopLoadT<coop_mat16x16<f32, C>>(&sh_sums[own / 4u], 4u);
#else
            sums_$i_$j = get_sums(own, lane);
#endif
#end
#end
            break;
        }
#for i in 4
        stage_left(left_at_$i, left_$i);
        stage_right(right_at_$i, right_$i);
#end
        workgroupBarrier();
    }
    let is_finite = atomicLoad(&sh_largest[index]) < 0x7f800000u;
    sh_changes[index] = select(0.0, 1.0 / sh_powers[index], is_finite);
    workgroupBarrier();
    for (var tile = 0u; tile < HIGH * 2u; tile++) {
#if UNITS_on
        subgroupBarrier();
#endif
#for i in HIGH
#for j in 2
        loop {
            if tile != $iu * 2u + $ju {
                break;
            }
#if UNITS_on
            coopStoreT(sums_$i_$j, &sh_sums[own / 4u], 4u);
#else
            put_sums(own, lane, sums_$i_$j);
#endif
            break;
        }
#end
#end
#if UNITS_on
        subgroupBarrier();
#endif
        let column = tile_column + tile % 2u * 16u + lane % 16u;
        let undo_column = sh_changes[TILE + column];
        for (var e = 0u; e < 8u; e++) {
            let row = tile_row + tile / 2u * 16u + e * 2u + lane / 16u;
            let undo_row = sh_changes[row];
            let at = own + e * 32u + lane;
            // The smaller first, so that nothing leaves the range of floats on the way.
            var sum = sh_sums[at / 4u][at % 4u] * min(undo_row, undo_column) * max(undo_row, undo_column);
            if undo_row == 0.0 || undo_column == 0.0 {
                sum = plain_sum(work, work.first_row + row, work.first_column + column);
            }
            write_sum(work, work.first_row + row, work.first_column + column, sum);
        }
    }
}
