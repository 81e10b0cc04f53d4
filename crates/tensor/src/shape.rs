//! Shapes: sizes whose product is known to fit.

use std::cell::Cell;
use std::fmt;
use std::ops::Deref;

/// The largest rank that a tensor can have here.
pub const MAX_RANK: usize = 8;

/// The size of one dimension.
pub type Dim = usize;

/// A tensor's sizes, outermost first.
///
/// A `Shape` is proven small enough to count: the product of its sizes (zeros taken as ones) times eight fits an
/// `isize`, so [`numel`](Shape::numel) and byte counts never overflow.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    rank: u8,
    dims: [Dim; MAX_RANK],
}

/// Sizes that are no [`Shape`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// More dimensions than [`MAX_RANK`].
    #[error("rank {0} is more than the {MAX_RANK} dimensions supported")]
    Rank(usize),
    /// More elements than this machine can address, or than [`Shape::at_most`] allows.
    #[error("a tensor of sizes {0:?} is too large")]
    TooLarge(Vec<u64>),
}

thread_local! {
    /// Elements that a shape may have which is made on this thread.
    static MOST: Cell<u64> = const { Cell::new(ADDRESSABLE) };
}

/// Elements whose bytes can be counted, whatever their type.
const ADDRESSABLE: u64 = (isize::MAX / 8) as u64;

impl Shape {
    /// Does something on this thread in which no shape of more than so many elements can be made.
    ///
    /// What computes with sizes that a file or a caller decides allocates by shapes, and so is held to a limit before it does.
    ///
    /// ```
    /// use pteron_tensor::Shape;
    ///
    /// assert!(Shape::at_most(100, || Shape::new(&[10, 11])).is_err());
    /// assert!(Shape::new(&[10, 11]).is_ok());
    /// ```
    pub fn at_most<T>(elements: u64, work: impl FnOnce() -> T) -> T {
        struct Restore(u64);
        impl Drop for Restore {
            fn drop(&mut self) {
                MOST.set(self.0);
            }
        }
        let before = MOST.get();
        let _restore = Restore(before);
        MOST.set(before.min(elements));
        work()
    }

    /// The shape of a single number.
    pub const SCALAR: Shape = Shape { rank: 0, dims: [0; MAX_RANK] };

    /// Checks sizes and makes them a shape.
    pub fn new(dims: &[Dim]) -> Result<Shape, ShapeError> {
        Shape::from_sizes(dims.iter().map(|&dim| dim as u64))
    }

    /// Like [`Shape::new`], from sizes as files hold them.
    pub fn from_sizes(dims: impl IntoIterator<Item = u64>) -> Result<Shape, ShapeError> {
        // Every kind of iterator would have code of its own.
        Shape::from_any(&mut dims.into_iter())
    }

    fn from_any(dims: &mut dyn Iterator<Item = u64>) -> Result<Shape, ShapeError> {
        let mut shape = Shape::SCALAR;
        let (mut numel, most) = (1u64, MOST.get());
        let mut rank = 0usize;
        for dim in dims {
            if rank < MAX_RANK {
                let product = numel.checked_mul(dim.max(1)).filter(|&n| n <= most);
                let (Some(product), Ok(size)) = (product, usize::try_from(dim)) else {
                    let mut sizes: Vec<u64> = shape.dims[..rank].iter().map(|&d| d as u64).collect();
                    sizes.push(dim);
                    return Err(ShapeError::TooLarge(sizes));
                };
                numel = product;
                shape.dims[rank] = size;
            }
            rank += 1;
        }
        if rank > MAX_RANK {
            return Err(ShapeError::Rank(rank));
        }
        shape.rank = u8::try_from(rank).unwrap_or(u8::MAX);
        Ok(shape)
    }

    /// The sizes.
    pub fn dims(&self) -> &[Dim] {
        &self.dims[..usize::from(self.rank)]
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        usize::from(self.rank)
    }

    /// The number of elements.
    pub fn numel(&self) -> usize {
        self.dims().iter().product()
    }

    /// Row-major strides, in elements.
    pub fn strides(&self) -> [usize; MAX_RANK] {
        let mut strides = [0; MAX_RANK];
        let mut step = 1;
        for (stride, &dim) in strides[..self.rank()].iter_mut().zip(self.dims()).rev() {
            *stride = step;
            step *= dim.max(1);
        }
        strides
    }

    /// The dimension that `dim` names, where negative numbers count from the last. A scalar has dimensions −1 and 0.
    pub fn dim(&self, dim: i64) -> Option<usize> {
        let rank = i64::from(self.rank).max(1);
        let index = if dim < 0 { dim.checked_add(rank)? } else { dim };
        (0..rank).contains(&index).then_some(usize::try_from(index).ok()?)
    }

    /// The shape that two operands broadcast to by PyTorch's rule, or nothing when they do not agree.
    pub fn broadcast(&self, other: &Shape) -> Option<Shape> {
        let rank = self.rank().max(other.rank());
        let mut dims = [0; MAX_RANK];
        for (i, dim) in dims[..rank].iter_mut().enumerate() {
            let size = |shape: &Shape| (i + shape.rank()).checked_sub(rank).map_or(1, |at| shape.dims()[at]);
            *dim = match (size(self), size(other)) {
                (a, b) if a == b => a,
                (1, b) => b,
                (a, 1) => a,
                _ => return None,
            };
        }
        Shape::new(&dims[..rank]).ok()
    }

    /// This shape with `dims[at]` replaced.
    pub fn with(&self, at: usize, size: Dim) -> Result<Shape, ShapeError> {
        let mut dims = *self;
        if let Some(dim) = dims.dims[..usize::from(self.rank)].get_mut(at) {
            *dim = size;
        }
        Shape::new(dims.dims())
    }
}

impl Deref for Shape {
    type Target = [Dim];

    fn deref(&self) -> &[Dim] {
        self.dims()
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.dims(), f)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_large_is_an_error_and_zero_does_not_hide_it() {
        assert!(matches!(Shape::new(&[usize::MAX, 2]), Err(ShapeError::TooLarge(_))));
        assert!(matches!(Shape::new(&[0, usize::MAX, 2]), Err(ShapeError::TooLarge(_))));
        assert_eq!(Shape::new(&[1; 9]), Err(ShapeError::Rank(9)));
    }

    #[test]
    fn broadcasting_follows_pytorch() {
        let shape = |dims: &[usize]| Shape::new(dims).unwrap();
        assert_eq!(shape(&[4, 1, 7]).broadcast(&shape(&[5, 1])), Some(shape(&[4, 5, 7])));
        assert_eq!(shape(&[]).broadcast(&shape(&[2, 0])), Some(shape(&[2, 0])));
        assert_eq!(shape(&[1]).broadcast(&shape(&[0])), Some(shape(&[0])));
        assert_eq!(shape(&[2]).broadcast(&shape(&[3])), None);
    }

    #[test]
    fn dims_count_from_either_end() {
        let shape = Shape::new(&[2, 3]).unwrap();
        assert_eq!((shape.dim(-1), shape.dim(1), shape.dim(-2)), (Some(1), Some(1), Some(0)));
        assert_eq!((shape.dim(2), shape.dim(-3), shape.dim(i64::MIN)), (None, None, None));
        assert_eq!(Shape::SCALAR.dim(-1), Some(0));
    }

    #[test]
    fn strides_are_row_major() {
        let shape = Shape::new(&[2, 3, 4]).unwrap();
        assert_eq!(shape.strides()[..3], [12, 4, 1]);
        assert_eq!(shape.numel(), 24);
    }
}
