//! Choosing the next token from logits, which no exporter writes: a runtime adds it to a graph.

pub(crate) mod next_token;
pub(crate) mod random;
mod settings;

pub use settings::DrawSettings;
