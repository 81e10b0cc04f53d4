//! The two engines that run a delegate's graph: WebGPU, and plain Rust.

pub(crate) mod reference;
pub(crate) mod wgpu;
