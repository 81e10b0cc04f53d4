//! Reports what only the GPU can know: the first node that met a bad index, and the index.

fn report_index(node: u32, index: i32) {
    loop {
        let seen = atomicCompareExchangeWeak(&status[0], 0u, node + 1u);
        if seen.exchanged {
            atomicStore(&status[1], bitcast<u32>(index));
            break;
        }
        if seen.old_value != 0u {
            break;
        }
    }
}
