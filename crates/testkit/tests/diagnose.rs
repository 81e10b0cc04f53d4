//! Every node of every fixture on the GPU against its reference, fused and as it was written.

use pteron_runtime::{Device, DeviceChoice, MethodOptions, Program};
use pteron_testkit::{discover, fixtures};

/// Programs in which operators are fused, joined, chained, in place, on the host in between, and have state.
const FOLDERS: [&str; 6] = [
    "programs/language_model",
    "programs/chain",
    "programs/attention",
    "programs/state",
    "programs/delegates",
    "xnnpack",
];

#[test]
fn no_node_of_the_fixtures_is_wrong() {
    let device = Device::open(DeviceChoice::Gpu).expect("tests need a WebGPU adapter: see the README");
    let (mut compared, mut skipped) = (0, 0);
    for folder in FOLDERS {
        let mut cases = discover(&fixtures().join(folder)).expect("fixtures are readable");
        cases.retain(|case| case.rejected.is_none() && case.data.is_empty());
        for case in cases.iter().take(12) {
            let program = Program::open(&case.program).expect("the program opens").on(&device);
            let (inputs, _) = case.steps[0].load().expect("the step is readable");
            for fuse in [true, false] {
                let options = MethodOptions::default().with_fuse(fuse);
                let diagnosis = program.diagnose(&case.method, &options, &inputs);
                let diagnosis = diagnosis.unwrap_or_else(|error| panic!("{}: {error}", case.path.display()));
                let wrong: Vec<_> =
                    diagnosis.findings.iter().map(|found| (&found.at, &found.op, found.wrong)).collect();
                assert!(wrong.is_empty(), "{} with fuse {fuse}: {wrong:?}", case.path.display());
                compared += diagnosis.compared;
                skipped += diagnosis.skipped;
            }
        }
    }
    eprintln!("{compared} nodes compared, {skipped} left out");
    assert!(compared > 300 && skipped < compared / 4, "{compared} compared, {skipped} left out");
}
