//! What `q4_matrix` computes, for few rows: output[m, n] = Σ_k x[m, k] · (nibble(weight, n, k) − 8) · scales[k / group, n],
//! where x is given as factors and tiles of halves: see `halves`.
//! EPILOGUE add adds a matrix; swiglu makes output[m, n] from the products g of weight row n and u of weight row
//! n + columns as g · sigmoid(g) · u. Columns go to up to three outputs in turn. Tensors are of type T, and products that
//! are not finished of type P.
//!
//! Time goes into reading the weight, so each of its rows is read once, and by as many subgroups as possible. A workgroup
//! owns RM×CN tiles of 16×16 products; its subgroups divide the depth, and walk their parts chunk by chunk. Each brings the
//! codes of a chunk to workgroup memory as 16-bit floats, while those of the next two are on their way; inputs come
//! straight from their tiles. In the end the subgroups' products are added up in order. Workgroups may divide the depth
//! too; each then leaves products for `linear_finish` to add up, one matrix after the other.
//!
//! With EXACT an input may be the sum of two halves, and a scale the sum of one of eight bits and a rest, as in `q4_matrix`. The
//! scales of a weight's row are multiplied by a power of two, by each subgroup for its own part.
//!
//! variants: T = f32 | f16
//! variants: P = f32 | f16
//! variants: EXACT = on | scales | off
//! variants: EPILOGUE = plain | add | swiglu
//! variants: RM = 1 | 2 | 4
//! variants: CN = 1 | 2
//! variants: SUBGROUPS = 4 | 8
//! except: EPILOGUE = swiglu, CN = 1
//! except: CN = 2, SUBGROUPS = 8
//! except: RM = 4, CN = 1
//! except: T = f32, P = f16
//! except: T = f16, P = f32, EPILOGUE = add
//! except: T = f16, P = f32, EPILOGUE = swiglu
//! requires: f16, subgroups, matrix
//! trusted: weight rows past the last are clamped to it and never written, tiles of inputs are whole, chunks past the last
//! weigh nothing

#import power_of_two
#import q4_pairs

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

const THREADS = SUBGROUPS * 32u;
const COLUMNS = CN * 16u;
/// Codes of a weight's row in a chunk: 16 bytes for each lane.
const CHUNK = 64u / CN;
/// Vectors of a staged row, padded so that rows begin in different banks.
const PITCH = CHUNK / 4u + 2u;
/// Vectors of a chunk.
const STAGED = COLUMNS * PITCH;
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
/// Vectors of a tile of inputs.
const TILE = 64u;
/// Products of a tile that an invocation adds up.
const OWN = 256u / THREADS;

@group(0) @binding(0) var<storage, read> halves: array<vec4<f16>>;
@group(0) @binding(1) var<storage, read> factors: array<f32>;
@group(0) @binding(2) var<storage, read> weight: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> scales: array<T>;
@group(0) @binding(4) var<storage, read> addend: array<T>;
@group(0) @binding(5) var<storage, read_write> output: array<P>;
@group(0) @binding(6) var<storage, read_write> output1: array<T>;
@group(0) @binding(7) var<storage, read_write> output2: array<T>;
@group(0) @binding(8) var<uniform> params: Params;

/// A chunk for each subgroup.
var<workgroup> sh_weight: array<vec4<f16>, SUBGROUPS * STAGED * WEIGHT_HALVES>;
/// A tile of products for each subgroup.
var<workgroup> sh_tiles: array<f32, SUBGROUPS * 256u>;

/// The weight row of a column of this workgroup. With swiglu it has gates first, then as many factors.
fn weight_row(group: u32, column: u32) -> u32 {
#if EPILOGUE_swiglu
    let gate = group * (COLUMNS / 2u) + column % (COLUMNS / 2u);
    return min(gate + select(0u, params.columns, column >= COLUMNS / 2u), params.weight_rows - 1u);
#else
    return min(group * COLUMNS + column, params.weight_rows - 1u);
#endif
}

/// Brings eight codes to workgroup memory, in the order that inputs have too.
fn stage(at: u32, word: u32, coarse: f16, rest: f16) {
    let codes = q4_first_pairs(word);
    let more = q4_second_pairs(word);
    sh_weight[at] = codes * coarse;
    sh_weight[at + 1u] = more * coarse;
#if !EXACT_off
    sh_weight[at + STAGED] = codes * rest;
    sh_weight[at + STAGED + 1u] = more * rest;
#endif
}

fn store(part: u32, row: u32, column: u32, sum: f32) {
    if row >= params.rows || column >= params.columns {
        return;
    }
    var value = sum;
#if EPILOGUE_add
    value += f32(addend[row * params.columns + column]);
#endif
    if column < params.second {
        output[(part * params.rows + row) * params.second + column] = P(value);
    } else if column < params.third {
        output1[row * (params.third - params.second) + column - params.second] = T(value);
    } else {
        output2[row * (params.columns - params.third) + column - params.third] = T(value);
    }
}

/// The sum of a product over the subgroups, whose powers are undone by exponents that `sh_weight` has in the end.
fn total(element: u32, column: u32) -> f32 {
    var sum = 0.0;
    for (var subgroup = 0u; subgroup < SUBGROUPS; subgroup++) {
        let exponent = i32(sh_weight[subgroup * COLUMNS + column].x);
        sum += sh_tiles[subgroup * 256u + element] * bitcast<f32>(u32(exponent + 127) << 23u);
    }
    return sum;
}

