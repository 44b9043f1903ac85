//! Recording what a scanner said.

use super::{CommitContext, Decision, OpError, conflict};
use crate::access::Denied;
use crate::names::{Coordinate, Digest, Version};
use crate::private::PrivateChange;
use crate::public::{Id, PublicChange, ScanVerdict, Scanned, VerdictEntry};

/// The package that a verdict is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Judged {
    /// A public version, and the digest of its package.
    Version {
        /// The skill.
        skill: Coordinate,
        /// The version.
        version: Version,
        /// The digest.
        sha256: Digest,
    },
    /// The submission of a review.
    Review(Id),
}

/// Whether a scanner of this version has already judged a package.
pub fn has_verdict(verdicts: &[VerdictEntry], scanner: &str, scanner_version: &str) -> bool {
    let is_it = |known: &VerdictEntry| {
        (&*known.summary.scanner, &*known.summary.scanner_version) == (scanner, scanner_version)
    };
    verdicts.iter().any(is_it)
}

/// Records a verdict. Nothing is written if the last one of this scanner was the same, or if the package is gone
/// meanwhile.
pub fn record(
    context: CommitContext<'_>,
    judged: &Judged,
    verdict: &ScanVerdict,
) -> Result<Decision<bool>, OpError> {
    if context.actor.handle.is_some() {
        return Err(Denied("verdicts are recorded by the server itself".into()).into());
    }
    verdict.check().or_else(|why| conflict(format!("the verdict {why}")))?;
    let summary = verdict.summary();
    let known = |verdicts: &[VerdictEntry]| verdicts.iter().any(|known| known.summary == summary);
    match judged {
        Judged::Version { skill: coordinate, version, sha256 } => {
            let skill = context.catalog.public.skill(coordinate);
            let entry =
                skill.and_then(|skill| skill.version(version)).filter(|entry| entry.sha256 == *sha256);
            if entry.is_none_or(|entry| known(&entry.verdicts)) {
                return Ok(Decision::nothing(false));
            }
            let (skill, version, sha256) = (coordinate.into(), version.clone(), *sha256);
            let scanned = Scanned { skill, version, sha256, verdict: verdict.clone() };
            Ok(Decision::public(PublicChange::Scanned(Box::new(scanned)), true))
        }
        Judged::Review(id) => {
            let review = context.catalog.private.reviews.get(*id).filter(|review| review.is_pending());
            if review.is_none_or(|review| known(&review.verdicts)) {
                return Ok(Decision::nothing(false));
            }
            let verdict = Box::new(verdict.clone());
            Ok(Decision::private(PrivateChange::SubmissionScanned { review: *id, verdict }, true))
        }
    }
}
