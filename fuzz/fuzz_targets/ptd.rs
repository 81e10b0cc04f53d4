//! Opens bytes as a `.ptd` file and reads all of it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pteron_pte::ptd::DataFile;

fuzz_target!(|bytes: &[u8]| {
    if DataFile::parse(bytes).is_ok() {
        // Other identifiers lead elsewhere, so only what opens is visited.
        let _ = pteron_pte::visit_all(bytes);
    }
});
