//! What `q4_matrix` computes, for few rows: output[m, n] = Σ_k x[m, k] · (nibble(weight, n, k) − 8) · scales[k / group, n],
//! where x is given as factors and tiles of halves: see `halves`.
//! EPILOGUE add adds a matrix; swiglu makes output[m, n] from the products g of weight row n and u of weight row
//! n + columns as g · sigmoid(g) · u. Columns go to up to three outputs in turn. Tensors are of type T, and products that
//! are not finished of type P.
//!
//! Time goes into reading the weight, so each of its rows is read once, and by as many subgroups as possible. A subgroup
//! owns RM×CN tiles of 16×16 products and walks its part of the depth chunk by chunk: it brings the codes of a chunk to
//! workgroup memory as 16-bit floats, which hold them exactly, while those of the next two are on their way; inputs come
//! straight from their tiles, as soon as those before them are multiplied. Products of a code and an input's HALVES are
//! added up over what shares a scale, and then multiplied by it: so scales need no halves of their own. FINE is for scales
//! that 32 codes share, and not 64.
//!
//! A workgroup has STRIPS of columns beside each other, and LEVELS of subgroups that divide the depth of each; in the end
//! these are added up in order. Workgroups may divide the depth too; each then leaves products for `linear_finish` to add
//! up, one matrix after the other.
//!
//! variants: T = f32 | f16
//! variants: P = f32 | f16
//! variants: HALVES = 1 | 2
//! variants: EPILOGUE = plain | add | swiglu
//! variants: RM = 1 | 2 | 4
//! variants: CN = 1 | 2
//! except: EPILOGUE = swiglu, CN = 1
//! except: T = f32, P = f16
//! except: T = f16, P = f32, EPILOGUE = add
//! except: T = f16, P = f32, EPILOGUE = swiglu
//! requires: f16, subgroups, matrix
//! trusted: weight rows past the last are clamped to it and never written, tiles of inputs are whole, chunks past the last
//! weigh nothing

#import q4_pairs

struct Params {
    rows: u32,
}

/// Columns of the outputs together, and the first ones of the second and third output.
override COLUMNS: u32 = 1024u;
override SECOND: u32 = 1024u;
override THIRD: u32 = 1024u;
/// Rows of the weight.
override WEIGHT_ROWS: u32 = 1024u;
override SCALE_STRIDE: u32 = 1024u;
override DEPTH: u32 = 2048u;
override GROUP_SIZE: u32 = 32u;
/// The depth that a workgroup walks: all of it, or an equal part.
override PART: u32 = 2048u;
override STRIPS: u32 = 1u;
override LEVELS: u32 = 4u;
override FINE: bool = true;
/// STRIPS · LEVELS · 32.
override WG_SIZE: u32 = 128u;
/// Vectors of codes in workgroup memory, and of products.
override CODES: u32 = 1280u;
override PRODUCTS: u32 = 640u;

/// Columns of a strip.
const STRIP = CN * 16u;
/// Codes of a weight's row in a chunk: 16 bytes for each lane.
const CHUNK = 64u / CN;
/// Vectors of a staged row, padded so that rows begin in different banks.
const PITCH = CHUNK / 4u + 2u;
/// Vectors of a column of products, padded so that columns begin in different banks, and of a tile of them.
const COLUMN = 5u;
const PRODUCED = 16u * COLUMN;
/// Vectors of a chunk, and those of products of a subgroup that are brought together at a time.
const STAGED = STRIP * PITCH;
const FOLDED = CN * PRODUCED;
/// Vectors of a tile of inputs.
const TILE = 64u;

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
var<workgroup> sh_codes: array<vec4<f16>, CODES>;
/// CN tiles of products for each subgroup, column by column.
var<workgroup> sh_products: array<vec4<f32>, PRODUCTS>;

