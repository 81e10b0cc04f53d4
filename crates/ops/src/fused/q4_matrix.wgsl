//! output[m, n] = Σ_k x[m, k] · (nibble(weight, n, k) − 8) · scales[k / group, n] on matrix units, for many rows, where
//! x is given as factors and halves: see `halves`.
//! EPILOGUE add adds a matrix; swiglu makes output[m, n] from the products g of weight row n and u of weight row
//! n + columns as g · sigmoid(g) · u. Columns go to up to three outputs in turn. Tensors are of type T, and products that
//! are not finished of type P.
//!
//! Workgroups may share a tile and divide its depth; each then leaves products for `linear_finish` to add up, one matrix
//! after the other.
//!
//! A workgroup owns BM×BN products and walks the depth in slabs of 32; each of its 2×ACROSS subgroups owns SM×SN tiles of
//! 16×16. The next slab is on its way in registers while matrix units work on the one in workgroup memory.
//!
//! Matrix units multiply 16-bit floats and add in 32 bits. With EXACT an input is the sum of two halves, and a scale the
//! sum of one of eight bits, whose products with a code are exact, and a rest: three products instead of one keep the
//! error near that of 32-bit arithmetic; where one half holds an input, two do, with scales alone in two. Without, inputs and
//! scaled weights are rounded once. The scales of a weight's row are multiplied by a power of two, so that no product is too
//! large or too small for 16 bits.
//!
//! variants: T = f32 | f16
//! variants: P = f32 | f16
//! variants: EXACT = on | scales | off
//! variants: EPILOGUE = plain | add | swiglu
//! variants: SN = 2 | 4
//! except: SN = 4, EXACT = on
//! except: SN = 4, EXACT = scales
//! except: T = f32, P = f16
//! except: T = f16, P = f32, EPILOGUE = add
//! except: T = f16, P = f32, EPILOGUE = swiglu
//! requires: f16, subgroups, matrix
//! trusted: rows and columns past the last are clamped to it when read and never written, depth is whole slabs

#import q4_pairs
#import power_of_two

struct Params {
    rows: u32,
    /// Columns of the outputs together.
    columns: u32,
    /// Rows of the weight.
    weight_rows: u32,
    scale_stride: u32,
    /// First columns of the second and third output.
    second: u32,
    third: u32,
}

override DEPTH: u32 = 2048u;
override GROUP_SIZE: u32 = 32u;
/// The depth that a workgroup walks: all of it, or an equal part.
override PART: u32 = 2048u;
/// As many as THREADS.
override WG_SIZE: u32 = 256u;

const SLAB = 32u;
/// Subgroups side by side: larger tiles need fewer.
#if SN_4
const ACROSS = 2u;
#else
const ACROSS = 4u;
#endif
const THREADS = ACROSS * 64u;
/// Tiles of a subgroup, one below the other.
const SM = 4u;
const BM = SM * 32u;
const BN = SN * ACROSS * 16u;
/// Vectors of a staged row, padded so that rows begin in different banks.
const ROW = SLAB / 4u + 2u;
/// Halves of an input, and of a weight.
#if EXACT_on
const HALVES = 2u;
#else
const HALVES = 1u;
#endif
#if EXACT_off
const WEIGHT_HALVES = 1u;
#else
const WEIGHT_HALVES = 2u;
#endif
/// Vectors of a slab.
const INPUTS = BM * ROW;
const WEIGHTS = BN * ROW;

@group(0) @binding(0) var<storage, read> halves: array<vec4<f16>>;
@group(0) @binding(1) var<storage, read> factors: array<f32>;
@group(0) @binding(2) var<storage, read> weight: array<u32>;
@group(0) @binding(3) var<storage, read> scales: array<T>;
@group(0) @binding(4) var<storage, read> addend: array<vec4<T>>;
@group(0) @binding(5) var<storage, read_write> output: array<vec4<P>>;
@group(0) @binding(6) var<storage, read_write> output1: array<vec4<T>>;
@group(0) @binding(7) var<storage, read_write> output2: array<vec4<T>>;
@group(0) @binding(8) var<uniform> params: Params;

var<workgroup> sh_input: array<vec4<f16>, INPUTS * HALVES>;
var<workgroup> sh_weight: array<vec4<f16>, WEIGHTS * WEIGHT_HALVES>;
/// A tile for each subgroup.
var<workgroup> sh_tiles: array<vec4<f32>, THREADS * 2u>;

