//! Whether `skills.lock` has a version, as far as a policy needs it: commands read the whole file later.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use registry::names::{Coordinate, Digest, Version};
use serde::Deserialize;

use crate::ClientError;
use crate::regular_file::{self, Links};

const LOCK: &str = "skills.lock";

/// The size limit of the file, as commands have it: 4 MiB.
const MAX_BYTES: u64 = 4 << 20;

/// The bytes of the file, and the name, version and digest of each entry. A command asks for each of its versions.
static PARSED: Mutex<Option<(Vec<u8>, Locked)>> = Mutex::new(None);

type Locked = BTreeSet<[String; 3]>;

#[derive(Deserialize)]
struct Lock {
    #[serde(default)]
    skill: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    name: String,
    version: String,
    sha256: String,
}

/// Whether the lock file of the current folder has this version with this package.
pub(super) fn is_locked(
    coordinate: &Coordinate,
    version: &Version,
    sha256: &Digest,
) -> Result<bool, ClientError> {
    let refused = |why: String| ClientError::File { path: LOCK.into(), why };
    let bytes = match regular_file::read(Path::new(LOCK), Links::Refuse, MAX_BYTES) {
        Ok(bytes) => bytes,
        Err(why) if why.kind() == ErrorKind::NotFound => return Ok(false),
        Err(why) => return Err(refused(format!("it cannot be read: {why}"))),
    };
    let mut parsed = PARSED.lock().unwrap_or_else(PoisonError::into_inner);
    if parsed.as_ref().is_none_or(|(text, _)| *text != bytes) {
        let lock: Lock = toml::from_str(&String::from_utf8_lossy(&bytes)).map_err(|_| {
            refused("it is damaged: run `skillmirror install` without the rule `locked`".into())
        })?;
        let all = lock.skill.into_iter().map(|entry| [entry.name, entry.version, entry.sha256]);
        *parsed = Some((bytes, all.collect()));
    }
    let named = [coordinate.scoped(), version.to_string(), sha256.to_string()];
    Ok(parsed.as_ref().is_some_and(|(_, all)| all.contains(&named)))
}
