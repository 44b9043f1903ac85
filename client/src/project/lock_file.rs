//! The format of `skills.lock` (docs/lock-file.md).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use registry::names::{Coordinate, Digest, Version};
use serde::Deserialize;

use super::Place;
use super::fault::Fault;
use super::place::first_overlap;
use crate::{RegistryAddress, Requirement};

/// The format version.
pub const VERSION: u64 = 1;

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
    /// The versions that were wanted.
    pub requirement: Requirement,
    /// The version.
    pub version: Version,
    /// The registry that it is from.
    pub registry: RegistryAddress,
    /// The digest of the package.
    pub sha256: Digest,
    /// The digest of the content of the package.
    pub content_digest: Digest,
}

/// What a lock file says: the skills of a project, by their places.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lock {
    /// The skills. No place is in another.
    pub skills: BTreeMap<Place, LockedSkill>,
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

/// An entry of the file. All its fields are texts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    path: String,
    requirement: String,
    version: String,
    registry: String,
    sha256: String,
    content_digest: String,
}

/// The format version, which is read before the rest.
#[derive(Deserialize)]
struct Header {
    version: u64,
}

impl Lock {
    /// Parses a lock file. Refuses other format versions, the marks of a merge conflict, unknown
    /// fields, and values that no release writes.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        if let Some(line) = conflict(text) {
            return Err(Fault::Conflict { line });
        }
        let damaged = |why: toml::de::Error| Fault::of_toml(text, &why);
        let Header { version } = toml::from_str(text).map_err(damaged)?;
        if version != VERSION {
            return Err(Fault::Unknown { version });
        }
        let File { skill: entries, .. } = toml::from_str(text).map_err(damaged)?;
        if entries.len() > MAX_SKILLS {
            return Err(Fault::damaged(format!("it has more than {MAX_SKILLS} skills")));
        }
        let mut lock = Self::default();
        for entry in entries {
            let skill = entry.check().map_err(Fault::damaged)?;
            if lock.skills.contains_key(&skill.place) {
                return Err(Fault::damaged(format!("two entries have the path `{}`", skill.place)));
            }
            lock.skills.insert(skill.place.clone(), skill);
        }
        match first_overlap(lock.skills.keys().map(|place| (place, ()))) {
            Some([(one, ()), (other, ())]) => {
                Err(Fault::damaged(format!("the path `{one}` overlaps with `{other}`")))
            }
            None => Ok(lock),
        }
    }

    /// Another place of which one is in the other.
    pub fn overlapping(&self, place: &Place) -> Option<&Place> {
        self.skills.keys().find(|other| *other != place && other.overlaps(place))
    }

    /// The text of the file. Entries are sorted by name, then by path, and each value has a line of
    /// its own, so that two changes rarely meet. Equal locks have equal texts.
    pub fn render(&self) -> String {
        let mut skills: Vec<&LockedSkill> = self.skills.values().collect();
        skills.sort_by_key(|skill| (skill.coordinate.scoped(), &skill.place));
        let mut text = format!("{HEAD}version = {VERSION}\n");
        for skill in skills {
            let LockedSkill { coordinate, place, requirement, version, registry, sha256, content_digest } =
                skill;
            text += "\n[[skill]]\n";
            for (key, value) in [
                ("name", coordinate.scoped()),
                ("path", place.to_string()),
                ("requirement", requirement.to_string()),
                ("version", version.to_string()),
                ("registry", registry.to_string()),
                ("sha256", sha256.to_string()),
                ("content_digest", content_digest.to_string()),
            ] {
                let _ = writeln!(text, "{key} = {}", toml::Value::String(value));
            }
        }
        text
    }
}

impl Entry {
    fn check(self) -> Result<LockedSkill, String> {
        let shown: String = self.name.chars().take(80).collect();
        let of = |why: &dyn std::fmt::Display| format!("the entry of `{}`: {why}", shown.escape_debug());
        let requirement = self.requirement.parse::<Requirement>().map_err(|why| of(&why))?;
        let version = self.version.parse::<Version>().map_err(|why| of(&why))?;
        if requirement.allows(&version) == Some(false) {
            return Err(of(&format_args!("its version {version} does not fit `{requirement}`")));
        }
        Ok(LockedSkill {
            coordinate: scoped(&self.name).map_err(|why| of(&why))?,
            place: self.path.parse().map_err(|why: String| of(&why))?,
            requirement,
            version,
            registry: self.registry.parse::<RegistryAddress>().map_err(|why| of(&why))?,
            sha256: self.sha256.parse().map_err(|why| of(&why))?,
            content_digest: self.content_digest.parse().map_err(|why| of(&why))?,
        })
    }
}

/// Parses `@namespace/slug`, the only form that lock files have.
fn scoped(text: &str) -> Result<Coordinate, String> {
    let parsed = Coordinate::parse_scoped(text).ok_or("its name is not like @namespace/slug")?;
    parsed.map_err(|why| why.to_string())
}

/// The number of the first line that git has left to mark a merge conflict.
fn conflict(text: &str) -> Option<usize> {
    let is_mark = |line: &str| ["<<<<<<<", "|||||||", ">>>>>>>"].iter().any(|mark| line.starts_with(mark));
    text.lines().position(|line| is_mark(line) || line == "=======").map(|at| at + 1)
}

#[cfg(test)]
mod tests;
