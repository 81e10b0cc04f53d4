//! Attention: rotary embeddings, key-value caches, and scaled dot products.

pub(crate) mod apply_rotary_emb;
pub(crate) mod custom_sdpa;
mod flash;
pub(crate) mod gated_delta_rule;
pub(crate) mod heads;
pub(crate) mod rope_attention;
pub(crate) mod sdpa;
pub(crate) mod sdpa_with_kv_cache;
pub(crate) mod unturned;
pub(crate) mod update_cache;
