//! `skillmirror snapshot apply` and `verify`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use generator::FORMAT;
use generator::follower::FollowOptions;
use generator::snapshot::{Manifest, SnapshotReader, compare};
use generator::tree::{Claimant, State, Tree};
use serde::Serialize;

use super::Described;
use crate::Failure;
use crate::config::Config;
use crate::config::folder_overlap::keep_apart;
use crate::operator::generate::TreeAt;
use crate::output::Printer;
use crate::process::interrupt::explain_interrupt;
use crate::storage::new_folders::NewFolders;
use crate::tree::output_tree::{TakeOver, lock_tree};
use crate::tree::snapshot_file::{TrustedKeys, follow, limits, open, read_manifest};
use crate::tree::tree_progress::tree_progress;

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
pub fn run(config: &Config, arguments: &Arguments, printer: Printer) -> Result<ExitCode, Failure> {
    let folder = keep_apart(&config.data, &arguments.to, "--to")?;
    // A file that is no snapshot makes no folder.
    read_manifest(config, &arguments.file)?;
    let _new = NewFolders::of_tree(&folder);
    explain_interrupt(format!(
        "the mirror in {} may be behind the snapshot: run the command again",
        folder.display()
    ));
    let tree = Tree::at(&folder);
    let locked = lock_tree(&folder, "--to", &Claimant::Mirror, arguments.take_over)?;
    let accepts = arguments.accept_new_history || arguments.take_over.replace_tree;
    let options = config.follow_options(accepts);
    let (manifest, mut follower) =
        follow(config, &arguments.file, &arguments.trusted, locked, options, None)?;
    let was = tree.head().map(|head| State::from(&head));
    let revision = follower.catch_up()?;
    follower.persist()?;
    let verb = if was == Some(manifest.state()) { "was already at" } else { "is now at" };
    let folder = folder.display().to_string();
    let text = format!("{folder} {verb} revision {revision} of the history {}\n", manifest.epoch);
    printer.report(text, &TreeAt { folder, revision })?;
    Ok(ExitCode::SUCCESS)
}

/// A snapshot to check.
#[derive(Args)]
pub struct VerifyArguments {
    /// The snapshot
    file: PathBuf,
    /// The mirror that a delta continues, which is only read
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
    #[command(flatten)]
    trusted: TrustedKeys,
}

/// A checked snapshot, for programs.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Verified<'a> {
    #[serde(flatten)]
    described: Described<'a>,
    /// Whether its rows and packages were compared with its files, or with the mirror that it continues.
    is_compared: bool,
    /// Whether a key of --vkey has signed its history.
    is_signed: bool,
}

/// Checks a snapshot: applies it in a temporary folder, and compares every file that it has.
pub fn verify(config: &Config, arguments: &VerifyArguments, printer: Printer) -> Result<ExitCode, Failure> {
    let VerifyArguments { file, to, trusted } = arguments;
    let manifest = read_manifest(config, file)?;
    let Manifest { revision, epoch, files, tree_format, .. } = &manifest;
    let what =
        format!("{} is whole: revision {revision} of the history {epoch}, {files} files", file.display());
    let report = |text, is_compared| {
        let described = Described::of(file, &manifest);
        printer.report(text, &Verified { described, is_compared, is_signed: !trusted.is_empty() })
    };
    let base = match (&manifest.base, to) {
        (Some(base), None) => {
            let base = base.revision;
            if !trusted.is_empty() {
                return Err(format!(
                    "{} continues revision {base}, and its signature is also about the rows before: name the mirror \
                     that has them with --to DIR",
                    file.display()
                )
                .into());
            }
            let (input, bar) = open(file)?;
            let mut snapshot = SnapshotReader::open(bar.wrap_read(input), &limits(config))?;
            while snapshot.next_part()?.is_some() {}
            bar.finish_and_clear();
            let text = format!(
                "{what}. It continues revision {base}: only with the rows before can its rows and packages be checked. \
                 Name the mirror that has them with --to DIR\n"
            );
            report(text, false)?;
            return Ok(ExitCode::SUCCESS);
        }
        (Some(_), Some(to)) => Some(Tree::at(to)),
        (None, _) => None,
    };
    let folder = tempfile::Builder::new().prefix("skillmirror-").tempdir()?;
    let tree = Tree::at(folder.path().join("tree"));
    let locked = tree.lock()?.ok_or("the temporary folder is in use")?.with_progress(tree_progress());
    // The settings of this machine do not count.
    let options = FollowOptions { public_url: None, names_source_look: true, ..config.follow_options(true) };
    let continues = if base.is_some() { " and continues the mirror" } else { "" };
    let (_, mut follower) = follow(config, file, trusted, locked, options, base.clone())?;
    follower.generate()?;
    if *tree_format != FORMAT {
        return Err(format!(
            "{} has the rows and packages that it names, but a release with the format {tree_format} has made its other \
             files, and this one makes the format {FORMAT}: verify them with that release. `snapshot apply` does not \
             need them, because it makes them again",
            file.display()
        )
        .into());
    }
    let (input, bar) = open(file)?;
    let knows_look = follower.sources().1.site.is_known();
    compare(&tree, base.as_ref(), knows_look, bar.wrap_read(input), &limits(config))?;
    bar.finish_and_clear();
    let signed = match trusted.is_empty() {
        true => "nobody knows who wrote it, because no key was given with --vkey",
        false => "a trusted key has signed its history",
    };
    let which = if knows_look {
        "each"
    } else {
        "its pages have a look of their own and were not compared (run the command with the [site] of the source); each \
         other file"
    };
    report(format!("{what}; {which} is the one of these rows and packages{continues}; {signed}\n"), true)?;
    Ok(ExitCode::SUCCESS)
}
