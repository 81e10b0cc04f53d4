//! Elements that do not lie one after the other.

/// Whether elements lie row by row without gaps. Strides are in bytes.
pub(crate) fn is_contiguous(dims: &[usize], strides: &[isize], size: usize) -> bool {
    if dims.contains(&0) {
        return true;
    }
    let mut expected = size;
    for (&dim, &stride) in dims.iter().zip(strides).rev() {
        if dim != 1 && usize::try_from(stride) != Ok(expected) {
            return false;
        }
        expected = expected.saturating_mul(dim);
    }
    true
}

/// Copies elements row by row.
///
/// # Safety
/// Every element that sizes and strides (in bytes) reach from `start` can be read.
pub(crate) unsafe fn gather(start: *const u8, dims: &[usize], strides: &[isize], size: usize) -> Vec<u8> {
    let count: usize = dims.iter().product();
    let mut bytes = Vec::with_capacity(count.saturating_mul(size));
    let (Some((&row, outer)), Some((&step, outer_strides))) = (dims.split_last(), strides.split_last()) else {
        // SAFETY: the caller's promise, for the only element.
        bytes.extend_from_slice(unsafe { std::slice::from_raw_parts(start, size) });
        return bytes;
    };
    let mut at = vec![0usize; outer.len()];
    for _ in 0..count.checked_div(row).unwrap_or(0) {
        let offset: isize = at.iter().zip(outer_strides).map(|(&index, &stride)| index.cast_signed() * stride).sum();
        // SAFETY: the caller's promise, for the first element of this row.
        let first = unsafe { start.offset(offset) };
        if usize::try_from(step) == Ok(size) {
            // SAFETY: the caller's promise, for the elements of this row, which lie one after the other.
            bytes.extend_from_slice(unsafe { std::slice::from_raw_parts(first, row * size) });
        } else {
            for index in 0..row {
                // SAFETY: the caller's promise, for this element.
                let element = unsafe { std::slice::from_raw_parts(first.offset(index.cast_signed() * step), size) };
                bytes.extend_from_slice(element);
            }
        }
        for (index, &dim) in at.iter_mut().zip(outer).rev() {
            *index += 1;
            if *index < dim {
                break;
            }
            *index = 0;
        }
    }
    bytes
}
