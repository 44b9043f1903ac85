//! What has changed in the folder and is not in the bucket yet.

use std::collections::BTreeSet;
use std::sync::Arc;

use generator::address::Document;
use generator::tree::{TreeObserver, Written};
use parking_lot::Mutex;
use tokio::sync::Notify;

use super::step::Step;

/// The reports of the tree's writer. A document has a step for each kind of report; which of them
/// holds is decided when its file is read.
#[derive(Debug, Default)]
pub struct Changes {
    state: Mutex<Reports>,
    pub(super) news: Arc<Notify>,
}

#[derive(Debug, Default)]
struct Reports {
    steps: BTreeSet<Step>,
    /// Whether folder and bucket must be compared.
    is_unknown: bool,
}

impl Changes {
    /// Adds a step.
    pub fn add(&self, step: Step) {
        self.state.lock().steps.insert(step);
        self.news.notify_one();
    }

    /// Adds steps that were taken and not done.
    pub fn put_back(&self, steps: impl IntoIterator<Item = Step>) {
        self.state.lock().steps.extend(steps);
    }

    /// Takes the first `most` steps.
    pub(super) fn take(&self, most: usize) -> BTreeSet<Step> {
        let mut reports = self.state.lock();
        match reports.steps.iter().nth(most).cloned() {
            None => std::mem::take(&mut reports.steps),
            Some(next) => {
                let rest = reports.steps.split_off(&next);
                std::mem::replace(&mut reports.steps, rest)
            }
        }
    }

    /// Takes all steps up to and including `last`.
    pub(super) fn take_up_to(&self, last: &Step) -> BTreeSet<Step> {
        let mut reports = self.state.lock();
        let mut rest = reports.steps.split_off(last);
        let is_there = rest.remove(last);
        let mut taken = std::mem::replace(&mut reports.steps, rest);
        if is_there {
            taken.insert(last.clone());
        }
        taken
    }

    /// The documents of the first `most` steps.
    pub(super) fn first(&self, most: usize) -> Vec<Document> {
        self.state.lock().steps.iter().take(most).map(|step| step.document().clone()).collect()
    }

    /// The number of steps.
    pub fn len(&self) -> usize {
        self.state.lock().steps.len()
    }

    /// Whether nothing is to be done.
    pub fn is_empty(&self) -> bool {
        let reports = self.state.lock();
        reports.steps.is_empty() && !reports.is_unknown
    }

    /// Whether folder and bucket must be compared. The next call says no, unless that is needed
    /// again.
    pub(super) fn take_unknown(&self) -> bool {
        std::mem::take(&mut self.state.lock().is_unknown)
    }

    /// Forgets all steps. A comparison finds them again.
    pub(super) fn forget(&self) {
        self.state.lock().steps.clear();
    }

    /// Makes the uploader compare folder and bucket.
    pub fn distrust(&self) {
        self.state.lock().is_unknown = true;
        self.news.notify_one();
    }
}

impl TreeObserver for Changes {
    fn replaced(&self, document: &Document, _: Written<'_>) {
        self.add(Step::put(document.clone()));
    }

    fn stored(&self, package: &Document) {
        self.add(Step::put(package.clone()));
    }

    fn removed(&self, document: &Document) {
        self.add(Step::remove(document.clone()));
    }

    fn invalidated(&self) {
        self.distrust();
    }
}
