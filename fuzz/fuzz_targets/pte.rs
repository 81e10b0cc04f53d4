//! Opens bytes as a `.pte` file and reads all of it, its delegates included.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pteron_pte::Program;

fuzz_target!(|bytes: &[u8]| {
    if Program::parse(bytes, bytes.len() as u64).is_ok() {
        // Other identifiers lead elsewhere, so only what opens is visited.
        let _ = pteron_pte::visit_all(bytes);
    }
});
