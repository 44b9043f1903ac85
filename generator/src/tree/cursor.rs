//! The cursor: the state of the tree, and how much of it would survive a power loss.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::sync::LazyLock;

use registry::journal::Epoch;
use registry::names::Digest;
use serde::{Deserialize, Serialize};

use super::State;
use super::remove::remove_any;

/// The name of a cursor while it is written.
const UNFINISHED: &str = "cursor.json.tmp";

/// A record beside the tree of what was written to it. It outlives the tree's files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cursor {
    /// The history that the tree shows.
    pub epoch: Epoch,
    /// The state written to the tree.
    pub state: State,
    /// The last state that is surely on stable storage.
    pub durable: State,
    /// The digest of the tree's settings.
    pub settings: Digest,
    /// The tree's format.
    pub format: u32,
    /// The boot in which `state` was written. After another boot, only `durable` counts.
    pub boot: String,
    /// The seconds by which modification times are later than the state says. See
    /// [`StateTime`](super::StateTime).
    pub time_offset: u64,
    /// Whether all documents of `state` are written. `state` is the start of an unfinished rebuild
    /// otherwise.
    pub is_complete: bool,
}

impl Cursor {
    /// The state up to which files need no check. `None` if no state can be trusted.
    pub fn trusted(&self) -> Option<State> {
        let state = if self.is_of_this_boot() { self.state } else { self.durable.common(self.state) };
        (state.revision > 0).then_some(state)
    }

    /// Whether no write since can have been lost.
    pub fn is_of_this_boot(&self) -> bool {
        self.boot == boot_id()
    }

    pub(super) fn load(state: &Path) -> Option<Self> {
        let bytes = fs::read(state.join("cursor.json")).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Replaces the stored cursor; with `sync`, on stable storage.
    pub(super) fn store(&self, state: &Path, sync: bool) -> io::Result<()> {
        let stored = self.replace(state, sync);
        if stored.is_err() {
            // A full disk needs the space. The first error matters more than this one.
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

/// Removes an unfinished cursor that a killed process has left.
pub(super) fn clear(state: &Path) -> io::Result<()> {
    remove_any(&state.join(UNFINISHED)).map(drop)
}

/// Identifies the system's current boot. On systems without such an id, every process distrusts the
/// unsynced writes of others.
pub(crate) fn boot_id() -> &'static str {
    static ID: LazyLock<String> = LazyLock::new(|| {
        let id = fs::read_to_string("/proc/sys/kernel/random/boot_id");
        id.map_or_else(|_| format!("process {}", std::process::id()), |id| id.trim().to_owned())
    });
    &ID
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursor_of_another_boot_trusts_only_the_durable_state() {
        let state = |revision| State { revision, counters: 2 * revision };
        let cursor = |boot: &str, durable| Cursor {
            epoch: "e".into(),
            state: state(9),
            durable: state(durable),
            settings: Digest::of(b""),
            format: 1,
            boot: boot.into(),
            time_offset: 0,
            is_complete: true,
        };
        assert_eq!(cursor(boot_id(), 0).trusted(), Some(state(9)));
        assert_eq!(cursor("another", 4).trusted(), Some(state(4)));
        assert_eq!(cursor("another", 0).trusted(), None);
    }
}