/// The weight row of a column of a strip. With swiglu it has gates first, then as many factors.
fn weight_row(strip: u32, column: u32) -> u32 {
#if EPILOGUE_swiglu
    let gate = strip * 16u + column % 16u;
    return min(gate + select(0u, COLUMNS, column >= 16u), WEIGHT_ROWS - 1u);
#else
    return min(strip * STRIP + column, WEIGHT_ROWS - 1u);
#endif
}

fn scale_at(depth: u32, row: u32) -> f32 {
    return f32(scales[depth / GROUP_SIZE * SCALE_STRIDE + row]);
}

/// Brings eight codes to workgroup memory, in the order that inputs have too.
fn stage(at: u32, word: u32) {
    sh_codes[at] = q4_first_pairs(word);
    sh_codes[at + 1u] = q4_second_pairs(word);
}

/// The first vector of a tile of inputs.
fn input_at(tile: u32, slice: u32, half: u32) -> u32 {
    return ((tile * (DEPTH / 16u) + slice) * HALVES + half) * TILE;
}

/// Where inputs for 32 codes begin: those of a chunk, or of chunks after it, and not past the last.
fn slice_of(first_depth: u32, chunk: u32, half: u32, chunks: u32) -> u32 {
    return first_depth / 16u + min(chunk * (CHUNK / 32u) + half, chunks * (CHUNK / 32u) - 1u) * 2u;
}

