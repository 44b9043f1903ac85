//! How many documents of skills a change outdates.

use registry::names::Coordinate;
use registry::public::{PublicCatalog, PublicChange, TagRemoved, TagSet, Unyanked, Yanked};

/// The most skills or versions that are written before a write is answered. The writes of others wait
/// for them, too.
const FEW: usize = 32;

/// How many documents of [`Tier::Own`](crate::address::Tier) a change outdates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Those of a skill and of a few versions.
    Few,
    /// Few, and some may not exist any more. They are removed when nothing refers to them.
    FewAndRemoved,
    /// Those of many skills or versions, which are all in the tree.
    ManySkills,
    /// Those of many versions of a skill, which may be missing from the tree.
    ManyVersions,
}

/// The extent of a change. The catalog already includes the change.
pub(crate) fn extent(change: &PublicChange, catalog: &PublicCatalog) -> Extent {
    match change {
        PublicChange::SkillRemoved(_) | PublicChange::Yanked(_) | PublicChange::TagRemoved(_) => {
            Extent::FewAndRemoved
        }
        PublicChange::PersonRenamed(person) if catalog.showing(&person.handle).nth(FEW).is_some() => {
            Extent::ManySkills
        }
        PublicChange::AdvisoryPublished(_) | PublicChange::AdvisoryWithdrawn(_)
            if subject(change)
                .and_then(|c| catalog.skill(&c))
                .is_some_and(|skill| skill.versions.len() > FEW) =>
        {
            Extent::ManySkills
        }
        // Not if the page of a promoted copy links to it: that could be written first.
        PublicChange::SkillRestored(name)
            if catalog.skill(&name.coordinate()).is_some_and(|skill| skill.versions.len() > FEW)
                && catalog.promoted_from(&name.coordinate()).next().is_none() =>
        {
            Extent::ManyVersions
        }
        _ => Extent::Few,
    }
}

/// The skill that a change is about, if it is about one.
pub(crate) fn subject(change: &PublicChange) -> Option<Coordinate> {
    Some(match change {
        PublicChange::Published(published) => published.coordinate(),
        PublicChange::Yanked(Yanked { skill, .. })
        | PublicChange::Unyanked(Unyanked { skill, .. })
        | PublicChange::TagSet(TagSet { skill, .. })
        | PublicChange::TagRemoved(TagRemoved { skill, .. })
        | PublicChange::SkillRemoved(skill)
        | PublicChange::SkillRestored(skill) => skill.coordinate(),
        PublicChange::AdvisoryPublished(advisory) => advisory.skill.coordinate(),
        PublicChange::AdvisoryWithdrawn(withdrawn) => withdrawn.skill.coordinate(),
        PublicChange::Scanned(scanned) => scanned.skill.coordinate(),
        PublicChange::AuthorChanged(changed) => changed.skill.coordinate(),
        _ => return None,
    })
}
