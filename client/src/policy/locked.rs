//! Whether `skills.lock` has a version, as far as a policy needs it: commands read the whole file later.

use std::io::ErrorKind;
use std::path::Path;

use registry::names::{Coordinate, Digest, Version};
use serde::Deserialize;

use crate::ClientError;
use crate::regular_file::{self, Links};

const LOCK: &str = "skills.lock";

/// The size limit of the file, as commands have it: 4 MiB.
const MAX_BYTES: u64 = 4 << 20;

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
    let lock: Lock = toml::from_str(&String::from_utf8_lossy(&bytes))
        .map_err(|_| refused("it is damaged: run `skillmirror install` without the rule `locked`".into()))?;
    let named = (coordinate.scoped(), version.to_string(), sha256.to_string());
    Ok(lock.skill.into_iter().any(|entry| (entry.name, entry.version, entry.sha256) == named))
}
