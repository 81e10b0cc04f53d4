//! Drivers that compute wrongly: the self-test names the kernel, plainer ones take its place, and that is remembered.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use pteron_runtime::testing::device::spoil;
use pteron_runtime::{Device, DeviceChoice, DeviceOptions, KeepOutcomes, Outcomes, PipelineCache};
use pteron_testkit::{Case, Status, fixtures, verify};

/// A folder for what is kept, empty at first and gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("pteron-self-test-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("there is room for it");
        Folder(path)
    }

    fn options(&self, choice: DeviceChoice) -> DeviceOptions {
        DeviceOptions::new(choice).with_pipeline_cache(PipelineCache::Folder(self.0.clone()))
    }

    /// What was found, for each way in which the device was opened.
    fn records(&self) -> Vec<String> {
        let entries =
            std::fs::read_dir(&self.0).expect("it is there").map(|entry| entry.expect("it is readable").path());
        let mut records: Vec<_> = entries.filter_map(|path| std::fs::read_to_string(path).ok()).collect();
        records.retain(|record| record.starts_with("pteron "));
        records.sort();
        records
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A place of an application's, with what was asked for and kept.
#[derive(Clone, Default)]
struct Place(Arc<Mutex<Vec<(String, String)>>>);

impl KeepOutcomes for Place {
    fn read(&self, subject: &str) -> Option<String> {
        let kept = self.0.lock().expect("nothing panics here");
        kept.iter().find(|(about, _)| about == subject).map(|(_, outcome)| outcome.clone())
    }

    fn write(&self, subject: &str, outcome: &str) {
        self.0.lock().expect("nothing panics here").push((subject.to_owned(), outcome.to_owned()));
    }
}

fn open(options: DeviceOptions) -> Device {
    Device::open(options).expect("tests need a WebGPU adapter: see the README")
}

/// One test, since kernels are spoilt on every device of the process.
#[test]
fn kernels_that_are_wrong_on_a_driver_are_not_used() {
    let folder = Folder::new("right");
    let device = open(folder.options(DeviceChoice::Gpu));
    let caps = device.caps();
    assert!(folder.records().iter().all(|record| record.ends_with("\npassed\n")), "{:?}", folder.records());
    assert_eq!(folder.records().len(), 1);

    let untested = Folder::new("untested");
    spoil(Some("REDUCE=team_subgroup"));
    assert_eq!(open(untested.options(DeviceChoice::Gpu).with_self_test(false)).caps(), caps);
    assert!(untested.records().is_empty());

    // Each feature that the adapter has, a kernel that needs it, and what it is without.
    let features = [
        ("q4_row{", "REDUCE=team_subgroup", "subgroups", caps.subgroups.is_some()),
        ("elementwise{", "T=f16", "16-bit floats", caps.f16),
        ("q4_few{", "q4_few", "matrix units", caps.matrix),
    ];
    let case =
        Case::read(&fixtures().join("ops/mm/square")).or_else(|_| Case::read(&fixtures().join("demo/embedding")));
    let case = case.expect("the fixture is readable");
    for (kernel, text, feature, has) in features {
        if !has {
            eprintln!("{} has no {feature}", device.name());
            continue;
        }
        let folder = Folder::new(text);
        spoil(Some(text));
        let device = open(folder.options(DeviceChoice::Gpu));
        spoil(None);
        let left = device.caps();
        let without = match feature {
            "subgroups" => left.subgroups.is_none(),
            "16-bit floats" => !left.f16,
            _ => !left.matrix,
        };
        assert!(without, "{text}: {left:?}");
        let records = folder.records();
        let found = records.iter().find(|record| record.contains(&format!("without {feature}: ")));
        let found = found.unwrap_or_else(|| panic!("{text}: {records:?}"));
        assert!(found.contains(kernel) && found.contains(text), "{found}");
        let [warning] = device.warnings() else { panic!("{:?}", device.warnings()) };
        let instead = format!("kernels without {feature} take their place");
        assert!(warning.contains(kernel) && warning.ends_with(&instead), "{warning}");
        assert_eq!(verify(&case, &device).status, Status::Pass);

        // The driver is as bad as it was, though nothing is tested again.
        assert_eq!(open(folder.options(DeviceChoice::Gpu)).caps(), left);
        assert_eq!(folder.records(), records);
    }

    let place = Place::default();
    let elsewhere = DeviceOptions::new(DeviceChoice::Gpu).with_pipeline_cache(PipelineCache::Off);
    let elsewhere = elsewhere.with_outcomes(Outcomes::new(place.clone()));
    assert!(open(elsewhere.clone()).warnings().is_empty());
    let kept = || place.0.lock().expect("nothing panics here").clone();
    assert!(matches!(&*kept(), [(subject, outcome)] if subject.contains(device.name()) && outcome == "passed"));
    // What is kept is what counts, and what is no outcome is as good as nothing.
    for (outcome, subgroups) in [("without subgroups: they were wrong", None), ("wings", caps.subgroups)] {
        place.0.lock().expect("nothing panics here")[0].1 = outcome.to_owned();
        assert_eq!(open(elsewhere.clone()).caps().subgroups, subgroups, "{outcome}");
    }
    assert_eq!(kept().last().map(|(_, outcome)| outcome.as_str()), Some("passed"));

    let folder = Folder::new("hopeless");
    spoil(Some("matmul_tiled{T=f32"));
    let error = Device::open(folder.options(DeviceChoice::Gpu)).expect_err("there is no plainer kernel").to_string();
    assert!(error.contains("matmul_tiled{T=f32") && error.contains("aten.mm"), "{error}");
    assert!(open(folder.options(DeviceChoice::Auto)).is_cpu());
    spoil(None);
    assert!(!open(folder.options(DeviceChoice::Auto)).is_cpu(), "what cannot be used is tested again");
}
