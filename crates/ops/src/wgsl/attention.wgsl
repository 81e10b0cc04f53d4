//! The sizes of an attention, and where its tensors have what, in elements.

struct Attention {
    /// Strides of batch, head and row, and where the first vector begins.
    query: vec4<u32>,
    key: vec4<u32>,
    value: vec4<u32>,
    /// Strides of batch, head, row and column.
    mask: vec4<u32>,
    /// As those of queries.
    output: vec4<u32>,
    heads: u32,
    group: u32,
    rows: u32,
    keys: u32,
    depth: u32,
    width: u32,
    causal: u32,
    /// Whether a query whose keys are all hidden gives zeros.
    zeros: u32,
    scale: f32,
}

/// Less than any score that is not −∞, so that a query which has met no key yet needs no case of its own.
const LOWEST = -3.4028234e38;

/// The number of keys that a query sees.
fn seen_by(it: Attention, start: i32, row: u32) -> u32 {
    return u32(start) + select(it.keys, row + 1u, it.causal != 0u);
}

/// What the sums of weighted values are divided by, where the weights have these totals.
fn divisor_of(it: Attention, total: vec4<f32>) -> vec4<f32> {
    return select(total, vec4(1.0), vec4(it.zeros != 0u) & (total == vec4<f32>()));
}

/// Where a head of queries, keys, values or the output begins.
fn head_at(vectors: vec4<u32>, batch: u32, head: u32) -> u32 {
    return vectors.w + batch * vectors.x + head * vectors.y;
}

/// Where the mask of a head begins.
fn mask_of(strides: vec4<u32>, batch: u32, head: u32) -> u32 {
    return batch * strides.x + head * strides.y;
}

/// A head of keys and values, by its number over all batches.
struct SharedHead {
    batch: u32,
    head: u32,
}

fn shared_head(it: Attention, number: u32) -> SharedHead {
    let heads = it.heads / it.group;
    return SharedHead(number / heads, number % heads);
}

/// One of the queries that share a head of keys and values, numbered by row, and then by which of the heads that share it
/// they belong to.
struct Vector {
    head: u32,
    row: u32,
}

fn vector_of(it: Attention, shared_head: u32, number: u32) -> Vector {
    return Vector(shared_head * it.group + number % it.group, number / it.group);
}
