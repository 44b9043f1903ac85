//! The format of `skills.lock` (docs/lock-file.md).

mod entry;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use registry::names::{Coordinate, Digest, Version};
use serde::Deserialize;

use super::Place;
use super::fault::Fault;
use super::place::first_overlap;
use crate::install::is_missing;
use crate::merge_marks::{self, Merge, Side};
use crate::skills::closure::Member;
use crate::skills::{Needed, link, unneeded};
use crate::{RegistryAddress, Requirement, SkillReference, notice};
use entry::Entry;

/// The format version of a file in which an entry has `required_by`, of one in which an entry has `built_from`, and of all
/// others.
pub const VERSION: u64 = 3;
const VERSION_WITH_SOURCES: u64 = 2;
const VERSION_WITHOUT_SOURCES: u64 = 1;

/// The size limit of a lock file: 4 MiB, which is enough for [`MAX_SKILLS`].
pub const MAX_BYTES: u64 = 4 << 20;

/// The most skills in a lock file.
pub const MAX_SKILLS: usize = 5_000;

/// The first lines of a lock file.
const HEAD: &str = "# The skills that `skillmirror` has installed in this project. Keep it in version control.\n\
                    # Do not edit it: use `skillmirror install`, `update` and `uninstall`.\n";

/// One skill that is installed in one folder of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockedSkill {
    /// The skill.
    pub coordinate: Coordinate,
    /// Where it is.
    pub place: Place,
    /// The versions that were wanted. If nobody has asked for it, those that the first of `needed` wants.
    pub requirement: Requirement,
    /// Why it is there.
    pub needed: Needed,
    /// The version.
    pub version: Version,
    /// The registry that it is from.
    pub registry: RegistryAddress,
    /// The digest of the package.
    pub sha256: Digest,
    /// The digest of the content of the package.
    pub content_digest: Digest,
    /// The repository and commit that it was built from, if the registry said so.
    pub built_from: Option<String>,
}

impl LockedSkill {
    /// Whether the folder of the skill is missing.
    pub fn is_missing(&self) -> bool {
        is_missing(self.place.as_str().as_ref())
    }

    /// The skill, its version and where both are from, for messages.
    fn described(&self) -> String {
        let Self { coordinate, version, requirement, registry, .. } = self;
        format!("{} {version} (`{requirement}`, from {registry})", SkillReference::argument(coordinate))
    }
}

/// What a lock file says: the skills of a project, by their places.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lock {
    /// The skills. No place is in another.
    pub skills: BTreeMap<Place, LockedSkill>,
    /// The first line with a mark of a merge, if the file has some. The skills are those of both sides.
    pub merged_at: Option<usize>,
}

/// The file, before its entries are checked against each other.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "version")]
    _version: u64,
    #[serde(default)]
    skill: Vec<Entry>,
}

/// The format version, which is read before the rest.
#[derive(Deserialize)]
struct Header {
    version: u64,
}