@compute @workgroup_size(WG_SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) index: u32,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(subgroup_invocation_id) lane: u32,
) {
    let first_tile = group.y * RM;
    let first_depth = group.z * PART;
    let chunks = PART / CHUNK;
    let share = (chunks + SUBGROUPS - 1u) / SUBGROUPS;
    let first = min(subgroup * share, chunks);
    let end = min(first + share, chunks);
    let region = subgroup * STAGED * WEIGHT_HALVES;
    // Where a chunk is longer than the codes of a lane, lanes share a column.
    let column = lane % COLUMNS;
    let word = lane / COLUMNS;
    let row = weight_row(group.x, column);
    let weight_at = row * (DEPTH / 32u) + first_depth / 32u + word;
    let staged_at = region + column * PITCH + word * 8u;
#for a in 2
    let chunk_$a = min(first + $au, chunks - 1u);
    var codes_$a = weight[weight_at + chunk_$a * (CHUNK / 32u)];
    var scale_$a = f32(scales[(first_depth + chunk_$a * CHUNK + word * 32u) / GROUP_SIZE * params.scale_stride + row]);
#end
    var largest = 0.0;
    for (var i = (first_depth + first * CHUNK) / GROUP_SIZE; i * GROUP_SIZE < first_depth + end * CHUNK; i++) {
        largest = max(largest, abs(f32(scales[i * params.scale_stride + row])));
    }
    let power = power_towards(11u, largest);
#for i in RM
#for j in CN
    var sums_$i_$j = coop_mat16x16<f32, C>();
#end
#end
    for (var step = 0u; step < share; step += 2u) {
#for a in 2
        {
            let chunk = first + step + $au;
            let scale = select(0.0, scale_$a * power, chunk < end);
#if !EXACT_off
            let coarse = bitcast<f32>((bitcast<u32>(scale) + 0x8000u) & 0xffff0000u);
            let rest = f16(scale - coarse);
#else
            let coarse = scale;
            let rest = 0.0h;
#endif
            stage(staged_at, codes_$a.x, f16(coarse), rest);
            stage(staged_at + 2u, codes_$a.y, f16(coarse), rest);
            stage(staged_at + 4u, codes_$a.z, f16(coarse), rest);
            stage(staged_at + 6u, codes_$a.w, f16(coarse), rest);
            workgroupBarrier();
            let next = chunk + 2u;
            if next < end {
                codes_$a = weight[weight_at + next * (CHUNK / 32u)];
                scale_$a = f32(scales[(first_depth + next * CHUNK + word * 32u) / GROUP_SIZE * params.scale_stride + row]);
            }
            let slice = (first_depth + min(chunk, chunks - 1u) * CHUNK) / 16u;
            for (var k = 0u; k < CHUNK / 16u; k++) {
#for j in CN
                let weight_at_$j = region + $ju * 16u * PITCH + k * 4u;
                let weight_$j = coopLoad<coop_mat16x16<f16, B>>(&sh_weight[weight_at_$j], PITCH);
#if !EXACT_off
                let rest_$j = coopLoad<coop_mat16x16<f16, B>>(&sh_weight[weight_at_$j + STAGED], PITCH);
#endif
#end
#for i in RM
                let input_at_$i = ((first_tile + $iu) * (DEPTH / 16u) + slice + k) * (TILE * HALVES);
                let input_$i = coopLoadT<coop_mat16x16<f16, A>>(&halves[input_at_$i], 4u);
#for j in CN
                sums_$i_$j = coopMultiplyAdd(input_$i, weight_$j, sums_$i_$j);
#end
#if !EXACT_off
#for j in CN
                sums_$i_$j = coopMultiplyAdd(input_$i, rest_$j, sums_$i_$j);
#end
#endif
#if EXACT_on
                let small_$i = coopLoadT<coop_mat16x16<f16, A>>(&halves[input_at_$i + TILE], 4u);
#for j in CN
                sums_$i_$j = coopMultiplyAdd(small_$i, weight_$j, sums_$i_$j);
#end
#endif
#end
            }
            workgroupBarrier();
        }
#end
    }
    if word == 0u {
        let exponent = 127 - i32(bitcast<u32>(power) >> 23u);
        sh_weight[subgroup * COLUMNS + column] = vec4<f16>(f16(exponent));
    }
#for i in RM
    {
        // Products of each tile that this invocation owns.
        var sums: array<f32, OWN * CN>;
#for j in CN
        coopStoreT(sums_$i_$j, &sh_tiles[subgroup * 256u], 16u);
        // Also for the exponents.
        workgroupBarrier();
        for (var own = 0u; own < OWN; own++) {
            let element = index + own * THREADS;
            sums[$ju * OWN + own] = total(element, $ju * 16u + element % 16u);
        }
        workgroupBarrier();
#end
        for (var own = 0u; own < OWN; own++) {
            let element = index + own * THREADS;
            let output_row = (first_tile + $iu) * 16u + element / 16u;
            let factor = factors[min(output_row, params.rows - 1u)];
#if EPILOGUE_swiglu
            let gate = sums[own] * factor;
            let gated = gate / (1.0 + exp(-gate)) * (sums[OWN + own] * factor);
            store(group.z, output_row, group.x * 16u + element % 16u, gated);
#else
            for (var j = 0u; j < CN; j++) {
                let output_column = group.x * COLUMNS + j * 16u + element % 16u;
                store(group.z, output_row, output_column, sums[j * OWN + own] * factor);
            }
#endif
        }
    }
#end
}
