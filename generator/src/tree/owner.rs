//! Which registry a tree is of, and who may write it.
//!
//! A publisher removes every file that its registry does not have. With a mistyped folder, that
//! would be another registry's tree. So a tree is taken over only by its own registry or mirror.

use std::fmt;
use std::fs;
use std::io;
use std::path::PathBuf;

use registry::journal::Epoch;

use super::prune::remove_any;
use super::state_time::modified;
use super::verify::regular;
use super::{Cursor, LockedTree, State, StateTime, Tree, boot_id};
use crate::address::Document;

/// Who wants to write a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claimant {
    /// A registry. Its history has these names: the current one, and those before backups were
    /// restored.
    Registry(Vec<Epoch>),
    /// The mirror of a registry.
    Mirror,
}

/// A tree belongs to another registry or mirror.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct ForeignTree {
    tree: PathBuf,
    is_mirror: bool,
    epoch: Option<Epoch>,
    url: Option<String>,
}

impl fmt::Display for ForeignTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.is_mirror { "a mirror" } else { "the tree" };
        write!(f, "{} is {what} of another registry", self.tree.display())?;
        if let Some(url) = &self.url {
            write!(f, ", {url}")?;
        }
        if let Some(epoch) = &self.epoch {
            write!(f, " (epoch {epoch})")?;
        }
        f.write_str(": name another folder, or add --replace-tree to remove all its files")
    }
}

impl Tree {
    /// The last cursor, even of an unfinished tree. If it is lost, the tree's head tells most of
    /// it. `None` if nothing was written yet.
    pub(crate) fn record(&self) -> Option<Cursor> {
        Cursor::load(&self.state()).or_else(|| self.record_of_head())
    }

    fn record_of_head(&self) -> Option<Cursor> {
        let head = self.head()?;
        let (state, settings, format) = (head.state(), head.settings, head.format);
        let file = self.path(&Document::Head).and_then(|path| regular(&path));
        let time = modified(file.as_ref()).filter(|time| StateTime::is_state_time(*time));
        let time_offset = time.map_or(0, |time| StateTime::offset_of(time, state));
        Some(Cursor {
            epoch: head.epoch,
            state,
            durable: State::default(),
            settings,
            format,
            boot: boot_id().to_owned(),
            time_offset,
            is_complete: false,
        })
    }

    /// Returns an error if the tree belongs to someone else than `claimant`.
    pub fn check_owner(&self, claimant: &Claimant) -> Result<(), ForeignTree> {
        let is_mirror = self.is_of_mirror();
        let is_own = match claimant {
            Claimant::Registry(epochs) => {
                !is_mirror && self.record().is_none_or(|record| epochs.contains(&record.epoch))
            }
            // Without a cursor, nobody keeps it: it may be a copy to begin with.
            Claimant::Mirror => is_mirror || Cursor::load(&self.state()).is_none(),
        };
        if is_own {
            return Ok(());
        }
        let url = self.settings().and_then(|settings| settings.public_url).map(|url| url.to_string());
        let (tree, epoch) = (self.root().to_owned(), self.record().map(|record| record.epoch));
        Err(ForeignTree { tree, is_mirror, epoch, url })
    }

    /// Whether a follower keeps it.
    pub(crate) fn is_of_mirror(&self) -> bool {
        self.feed_folder().join("head.json").exists()
    }

    /// The folder in which a follower keeps its cache.
    fn feed_folder(&self) -> PathBuf {
        self.state().join("feed")
    }
}

impl LockedTree {
    /// The folder in which a follower keeps its cache.
    pub(crate) fn feed_folder(&self) -> PathBuf {
        self.tree.feed_folder()
    }

    /// The folder in which a follower keeps accepted and refused checkpoints.
    pub(crate) fn checkpoints_folder(&self) -> PathBuf {
        self.tree.state().join("checkpoints")
    }

    /// The last cursor, even of an unfinished tree.
    pub(crate) fn record(&self) -> Option<Cursor> {
        self.tree.record()
    }

    /// Makes a mirror's tree the tree of a registry: forgets what the mirror has followed.
    pub fn forget_source(&self) -> io::Result<()> {
        // Without its head, the tree is no mirror any more.
        remove_any(&self.feed_folder().join("head.json"))?;
        match fs::remove_dir_all(self.feed_folder()) {
            Err(why) if why.kind() != io::ErrorKind::NotFound => Err(why),
            _ => Ok(()),
        }
    }
}
