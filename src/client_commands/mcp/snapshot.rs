//! A snapshot as a registry: its tree, in the folder beside it.

use std::path::{Path, PathBuf};

use clap::Args;
use client::Source;
use generator::tree::{Claimant, Tree};

use crate::Failure;
use crate::config::Config;
use crate::tree::snapshot_file::{TrustedKeys, beside, follow};

/// A snapshot to read.
#[derive(Args)]
pub struct SnapshotArguments {
    /// Read a snapshot instead of a registry. It is unpacked to the folder SNAPSHOT.tree beside it
    #[arg(long, value_name = "SNAPSHOT", conflicts_with_all = ["registry", "site"])]
    snapshot: Option<PathBuf>,
    #[command(flatten)]
    trusted: TrustedKeys,
}

impl SnapshotArguments {
    /// Unpacks the snapshot, if there is one.
    pub fn source(&self) -> Result<Option<Source>, Failure> {
        let Self { snapshot, trusted } = self;
        match snapshot {
            Some(file) => Ok(Some(Source::open(unpack(file, trusted)?.into()))),
            None if trusted.is_empty() => Ok(None),
            None => Err("--vkey is for --snapshot: trust a registry with `skillmirror trust add`".into()),
        }
    }
}

/// Makes or updates the tree of a snapshot, in the folder that `snapshot serve` uses, too.
///
/// If another process keeps the folder, such as the server of another agent, its tree is read.
fn unpack(file: &Path, trusted: &TrustedKeys) -> Result<PathBuf, Failure> {
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
    let options = config.follow_options(false);
    let (_, mut follower) = follow(&config, file, trusted, locked, options, None)?;
    follower.catch_up()?;
    follower.persist()?;
    Ok(folder)
}
