//! Chooses versions that a policy accepts.

use registry::api::public::VersionRecord;
use registry::names::Version;

use super::Policy;
use super::facts::{Judged, VersionFacts};
use crate::Requirement;

impl Judged<VersionRecord<'static>> {
    pub(crate) fn is_accepted(&self, policy: &Policy) -> bool {
        !self.record.is_yanked()
            && policy.refusal_of_record(&VersionFacts::new(&self.record, &self.verdicts)).is_none()
    }
}

/// The best version that a range or `latest` allows and a policy accepts by its record. None for other requirements.
pub(crate) fn best_accepted<'v>(
    policy: &Policy,
    versions: &'v [Judged<VersionRecord<'static>>],
    requirement: &Requirement,
) -> Option<&'v Version> {
    let accepted =
        || versions.iter().filter(|known| known.is_accepted(policy)).map(|known| &*known.record.version);
    match requirement {
        Requirement::Range(range) => accepted().filter(|version| version.satisfies(range)).max(),
        Requirement::Latest => {
            // A pre-release is the latest version only if there is no release.
            let has_release = versions.iter().any(|known| !known.record.version.is_prerelease());
            accepted()
                .filter(|version| !has_release || !version.is_prerelease())
                .max_by(|one, other| one.cmp_as_latest(other))
        }
        Requirement::Tag(_) | Requirement::Exact(_) => None,
    }
}
