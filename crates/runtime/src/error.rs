//! What can go wrong between a file and its results.

use std::fmt;
use std::time::Duration;

use pteron_ops::OpError;
use pteron_tensor::{DType, ShapeError, TensorError};

use crate::limits::Limit;

/// Shorthand for results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Anything that can go wrong. [`Error::kind`] says which party can do something about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read.
    #[error("{name}: {source}")]
    Io {
        /// The file or other source of bytes.
        name: String,
        /// Why.
        source: std::io::Error,
    },
    /// The bytes are no sound program.
    #[error(transparent)]
    Format(#[from] pteron_pte::Error),
    /// The program is sound on the surface and contradicts itself.
    #[error("{0}")]
    Program(String),
    /// The program uses what this version does not run.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// An operator's arguments or shapes are wrong.
    #[error(transparent)]
    Node(Box<NodeError>),
    /// The program has no method, input or data of this name.
    #[error("{0}")]
    NotFound(String),
    /// An input that the method does not take.
    #[error("input {index}: {reason}")]
    Input {
        /// Which input.
        index: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// An operator that cannot be appended to a method.
    #[error("{op} cannot be appended to {method}: {reason}")]
    Append {
        /// The operator.
        op: String,
        /// The method.
        method: String,
        /// Why.
        reason: String,
    },
    /// Something that makes no sense for this method, or no longer does.
    #[error("{0}")]
    Misuse(String),
    /// No device, a device that is lost, or one that refused an operation.
    #[error("{0}")]
    Device(String),
    /// A host tensor could not be made.
    #[error(transparent)]
    Tensor(#[from] TensorError),
    /// Something needs more than the program's [`Limits`](crate::Limits) allow.
    #[error("{what} needs {needed} {}, and {allowed} are allowed: {} allows more", .limit.unit(), .limit.options())]
    Limit {
        /// What needs it.
        what: String,
        /// How much it needs.
        needed: u64,
        /// How much is allowed.
        allowed: u64,
        /// Which limit allows no more.
        limit: Limit,
    },
    /// A call took longer than the program's [`Limits`](crate::Limits) allow.
    #[error("the call took longer than {limit:?}: {} allows more", Limit::CallTime.options())]
    Time {
        /// How long it may take.
        limit: Duration,
    },
}

/// Which party can do something about an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file cannot be read.
    Io,
    /// The file is broken.
    Format,
    /// The program needs what this version lacks.
    Unsupported,
    /// The caller asked for something that is not there.
    NotFound,
    /// The caller's inputs do not fit the method.
    Input,
    /// The device failed.
    Device,
    /// The program needs more than its limits allow.
    Limit,
}

/// Every reason why a program does not run here.
#[derive(Debug)]
#[non_exhaustive]
pub struct Unsupported {
    /// One entry per node.
    pub nodes: Vec<UnsupportedNode>,
}

/// One node that does not run here.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct UnsupportedNode {
    /// Where it is: method, delegate and node.
    pub at: String,
    /// The operator.
    pub op: String,
    /// What is missing.
    pub reason: String,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 8;
        f.write_str("unsupported: ")?;
        for (i, node) in self.nodes.iter().take(SHOWN).enumerate() {
            write!(f, "{}{} ({}): {}", if i == 0 { "" } else { "; " }, node.op, node.at, node.reason)?;
        }
        match self.nodes.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, "; and {more} more"),
        }
    }
}

impl std::error::Error for Unsupported {}

/// What is wrong with one operator call, and where it is.
#[derive(Debug)]
#[non_exhaustive]
pub struct NodeError {
    /// Where it is: delegate and node.
    pub at: String,
    /// The operator.
    pub op: String,
    /// Element types and shapes of its tensors.
    pub inputs: Vec<String>,
    /// What is wrong.
    pub source: OpError,
}

impl fmt::Display for NodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "in {} ({}) with inputs [{}]: {}", self.at, self.op, self.inputs.join(", "), self.source)
    }
}

impl std::error::Error for NodeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

impl From<ShapeError> for Error {
    fn from(error: ShapeError) -> Error {
        Error::Tensor(error.into())
    }
}

/// An operator's error of which no node is known.
impl From<OpError> for Error {
    fn from(error: OpError) -> Error {
        Error::Program(error.to_string())
    }
}

impl Error {
    /// Which party can do something about it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::Io { .. } => ErrorKind::Io,
            Error::Format(_) | Error::Program(_) => ErrorKind::Format,
            Error::Unsupported(_) => ErrorKind::Unsupported,
            Error::Node(_) | Error::Input { .. } | Error::Append { .. } | Error::Misuse(_) | Error::Tensor(_) => {
                ErrorKind::Input
            }
            Error::NotFound(_) => ErrorKind::NotFound,
            Error::Device(_) => ErrorKind::Device,
            Error::Limit { .. } | Error::Time { .. } => ErrorKind::Limit,
        }
    }

    pub(crate) fn input(index: usize, reason: impl Into<String>) -> Error {
        Error::Input { index, reason: reason.into() }
    }

    /// The same error, with another number for the input that it tells of.
    pub(crate) fn with_input(self, number: impl FnOnce(usize) -> usize) -> Error {
        match self {
            Error::Input { index, reason } => Error::Input { index: number(index), reason },
            error => error,
        }
    }

    pub(crate) fn types(index: usize, host: DType, graph: DType) -> Error {
        Error::input(index, format!("{host} elements were given, and the program takes {graph}"))
    }
}
