//! Why a skill is installed.

use std::collections::{BTreeMap, BTreeSet};

use registry::names::{Coordinate, Requirement, Version};

use super::closure::Member;

/// Why a skill is installed: because somebody has asked for it, because others require it, or both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Needed {
    /// Whether somebody has asked for it.
    pub is_asked: bool,
    /// The skills of the same folder that require it.
    pub by: BTreeMap<Coordinate, Requirement>,
}

impl Default for Needed {
    /// Asked for, and required by none.
    fn default() -> Self {
        Self { is_asked: true, by: BTreeMap::new() }
    }
}

impl Needed {
    /// The texts of `required_by` in files and JSON: `@a/x ^1`. Sorted by the bytes of the names.
    pub fn texts(&self) -> Vec<String> {
        let mut by: Vec<_> =
            self.by.iter().map(|(skill, requirement)| (skill.scoped(), requirement)).collect();
        by.sort_by(|(one, _), (other, _)| one.cmp(other));
        by.into_iter().map(|(skill, requirement)| format!("{skill} {requirement}")).collect()
    }

    /// Parses a text of [`Self::texts`].
    pub fn parse_text(text: &str) -> Result<(Coordinate, Requirement), String> {
        let (skill, requirement) = text.split_once(' ').ok_or("it is not like `@namespace/slug ^1`")?;
        let skill = Coordinate::parse_scoped(skill).ok_or("it does not begin with @namespace/slug")?;
        Ok((skill.map_err(|why| why.to_string())?, requirement.parse()?))
    }
}

/// Records what those members of a choice require that are in a folder in their chosen versions. `folder` has all of its
/// skills.
pub fn link<'a>(
    folder: impl Iterator<Item = (&'a Coordinate, &'a Version, &'a mut Needed)>,
    members: &[Member],
) {
    let folder: Vec<_> = folder.collect();
    let is_there = |member: &&Member| {
        folder.iter().any(|(skill, version, _)| (*skill, *version) == (&member.skill, &member.version))
    };
    let members: Vec<&Member> = members.iter().filter(is_there).collect();
    for (own, version, needed) in folder {
        for member in &members {
            match member.requires.iter().find(|one| one.coordinate() == *own) {
                // The installed version does not satisfy the requirement: the old entry stays.
                Some(one) if one.requirement.allows(version) == Some(false) => {}
                Some(one) => drop(needed.by.insert(member.skill.clone(), one.requirement.clone())),
                None => drop(needed.by.remove(&member.skill)),
            }
        }
    }
}

/// The skills of a folder that nobody has asked for, directly or not. Skills that only require each other are
/// among them.
pub fn unneeded<'a>(folder: impl Iterator<Item = (&'a Coordinate, &'a Needed)>) -> BTreeSet<Coordinate> {
    let (asked, mut rest): (Vec<_>, Vec<_>) = folder.partition(|(_, needed)| needed.is_asked);
    let mut reached: BTreeSet<&Coordinate> = asked.into_iter().map(|(skill, _)| skill).collect();
    loop {
        let (found, others): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|(_, needed)| needed.by.keys().any(|by| reached.contains(by)));
        if found.is_empty() {
            return others.into_iter().map(|(skill, _)| skill.clone()).collect();
        }
        reached.extend(found.into_iter().map(|(skill, _)| skill));
        rest = others;
    }
}
