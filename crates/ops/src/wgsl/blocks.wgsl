//! Tensors cut into equal blocks. A kernel that imports this has `out`, `blocks` and `steps` in its `params`.

/// The number of the block that an element is in.
fn block_of(index: u32) -> u32 {
    var block = 0u;
    var rest = index;
    for (var i = params.out.rank; i > 0u; i--) {
        let dim = i - 1u;
        let size = params.out.sizes[dim / 4u][dim % 4u];
        block += rest % size / params.blocks[dim / 4u][dim % 4u] * params.steps[dim / 4u][dim % 4u];
        rest /= size;
    }
    return block;
}
