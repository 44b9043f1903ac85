//! A snapshot as a file: how it is opened, checked and unpacked.

use std::fs::File;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use generator::follower::{FollowOptions, Follower};
use generator::snapshot::{Manifest, SnapshotLimits, SnapshotReader, Unpack, Unpacked};
use generator::tree::{LockedTree, Tree};
use indicatif::ProgressBar;
use registry::transparency_log::VerifierKey;

use crate::Failure;
use crate::config::Config;
use crate::output::progress_bar;

/// The keys whose signature a snapshot needs.
#[derive(Debug, Args)]
pub struct TrustedKeys {
    /// The public key of the registry, as `skillmirror key show` prints it. The history must be
    /// signed with it, or with one of several
    #[arg(long = "vkey", value_name = "KEY")]
    keys: Vec<VerifierKey>,
}

impl TrustedKeys {
    /// Whether no key was given.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}

/// How large a snapshot may be: the limits of a mirror.
pub fn limits(config: &Config) -> SnapshotLimits {
    SnapshotLimits { total: config.mirror.feed_max_total, package: config.mirror.feed_max_package }
}

/// The first bytes of what zstd has compressed.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Opens a snapshot, with a bar that shows how much of it is read.
pub fn open(file: &Path) -> Result<(File, ProgressBar), Failure> {
    let shown = file.display();
    let mut opened = File::open(file).map_err(|why| format!("cannot read {shown}: {why}"))?;
    let length = opened.metadata()?.len();
    let mut start = Vec::new();
    (&opened)
        .take(ZSTD.len() as u64)
        .read_to_end(&mut start)
        .map_err(|why| format!("cannot read {shown}: {why}"))?;
    // The beginning of one ends too early, which is said later.
    if !ZSTD.starts_with(&start) {
        let why =
            format!("the snapshot cannot be read: `skillmirror snapshot create` has not written {shown}");
        return Err(why.into());
    }
    opened.rewind()?;
    Ok((opened, bar(length)))
}

/// The first file of a snapshot.
pub fn read_manifest(config: &Config, file: &Path) -> Result<Manifest, Failure> {
    Ok(SnapshotReader::open(open(file)?.0, &limits(config))?.manifest().clone())
}

/// Unpacks a snapshot, and opens the follower that makes a tree of it. A delta continues that tree, or `base`.
pub fn follow(
    config: &Config,
    file: &Path,
    trusted: &TrustedKeys,
    locked: LockedTree,
    options: FollowOptions,
    base: Option<Tree>,
) -> Result<(Manifest, Follower), Failure> {
    let (input, bar) = open(file)?;
    let tree = base.unwrap_or_else(|| locked.tree().clone());
    let incoming = locked.incoming()?;
    let unpack = Unpack { incoming: &incoming, tree: &tree };
    let manifest = unpack.run(bar.wrap_read(input), &limits(config))?;
    bar.finish_and_clear();
    let base = manifest.base.is_some().then_some(tree);
    let source = Unpacked { name: file.display().to_string(), incoming, base };
    let options = FollowOptions { keys: trusted.keys.clone(), ..options };
    Ok((manifest, Follower::open(Arc::new(source), locked, options)?))
}

/// The path of a file with something appended to its name.
pub fn named(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(suffix);
    file.with_file_name(name)
}

/// The folder beside a snapshot that it is unpacked to.
pub fn beside(file: &Path) -> PathBuf {
    named(file, ".tree")
}

pub fn bar(length: u64) -> ProgressBar {
    progress_bar(length, "{bar:32} {bytes} of {total_bytes} ({eta})")
}
