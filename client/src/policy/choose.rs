//! Chooses versions that a policy accepts.

use registry::api::public::VersionRecord;
use registry::names::Version;

use super::Policy;
use super::facts::VersionFacts;
use crate::Requirement;

/// Whether a version is offered, and a policy accepts it by its record.
pub(crate) fn is_accepted(policy: &Policy, record: &VersionRecord<'static>) -> bool {
    !record.is_yanked() && policy.refusal_of_record(&VersionFacts::new(record)).is_none()
}

/// The best version that a range or `latest` allows and a policy accepts by its record. None for other requirements.
pub(crate) fn best_accepted<'v>(
    policy: &Policy,
    versions: &'v [VersionRecord<'static>],
    requirement: &Requirement,
) -> Option<&'v Version> {
    let accepted = || versions.iter().filter(|known| is_accepted(policy, known)).map(|known| &*known.version);
    match requirement {
        Requirement::Range(range) => accepted().filter(|version| version.satisfies(range)).max(),
        Requirement::Latest => {
            // A pre-release is the latest version only if there is no release.
            let has_release = versions.iter().any(|known| !known.version.is_prerelease());
            accepted()
                .filter(|version| !has_release || !version.is_prerelease())
                .max_by(|one, other| one.cmp_as_latest(other))
        }
        Requirement::Tag(_) | Requirement::Exact(_) => None,
    }
}
