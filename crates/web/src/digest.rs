//! SHA-256 of bytes that come one piece after the other.

use sha2::Digest;
use wasm_bindgen::prelude::wasm_bindgen;

/// A hash under way.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Sha256(sha2::Sha256);

#[wasm_bindgen]
impl Sha256 {
    /// The hash of nothing so far.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Sha256 {
        Sha256::default()
    }

    /// Goes on with these bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The 32 bytes of the hash. What follows begins anew.
    pub fn digest(&mut self) -> Vec<u8> {
        self.0.finalize_reset().to_vec()
    }
}
