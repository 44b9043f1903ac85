//! Which registry a tree is of, and who may write it.
//!
//! A publisher removes every file that its registry does not have. With a mistyped folder, that
//! would be another registry's tree. So a tree is taken over only by its own registry or mirror.
//! The same rule ([`Claimant::owns`]) holds for a tree in a bucket.

use std::fmt;
use std::fs;
use std::io;
use std::path::PathBuf;

use registry::journal::Epoch;
use serde::{Deserialize, Serialize};

use super::remove::remove_any;
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

/// The owner of a tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Owner {
    /// Whether it is the mirror of a registry.
    pub is_mirror: bool,
    /// The name of its history when it took the tree.
    pub epoch: Epoch,
}

impl Claimant {
    /// What a tree that is taken now says about its owner. None for a mirror whose tree has no head yet.
    pub fn as_owner(&self, tree: &Tree) -> Option<Owner> {
        let epoch = match self {
            Self::Registry(epochs) => epochs.last().cloned(),
            Self::Mirror => tree.head().map(|head| head.epoch),
        };
        Some(Owner { is_mirror: *self == Self::Mirror, epoch: epoch? })
    }

    /// Whether `owner` is the claimant. A mirror follows the history that the head of `tree` names.
    pub fn owns(&self, owner: &Owner, tree: &Tree) -> bool {
        match self {
            Self::Registry(epochs) => !owner.is_mirror && epochs.contains(&owner.epoch),
            Self::Mirror => self.as_owner(tree).as_ref() == Some(owner),
        }
    }
}

/// A tree belongs to another registry or mirror.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct ForeignTree {
    tree: PathBuf,
    keeper: Keeper,
    epoch: Option<Epoch>,
    url: Option<String>,
}

/// The kind of program that keeps a foreign tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keeper {
    /// Another registry.
    Registry,
    /// The mirror of a registry.
    Mirror,
    /// A registry, perhaps the source itself, while a mirror wants to write it.
    OwnProcess,
}

impl fmt::Display for ForeignTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.keeper {
            Keeper::Registry => "is the tree of another registry",
            Keeper::Mirror => "is a mirror of another registry",
            Keeper::OwnProcess => "is the tree of a registry, whose own process keeps it",
        };
        write!(f, "{} {what}", self.tree.display())?;
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
        let (state, settings, format) = (State::from(&head), head.settings, head.format);
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
        let owner = self.record().map(|record| Owner { is_mirror, epoch: record.epoch });
        let is_own = match claimant {
            Claimant::Registry(_) => owner.map_or(!is_mirror, |owner| claimant.owns(&owner, self)),
            // Its feed says later whether it is the same source. Without a cursor, nobody keeps the tree: it may be a
            // copy to begin with.
            Claimant::Mirror => is_mirror || Cursor::load(&self.state()).is_none(),
        };
        if is_own {
            return Ok(());
        }
        let url = self.settings().and_then(|settings| settings.public_url).map(|url| url.to_string());
        let (tree, epoch) = (self.root().to_owned(), self.record().map(|record| record.epoch));
        let keeper = match claimant {
            Claimant::Mirror => Keeper::OwnProcess,
            Claimant::Registry(_) if is_mirror => Keeper::Mirror,
            Claimant::Registry(_) => Keeper::Registry,
        };
        Err(ForeignTree { tree, keeper, epoch, url })
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
