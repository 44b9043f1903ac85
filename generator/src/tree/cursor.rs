//! How far the tree has come, and how much of that would survive a power loss.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use registry::journal::Epoch;
use registry::names::Digest;
use serde::{Deserialize, Serialize};

use super::State;

/// A cursor before it gets its name.
const UNFINISHED: &str = "cursor.json.tmp";

/// What was written to the tree, kept beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cursor {
    /// The history that the tree shows.
    pub epoch: Epoch,
    /// The state written to it.
    pub state: State,
    /// The last one that was on stable storage for certain.
    pub durable: State,
    /// The digest of the settings it was made with.
    pub settings: Digest,
    /// The format it was made with.
    pub format: u32,
    /// The boot in which `state` was written: after another one, only
    /// `durable` counts.
    pub boot: String,
}

impl Cursor {
    /// The state up to which files need not be looked at again. None when none
    /// of it can be trusted.
    pub fn trusted(&self) -> Option<State> {
        let state = if self.is_of_this_boot() { self.state } else { self.durable.both(self.state) };
        (state.revision > 0).then_some(state)
    }

    /// Whether nothing that was written since can have been lost.
    pub fn is_of_this_boot(&self) -> bool {
        self.boot == boot_id()
    }

    pub(super) fn load(state: &Path) -> Option<Self> {
        let bytes = fs::read(state.join("cursor.json")).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    pub(super) fn remove(state: &Path) -> io::Result<()> {
        match fs::remove_file(state.join("cursor.json")) {
            Ok(()) => File::open(state)?.sync_all(),
            Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(why) => Err(why),
        }
    }

    /// Replaces the stored cursor; with `sync`, on stable storage.
    pub(super) fn store(&self, state: &Path, sync: bool) -> io::Result<()> {
        let stored = self.replace(state, sync);
        if stored.is_err() {
            // A full disk needs the space; the reason matters more than this.
            let _ = clear(state);
        }
        stored
    }

    fn replace(&self, state: &Path, sync: bool) -> io::Result<()> {
        let temporary = state.join(UNFINISHED);
        let mut file = File::create(&temporary)?;
        file.write_all(&serde_json::to_vec(self)?)?;
        if sync {
            file.sync_all()?;
        }
        fs::rename(&temporary, state.join("cursor.json"))?;
        if sync {
            File::open(state)?.sync_all()?;
        }
        Ok(())
    }
}

/// Removes what a killed process has left of a cursor.
pub(super) fn clear(state: &Path) -> io::Result<()> {
    match fs::remove_file(state.join(UNFINISHED)) {
        Err(why) if why.kind() != io::ErrorKind::NotFound => Err(why),
        _ => Ok(()),
    }
}

/// The system's name for its present run. Where there is none to be had, no
/// two processes trust each other's unsynced work.
pub(crate) fn boot_id() -> String {
    let id = fs::read_to_string("/proc/sys/kernel/random/boot_id");
    id.map_or_else(|_| format!("process {}", std::process::id()), |id| id.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_boot_trusts_what_was_durable() {
        let state = |revision| State { revision, counters: 2 * revision };
        let cursor = |boot: &str, durable| Cursor {
            epoch: "e".into(),
            state: state(9),
            durable: state(durable),
            settings: Digest::of(b""),
            format: 1,
            boot: boot.into(),
        };
        assert_eq!(cursor(&boot_id(), 0).trusted(), Some(state(9)));
        assert_eq!(cursor("another", 4).trusted(), Some(state(4)));
        assert_eq!(cursor("another", 0).trusted(), None);
    }
}
