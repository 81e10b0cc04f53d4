//! Pooling and resampling of images: windows and points of planes of height and width.

pub(crate) mod adaptive_avg_pool2d;
pub(crate) mod avg_pool2d;
pub(crate) mod grid_sampler_2d;
pub(crate) mod max_pool2d;
mod plane;
pub(crate) mod upsample2d;