/// The weight row of a column of this workgroup. With swiglu a subgroup has gates first, then as many factors.
fn weight_row(group: u32, column: u32) -> u32 {
#if EPILOGUE_swiglu
    let half = SN * 8u;
    let place = column % (half * 2u);
    let gate = group * (BN / 2u) + column / (half * 2u) * half + place % half;
    return min(gate + select(0u, params.columns, place >= half), params.weight_rows - 1u);
#else
    return min(group * BN + column, params.weight_rows - 1u);
#endif
}

/// What undoes the powers of four columns of this workgroup, of which `sh_weight` has the exponents in the end.
fn undo_powers(column: u32) -> vec4<f32> {
    let exponents =
        vec4(sh_weight[column].x, sh_weight[column + 1u].x, sh_weight[column + 2u].x, sh_weight[column + 3u].x);
    return bitcast<vec4<f32>>((vec4<u32>(vec4<i32>(exponents) + 127)) << vec4(23u));
}

/// Brings eight codes to workgroup memory, in the order that inputs have too.
fn stage(at: u32, word: u32, scale: f32) {
    let codes = q4_first_pairs(word);
    let more = q4_second_pairs(word);
#if !EXACT_off
    let coarse = bitcast<f32>((bitcast<u32>(scale) + 0x8000u) & 0xffff0000u);
    let rest = f16(scale - coarse);
    sh_weight[at + WEIGHTS] = codes * rest;
    sh_weight[at + WEIGHTS + 4u] = more * rest;
#else
    let coarse = scale;
#endif
    sh_weight[at] = codes * f16(coarse);
    sh_weight[at + 4u] = more * f16(coarse);
}

fn store(part: u32, row: u32, column: u32, sums: vec4<f32>) {
    if row >= params.rows || column >= params.columns {
        return;
    }
    var value = sums;
#if EPILOGUE_add
    value += vec4<f32>(addend[(row * params.columns + column) / 4u]);
#endif
    if column < params.second {
        output[((part * params.rows + row) * params.second + column) / 4u] = vec4<P>(value);
    } else if column < params.third {
        output1[(row * (params.third - params.second) + column - params.second) / 4u] = vec4<T>(value);
    } else {
        output2[(row * (params.columns - params.third) + column - params.third) / 4u] = vec4<T>(value);
    }
}

