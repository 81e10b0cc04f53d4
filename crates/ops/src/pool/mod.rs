//! Pooling and resampling of images: windows and points of planes of height and width.

pub(crate) mod adaptive_avg_pool2d;
pub(crate) mod avg_pool2d;
pub(crate) mod avg_pool3d;
pub(crate) mod grid_sampler_2d;
pub(crate) mod max_pool2d;
pub(crate) mod max_pool2d_backward;
pub(crate) mod max_pool3d;
mod plane;
pub(crate) mod upsample2d;
pub(crate) mod upsample_bilinear2d_aa;
mod volume;
