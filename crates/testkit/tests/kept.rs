//! Files that fuzzing found or reached far with, each read as its target reads it.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use pteron_runtime::{Device, HostTensor, Limits, Program, Spec, Value};
use safetensors::SafeTensors;

/// The files that are kept for a target, in the order of their names.
fn kept(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = pteron_testkit::fixtures().join("../fuzz/kept").join(target);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("the folder is readable").path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "nothing is kept for {target}");
    paths.into_iter().map(|path| (path.clone(), std::fs::read(&path).expect("it is readable"))).collect()
}

fn in_good_time(path: &std::path::Path, work: impl FnOnce()) {
    let started = Instant::now();
    work();
    assert!(started.elapsed() < Duration::from_secs(20), "{} took {:?}", path.display(), started.elapsed());
}

#[test]
fn kept_files_are_read_to_their_end() {
    for target in ["pte", "ptd", "bpte", "delegate", "xnnpack"] {
        for (path, bytes) in kept(target) {
            in_good_time(&path, || drop(pteron_pte::visit_all(&bytes)));
        }
    }
}

#[test]
fn kept_programs_run_within_their_limits() {
    let limits =
        Limits::default().with_host_bytes(64 << 20).with_gpu_bytes(64 << 20).with_call_time(Duration::from_secs(2));
    for (path, bytes) in kept("run") {
        in_good_time(&path, || {
            let Ok(program) = Program::from_bytes(bytes) else { return };
            let program = program.with_limits(limits).on(&Device::cpu());
            for name in program.methods().unwrap_or_default().iter().take(4) {
                let Ok(mut method) = program.method(name) else { continue };
                let ones = |spec: &Spec| match spec {
                    Spec::Tensor { dtype, shape, .. } if shape.numel() <= 1 << 20 => {
                        HostTensor::from_f64s(*dtype, *shape, (0..shape.numel()).map(|_| 1.0)).ok().map(Value::Tensor)
                    }
                    Spec::Tensor { .. } => None,
                    _ => Some(Value::Int(1)),
                };
                let inputs: Option<Vec<_>> = method.inputs().iter().map(ones).collect();
                let _ = inputs.map(|inputs| method.run(&inputs));
            }
        });
    }
}

#[test]
fn kept_tensors_are_read() {
    for (path, bytes) in kept("tensors") {
        in_good_time(&path, || {
            let Ok(file) = SafeTensors::deserialize(&bytes) else { return };
            for (_, view) in file.iter() {
                let _ = HostTensor::try_from(&view);
            }
        });
    }
}
