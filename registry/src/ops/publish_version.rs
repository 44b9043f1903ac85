//! The version that a package is published as.

use super::{OpError, conflict, invalid};
use crate::access::Publishing;
use crate::catalog::Catalog;
use crate::names::{Coordinate, Handle, Version};
use crate::package::{Finding, Package, finding_codes};
use crate::private::Review;
use crate::public::{Skill, VersionEntry};

/// The version that a request to publish stands for.
pub(super) enum Resolution<'a> {
    /// The version is already published.
    Existing(&'a VersionEntry),
    /// The version already waits for review.
    Waiting(&'a Review),
    /// A new version, and the caller's own submission that it replaces.
    New(Version, Option<&'a Review>),
}

impl Resolution<'_> {
    /// The number of the version.
    pub(super) fn version(&self) -> &Version {
        match self {
            Self::Existing(entry) => &entry.version,
            Self::Waiting(review) => &review.version,
            Self::New(version, _) => version,
        }
    }
}

/// The skill that a package is published as.
#[derive(Clone, Copy)]
pub(super) struct Target<'a> {
    pub(super) catalog: Catalog<'a>,
    pub(super) coordinate: &'a Coordinate,
    /// The skill, unless this is its first version.
    pub(super) skill: Option<&'a Skill>,
    pub(super) caller: &'a Handle,
    pub(super) publishing: Publishing,
}

impl<'a> Target<'a> {
    /// Finds the version: `asked`, else the one in the front matter, else the next patch.
    /// Content that is already published keeps its version, unless `asked` names another.
    ///
    /// Somebody else's pending submission of the same version blocks a submission, but
    /// not a direct publication. That submission can only be rejected afterwards.
    pub(super) fn resolve(
        &self,
        package: &Package,
        asked: Option<&Version>,
    ) -> Result<Resolution<'a>, OpError> {
        let Self { catalog, coordinate, skill, caller, publishing } = *self;
        let content = package.content_digest;
        let versions = || skill.into_iter().flat_map(|skill| &skill.versions);
        let in_package = package.manifest.version.as_ref().map(|read| &read.version);
        if asked.is_none() {
            let same: Vec<_> =
                versions().filter(|entry| entry.content_digest == content && !entry.is_yanked()).collect();
            let own = same.iter().find(|entry| Some(&entry.version) == in_package);
            if let Some(entry) = own.or(same.last()) {
                return Ok(Resolution::Existing(entry));
            }
            let waiting = catalog.private.reviews.pending(coordinate);
            if let Some(review) =
                waiting.filter(|r| r.content_digest == content && r.submitted_by == *caller).last()
            {
                return Ok(Resolution::Waiting(review));
            }
        }
        let version = match asked.or(in_package) {
            Some(version) => version.clone(),
            None => self.next()?,
        };
        if let Some(entry) = versions().find(|entry| entry.version.eq_ignoring_case(&version)) {
            let same = entry.version == version && entry.content_digest == content;
            return match (same, entry.is_yanked()) {
                (true, false) => Ok(Resolution::Existing(entry)),
                (_, true) => self.taken(entry, "was yanked, and its number is taken"),
                (false, false) => self.taken(entry, "exists already with other content"),
            };
        }
        match catalog.private.reviews.pending_version(coordinate, &version) {
            Some(review) if review.submitted_by != *caller => match publishing {
                Publishing::Direct => Ok(Resolution::New(version, None)),
                Publishing::Reviewed => conflict(format!(
                    "version {version} of {} was submitted by someone else and waits for review: change the version{}",
                    coordinate.scoped(),
                    self.example()
                )),
            },
            Some(review) if review.content_digest == content && review.version == version => {
                Ok(Resolution::Waiting(review))
            }
            replaced => Ok(Resolution::New(version, replaced)),
        }
    }

    /// Finds the first free version after the latest one.
    fn next(&self) -> Result<Version, OpError> {
        let latest = self.skill.and_then(Skill::display_version).map(|latest| &latest.version);
        let too_high = "the patch number cannot be raised any further: name a version";
        self.free_after(latest).map_or_else(|| invalid("version", too_high), Ok)
    }

    /// The first free version after `version`. Versions that others have submitted are not free.
    fn free_after(&self, version: Option<&Version>) -> Option<Version> {
        let Self { catalog, coordinate, skill, caller, .. } = *self;
        let is_taken = |version: &Version| {
            let published = skill.is_some_and(|skill| skill.version(version).is_some());
            let pending = catalog.private.reviews.pending_version(coordinate, version);
            published || pending.is_some_and(|review| review.submitted_by != *caller)
        };
        let mut version = version.map_or_else(|| Some(Version::first()), Version::next_patch);
        while let Some(free) = version {
            if !is_taken(&free) {
                return Some(free);
            }
            version = free.next_patch();
        }
        None
    }

    fn taken<T>(&self, entry: &VersionEntry, why: &str) -> Result<T, OpError> {
        let (name, example) = (self.coordinate.scoped(), self.example());
        conflict(format!("version {} of {name} {why}: raise the version{example}", entry.version))
    }

    /// The version to write after the highest one, and where.
    fn example(&self) -> String {
        let versions = self.skill.into_iter().flat_map(|skill| &skill.versions).map(|entry| &entry.version);
        let highest = versions.max_by(|a, b| a.cmp_as_latest(b));
        self.free_after(highest).map_or_else(String::new, |next| {
            format!(", for example to {next} (`version` in SKILL.md or in a form, `--version {next}` of a command)")
        })
    }
}

/// The warning for a version that was not written in full.
pub(super) fn repaired(written: &str, version: &Version) -> Finding {
    Finding::new(finding_codes::VERSION_REPAIRED, format!("the version `{written}` was read as {version}"))
}