@compute @workgroup_size(WG_SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) index: u32,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(subgroup_invocation_id) lane: u32,
) {
    let first_row = group.y * BM;
    let first_slab = group.z * PART;
    let tile_row = subgroup / ACROSS * (SM * 16u);
    let tile_column = subgroup % ACROSS * (SN * 16u);
    // Eight vectors of a staged row are by as many lanes, or by half of them.
    let quad = index % (ACROSS * 2u);
    let word = index % 4u;
    // Half a subgroup brings words of rows that are two apart, and so in different banks.
    let spread_row = index / 32u * 8u + index / 4u % 4u * 2u + index / 16u % 2u;
#if SN_4
    let staged_row = spread_row;
#else
    let staged_row = index / 8u;
#endif
#for i in 4
    let input_at_$i = min(first_row + staged_row + $iu * 32u, params.rows - 1u) * (DEPTH / 4u) + first_slab / 4u + quad;
    var next_input_$i = halves[input_at_$i];
#if EXACT_on
    var next_small_$i = halves[input_at_$i + params.rows * (DEPTH / 4u)];
#endif
#if SN_4
    var next_other_$i = halves[input_at_$i + 4u];
#endif
#end
#for j in SN
    let weight_row_$j = weight_row(group.x, spread_row + $ju * (THREADS / 4u));
    let weight_at_$j = weight_row_$j * (DEPTH / 8u) + first_slab / 8u + word;
    var next_codes_$j = weight[weight_at_$j];
    var largest_$j = 0.0;
    for (var i = first_slab / GROUP_SIZE + word; i * GROUP_SIZE < first_slab + PART; i += 4u) {
        largest_$j = max(largest_$j, abs(f32(scales[i * params.scale_stride + weight_row_$j])));
    }
    largest_$j = max(largest_$j, subgroupShuffleXor(largest_$j, 1u));
    largest_$j = max(largest_$j, subgroupShuffleXor(largest_$j, 2u));
    let power_$j = power_towards(11u, largest_$j);
    var next_scale_$j = f32(scales[first_slab / GROUP_SIZE * params.scale_stride + weight_row_$j]) * power_$j;
#end
#for i in 4
#for j in SN
    var sums_$i_$j = coop_mat16x16<f32, C>();
#end
#end
    for (var slab = 0u; slab < PART; slab += SLAB) {
#for i in 4
        {
            let at = (staged_row + $iu * 32u) * ROW + quad;
            sh_input[at] = next_input_$i;
#if EXACT_on
            sh_input[at + INPUTS] = next_small_$i;
#endif
#if SN_4
            sh_input[at + 4u] = next_other_$i;
#endif
        }
#end
#for j in SN
        stage(
            (spread_row + $ju * (THREADS / 4u)) * ROW + word,
            next_codes_$j,
            next_scale_$j,
        );
#end
        workgroupBarrier();
        let next = slab + SLAB;
        if next < PART {
#for i in 4
            next_input_$i = halves[input_at_$i + next / 4u];
#if EXACT_on
            next_small_$i = halves[input_at_$i + next / 4u + params.rows * (DEPTH / 4u)];
#endif
#if SN_4
            next_other_$i = halves[input_at_$i + next / 4u + 4u];
#endif
#end
#for j in SN
            next_codes_$j = weight[weight_at_$j + next / 8u];
            next_scale_$j = f32(scales[(first_slab + next) / GROUP_SIZE * params.scale_stride + weight_row_$j]) * power_$j;
#end
        }
#for k in 2
        {
#for j in SN
            let weight_from_$j = (tile_column + $ju * 16u) * ROW + $ku * 4u;
            let weight_$j = coopLoad<coop_mat16x16<f16, B>>(&sh_weight[weight_from_$j], ROW);
#if !EXACT_off
            let rest_$j = coopLoad<coop_mat16x16<f16, B>>(&sh_weight[weight_from_$j + WEIGHTS], ROW);
#endif
#end
#for i in 4
            let input_from_$i = (tile_row + $iu * 16u) * ROW + $ku * 4u;
            let input_$i = coopLoadT<coop_mat16x16<f16, A>>(&sh_input[input_from_$i], ROW);
#for j in SN
            sums_$i_$j = coopMultiplyAdd(input_$i, weight_$j, sums_$i_$j);
#end
#if !EXACT_off
#for j in SN
            sums_$i_$j = coopMultiplyAdd(input_$i, rest_$j, sums_$i_$j);
#end
#endif
#if EXACT_on
            let small_$i = coopLoadT<coop_mat16x16<f16, A>>(&sh_input[input_from_$i + INPUTS], ROW);
#for j in SN
            sums_$i_$j = coopMultiplyAdd(small_$i, weight_$j, sums_$i_$j);
#end
#endif
#end
        }
#end
        workgroupBarrier();
    }
    // The exponents come where weights were.
#for j in SN
    if word == 0u {
        let exponent = 127 - i32(bitcast<u32>(power_$j) >> 23u);
        sh_weight[spread_row + $ju * (THREADS / 4u)] = vec4<f16>(f16(exponent));
    }
#end
    workgroupBarrier();
    // Each lane takes eight columns of a row from every tile of its subgroup.
    let tile = subgroup * 64u;
    let place = tile + lane * 2u;
#for i in 4
    {
        let row = first_row + tile_row + $iu * 16u + lane / 2u;
        let factor = factors[min(row, params.rows - 1u)];
        var parts: array<vec4<f32>, SN * 2u>;
#for j in SN
        coopStoreT(sums_$i_$j, &sh_tiles[tile], 4u);
        subgroupBarrier();
        parts[$ju * 2u] = sh_tiles[place] * undo_powers(tile_column + $ju * 16u + lane % 2u * 8u) * factor;
        parts[$ju * 2u + 1u] = sh_tiles[place + 1u] * undo_powers(tile_column + $ju * 16u + lane % 2u * 8u + 4u) * factor;
        subgroupBarrier();
#end
#if EPILOGUE_swiglu
        let column = group.x * (BN / 2u) + subgroup % ACROSS * (SN * 8u) + lane % 2u * 8u;
        for (var part = 0u; part < SN; part++) {
            let gate = parts[part];
            store(group.z, row, column + part / 2u * 16u + part % 2u * 4u, gate / (1.0 + exp(-gate)) * parts[SN + part]);
        }
#else
        let column = group.x * BN + tile_column + lane % 2u * 8u;
        for (var part = 0u; part < SN * 2u; part++) {
            store(group.z, row, column + part / 2u * 16u + part % 2u * 4u, parts[part]);
        }
#endif
    }
#end
}
