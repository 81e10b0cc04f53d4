//! Faults that tests have a device fail with: what a driver does seldom, done when it is asked for.

use std::sync::Mutex;
use std::time::Duration;

use super::device::Gpu;
use super::waiting::Unfinished;

/// Where the device is asked for something that may go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Site {
    /// A buffer is made.
    Allocation,
    /// A kernel is compiled.
    Pipeline,
    /// Work is submitted.
    Submit,
    /// Results are mapped.
    Map,
    /// Work is waited for.
    Poll,
}

impl Site {
    /// All of them.
    pub const ALL: [Site; 5] = [Site::Allocation, Site::Pipeline, Site::Submit, Site::Map, Site::Poll];
}

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// There is no memory.
    OutOfMemory,
    /// The device finds what it is asked for wrong.
    Refused,
    /// The device is lost.
    Lost,
    /// What is waited for does not come to an end, until the fault is taken back.
    Stuck,
    /// It is done, and who waits for it is not told.
    Untold,
}

/// The fault that is to come, and how often the device was asked for each thing.
#[derive(Debug, Default)]
pub(crate) struct Injector(Mutex<Plan>);

#[derive(Debug, Default)]
struct Plan {
    counts: [u64; Site::ALL.len()],
    armed: Option<(Site, u64, Fault)>,
    /// Whether the armed fault has come.
    struck: bool,
}

impl Injector {
    /// Has a site fail when it is reached for the `number`th time from here on, counted from 0.
    pub(crate) fn arm(&self, site: Site, number: u64, fault: Fault) {
        self.with(|plan| *plan = Plan { armed: Some((site, number, fault)), ..Plan::default() });
    }

    /// Takes the fault back, and counts from 0; how often each site was reached, and whether the fault has come.
    pub(crate) fn disarm(&self) -> ([u64; Site::ALL.len()], bool) {
        self.with(|plan| {
            let Plan { counts, struck, .. } = std::mem::take(plan);
            (counts, struck)
        })
    }

    /// The fault that a site fails with now, if any.
    pub(super) fn at(&self, site: Site) -> Option<Fault> {
        self.with(|plan| {
            let place = Site::ALL.iter().position(|other| *other == site)?;
            let count = plan.counts.get_mut(place)?;
            let number = *count;
            *count += 1;
            let (_, _, fault) = plan.armed.filter(|armed| armed.0 == site && armed.1 <= number)?;
            // What is stuck stays so; everything else goes wrong once.
            if plan.struck && fault != Fault::Stuck {
                return None;
            }
            plan.struck = true;
            Some(fault)
        })
    }

    fn with<T>(&self, work: impl FnOnce(&mut Plan) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }
}

impl Gpu {
    /// What tests have go wrong with the device.
    pub(crate) fn injector(&self) -> &Injector {
        self.faults.injector()
    }
}

/// Kernels that do nothing, on every device of the process: those whose names contain this text.
static SPOILT: Mutex<Option<String>> = Mutex::new(None);

/// Has kernels do nothing that are compiled from here on and whose names contain a text, as those of a bad driver may.
pub(crate) fn spoil(kernels: Option<&str>) {
    *SPOILT.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = kernels.map(str::to_owned);
}

/// What is compiled in the place of a kernel's text.
pub(super) fn spoilt_source(name: &str, source: String) -> String {
    let spoilt = SPOILT.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if !spoilt.as_deref().is_some_and(|text| name.contains(text)) {
        return source;
    }
    let main = source.find("fn main(").unwrap_or_default();
    let (head, body) = source.split_at(main);
    head.to_owned() + &body.replacen('{', "{ if true { return; }", 1)
}

/// Waits for what does not come, and not for long, since tests have something else to do.
pub(super) fn stuck(poll_type: &wgpu::PollType) -> Result<(), Unfinished> {
    match poll_type {
        wgpu::PollType::Poll => Ok(()),
        wgpu::PollType::Wait { timeout: Some(timeout), .. } => {
            std::thread::sleep((*timeout).min(Duration::from_secs(1)));
            Err(Unfinished::Timeout)
        }
        wgpu::PollType::Wait { timeout: None, .. } => panic!("the device is stuck, and somebody waits without end"),
    }
}
