//! `skillmirror snapshot create`.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use generator::follower::{FollowOptions, Follower};
use generator::parse_head;
use generator::selection::Selection;
use generator::snapshot::{Contents, add_proofs, write};
use generator::tree::{FrozenTree, Tree};
use registry::api::public::Head;
use registry::journal::Revision;
use registry::names::Namespace;
use registry::transparency_log::minisign;

use super::{Described, bar, named};
use crate::Failure;
use crate::config::Config;
use crate::folder_overlap::keep_private;
use crate::interrupt::clean_up_at_interrupt;
use crate::output::Printer;
use crate::tree_progress::tree_progress;

/// What to write.
#[derive(Args)]
pub struct Arguments {
    /// The file to write. Its usual name ends in `.tar.zst`
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The tree [default: the output folder]
    #[arg(long, value_name = "DIR")]
    tree: Option<PathBuf>,
    /// Only what a mirror at this revision lacks: that of an earlier snapshot
    #[arg(long, value_name = "REVISION")]
    since: Option<Revision>,
    /// Only the skills of this namespace (repeatable): the snapshot is that of a partial mirror
    #[arg(long = "namespace", value_name = "NAMESPACE")]
    namespaces: Vec<Namespace>,
    /// Also sign the file with the registry's key in the form of minisign, as FILE.minisig
    #[arg(long)]
    minisign: bool,
}

/// Runs the command.
pub fn run(config: &Config, arguments: &Arguments, printer: Printer) -> Result<ExitCode, Failure> {
    let Arguments { out, since, .. } = arguments;
    let folder = arguments.tree.as_ref().unwrap_or(&config.public);
    // The next rebuild of the tree would remove it.
    keep_private(out, folder)?;
    let tree = Tree::at(folder);
    let keys = config.keys.signing();
    if arguments.minisign && keys.is_empty() {
        return Err("no key signs here: make one with `skillmirror key new`".into());
    }
    let left = (named(out, ".tmp"), named(out, ".tree"));
    clean_up_at_interrupt(format!("{} was not written: run the command again", out.display()), move || {
        // What cannot be removed does no harm.
        let _ = (fs::remove_file(&left.0), fs::remove_dir_all(&left.1));
    });
    let (frozen, _copy) = freeze(config, &tree, out, &arguments.namespaces)?;
    let partial = frozen.tree().settings().and_then(|settings| settings.partial);
    if partial.is_some_and(|partial| partial.min_age > 0) {
        return Err(format!(
            "{} is the tree of a mirror that waits with new versions: nobody could apply its snapshot, so make \
             one of a mirror without --min-age",
            folder.display()
        )
        .into());
    }
    let head = parse_head(frozen.head()).map_err(|why| format!("the head of {} {why}", folder.display()))?;
    let contents = match since {
        Some(since) => Contents::since(frozen.tree(), &head, *since)?,
        None => {
            add_proofs(&frozen, &head).map_err(|why| format!("cannot make the proofs: {why}"))?;
            Contents::all()
        }
    };
    let temporary = named(out, ".tmp");
    let written = write_file(&frozen, &head, &contents, &temporary);
    if written.is_err() {
        // The first error matters more.
        let _ = fs::remove_file(&temporary);
    }
    let (manifest, size) = written?;
    let signer = keys.first().filter(|_| arguments.minisign);
    let signature = named(out, ".minisig");
    let unsigned = |why| format!("cannot sign {}: {why}", out.display());
    if let Some(key) = signer {
        let comment = format!("revision {} of the history {}", manifest.revision, manifest.epoch);
        let text =
            File::open(&temporary).and_then(|file| minisign::sign(key, file, &comment)).map_err(unsigned)?;
        fs::write(&signature, text).map_err(unsigned)?;
    }
    fs::rename(&temporary, out).map_err(|why| format!("cannot write {}: {why}", out.display()))?;
    let from = since
        .map(|since| format!("all after revision {since}, up to revision "))
        .unwrap_or_else(|| "revision ".into());
    let text = format!(
        "wrote {}: {from}{} of the history {} ({} files, {size} bytes)\n",
        out.display(),
        manifest.revision,
        manifest.epoch,
        manifest.files
    );
    printer.report(text, &Described::of(out, &manifest))?;
    Ok(ExitCode::SUCCESS)
}

/// Copies the tree in one state, or what it has of some namespaces as a partial mirror. A tree that
/// changes all the time is copied as a mirror: its rows tell the state of its head, whatever its
/// documents show. The folder of the mirror must live as long as the copy.
fn freeze(
    config: &Config,
    tree: &Tree,
    out: &Path,
    namespaces: &[Namespace],
) -> Result<(FrozenTree, Option<TemporaryFolder>), Failure> {
    let shown = tree.root().display();
    let failed = |why| format!("cannot copy the tree in {shown}: {why}");
    if namespaces.is_empty()
        && let Some(frozen) = tree.freeze().map_err(failed)?
    {
        return Ok((frozen, None));
    }
    let folder = TemporaryFolder::new(named(out, ".tree"))?;
    let mirror = Tree::at(folder.0.join("tree"));
    let locked = mirror.lock()?.ok_or("another process makes the same snapshot")?;
    let locked = locked.with_progress(tree_progress());
    let namespaces = namespaces.iter().cloned().collect();
    let selection = Selection { namespaces, ..Selection::default() };
    let options = FollowOptions { public_url: None, selection, ..config.follow_options(false) };
    let mut follower = Follower::open(Arc::new(tree.clone()), locked, options)?;
    follower.generate()?;
    let frozen = mirror.freeze().map_err(failed)?;
    Ok((frozen.ok_or_else(|| format!("the tree in {shown} changes all the time"))?, Some(folder)))
}

fn write_file(
    frozen: &FrozenTree,
    head: &Head,
    contents: &Contents,
    file: &Path,
) -> Result<(generator::snapshot::Manifest, u64), Failure> {
    let create = || File::create(file).map_err(|why| format!("cannot write {}: {why}", file.display()));
    let bar = bar(0);
    let mut progress = |bytes, all| {
        bar.set_length(all);
        bar.inc(bytes);
    };
    let (manifest, out) = write(frozen, head, contents, BufWriter::new(create()?), &mut progress)?;
    bar.finish_and_clear();
    let mut out = out.into_inner().map_err(|why| why.into_error())?;
    out.flush()?;
    out.sync_all()?;
    Ok((manifest, out.metadata()?.len()))
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