fn store(part: u32, row: u32, column: u32, sum: f32) {
    if row >= params.rows || column >= COLUMNS {
        return;
    }
    var value = sum;
#if EPILOGUE_add
    value += f32(addend[row * COLUMNS + column]);
#endif
    if column < SECOND {
        output[(part * params.rows + row) * SECOND + column] = P(value);
    } else if column < THIRD {
        output1[row * (THIRD - SECOND) + column - SECOND] = T(value);
    } else {
        output2[row * (COLUMNS - THIRD) + column - THIRD] = T(value);
    }
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
    let strip = group.x * STRIPS + subgroup % STRIPS;
    let chunks = PART / CHUNK;
    // Chunks come in pairs.
    let share = (chunks + 2u * LEVELS - 1u) / (2u * LEVELS) * 2u;
    let first = min(subgroup / STRIPS * share, chunks);
    let end = min(first + share, chunks);
    let codes_at = subgroup * STAGED;
    let products_at = subgroup * FOLDED;
    // A lane scales half a column of each tile.
    let scaled_at = products_at + lane % 16u * COLUMN + lane / 16u * 2u;
    // Where a chunk is longer than the codes of a lane, lanes share a column.
    let column = lane % STRIP;
    let word = lane / STRIP;
    let weight_at = weight_row(strip, column) * (DEPTH / 32u) + first_depth / 32u + word;
    let staged_at = codes_at + column * PITCH + word * 8u;
#for j in CN
    let scaled_row_$j = weight_row(strip, $ju * 16u + lane % 16u);
#end
#for a in 2
    let chunk_$a = min(first + $au, chunks - 1u);
    var codes_$a = weight[weight_at + chunk_$a * (CHUNK / 32u)];
#for j in CN
    var scale_$a_$j = scale_at(first_depth + chunk_$a * CHUNK, scaled_row_$j);
#if CN_1
    // Of the second half of a chunk.
    var late_$a_$j = scale_at(first_depth + chunk_$a * CHUNK + 32u, scaled_row_$j);
#endif
#end
#end
#for i in RM
#for j in CN
    var tile_$i_$j = coop_mat16x16<f32, C>();
#for q in 2
    var sum_$i_$j_$q = vec4<f32>();
#end
#end
#end
    let first_slice = slice_of(first_depth, first, 0u, chunks);
#for i in RM
#for k in 2
#for h in HALVES
    var input_$i_$k_$h = coopLoadT<coop_mat16x16<f16, A>>(&halves[input_at(first_tile + $iu, first_slice + $ku, $hu)], 4u);
#end
#end
#end
    for (var step = 0u; step < share; step += 2u) {
#for a in 2
        {
            let chunk = first + step + $au;
            stage(staged_at, codes_$a.x);
            stage(staged_at + 2u, codes_$a.y);
            stage(staged_at + 4u, codes_$a.z);
            stage(staged_at + 6u, codes_$a.w);
            subgroupBarrier();
            let next = chunk + 2u;
            if next < end {
                codes_$a = weight[weight_at + next * (CHUNK / 32u)];
            }
            for (var half = 0u; half < CHUNK / 32u; half++) {
                let slice = slice_of(first_depth, chunk, half + 1u, chunks);
#for k in 2
                {
#for j in CN
                    let codes_from_$j = codes_at + $ju * 16u * PITCH + half * 8u + $ku * 4u;
                    let weight_$j = coopLoad<coop_mat16x16<f16, B>>(&sh_codes[codes_from_$j], PITCH);
#end
#for i in RM
#for h in HALVES
#for j in CN
                    tile_$i_$j = coopMultiplyAdd(input_$i_$k_$h, weight_$j, tile_$i_$j);
#end
                    input_$i_$k_$h = coopLoadT<coop_mat16x16<f16, A>>(&halves[input_at(first_tile + $iu, slice + $ku, $hu)], 4u);
#end
#end
                }
#end
                // Products with one scale are complete after 32 codes, or after 64.
                if !FINE && (half + 1u < CHUNK / 32u || (CN == 2u && $au == 0u)) {
                    continue;
                }
#for j in CN
                var scale_$j = scale_$a_$j;
#if CN_1
                if FINE && half == 1u {
                    scale_$j = late_$a_$j;
                }
#endif
                scale_$j = select(0.0, scale_$j, chunk < end);
#end
#for i in RM
#for j in CN
                coopStore(tile_$i_$j, &sh_products[products_at + $ju * PRODUCED], COLUMN);
                tile_$i_$j = coop_mat16x16<f32, C>();
#end
                subgroupBarrier();
#for j in CN
#for q in 2
                sum_$i_$j_$q += scale_$j * sh_products[scaled_at + $ju * PRODUCED + $qu];
#end
#end
                subgroupBarrier();
#end
            }
            // The next codes come where these are.
            subgroupBarrier();
            if next < end {
#for j in CN
                scale_$a_$j = scale_at(first_depth + next * CHUNK, scaled_row_$j);
#if CN_1
                late_$a_$j = scale_at(first_depth + next * CHUNK + 32u, scaled_row_$j);
#endif
#end
            }
        }
#end
    }
#for i in RM
    {
#for j in CN
#for q in 2
        sh_products[scaled_at + $ju * PRODUCED + $qu] = sum_$i_$j_$q;
#end
#end
        workgroupBarrier();
        for (var at = index; at < STRIPS * 256u; at += WG_SIZE) {
            let own = at / 256u;
            let tile_row = at % 256u / 16u;
            let tile_column = at % 16u;
            let row = (first_tile + $iu) * 16u + tile_row;
            let place = tile_column * COLUMN + tile_row / 4u;
            let factor = factors[min(row, params.rows - 1u)];
#for j in CN
            var total_$j = 0.0;
            for (var level = 0u; level < LEVELS; level++) {
                total_$j += sh_products[(level * STRIPS + own) * FOLDED + $ju * PRODUCED + place][tile_row % 4u];
            }
            total_$j *= factor;
#end
#if EPILOGUE_swiglu
            let gated = total_0 / (1.0 + exp(-total_0)) * total_1;
            store(group.z, row, (group.x * STRIPS + own) * 16u + tile_column, gated);
#else
#for j in CN
            store(group.z, row, (group.x * STRIPS + own) * STRIP + $ju * 16u + tile_column, total_$j);
#end
#endif
        }
        workgroupBarrier();
    }
#end
}
