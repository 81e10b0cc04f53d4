//! Opens bytes as a program and goes all the way: lowers it, joins it, plans it, and runs each method on the reference engine
//! with inputs of zeros and ones, held to limits.

#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use pteron_runtime::{Device, HostTensor, Limits, Program, Spec, Value};

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits::default()
        .with_host_bytes(64 << 20)
        .with_gpu_bytes(64 << 20)
        .with_nodes(4096)
        .with_values(16384)
        .with_call_time(Duration::from_secs(2));
    let Ok(program) = Program::from_bytes(bytes.to_vec()) else { return };
    let program = program.with_limits(limits).on(&Device::cpu());
    for name in program.methods().unwrap_or_default().iter().take(4) {
        let Ok(mut method) = program.method(name) else { continue };
        let needed = method.inputs().iter().fold(0u64, |sum, input| match input {
            Spec::Tensor { dtype, shape, .. } => sum.saturating_add(shape.numel() as u64 * dtype.size() as u64),
            _ => sum,
        });
        if needed > 1 << 20 {
            continue;
        }
        for fill in [0.0, 1.0] {
            let input = |spec: &Spec| match spec {
                Spec::Tensor { dtype, shape, .. } => {
                    HostTensor::from_f64s(*dtype, *shape, (0..shape.numel()).map(|_| fill)).ok().map(Value::Tensor)
                }
                _ => Some(Value::Int(1)),
            };
            let Some(inputs) = method.inputs().iter().map(input).collect::<Option<Vec<_>>>() else { continue };
            let _ = method.run(&inputs);
        }
    }
});
