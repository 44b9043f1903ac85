//! Compares what a project wants with its lock file.

use registry::names::Coordinate;

use super::{Lock, LockedSkill, Manifest, Place};
use crate::skills::Needed;
use crate::{RegistryAddress, Requirement, SkillReference};

/// A skill that is wanted at a place, but not locked there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// Where it is wanted.
    pub place: Place,
    /// The skill.
    pub coordinate: Coordinate,
    /// The wanted versions.
    pub requirement: Requirement,
    /// The registry. None for the default of the user.
    pub registry: Option<RegistryAddress>,
    /// Why it is wanted.
    pub needed: Needed,
}

impl From<&LockedSkill> for Wanted {
    /// Wants the same again.
    fn from(locked: &LockedSkill) -> Self {
        let LockedSkill { place, coordinate, requirement, registry, needed, .. } = locked.clone();
        Self { place, coordinate, requirement, registry: Some(registry), needed }
    }
}

/// What the lock file must become.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// These stay as they are, except for their requirements.
    pub keep: Vec<LockedSkill>,
    /// For these a version must be chosen.
    pub choose: Vec<Wanted>,
    /// These are no longer wanted.
    pub remove: Vec<LockedSkill>,
    /// What changes, in words. Empty if the lock file is up to date.
    pub changes: Vec<String>,
}

