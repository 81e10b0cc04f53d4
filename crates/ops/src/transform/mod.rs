//! Transforms of whole lines: spectra.

pub(crate) mod fourier;
