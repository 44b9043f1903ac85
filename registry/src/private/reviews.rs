//! All reviews, and indexes to find them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::review_usage::ReviewUsages;
use super::{Decided, Review, ReviewKind, ReviewStatus, ReviewUsage, Verdict};
use crate::names::{Coordinate, Digest, Handle, Namespace, Version};
use crate::public::{Archive, Id, VerdictEntry, put_verdict};
use crate::time::Timestamp;

/// All reviews, including past ones.
#[derive(Default)]
pub struct Reviews {
    all: BTreeMap<Id, Review>,
    by_namespace: HashMap<Namespace, BTreeSet<Id>>,
    by_submitter: HashMap<Handle, BTreeSet<Id>>,
    pending: HashMap<Coordinate, Vec<Id>>,
    archives: HashMap<Digest, PendingArchive>,
    usages: ReviewUsages,
}

/// The archive of a content, and the number of its pending reviews.
struct PendingArchive {
    archive: Archive,
    reviews: usize,
}

impl Reviews {
    /// Adds a pending review.
    pub(super) fn open(&mut self, review: Review) {
        let archive = Archive { sha256: review.sha256, size: review.package_size };
        let kept = self.archives.entry(review.content_digest);
        kept.or_insert(PendingArchive { archive, reviews: 0 }).reviews += 1;
        self.usages.open(&review.submitted_by, own_bytes(&review));
        self.pending.entry(review.coordinate.clone()).or_default().push(review.id);
        self.by_namespace.entry(review.coordinate.namespace.clone()).or_default().insert(review.id);
        self.by_submitter.entry(review.submitted_by.clone()).or_default().insert(review.id);
        self.all.insert(review.id, review);
    }

    /// Closes a review with a decision.
    pub(super) fn decide(&mut self, id: Id, verdict: Verdict, decided: Decided, comment: Option<String>) {
        let status = match verdict {
            Verdict::Approved => ReviewStatus::Approved,
            Verdict::Rejected => ReviewStatus::Rejected,
        };
        self.close(id, status, decided.at);
        if let Some(review) = self.all.get_mut(&id) {
            review.decided = Some(decided);
            review.comment = comment.or(review.comment.take());
        }
    }

    /// Records what a scanner said about a review.
    pub(super) fn judge(&mut self, id: Id, entry: VerdictEntry) {
        if let Some(review) = self.all.get_mut(&id) {
            put_verdict(&mut review.verdicts, entry);
        }
    }

    /// Closes a review without a decision.
    pub(super) fn close(&mut self, id: Id, status: ReviewStatus, at: Timestamp) {
        let Some(review) = self.all.get_mut(&id) else { return };
        let was_pending = review.is_pending();
        review.status = status;
        if was_pending {
            let became_public = status == ReviewStatus::Approved;
            self.usages.close(&review.submitted_by, own_bytes(review), became_public, at);
        }
        // Packages without pending reviews may be removed, so forget the archive.
        if was_pending && let Some(kept) = self.archives.get_mut(&review.content_digest) {
            kept.reviews -= 1;
            if kept.reviews == 0 {
                self.archives.remove(&review.content_digest);
            }
        }
        if let Some(ids) = self.pending.get_mut(&review.coordinate) {
            ids.retain(|other| *other != id);
            if ids.is_empty() {
                self.pending.remove(&review.coordinate);
            }
        }
    }

    fn of(&self, ids: Option<&BTreeSet<Id>>) -> impl Iterator<Item = &Review> {
        ids.into_iter().flatten().rev().filter_map(|id| self.all.get(id))
    }

    /// The review with this id.
    pub fn get(&self, id: Id) -> Option<&Review> {
        self.all.get(&id)
    }

    /// The reviews in a namespace, newest first.
    pub fn in_namespace(&self, namespace: &Namespace) -> impl Iterator<Item = &Review> {
        self.of(self.by_namespace.get(namespace))
    }

    /// The reviews that a user submitted, newest first.
    pub fn by(&self, submitter: &Handle) -> impl Iterator<Item = &Review> {
        self.of(self.by_submitter.get(submitter))
    }

    /// The pending reviews under a skill's name, oldest first.
    pub fn pending(&self, coordinate: &Coordinate) -> impl Iterator<Item = &Review> {
        self.pending.get(coordinate).into_iter().flatten().filter_map(|id| self.all.get(id))
    }

    /// The pending review of a version.
    pub fn pending_version(&self, coordinate: &Coordinate, version: &Version) -> Option<&Review> {
        self.pending(coordinate).find(|review| review.version.eq_ignoring_case(version))
    }

    /// All pending reviews, in no particular order.
    pub fn all_pending(&self) -> impl Iterator<Item = &Review> {
        self.pending.values().flatten().filter_map(|id| self.all.get(id))
    }

    /// How much of the review queue a user uses.
    pub fn usage(&self, submitter: &Handle, now: Timestamp) -> ReviewUsage {
        self.usages.of(submitter, now)
    }

    /// The archive of a content with a pending review.
    pub fn archive(&self, content: &Digest) -> Option<Archive> {
        self.archives.get(content).map(|kept| kept.archive)
    }
}

/// The bytes that are stored for a review alone: a promotion copies a public package.
fn own_bytes(review: &Review) -> u64 {
    match review.kind {
        ReviewKind::Publish => review.package_size,
        ReviewKind::Promotion => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_without_pending_reviews_is_forgotten() {
        let row = include_str!("../../golden/public-published-v2.json");
        let published = serde_json::from_str(row).unwrap();
        let (at, mut reviews) = (Timestamp::from_unix(1_769_860_800).unwrap(), Reviews::default());
        reviews.open(Review::new(Id(41), at, ReviewKind::Publish, published));
        assert_eq!(reviews.pending.len(), 1);
        reviews.close(Id(41), ReviewStatus::Withdrawn, at);
        assert!(reviews.pending.is_empty());
    }
}
