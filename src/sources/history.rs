//! What the registry has already, and where it takes submissions: asked of its history.

use registry::Registry;
use registry::local::{SeenSkill, SourceOutcome};
use registry::names::{Coordinate, Digest, Handle, Namespace, Version};
use registry::private::ReviewStatus;
use registry::public::Id;

/// What the registry has of a content.
pub struct Known {
    version: Version,
    /// The review of it, and whether that is still pending. None: it is published.
    review: Option<(Id, bool)>,
}

impl Known {
    /// Finds a content that is published, or that `account` has submitted and that waits or was rejected.
    pub fn find(registry: &Registry, skill: &Coordinate, content: &Digest, account: &Handle) -> Option<Self> {
        registry.read(|catalog| {
            let mut versions = catalog.public.skill(skill).into_iter().flat_map(|skill| &skill.versions);
            if let Some(entry) = versions.find(|entry| entry.content_digest == *content) {
                return Some(Self { version: entry.version.clone(), review: None });
            }
            let review = catalog.private.reviews.by(account).find(|review| {
                review.coordinate == *skill
                    && review.content_digest == *content
                    && matches!(review.status, ReviewStatus::Pending | ReviewStatus::Rejected)
            })?;
            Some(Self { version: review.version.clone(), review: Some((review.id, review.is_pending())) })
        })
    }

    /// What became of a skill with this content.
    pub fn seen(self, seen: SeenSkill) -> SeenSkill {
        let (outcome, message) = match self.review {
            None => (SourceOutcome::Unchanged, None),
            Some((id, true)) => (SourceOutcome::Waiting, Some(format!("review {id}"))),
            Some((id, false)) => {
                let message = format!(
                    "review {id} rejected this content: it is submitted again once its content changes"
                );
                (SourceOutcome::Rejected, Some(message))
            }
        };
        SeenSkill { version: Some(self.version.to_string()), outcome, message, ..seen }
    }
}

/// Whether the registry has this version.
pub fn has_version(registry: &Registry, skill: &Coordinate, version: &Version) -> bool {
    registry.read(|catalog| {
        let mut versions = catalog.public.skill(skill).into_iter().flat_map(|skill| &skill.versions);
        versions.any(|entry| entry.version.eq_ignoring_case(version))
    })
}

/// Checks that sources may submit to a namespace.
pub fn check_goal(registry: &Registry, into: &Namespace) -> Result<(), String> {
    registry.read(|catalog| {
        if catalog.private.private_namespaces().any(|(name, _)| name == into) {
            return Err(format!("`{into}` is a private namespace: sources are followed into public ones"));
        }
        registry::ops::namespaces::accepts_packages(catalog, into).map_err(|why| why.to_string())
    })
}
