//! Where the outcomes of self-tests are kept.

use std::fmt;
use std::sync::Arc;

use crate::source::MaybeSend;

/// A place that keeps what self-tests found from one run to the next, as lines of text.
///
/// ```
/// use std::collections::HashMap;
/// use std::sync::Mutex;
///
/// use pteron_runtime::{DeviceChoice, DeviceOptions, KeepOutcomes, Outcomes};
///
/// /// Until the process ends.
/// #[derive(Default)]
/// struct ForNow(Mutex<HashMap<String, String>>);
///
/// impl KeepOutcomes for ForNow {
///     fn read(&self, subject: &str) -> Option<String> {
///         self.0.lock().ok()?.get(subject).cloned()
///     }
///
///     fn write(&self, subject: &str, outcome: &str) {
///         if let Ok(mut kept) = self.0.lock() {
///             kept.insert(subject.to_owned(), outcome.to_owned());
///         }
///     }
/// }
///
/// let options = DeviceOptions::new(DeviceChoice::Auto).with_outcomes(Outcomes::new(ForNow::default()));
/// ```
pub trait KeepOutcomes: MaybeSend {
    /// What was found for a subject, which names an adapter, what is used of it, and the version of the kernels.
    fn read(&self, subject: &str) -> Option<String>;

    /// Keeps what was found. Where that fails, it is looked for again.
    fn write(&self, subject: &str, outcome: &str);
}

/// A place of the application's that keeps what self-tests found. Clones are the same place.
#[derive(Clone)]
pub struct Outcomes(Arc<dyn KeepOutcomes>);

impl Outcomes {
    /// Keeps them there.
    pub fn new(place: impl KeepOutcomes + 'static) -> Outcomes {
        Outcomes(Arc::new(place))
    }

    pub(super) fn place(&self) -> &dyn KeepOutcomes {
        &*self.0
    }
}

impl fmt::Debug for Outcomes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Outcomes")
    }
}

/// Whether both are the same place.
impl PartialEq for Outcomes {
    fn eq(&self, other: &Outcomes) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Outcomes {}
