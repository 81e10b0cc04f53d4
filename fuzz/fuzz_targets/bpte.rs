//! Opens bytes as a `.bpte` file and reads all of it, its program included.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pteron_pte::bundle::Bundle;

fuzz_target!(|bytes: &[u8]| {
    if Bundle::parse(bytes).is_ok() {
        // Other identifiers lead elsewhere, so only what opens is visited.
        let _ = pteron_pte::visit_all(bytes);
    }
});
