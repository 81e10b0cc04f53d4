//! Pooling and resampling of images and volumes: windows and points.

pub(crate) mod adaptive_pool;
pub(crate) mod avg_pool;
pub(crate) mod grid_sampler_2d;
pub(crate) mod max_pool;
pub(crate) mod max_pool2d_backward;
mod plane;
pub(crate) mod upsample2d;
pub(crate) mod upsample_bilinear2d_aa;
mod volume;
