//! Turns an ExecuTorch program into a running method.
//!
//! [`Program`] opens a file, [`Program::method`] loads one of its methods onto a [`Device`], and [`Method::run`] calls
//! it. Delegated graphs run on WebGPU or on the plain-Rust reference engine; what the exporter left outside a delegate
//! runs on the host.

#![deny(unsafe_code)]

mod append;
#[cfg(not(target_arch = "wasm32"))]
mod blocking;
mod carry;
mod data;
mod device;
mod diagnose;
mod engine;
mod error;
mod estimate;
mod graph;
mod join;
mod limits;
mod lower;
mod method;
mod options;
mod passes;
mod plan;
mod port;
mod program;
mod progress;
mod source;
#[doc(hidden)]
pub mod survey;
#[doc(hidden)]
pub mod testing;
#[cfg(not(target_arch = "wasm32"))]
mod threads;
mod types;
mod value;

pub use append::{Appended, AppendedPorts, Argument, TensorType};
#[cfg(not(target_arch = "wasm32"))]
pub use blocking::block_on;
pub use bytes::Bytes;
pub use carry::Carry;
pub use device::{Device, DeviceChoice, DeviceOptions, KeepOutcomes, Outcomes, PipelineCache};
pub use diagnose::{Diagnosis, Finding, Wrong};
#[cfg(feature = "wgpu")]
pub use engine::wgpu::TensorBuffer;
pub use engine::wgpu::{AdapterReport, DeviceTensor, KernelTime, RepeatedRun};
pub use error::{Error, ErrorKind, NodeError, Result, Unsupported, UnsupportedNode};
pub use estimate::{GpuBytes, MemoryEstimate};
pub use graph::{MethodGraph, Placement};
pub use limits::{Limit, Limits};
pub use method::{Condition, Method, MethodSignature, Spec, State, Submitted};
pub use options::MethodOptions;
pub use port::Port;
pub use program::Program;
pub use progress::{LoadProgress, OnProgress};
pub use pteron_ops::{Caps, OpError, Precision, SubgroupSizes};
pub use pteron_pte as pte;
pub use pteron_tensor::{
    Comparison, DType, Dim, Element, HostTensor, MAX_RANK, Mismatch, Shape, ShapeError, TensorError, Tolerance,
};
pub use source::{Later, MaybeSend, MemorySource, Read, Source};
pub use value::Value;
#[cfg(feature = "wgpu")]
pub use wgpu;
