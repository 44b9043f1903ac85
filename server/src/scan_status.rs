//! Which scanners there are, and which of their runs failed. It is in memory: a failed run is no verdict, and is tried
//! again.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

use registry::api::private::Unanswered;
use registry::ops::verdicts::Judged;
use registry::private::Review;

/// The outcomes of the runs of a scanner since the start.
#[derive(Debug, Clone, Copy, Default)]
pub struct Runs {
    /// Runs that gave a verdict.
    pub answered: u64,
    /// Runs that gave none: too slow, failed, or an answer that is not one.
    pub failed: u64,
}

/// The scanners of the settings.
#[derive(Debug, Default)]
pub struct ScanStatus(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    runs: BTreeMap<String, Runs>,
    failures: HashMap<(String, Judged), String>,
}

/// Failures that are remembered. Later ones are only counted.
const MAX_FAILURES: usize = 10_000;

impl ScanStatus {
    /// The state before the first run of scanners with these names.
    pub fn new(scanners: impl Iterator<Item = String>) -> Self {
        let runs = scanners.map(|name| (name, Runs::default())).collect();
        Self(Mutex::new(State { runs, failures: HashMap::new() }))
    }

    /// Counts a run, and remembers why it failed.
    pub fn ran(&self, scanner: &str, judged: &Judged, failure: Option<&str>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (scanner.to_owned(), judged.clone());
        let runs = state.runs.entry(scanner.to_owned()).or_default();
        match failure {
            None => {
                runs.answered += 1;
                state.failures.remove(&key);
            }
            Some(why) => {
                runs.failed += 1;
                if state.failures.len() < MAX_FAILURES {
                    state.failures.insert(key, why.to_owned());
                }
            }
        }
    }

    /// The runs of each scanner.
    pub fn runs(&self) -> Vec<(String, Runs)> {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.runs.iter().map(|(name, runs)| (name.clone(), *runs)).collect()
    }

    /// The scanners without a verdict about a pending review.
    pub fn unanswered(&self, review: &Review) -> Vec<Unanswered> {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let has = |name: &String| review.verdicts.iter().any(|known| *known.summary.scanner == **name);
        let missing = state.runs.keys().filter(|name| review.is_pending() && !has(name));
        let unanswered = missing.map(|name| {
            let why = state.failures.get(&(name.clone(), Judged::Review(review.id))).cloned();
            Unanswered { scanner: name.clone(), why }
        });
        unanswered.collect()
    }
}