impl Lock {
    /// Parses a lock file. Refuses other format versions, unknown fields, and values that no release
    /// writes. Of a file with the marks of a merge it takes both sides, unless they have different
    /// entries for one path.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        match merge_marks::split(text) {
            None => Self::parse_unmarked(text),
            Some(Ok(merge)) => Self::of_both_sides(&merge),
            Some(Err(line)) => {
                Err(Fault::Conflict { line, why: "the marks do not belong together".to_owned() })
            }
        }
    }

    /// Takes the entries of both sides of a merge. Fails if they have different ones for one path.
    fn of_both_sides(Merge { line, sides }: &Merge) -> Result<Self, Fault> {
        let line = *line;
        let conflict = |why: String| Fault::Conflict { line, why };
        let [ours, theirs] = sides.each_ref().map(|side| side.label.escape_debug());
        let read = |side: &Side| {
            Self::parse_unmarked(&side.text).map_err(|fault| match fault {
                Fault::Damaged { why } => {
                    conflict(format!("the side `{}` cannot be read: {why}", side.label.escape_debug()))
                }
                other => other,
            })
        };
        let mut lock = read(&sides[0])?;
        for (place, skill) in read(&sides[1])?.skills {
            match lock.skills.get(&place) {
                Some(known) if *known != skill => {
                    let (known, skill) = (known.described(), skill.described());
                    let other = if known == skill { " with other digests" } else { "" };
                    let why = format!("`{ours}` has {known} in `{place}`, and `{theirs}` has {skill}{other}");
                    return Err(conflict(why));
                }
                _ => lock.skills.insert(place, skill),
            };
        }
        lock.check().map_err(conflict)?;
        Ok(Self { merged_at: Some(line), ..lock })
    }

    fn parse_unmarked(text: &str) -> Result<Self, Fault> {
        let damaged = |why: toml::de::Error| Fault::of_toml(text, &why);
        let Header { version } = toml::from_str(text).map_err(damaged)?;
        if !(VERSION_WITHOUT_SOURCES..=VERSION).contains(&version) {
            return Err(Fault::Unknown { version });
        }
        let File { skill: entries, .. } = toml::from_str(text).map_err(damaged)?;
        let mut lock = Self::default();
        for entry in entries {
            if version == VERSION_WITHOUT_SOURCES && entry.built_from.is_some() {
                return Err(Fault::damaged("`built_from` is a field of version 2".to_owned()));
            }
            if version < VERSION && !entry.required_by.is_empty() {
                return Err(Fault::damaged("`required_by` is a field of version 3".to_owned()));
            }
            let skill = entry.check().map_err(Fault::damaged)?;
            if lock.skills.contains_key(&skill.place) {
                return Err(Fault::damaged(format!("two entries have the path `{}`", skill.place)));
            }
            lock.skills.insert(skill.place.clone(), skill);
        }
        lock.check().map_err(Fault::damaged)?;
        Ok(lock)
    }

    /// Checks the entries against each other.
    fn check(&self) -> Result<(), String> {
        if self.skills.len() > MAX_SKILLS {
            return Err(format!("it has more than {MAX_SKILLS} skills"));
        }
        match first_overlap(self.skills.keys().map(|place| (place, ()))) {
            Some([(one, ()), (other, ())]) => Err(format!("the path `{one}` overlaps with `{other}`")),
            None => Ok(()),
        }
    }

    /// Another place of which one is in the other.
    pub fn overlapping(&self, place: &Place) -> Option<&Place> {
        self.skills.keys().find(|other| *other != place && other.overlaps(place))
    }

    /// Records what those members of a choice require that are in the folder in their chosen versions.
    pub fn link(&mut self, folder: &Path, members: &[Member]) {
        let here = |skill: &&mut LockedSkill| skill.place.folder() == folder;
        let skills = self.skills.values_mut().filter(here);
        link(skills.map(|skill| (&skill.coordinate, &skill.version, &mut skill.needed)), members);
        for skill in self.skills.values_mut().filter(here) {
            if let Some(first) = skill.needed.by.values().next().filter(|_| !skill.needed.is_asked) {
                skill.requirement = first.clone();
            }
        }
    }

    /// Drops what it says of requirers that are not there, and requirements that a locked version does not fit, with a
    /// note. A skill that only such ones require stays, as if somebody had asked for it.
    pub fn settle(&mut self) {
        let there: BTreeSet<_> =
            self.skills.values().map(|skill| (skill.place.folder(), skill.coordinate.clone())).collect();
        for LockedSkill { coordinate, place, requirement, version, needed, .. } in self.skills.values_mut() {
            needed.by.retain(|by, _| there.contains(&(place.folder(), by.clone())));
            let (known, name) = (needed.by.len(), SkillReference::argument(coordinate));
            needed.by.retain(|by, wanted| {
                let fits = wanted.allows(version) != Some(false);
                if !fits {
                    let by = SkillReference::argument(by);
                    notice::show(&format!(
                        "note: {by} requires {name} `{wanted}`, but {version} is in `{place}`"
                    ));
                }
                fits
            });
            if needed.is_asked || needed.by.len() == known {
                continue;
            }
            *requirement = needed.by.values().next().cloned().unwrap_or(Requirement::Latest);
            needed.is_asked = needed.by.is_empty();
        }
    }

    /// The places of the skills that nobody needs: which are not asked for, and which no needed skill of their folder
    /// requires.
    pub fn unneeded(&self, is_asked: impl Fn(&LockedSkill) -> bool) -> BTreeSet<Place> {
        let mut folders: BTreeMap<_, Vec<(&LockedSkill, Needed)>> = BTreeMap::new();
        for skill in self.skills.values() {
            let needed = Needed { is_asked: is_asked(skill), ..skill.needed.clone() };
            folders.entry(skill.place.folder()).or_default().push((skill, needed));
        }
        let mut places = BTreeSet::new();
        for skills in folders.values() {
            let unneeded = unneeded(skills.iter().map(|(skill, needed)| (&skill.coordinate, needed)));
            let here = skills.iter().filter(|(skill, _)| unneeded.contains(&skill.coordinate));
            places.extend(here.map(|(skill, _)| skill.place.clone()));
        }
        places
    }

    /// The text of the file. Entries are sorted by name, then by path, and each value has a line of
    /// its own, so that two changes rarely meet. Equal locks have equal texts.
    pub fn render(&self) -> String {
        let mut skills: Vec<&LockedSkill> = self.skills.values().collect();
        skills.sort_by_key(|skill| (skill.coordinate.scoped(), &skill.place));
        let has_sources = skills.iter().any(|skill| skill.built_from.is_some());
        let version = match skills.iter().any(|skill| !skill.needed.by.is_empty()) {
            true => VERSION,
            false if has_sources => VERSION_WITH_SOURCES,
            false => VERSION_WITHOUT_SOURCES,
        };
        let mut text = format!("{HEAD}version = {version}\n");
        for skill in skills {
            let LockedSkill {
                coordinate,
                place,
                requirement,
                version,
                registry,
                sha256,
                content_digest,
                needed,
                ..
            } = skill;
            text += "\n[[skill]]\n";
            let is_asked = needed.is_asked || needed.by.is_empty();
            for (key, value) in [("name", coordinate.scoped()), ("path", place.to_string())]
                .into_iter()
                .chain(is_asked.then(|| ("requirement", requirement.to_string())))
            {
                let _ = writeln!(text, "{key} = {}", toml::Value::String(value));
            }
            if !needed.by.is_empty() {
                let _ = writeln!(text, "required_by = {}", toml::Value::from(needed.texts()));
            }
            for (key, value) in [
                ("version", version.to_string()),
                ("registry", registry.to_string()),
                ("sha256", sha256.to_string()),
                ("content_digest", content_digest.to_string()),
            ] {
                let _ = writeln!(text, "{key} = {}", toml::Value::String(value));
            }
            if let Some(source) = &skill.built_from {
                let _ = writeln!(text, "built_from = {}", toml::Value::String(source.clone()));
            }
        }
        text
    }
}

#[cfg(test)]
mod tests;
