//! Opens bytes as a file of tensors that a user gives: npy, or safetensors.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pteron_tensor::HostTensor;
use safetensors::SafeTensors;

#[allow(dead_code, reason = "the command line uses the rest")]
#[path = "../../crates/cli/src/failure.rs"]
mod failure;
#[allow(dead_code, reason = "the command line uses the rest")]
#[path = "../../crates/cli/src/npy.rs"]
mod npy;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(tensor) = npy::read(bytes) {
        let _ = npy::write(&tensor);
    }
    if let Ok(file) = SafeTensors::deserialize(bytes) {
        for (_, view) in file.iter() {
            let _ = HostTensor::try_from(&view);
        }
    }
});
