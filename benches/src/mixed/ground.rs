//! What everybody knows while the load runs, and what they choose to do next.

use parking_lot::Mutex;

use super::deed::{Deed, Done};
use crate::world::Prose;

/// Skills there are from the beginning: few, so that many meet at each.
pub const FIRST: usize = 12;

/// Tags that everybody sets, moves and removes.
const TAGS: [&str; 4] = ["stable", "beta", "nightly", "audited"];

/// Contents that a version may have: sometimes two publish the same.
const VARIANTS: usize = 4;

/// How far the number of a new version is at most from the highest known one:
/// those who publish to a skill at once often take the same.
const AHEAD: usize = 3;

/// Publications for one of a skill that nobody has heard of.
const TO_ONE_NEW: usize = 16;

/// A skill that has been acknowledged.
struct Known {
    slug: String,
    versions: Vec<String>,
    highest: usize,
}

/// The acknowledged skills and versions.
#[derive(Default)]
pub struct Ground {
    skills: Mutex<Vec<Known>>,
    begun: Mutex<usize>,
}

/// The version of that number.
fn version(number: usize) -> String {
    format!("1.{number}.0")
}

/// The skill of that number, of those that are there from the beginning.
pub fn first(number: usize) -> String {
    format!("skill-{number}")
}

impl Ground {
    /// The next write, and the skill to which.
    pub fn choose(&self, chance: &mut Prose) -> (String, Deed) {
        let skills = self.skills.lock();
        // Mostly one of the first, where it is crowded.
        let among = if chance.below(4) == 0 { skills.len() } else { FIRST.min(skills.len()) };
        let known = skills.get(chance.below(among));
        let (Some(known), false) = (known, chance.below(TO_ONE_NEW * 4) == 0) else {
            drop(skills);
            return (self.unknown(), Deed::Publish { version: version(0), variant: chance.below(VARIANTS) });
        };
        let tag = TAGS.get(chance.below(TAGS.len())).copied().unwrap_or("stable");
        let deed = match chance.below(4) {
            0 => Deed::Publish {
                version: version(known.highest + 1 + chance.below(AHEAD)),
                variant: chance.below(VARIANTS),
            },
            1 if chance.below(2) == 0 => Deed::Star,
            1 => Deed::Unstar,
            2 => Deed::Rate(1 + chance.below(5) as u64),
            _ => match known.versions.get(chance.below(known.versions.len())) {
                Some(version) if chance.below(3) > 0 => Deed::SetTag { tag, version: version.clone() },
                _ => Deed::RemoveTag(tag),
            },
        };
        (known.slug.clone(), deed)
    }

    /// A name for a new skill: each is given to two, who do not know of each
    /// other.
    fn unknown(&self) -> String {
        let mut begun = self.begun.lock();
        *begun += 1;
        format!("new-{}", (*begun - 1) / 2)
    }

    /// Tells everybody of a publication that was acknowledged.
    pub fn learn(&self, done: &Done) {
        let Deed::Publish { version, .. } = &done.deed else { return };
        if done.status != 201 {
            return;
        }
        let number = version.split('.').nth(1).and_then(|number| number.parse().ok()).unwrap_or(0);
        let mut skills = self.skills.lock();
        match skills.iter_mut().find(|known| known.slug == done.slug) {
            Some(known) => {
                known.versions.push(version.clone());
                known.highest = known.highest.max(number);
            }
            None => skills.push(Known {
                slug: done.slug.clone(),
                versions: vec![version.clone()],
                highest: number,
            }),
        }
    }
}
