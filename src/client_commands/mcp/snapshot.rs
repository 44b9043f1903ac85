//! A snapshot as a registry: its tree, in the folder beside it.

use std::path::{Path, PathBuf};

use generator::tree::{Claimant, Tree};

use crate::Failure;
use crate::config::Config;
use crate::operator::{TrustedKeys, beside, follow_snapshot};

/// Makes or updates the tree of a snapshot, in the folder that `snapshot serve` uses, too.
///
/// If another process keeps the folder, such as the server of another agent, its tree is read.
pub fn unpack(file: &Path, trusted: &TrustedKeys) -> Result<PathBuf, Failure> {
    let folder = std::path::absolute(beside(file))?;
    let tree = Tree::at(&folder);
    let Some(locked) = tree.lock()? else {
        return match tree.head() {
            Some(_) => Ok(folder),
            None => {
                Err(format!("another process is unpacking {}: try again in a moment", file.display()).into())
            }
        };
    };
    tree.check_owner(&Claimant::Mirror)?;
    // The settings of a registry on this machine do not count.
    let config = Config::default();
    let (_, mut follower) = follow_snapshot(&config, file, trusted, locked, config.follow_options(false))?;
    follower.catch_up()?;
    follower.persist()?;
    Ok(folder)
}
