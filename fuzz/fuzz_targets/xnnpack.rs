//! Opens bytes as an XNNPACK delegate's data and reads all of it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pteron_pte::xnnpack::Graph;

fuzz_target!(|bytes: &[u8]| {
    if Graph::parse(bytes).is_ok() {
        // Other identifiers lead elsewhere, so only what opens is visited.
        let _ = pteron_pte::visit_all(bytes);
    }
});
