//! `skillmirror snapshot apply` and `verify`.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use generator::FORMAT;
use generator::follower::{FollowOptions, Follower};
use generator::snapshot::{
    Compare, Entry, Manifest, SnapshotError, Unpack, Unpacked, Visitor, read, read_manifest,
};
use generator::tree::{Claimant, LockedTree, Tree};

use super::{TrustedKeys, limits, open};
use crate::Failure;
use crate::config::Config;
use crate::folder_overlap::keep_apart;
use crate::interrupt::explain_interrupt;
use crate::new_folders::NewFolders;
use crate::open_registry::{TakeOver, lock_tree};
use crate::output::print;

/// What to apply, and where.
#[derive(Args)]
pub struct Arguments {
    /// The snapshot
    file: PathBuf,
    /// The folder of the mirror
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
    #[command(flatten)]
    trusted: TrustedKeys,
    /// Apply the snapshot even if it has another history than the mirror, as after the restore of
    /// a backup
    #[arg(long)]
    accept_new_history: bool,
    #[command(flatten)]
    take_over: TakeOver,
}

/// Runs the command.
pub fn run(config: &Config, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let folder = keep_apart(&config.data, &arguments.to, "--to")?;
    // A file that is no snapshot makes no folder.
    read_manifest(open(&arguments.file)?.0, &limits(config))?;
    let _new = NewFolders::of_tree(&folder);
    explain_interrupt(
        format!("the mirror in {} may be behind the snapshot: run the command again", folder.display()),
        || {},
    );
    let tree = Tree::at(&folder);
    let locked = lock_tree(&folder, "--to", &Claimant::Mirror, arguments.take_over)?;
    let accepts = arguments.accept_new_history || arguments.take_over.replace_tree;
    let (manifest, mut follower) =
        follow(config, &arguments.file, &arguments.trusted, locked, config.follow_options(accepts))?;
    let was = tree.head().map(|head| head.state());
    let revision = follower.catch_up()?;
    follower.persist()?;
    let verb = if was == Some(manifest.state()) { "was already at" } else { "is now at" };
    print(&format!("{} {verb} revision {revision} of the history {}\n", folder.display(), manifest.epoch))?;
    Ok(ExitCode::SUCCESS)
}

/// Unpacks a snapshot, and opens the follower that makes a tree of it.
pub fn follow(
    config: &Config,
    file: &Path,
    trusted: &TrustedKeys,
    locked: LockedTree,
    options: FollowOptions,
) -> Result<(Manifest, Follower), Failure> {
    let (input, bar) = open(file)?;
    let tree = locked.tree().clone();
    let incoming = locked.incoming()?;
    let mut unpack = Unpack { incoming: &incoming, tree: &tree };
    let manifest = unpack.run(bar.wrap_read(input), &limits(config), &trusted.keys)?;
    bar.finish_and_clear();
    let source = Unpacked { name: file.display().to_string(), incoming };
    let options = FollowOptions { keys: trusted.keys.clone(), ..options };
    Ok((manifest, Follower::open(Arc::new(source), locked, options)?))
}

/// Checks a snapshot: makes its tree in a temporary folder, and compares every file.
pub fn verify(config: &Config, file: &Path, trusted: &TrustedKeys) -> Result<ExitCode, Failure> {
    let (input, _) = open(file)?;
    let manifest = read_manifest(input, &limits(config))?;
    let Manifest { revision, epoch, files, .. } = &manifest;
    let what =
        format!("{} is whole: revision {revision} of the history {epoch}, {files} files", file.display());
    if let Some(base) = &manifest.base {
        let (input, bar) = open(file)?;
        read(bar.wrap_read(input), &limits(config), &mut NoVisitor)?;
        bar.finish_and_clear();
        let base = base.revision;
        print(&format!(
            "{what}. It continues revision {base}: `apply` checks its rows with those of the mirror\n"
        ))?;
        return Ok(ExitCode::SUCCESS);
    }
    let folder = tempfile::Builder::new().prefix("skillmirror-").tempdir()?;
    let tree = Tree::at(folder.path().join("tree"));
    let locked = tree.lock()?.ok_or("the temporary folder is in use")?;
    // The settings of this machine do not count.
    let options = FollowOptions { public_url: None, ..config.follow_options(true) };
    let (_, mut follower) = follow(config, file, trusted, locked, options)?;
    follower.generate()?;
    let compared = if manifest.tree_format == FORMAT {
        let (input, bar) = open(file)?;
        Compare::with(&tree).run(bar.wrap_read(input), &limits(config))?;
        bar.finish_and_clear();
        "each is the one of these rows and packages"
    } else {
        "another release made its documents, so only rows and packages were checked"
    };
    let signed = match trusted.keys.as_slice() {
        [] => "nobody knows who wrote it, because no key was given with --vkey",
        _ => "a trusted key has signed its history",
    };
    print(&format!("{what}; {compared}; {signed}\n"))?;
    Ok(ExitCode::SUCCESS)
}

/// Reads the files of a delta, which `read` checks.
struct NoVisitor;

impl Visitor for NoVisitor {
    fn begin(&mut self, _: &Manifest) -> Result<(), SnapshotError> {
        Ok(())
    }

    fn file(&mut self, _: &Entry, _: &mut dyn Read) -> Result<(), SnapshotError> {
        Ok(())
    }
}
