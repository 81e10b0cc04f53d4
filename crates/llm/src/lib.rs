//! Language models: text in, text out, on the programs that ExecuTorch's `export_llama` makes.
//!
//! A [`Model`] is a program with its [`Tokenizer`] and chat [`Template`]. A [`Conversation`] is one chat on it, with a
//! key-value cache of its own; several conversations share one model's weights.
//!
//! ```
//! use pteron_llm::{Assets, Event, Generate, Model, ModelOptions};
//! use pteron_runtime::Program;
//!
//! # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/tiny");
//! # let path = &format!("{folder}/model.pte");
//! # /*
//! let path = "model.pte";
//! # */
//! let assets = Assets::beside(path)?;
//! let model = Model::load(&Program::open(path)?, ModelOptions::default().with_assets(assets))?;
//! let mut conversation = model.conversation()?;
//!
//! let prompt = model.encode("A wing")?;
//! let options = Generate::default().with_max_new_tokens(8);
//! let finish = conversation.generate(&prompt, &options, |event| {
//!     if let Event::Token { text, .. } = event {
//!         print!("{text}");
//!     }
//! })?;
//! assert!(finish.ids.len() <= 8);
//! # Ok::<(), pteron_llm::Error>(())
//! ```
//!
//! Everything that waits has an `_async` twin; in a browser only those exist.
//!
//! A conversation remembers which tokens its cache holds. Given a whole prompt, it keeps what the two have in common and
//! feeds the rest, so an edited or regenerated answer costs only what changed.

#![forbid(unsafe_code)]

mod cancel;
mod config;
mod conversation;
mod decode;
mod engine;
mod error;
#[cfg(not(target_arch = "wasm32"))]
mod files;
mod generate;
mod metadata;
mod model;
mod random;
mod sampling;
mod stop_filter;
mod template;
mod timings;
mod tokenizer;

pub use cancel::Cancel;
pub use config::Config;
pub use conversation::Conversation;
pub use error::{Error, ErrorKind, Result};
pub use generate::{Event, Finish, Generate, StopReason};
pub use model::{Assets, Limits, Model, ModelOptions};
pub use random::Random;
pub use sampling::{Sampler, Sampling};
pub use template::{Message, Template};
pub use timings::Timings;
pub use tokenizer::{TextStream, Tokenizer};

/// They go to other threads and are shared by them; in a browser there are none.
#[cfg(not(target_arch = "wasm32"))]
const _: () = {
    const fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<Model>();
    is_send_and_sync::<Conversation>();
    is_send_and_sync::<Sampler>();
    is_send_and_sync::<Error>();
};
