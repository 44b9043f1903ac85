//! The shared knowledge of all writers, and the choice of the next action.

use parking_lot::Mutex;

use super::action::{Action, Attempt};
use crate::world::Prose;

/// Skills there are from the beginning: few, so that many meet at each.
pub const INITIAL_SKILLS: usize = 12;

/// Tags that everybody sets, moves and removes.
const TAGS: [&str; 4] = ["stable", "beta", "nightly", "audited"];

/// Contents that a version may have: sometimes two publish the same.
const VARIANTS: usize = 4;

/// How far the number of a new version is at most from the highest known one:
/// those who publish to a skill at once often take the same.
const MAX_VERSION_GAP: usize = 3;

/// One publication in so many creates a new skill.
const PUBLISHES_PER_NEW_SKILL: usize = 16;

/// A skill that has been acknowledged.
struct KnownSkill {
    slug: String,
    versions: Vec<String>,
    highest: usize,
}

/// The acknowledged skills and versions.
#[derive(Default)]
pub struct SharedState {
    skills: Mutex<Vec<KnownSkill>>,
    begun: Mutex<usize>,
}

/// The version of that number.
fn version(number: usize) -> String {
    format!("1.{number}.0")
}

/// The slug of an initial skill.
pub fn first(number: usize) -> String {
    format!("skill-{number}")
}

impl SharedState {
    /// The next write, and the skill to which.
    pub fn choose(&self, chance: &mut Prose) -> (String, Action) {
        let skills = self.skills.lock();
        // Mostly one of the first, where it is crowded.
        let among = if chance.below(4) == 0 { skills.len() } else { INITIAL_SKILLS.min(skills.len()) };
        let known = skills.get(chance.below(among));
        let (Some(known), false) = (known, chance.below(PUBLISHES_PER_NEW_SKILL * 4) == 0) else {
            drop(skills);
            return (
                self.unknown(),
                Action::Publish { version: version(0), variant: chance.below(VARIANTS) },
            );
        };
        let tag = TAGS.get(chance.below(TAGS.len())).copied().unwrap_or("stable");
        let action = match chance.below(4) {
            0 => Action::Publish {
                version: version(known.highest + 1 + chance.below(MAX_VERSION_GAP)),
                variant: chance.below(VARIANTS),
            },
            1 if chance.below(2) == 0 => Action::Star,
            1 => Action::Unstar,
            2 => Action::Rate(1 + chance.below(5) as u64),
            _ => match known.versions.get(chance.below(known.versions.len())) {
                Some(version) if chance.below(3) > 0 => Action::SetTag { tag, version: version.clone() },
                _ => Action::RemoveTag(tag),
            },
        };
        (known.slug.clone(), action)
    }

    /// A name for a new skill: each is given to two, who do not know of each
    /// other.
    fn unknown(&self) -> String {
        let mut begun = self.begun.lock();
        *begun += 1;
        format!("new-{}", (*begun - 1) / 2)
    }

    /// Tells everybody of a publication that was acknowledged.
    pub fn learn(&self, attempt: &Attempt) {
        let Action::Publish { version, .. } = &attempt.action else { return };
        if attempt.status != 201 {
            return;
        }
        let number = version.split('.').nth(1).and_then(|number| number.parse().ok()).unwrap_or(0);
        let mut skills = self.skills.lock();
        match skills.iter_mut().find(|known| known.slug == attempt.slug) {
            Some(known) => {
                known.versions.push(version.clone());
                known.highest = known.highest.max(number);
            }
            None => skills.push(KnownSkill {
                slug: attempt.slug.clone(),
                versions: vec![version.clone()],
                highest: number,
            }),
        }
    }
}
