//! One module per WGSL kernel, made by `build.rs`: `Bind`, `Params`, `Call`, `Variant` and `Overrides` with the names of
//! the shader.

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
