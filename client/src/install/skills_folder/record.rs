//! `installed.json`, the record of the skills installed in a folder.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use registry::data_fault::json_fault;
use registry::names::{Coordinate, Digest, Slug, Version};
use registry::public::Revision;
use registry::time::Timestamp;
use registry::transparency_log::Checkpoint;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::file_marks::FileMarks;
use crate::Requirement;
use crate::history::ProvedVersion;
use crate::install::error::{InstallError, at};
use crate::merge_marks::{self, Merge};
use crate::regular_file::{self, Links};
use crate::skills::Needed;

/// The format version of the record. In version 1 the name of a folder was the slug of its skill, and
/// `requested` was a tag or null.
const VERSION: u64 = 2;

/// The size limit of a record: 64 MiB, which is enough for about 500,000 files.
const MAX_BYTES: u64 = 64 << 20;

/// One installed skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Installed {
    /// The name of the skill, `@namespace/slug` in the file.
    #[serde(serialize_with = "scoped", deserialize_with = "from_scoped")]
    pub coordinate: Coordinate,
    /// The installed version.
    pub version: Version,
    /// The digest of the package.
    pub sha256: Digest,
    /// The digest of the content of the package.
    pub content_digest: Digest,
    /// The address of the registry that the skill came from.
    pub registry: String,
    /// Its row in the signed history. None if the registry was not trusted by a key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<InLog>,
    /// The requested tag or range. None if a version was requested.
    pub requested: Option<Requirement>,
    /// Why it is installed.
    #[serde(flatten, with = "needed")]
    pub needed: Needed,
    /// The time of the installation.
    pub installed_at: Timestamp,
    /// The files as they were written, to find later changes.
    pub files: FileMarks,
}

impl Installed {
    /// The versions that were wanted: those of the tag or range, or only its own.
    pub fn requirement(&self) -> Requirement {
        self.requested.clone().unwrap_or_else(|| Requirement::Exact(self.version.clone()))
    }

    /// Whether both are the same skill with the same content.
    pub(in crate::install) fn is_content_of(&self, other: &Self) -> bool {
        (&self.coordinate, &self.content_digest) == (&other.coordinate, &other.content_digest)
    }
}

/// A row in a signed history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InLog {
    /// The name of the log.
    pub name: String,
    /// The number of the row.
    pub revision: Revision,
    /// The number of leaves that the log had when the row was proved.
    pub size: u64,
}

impl From<&ProvedVersion> for InLog {
    fn from(proved: &ProvedVersion) -> Self {
        let Checkpoint { origin, size, .. } = &proved.checkpoint;
        Self { name: origin.to_string(), revision: proved.proof.row.revision, size: *size }
    }
}

/// The skills installed in a folder, by the name of their subfolder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::install) struct Record {
    version: u64,
    pub skills: BTreeMap<Slug, Installed>,
    /// Whether the file has the marks of a merge. The skills are those of both sides.
    #[serde(skip)]
    pub is_merged: bool,
}

/// The format version, which is read before the rest.
#[derive(Deserialize)]
struct Header {
    version: u64,
}

impl Default for Record {
    fn default() -> Self {
        Self { version: VERSION, skills: BTreeMap::new(), is_merged: false }
    }
}

impl Record {
    /// Reads the record at `path`. Empty if the file is missing. If it has the marks of a merge, the
    /// entries of both sides count; of two entries with one name the one that `is_there`, or else the
    /// first.
    pub(super) fn read(
        path: &Path,
        is_there: &dyn Fn(&Slug, &Installed) -> bool,
    ) -> Result<Self, InstallError> {
        // The file may have been checked out with somebody else's project.
        let text = match regular_file::read(path, Links::Refuse, MAX_BYTES) {
            Ok(text) => String::from_utf8(text).map_err(|_| InstallError::RecordDamaged {
                path: path.to_owned(),
                why: "it is not UTF-8".to_owned(),
            })?,
            Err(why) if why.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            Err(why) if why.raw_os_error().is_none() => {
                return Err(InstallError::RecordRefused { path: path.to_owned(), why: why.to_string() });
            }
            Err(why) => return Err(at("cannot read", path)(why)),
        };
        match merge_marks::split(&text) {
            None => Self::parse(path, &text),
            Some(Ok(Merge { sides: [ours, theirs], .. })) => {
                let mut record = Self::parse(path, &ours.text)?;
                for (name, installed) in Self::parse(path, &theirs.text)?.skills {
                    match record.skills.get(&name) {
                        Some(known) if is_there(&name, known) || !is_there(&name, &installed) => {}
                        _ => drop(record.skills.insert(name, installed)),
                    }
                }
                Ok(Self { is_merged: true, ..record })
            }
            Some(Err(line)) => {
                let why = format!("line {line} marks a merge conflict");
                Err(InstallError::RecordDamaged { path: path.to_owned(), why })
            }
        }
    }

    /// Parses a record without marks.
    fn parse(path: &Path, text: &str) -> Result<Self, InstallError> {
        let damaged = |why: String| InstallError::RecordDamaged { path: path.to_owned(), why };
        let json = |why: serde_json::Error| damaged(json_fault(&why));
        let Header { version } = serde_json::from_str(text).map_err(json)?;
        if !(1..=VERSION).contains(&version) {
            return Err(InstallError::RecordUnknown { path: path.to_owned(), version });
        }
        let record: Self = serde_json::from_str(text).map_err(json)?;
        let mut named = record.skills.iter();
        match named.find(|(name, installed)| **name != installed.coordinate.slug) {
            Some((name, installed)) if version == 1 => {
                Err(damaged(format!("the entry `{name}` names {}", installed.coordinate.scoped())))
            }
            _ => Ok(Self { version: VERSION, ..record }),
        }
    }

