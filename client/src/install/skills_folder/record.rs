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

use super::content::FileMarks;
use crate::Requirement;
use crate::history::ProvedVersion;
use crate::install::error::{InstallError, at};
use crate::regular_file::{self, Links};

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
    /// The time of the installation.
    pub installed_at: Timestamp,
    /// The files as they were written, to find later changes.
    pub files: FileMarks,
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
}

/// The format version, which is read before the rest.
#[derive(Deserialize)]
struct Header {
    version: u64,
}

impl Default for Record {
    fn default() -> Self {
        Self { version: VERSION, skills: BTreeMap::new() }
    }
}

impl Record {
    /// Reads the record at `path`. Empty if the file is missing.
    pub(super) fn read(path: &Path) -> Result<Self, InstallError> {
        let damaged = |why: String| InstallError::RecordDamaged { path: path.to_owned(), why };
        // The file may have been checked out with somebody else's project.
        let text = match regular_file::read(path, Links::Refuse, MAX_BYTES) {
            Ok(text) => text,
            Err(why) if why.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            Err(why) if why.raw_os_error().is_none() => return Err(damaged(why.to_string())),
            Err(why) => return Err(at("cannot read", path)(why)),
        };
        let json = |why: serde_json::Error| damaged(json_fault(&why));
        let Header { version } = serde_json::from_slice(&text).map_err(json)?;
        if !(1..=VERSION).contains(&version) {
            return Err(InstallError::RecordUnknown { path: path.to_owned(), version });
        }
        let Self { skills, .. } = serde_json::from_slice(&text).map_err(json)?;
        let mut of_other_name = skills.iter().filter(|(name, installed)| **name != installed.coordinate.slug);
        match of_other_name.next() {
            Some((name, installed)) if version == 1 => {
                Err(damaged(format!("the entry `{name}` names {}", installed.coordinate.scoped())))
            }
            _ => Ok(Self { version: VERSION, skills }),
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
            installed_at: Timestamp::default(),
            files: [("SKILL.md".to_owned(), format!("0644 {}", Digest::of(b"x")).try_into().unwrap())].into(),
        }
    }

    #[test]
    fn record_written_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("installed.json");
        assert_eq!(Record::read(&path).unwrap(), Record::default());
        let mut record = Record::default();
        for coordinate in ["team--b", "a"] {
            let installed = installed(coordinate, "1.0.0");
            record.skills.insert(installed.coordinate.slug.clone(), installed);
        }
        record.write(&path).unwrap();
        assert_eq!(Record::read(&path).unwrap(), record);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.find("@global/a") < text.find("@team/b"), "{text}");
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
            assert_eq!(Record::read(&path).unwrap_err().code(), code, "{bad}");
        }
    }
}
