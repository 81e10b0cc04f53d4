//! Opens bytes as a delegate's data and reads all of it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pteron_pte::delegate::Delegate;

fuzz_target!(|bytes: &[u8]| {
    if Delegate::parse(bytes).is_ok() {
        // Other identifiers lead elsewhere, so only what opens is visited.
        let _ = pteron_pte::visit_all(bytes);
    }
});
