//! What can be wrong with an operator's arguments.

use pteron_tensor::{DType, ShapeError, TensorError};

/// Shorthand for results of planning and evaluating.
pub type Result<T, E = OpError> = std::result::Result<T, E>;

/// What is wrong with one operator call. It has no location: the graph adds the node, its operator and input shapes.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OpError {
    /// An argument is absent or of another kind than the operator takes.
    #[error("argument {index} is {got}, expected {expected}")]
    Argument {
        /// Position in the operator's schema.
        index: usize,
        /// What the operator takes there.
        expected: &'static str,
        /// What the program has there.
        got: String,
    },
    /// The operator or its kernel does not take this element type.
    #[error("element type {dtype} is not supported for {what}")]
    DType {
        /// The type.
        dtype: DType,
        /// Which tensor, or which kernel axis.
        what: String,
    },
    /// Shapes that do not fit together or do not fit the other arguments.
    #[error("{0}")]
    Shape(String),
    /// A dimension that the tensor does not have.
    #[error("dimension {dim} is out of range for rank {rank}")]
    Dim {
        /// The dimension asked for.
        dim: i64,
        /// The rank of the tensor.
        rank: usize,
    },
    /// An index into a tensor that lies outside it.
    #[error("index {index} is out of range: valid are 0 to {}", .limit.saturating_sub(1))]
    Index {
        /// The index.
        index: i64,
        /// One more than the largest valid index.
        limit: u64,
    },
    /// Rows of a tensor that lie outside it.
    #[error("{rows} rows from row {start} do not lie within the {limit} of {what}")]
    Rows {
        /// What has the rows.
        what: &'static str,
        /// The first row.
        start: i64,
        /// The number of rows.
        rows: usize,
        /// The rows that there are.
        limit: usize,
    },
    /// Something that the device cannot do, or that is too large for it.
    #[error("{0}")]
    Limit(String),
    /// A combination that is not implemented.
    #[error("{0}")]
    Unsupported(String),
    /// The time of the call is over.
    #[error("it took longer than the call may")]
    Time,
    /// Sizes that are no shape.
    #[error(transparent)]
    BadShape(#[from] ShapeError),
    /// A tensor that does not fit its shape.
    #[error(transparent)]
    Tensor(#[from] TensorError),
}
