//! Recording what a scanner said.

use super::{CommitContext, Decision, OpError, conflict};
use crate::access::Denied;
use crate::names::{Coordinate, Digest, Version};
use crate::private::PrivateChange;
use crate::public::{
    Id, MAX_SCANNERS, PublicChange, Revision, ScanVerdict, Scanned, VerdictEntry, VerdictSummary,
};

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

/// Whether a scanner of this version has already judged a package, or the package has no room for its verdict.
pub fn has_verdict(verdicts: &[VerdictEntry], scanner: &str, scanner_version: &str) -> bool {
    let is_it = |known: &VerdictEntry| {
        (&*known.summary.scanner, &*known.summary.scanner_version) == (scanner, scanner_version)
    };
    verdicts.iter().any(is_it) || is_full(verdicts, scanner)
}

/// Whether verdicts of other scanners have all the room.
fn is_full(verdicts: &[VerdictEntry], scanner: &str) -> bool {
    verdicts.len() >= MAX_SCANNERS && verdicts.iter().all(|known| *known.summary.scanner != *scanner)
}

/// Records a verdict. Nothing is written if the last one of this scanner found the same, if the package has no room for
/// one more scanner, or if the package is gone meanwhile. `same_findings` is from [`Registry::same_findings`].
///
/// [`Registry::same_findings`]: crate::Registry::same_findings
pub fn record(
    context: CommitContext<'_>,
    judged: &Judged,
    verdict: &ScanVerdict,
    same_findings: Option<Revision>,
) -> Result<Decision<bool>, OpError> {
    if context.actor.handle.is_some() {
        return Err(Denied("verdicts are recorded by the server itself".into()).into());
    }
    verdict.check().or_else(|why| conflict(format!("the verdict {why}")))?;
    let summary = verdict.summary();
    // A new version of a scanner that finds the same must not write a row about each version of the registry.
    let is_same = |known: &VerdictEntry| {
        let scanner_version = summary.scanner_version.clone();
        known.summary == summary
            || VerdictSummary { scanner_version, ..known.summary.clone() } == summary
                && (summary.level.is_none() || same_findings == Some(known.revision))
    };
    let known =
        |verdicts: &[VerdictEntry]| is_full(verdicts, &summary.scanner) || verdicts.iter().any(is_same);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Timestamp;

    #[test]
    fn full_list_counts_as_judged_by_further_scanners() {
        let entry = |n: usize| {
            let verdict = ScanVerdict {
                scanner: format!("s{n}").into(),
                scanner_version: "1".into(),
                findings: Vec::new(),
            };
            VerdictEntry { summary: verdict.summary(), at: Timestamp::now(), revision: 1 }
        };
        let mut verdicts: Vec<_> = (1..MAX_SCANNERS).map(entry).collect();
        assert!(!has_verdict(&verdicts, "one-more", "1"));
        verdicts.push(entry(MAX_SCANNERS));
        assert!(has_verdict(&verdicts, "one-more", "1"));
        assert!(has_verdict(&verdicts, "s1", "1") && !has_verdict(&verdicts, "s1", "2"));
    }
}