    /// Writes a new record and syncs it. Without the sync, a power loss after the rename could
    /// leave an empty record.
    pub(super) fn write(&self, path: &Path) -> Result<(), InstallError> {
        let write = || {
            let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
            file.write_all((serde_json::to_string_pretty(self)? + "\n").as_bytes())?;
            file.sync_all()
        };
        write().map_err(at("cannot write", path))
    }
}

fn scoped<S: Serializer>(coordinate: &Coordinate, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(&coordinate.scoped())
}

fn from_scoped<'de, D: Deserializer<'de>>(from: D) -> Result<Coordinate, D::Error> {
    let text = String::deserialize(from)?;
    let parsed = Coordinate::parse_scoped(&text)
        .ok_or_else(|| D::Error::custom(format!("`{text}` is not a name like @namespace/slug")))?;
    parsed.map_err(D::Error::custom)
}

/// The fields `isAsked` and `requiredBy`, which are left out for a skill that somebody has asked for and none requires.
mod needed {
    use super::*;

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Fields {
        #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
        is_asked: bool,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        required_by: Vec<String>,
    }

    fn yes() -> bool {
        true
    }

    pub fn serialize<S: Serializer>(needed: &Needed, to: S) -> Result<S::Ok, S::Error> {
        Fields { is_asked: needed.is_asked, required_by: needed.texts() }.serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Needed, D::Error> {
        let Fields { is_asked, required_by } = Fields::deserialize(from)?;
        let by = required_by.iter().map(|text| Needed::parse_text(text)).collect::<Result<_, _>>();
        Ok(Needed { is_asked, by: by.map_err(D::Error::custom)? })
    }
}

#[cfg(test)]
pub(in crate::install) mod tests {
    use super::*;
    use std::fs;

    /// An entry of a record.
    pub(in crate::install) fn installed(coordinate: &str, version: &str) -> Installed {
        Installed {
            coordinate: coordinate.parse().unwrap(),
            version: version.parse().unwrap(),
            sha256: Digest::of(version.as_bytes()),
            content_digest: Digest::of(coordinate.as_bytes()),
            registry: "http://localhost:1".to_owned(),
            log: None,
            requested: Some(Requirement::Latest),
            needed: Needed::default(),
            installed_at: Timestamp::default(),
            files: [("SKILL.md".to_owned(), format!("0644 {}", Digest::of(b"x")).try_into().unwrap())].into(),
        }
    }

    #[test]
    fn record_written_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("installed.json");
        assert_eq!(Record::read(&path, &|_, _| true).unwrap(), Record::default());
        let mut record = Record::default();
        for coordinate in ["team--b", "a"] {
            let installed = installed(coordinate, "1.0.0");
            record.skills.insert(installed.coordinate.slug.clone(), installed);
        }
        record.write(&path).unwrap();
        assert_eq!(Record::read(&path, &|_, _| true).unwrap(), record);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.find("@global/a") < text.find("@team/b"), "{text}");
    }

    #[test]
    fn record_with_marks_of_a_merge_has_the_entries_of_both_sides() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("installed.json");
        let text = |skills: &[(&str, &str)]| {
            let mut record = Record::default();
            for (name, version) in skills {
                record.skills.insert(name.parse().unwrap(), installed(name, version));
            }
            serde_json::to_string(&record).unwrap()
        };
        let ours = text(&[("a", "1.0.0"), ("b", "1.0.0")]);
        let theirs = text(&[("b", "2.0.0"), ("c", "1.0.0")]);
        fs::write(&path, format!("<<<<<<< HEAD\n{ours}\n=======\n{theirs}\n>>>>>>> x\n")).unwrap();
        for (there, expected) in [("1.0.0", "1.0.0"), ("2.0.0", "2.0.0"), ("3.0.0", "1.0.0")] {
            let is_there = |_: &Slug, installed: &Installed| installed.version == there.parse().unwrap();
            let record = Record::read(&path, &is_there).unwrap();
            let read: Vec<_> =
                record.skills.iter().map(|(name, it)| format!("{name} {}", it.version)).collect();
            assert_eq!(read, ["a 1.0.0", &format!("b {expected}"), "c 1.0.0"]);
            assert!(record.is_merged);
        }
    }

    #[test]
    fn damaged_record_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("installed.json");
        let mut record = Record::default();
        record.skills.insert("a".parse().unwrap(), installed("a", "1.0.0"));
        record.write(&path).unwrap();
        let good = fs::read_to_string(&path).unwrap();
        for (bad, code) in [
            ("", "record_damaged"),
            ("{}", "record_damaged"),
            (&good[..good.len() / 2], "record_damaged"),
            (
                &good.replace("@global/a", "@global/b").replace("\"version\": 2,", "\"version\": 1,"),
                "record_damaged",
            ),
            (&good.replace("@global/a", "@global/../a"), "record_damaged"),
            (&good.replace("\"version\": 2,", "\"version\": 3,"), "record_unknown"),
        ] {
            fs::write(&path, bad).unwrap();
            assert_eq!(Record::read(&path, &|_, _| true).unwrap_err().code(), code, "{bad}");
        }
    }
}