/// Plans what the lock file must become. Without a `skills.toml` it stays as it is. A locked version that fits a
/// changed requirement stays, and so does one that a new place of the same skill can share.
pub fn plan(manifest: Option<&Manifest>, lock: &Lock) -> Plan {
    let Some(manifest) = manifest else {
        return Plan { keep: lock.skills.values().cloned().collect(), ..Plan::default() };
    };
    let mut plan = Plan::default();
    for (place, coordinate, wanted) in manifest.places() {
        let registry = wanted.registry.as_ref().or(manifest.registry.as_ref());
        let fits = |locked: &&LockedSkill| {
            locked.coordinate == *coordinate
                && registry.is_none_or(|registry| *registry == locked.registry)
                && (locked.requirement == wanted.requirement
                    || wanted.requirement.allows(&locked.version) == Some(true))
        };
        let name = SkillReference::argument(coordinate);
        let here = lock.skills.get(place).filter(fits);
        let known = lock.skills.get(place).filter(|known| known.coordinate == *coordinate);
        let needed =
            Needed { is_asked: true, by: known.map(|known| known.needed.by.clone()).unwrap_or_default() };
        let is_shared = |other: &&LockedSkill| {
            fits(other) && needed.by.values().all(|one| one.allows(&other.version) != Some(false))
        };
        match here.or_else(|| lock.skills.values().find(is_shared)) {
            Some(locked) => {
                let kept = LockedSkill {
                    place: place.clone(),
                    requirement: wanted.requirement.clone(),
                    needed,
                    ..locked.clone()
                };
                if let (None, Some(locked)) = (here, lock.skills.get(place)) {
                    let (version, wanted) = (&locked.version, &kept.requirement);
                    plan.changes.push(format!("{name} {version} in `{place}` does not fit `{wanted}`"));
                } else if here.is_none() {
                    plan.changes.push(format!("{name} is not in `{place}`"));
                } else if *locked != kept {
                    let (now, was) = (&kept.requirement, &locked.requirement);
                    plan.changes
                        .push(format!("skills.toml wants {name} `{now}`, and skills.lock has `{was}`"));
                }
                plan.keep.push(kept);
            }
            None => {
                let (coordinate, requirement) = (coordinate.clone(), wanted.requirement.clone());
                plan.changes
                    .push(format!("no version of {name} is locked in `{place}` that fits `{requirement}`"));
                let registry = registry.cloned();
                plan.choose.push(Wanted { place: place.clone(), coordinate, requirement, registry, needed });
            }
        }
    }
    let is_wanted = |locked: &LockedSkill| {
        manifest
            .places()
            .any(|(place, coordinate, _)| *place == locked.place && *coordinate == locked.coordinate)
    };
    let unneeded = lock.unneeded(is_wanted);
    for locked in lock.skills.values().filter(|locked| !is_wanted(locked)) {
        let name = SkillReference::argument(&locked.coordinate);
        if unneeded.contains(&locked.place) {
            plan.changes.push(format!("{name} is not wanted in `{}`", locked.place));
            plan.remove.push(locked.clone());
            continue;
        }
        let mut kept = locked.clone();
        if std::mem::take(&mut kept.needed.is_asked) {
            plan.changes.push(format!("{name} is only required in `{}`", locked.place));
        }
        plan.keep.push(kept);
    }
    plan
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use registry::names::Digest;

    use super::*;

    fn locked(name: &str, place: &str, requirement: &str, version: &str) -> LockedSkill {
        LockedSkill {
            coordinate: name.parse().unwrap(),
            place: place.parse().unwrap(),
            requirement: requirement.parse().unwrap(),
            version: version.parse().unwrap(),
            registry: "https://a.example".parse().unwrap(),
            sha256: Digest::of(version.as_bytes()),
            content_digest: Digest::of(name.as_bytes()),
            built_from: None,
            needed: Needed::default(),
        }
    }

    fn lock(skills: &[LockedSkill]) -> Lock {
        let skills = skills.iter().map(|skill| (skill.place.clone(), skill.clone())).collect();
        Lock { skills, merged_at: None }
    }

    fn planned(toml: &str, lock: &Lock) -> Plan {
        plan(Some(&Manifest::parse(toml).unwrap()), lock)
    }

    #[test]
    fn locked_version_stays_while_it_fits() {
        let lock = lock(&[locked("hello", "skills/hello", "^1", "1.2.0")]);
        for (wanted, version) in [("1", "1.2.0"), ("^1.1", "1.2.0"), ("1.2.0", "1.2.0"), ("*", "1.2.0")] {
            let plan = planned(&format!("[skills]\nhello = \"{wanted}\""), &lock);
            assert_eq!(plan.keep[0].version.to_string(), version, "{wanted}");
            assert_eq!(plan.keep[0].requirement, wanted.parse().unwrap());
            assert_eq!(plan.changes.is_empty(), wanted == "1", "{wanted}: {:?}", plan.changes);
        }
        for wanted in ["2", "latest", "stable", "1.2.1"] {
            let plan = planned(&format!("[skills]\nhello = \"{wanted}\""), &lock);
            assert!(
                plan.keep.is_empty() && plan.choose.len() == 1 && plan.changes.len() == 1,
                "{wanted}: {plan:?}"
            );
        }
    }

    #[test]
    fn new_place_shares_the_locked_version() {
        let lock = lock(&[locked("hello", ".claude/skills/hello", "^1", "1.2.0")]);
        let plan = planned("agents = [\"claude\", \"codex\"]\n[skills]\nhello = \"1\"", &lock);
        let kept: Vec<_> =
            plan.keep.iter().map(|skill| (skill.place.as_str(), skill.version.to_string())).collect();
        let version = || "1.2.0".to_owned();
        assert_eq!(kept, [(".claude/skills/hello", version()), (".agents/skills/hello", version())]);
        assert_eq!((plan.choose.len(), plan.changes.len()), (0, 1), "{:?}", plan.changes);
    }

    #[test]
    fn skill_of_another_registry_or_without_a_wish_is_replaced_or_removed() {
        let lock = lock(&[
            locked("hello", "skills/hello", "^1", "1.2.0"),
            locked("lint", "skills/lint", "^1", "1.0.0"),
        ]);
        let plan = planned("registry = \"https://b.example\"\n[skills]\nhello = \"1\"", &lock);
        assert_eq!(plan.choose[0].registry.as_ref().unwrap().to_string(), "https://b.example");
        let removed: Vec<_> = plan.remove.iter().map(|skill| skill.place.as_str()).collect();
        assert_eq!(removed, ["skills/lint"]);
        assert!(
            plan.changes.iter().any(|change| change.contains("lint is not wanted")),
            "{:?}",
            plan.changes
        );
    }

    #[test]
    fn lock_without_a_manifest_stays() {
        let lock = lock(&[locked("hello", "skills/hello", "^1", "1.2.0")]);
        let plan = plan(None, &lock);
        assert!(plan.keep.len() == 1 && plan.changes.is_empty(), "{plan:?}");
    }
}
