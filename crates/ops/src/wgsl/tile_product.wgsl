//! A tile of products of two matrices. The kernel gives the four lines of a block at four depths with
//! `load_block(block, slice, first_line, slab)`.

#import tile

/// The sums of an invocation's outputs.
fn tile_sums(slice: u32, first_row: u32, first_column: u32, depth: u32, lane: u32) -> mat4x4<f32> {
    let block = block_of(lane);
    let first_line = select(first_column, first_row, block.is_left);
    var sums = mat4x4<f32>();
    for (var slab = 0u; slab < depth; slab += SLAB) {
        store_block(block, load_block(block, slice, first_line, slab));
        workgroupBarrier();
        sums += slab_product(lane);
        workgroupBarrier();
    }
    return sums;
}
