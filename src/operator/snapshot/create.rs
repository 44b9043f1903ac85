//! `skillmirror snapshot create`.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use clap::Args;
use generator::follower::{FollowOptions, Follower};
use generator::selection::Selection;
use generator::snapshot::{Manifest, SnapshotError, write};
use generator::tree::Tree;
use registry::names::Namespace;

use super::Described;
use super::new_file::{Signature, write_file};
use crate::Failure;
use crate::config::Config;
use crate::config::folder_overlap::keep_private;
use crate::output::{Printer, print_note};
use crate::process::interrupt::clean_up_at_interrupt;
use crate::tree::snapshot_file::{bar, named};
use crate::tree::tree_progress::tree_progress;

/// How often a tree is read that changes meanwhile.
const MAX_ATTEMPTS: usize = 3;

/// How long an incomplete change of the tree is waited for, and how often it is looked at.
const MAX_LOOKS: usize = 40;
const PAUSE: Duration = Duration::from_millis(50);

/// What to write.
#[derive(Args)]
pub struct Arguments {
    /// The file to write. Its usual name ends in `.tar.zst`
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The tree [default: the output folder]
    #[arg(long, value_name = "DIR")]
    tree: Option<PathBuf>,
    /// Only the skills of this namespace (repeatable): the snapshot is that of a partial mirror
    #[arg(long = "namespace", value_name = "NAMESPACE")]
    namespaces: Vec<Namespace>,
    #[command(flatten)]
    signature: Signature,
}

/// Runs the command.
pub fn run(config: &Config, arguments: &Arguments, printer: Printer) -> Result<ExitCode, Failure> {
    let Arguments { out, namespaces, .. } = arguments;
    let folder = arguments.tree.as_ref().unwrap_or(&config.public);
    // The next rebuild of the tree would remove it.
    keep_private(out, folder)?;
    arguments.signature.check(config)?;
    let tree = Tree::at(folder);
    let shown = tree.root().display();
    if tree.head().is_none() {
        return Err(format!("{shown} has no tree, or its first one is not complete yet").into());
    }
    if tree.settings().and_then(|settings| settings.partial).is_some_and(|partial| partial.min_age > 0) {
        return Err(format!(
            "{shown} is the tree of a mirror that waits with new versions: nobody could apply its snapshot, so make \
             one of a mirror without --min-age"
        )
        .into());
    }
    let left = (named(out, ".tmp"), named(out, ".tree"));
    clean_up_at_interrupt(format!("{} was not written: run the command again", out.display()), move || {
        // What cannot be removed does no harm.
        let _ = (fs::remove_file(&left.0), fs::remove_dir_all(&left.1));
    });
    let is_all = namespaces.is_empty();
    let written = if is_all { write_tree(config, arguments, &tree)? } else { None };
    let (manifest, size) = match written {
        Some(written) => written,
        None => {
            if is_all {
                print_note(format_args!(
                    "{shown} changes all the time, so its snapshot is that of a mirror, which takes longer"
                ));
            }
            write_mirror(config, arguments, &tree)?
        }
    };
    let text = format!(
        "wrote {}: revision {} of the history {} ({} files, {size} bytes)\n",
        out.display(),
        manifest.revision,
        manifest.epoch,
        manifest.files
    );
    printer.report(text, &Described::of(out, &manifest))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the snapshot of a tree. `None` if the tree changes all the time.
fn write_tree(
    config: &Config,
    arguments: &Arguments,
    tree: &Tree,
) -> Result<Option<(Manifest, u64)>, Failure> {
    for _ in 0..MAX_ATTEMPTS {
        for _ in 0..MAX_LOOKS {
            if tree.completed_changes().is_some() {
                break;
            }
            sleep(PAUSE);
        }
        let written = write_file(config, &arguments.out, &arguments.signature, |file| stream(tree, file))?;
        if written.is_some() {
            return Ok(written);
        }
    }
    Ok(None)
}

/// Writes the snapshot of a mirror of the tree: its rows tell the state of its head, whatever its
/// documents show.
fn write_mirror(config: &Config, arguments: &Arguments, tree: &Tree) -> Result<(Manifest, u64), Failure> {
    let Arguments { out, namespaces, signature, .. } = arguments;
    let folder = TemporaryFolder::new(named(out, ".tree"))?;
    let mirror = Tree::at(folder.0.join("tree"));
    let locked = mirror.lock()?.ok_or("another process makes the same snapshot")?;
    let locked = locked.with_progress(tree_progress());
    let namespaces = namespaces.iter().cloned().collect();
    let selection = Selection { namespaces, ..Selection::default() };
    let options = FollowOptions { public_url: None, selection, ..config.follow_options(false) };
    Follower::open(Arc::new(tree.clone()), locked, options)?.generate()?;
    let written = write_file(config, out, signature, |file| stream(&mirror, file))?;
    Ok(written.ok_or_else(|| format!("another process writes to {}", mirror.root().display()))?)
}

fn stream(tree: &Tree, file: BufWriter<File>) -> Result<(Manifest, BufWriter<File>), SnapshotError> {
    let bar = bar(0);
    let written = write(tree, file, &mut |bytes, all| {
        bar.set_length(all);
        bar.inc(bytes);
    });
    bar.finish_and_clear();
    written
}

/// A folder beside the snapshot. Dropping it removes it.
struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    fn new(path: PathBuf) -> std::io::Result<Self> {
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // It is in the way of nobody, and the next snapshot continues in it.
        let _ = fs::remove_dir_all(&self.0);
    }
}
