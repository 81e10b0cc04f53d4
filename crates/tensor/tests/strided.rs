//! Elements of Python's objects, gathered from where they lie.
//!
//! No test program can be made of the extension, so its module is part of this one. `cargo +nightly miri test -p pteron-tensor
//! --test strided` watches every read.

#[path = "../../python/src/strided.rs"]
mod strided;

/// Sizes, strides in elements, where the first element lies, and how many there are in all.
type Layout = (&'static [usize], &'static [isize], usize, usize);

const LAYOUTS: [Layout; 11] = [
    (&[], &[], 0, 1),
    (&[5], &[1], 0, 5),
    (&[5], &[-1], 4, 5),
    (&[3], &[2], 1, 6),
    (&[4], &[0], 0, 1),
    (&[2, 3], &[3, 1], 0, 6),
    (&[3, 2], &[1, 3], 0, 6),
    (&[2, 2], &[-3, -1], 4, 5),
    (&[2, 3, 2], &[6, -2, 1], 4, 12),
    (&[2, 0, 3], &[3, 3, 1], 0, 0),
    (&[3, 1, 2], &[0, 7, 1], 0, 2),
];

/// What is gathered, element by element and with every index checked.
fn expected(bytes: &[u8], (dims, strides, first, _): Layout, size: usize) -> Vec<u8> {
    let mut gathered = Vec::new();
    for number in 0..dims.iter().product() {
        let (mut rest, mut at) = (number, isize::try_from(first).expect("a small number"));
        for (&dim, &stride) in dims.iter().zip(strides).rev() {
            at += isize::try_from(rest % dim).expect("a small number") * stride;
            rest /= dim;
        }
        let at = usize::try_from(at).expect("it is within the bytes") * size;
        gathered.extend_from_slice(&bytes[at..at + size]);
    }
    gathered
}

#[test]
fn elements_are_gathered_from_where_they_lie() {
    for layout in LAYOUTS {
        for size in [1usize, 2, 4, 8, 16] {
            let (dims, strides, first, count) = layout;
            let bytes: Vec<u8> = (0..u8::MAX).cycle().take(count * size).collect();
            let strides: Vec<isize> = strides.iter().map(|stride| stride * size.cast_signed()).collect();
            let start = bytes.as_ptr().wrapping_add(first * size);
            // SAFETY: the layouts above reach from the first element to those that there are and no further.
            let gathered = unsafe { strided::gather(start, dims, &strides, size) };
            assert_eq!(gathered, expected(&bytes, layout, size), "{layout:?} of {size} bytes");
            if strided::is_contiguous(dims, &strides, size) {
                assert_eq!(gathered, bytes[first * size..][..gathered.len()], "{layout:?} of {size} bytes");
            }
        }
    }
}
