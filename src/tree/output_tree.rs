//! The tree in the output folder: locks it for a command, refuses one that must not be written, and makes its
//! publisher.

use std::path::Path;
use std::sync::Arc;

use clap::Args;
use generator::tree::{Claimant, LockedTree, Tree};
use generator::{Sources, TreePublisher};
use registry::Registry;
use server::tree_updates::claimant;

use crate::Failure;
use crate::config::Config;
use crate::signing::older_data::refuse_older_than_tree;
use crate::signing::signed_tree::{Unsigned, require_signer};
use crate::signing::signer::Signer;
use crate::tree::tree_progress::tree_progress;

/// The option of commands that may take over a tree.
#[derive(Debug, Clone, Copy, Args)]
pub struct TakeOver {
    /// Replace the tree in the output folder even if it is of another registry. Its files are
    /// removed
    #[arg(long)]
    pub replace_tree: bool,
}

/// The process that keeps a tree, in words.
pub fn keeper(tree: &Tree) -> String {
    tree.keeper().map_or_else(|| "another process".into(), |id| format!("process {id}"))
}

/// Locks the tree in `folder` for `claimant`. The error names the option for another folder.
pub fn lock_tree(
    folder: &Path,
    option: &str,
    claimant: &Claimant,
    take_over: TakeOver,
) -> Result<LockedTree, Failure> {
    let tree = Tree::at(folder);
    let locked = tree.lock()?;
    if !take_over.replace_tree {
        tree.check_owner(claimant)?;
    }
    let locked = locked.ok_or_else(|| {
        let (keeper, shown) = (keeper(&tree), folder.display());
        format!("{keeper} keeps the tree in {shown}: stop it first, or use {option} DIR for another folder")
    })?;
    if matches!(claimant, Claimant::Registry(_)) {
        locked.forget_source()?;
    }
    Ok(locked.with_progress(tree_progress()))
}

/// Refuses a tree that this registry must not write: of somebody else, ahead of the journal, or signed with a key
/// that is not here.
pub fn check_tree(
    config: &Config,
    registry: &Registry,
    tree: &Tree,
    take_over: TakeOver,
    unsigned: Unsigned,
) -> Result<(), Failure> {
    match tree.check_owner(&claimant(registry)) {
        // Nothing of it is left.
        Err(_) if take_over.replace_tree => return Ok(()),
        checked => checked?,
    }
    refuse_older_than_tree(config, registry, tree)?;
    let place = format!("the tree in {}", tree.root().display());
    require_signer(config, tree.settings().as_ref(), &place, unsigned)
}

/// The publisher of a registry's public catalog to a locked tree. The log is signed before, if keys in files do
/// not sign everything. `asks_witnesses` says whether witnesses are asked.
pub fn tree_publisher(
    config: &Config,
    registry: &Arc<Registry>,
    locked: LockedTree,
    asks_witnesses: bool,
) -> Result<TreePublisher, Failure> {
    let (settings, signing) = (config.tree_settings(locked.tree()), config.signing());
    let signer = Signer::of(config, registry, &signing);
    let sources = Sources { signing, ..Sources::new(registry.public(), registry.store(), &settings) };
    let publisher = TreePublisher::new(sources, settings, locked, config.search_retention());
    if let Some(signer) = signer {
        signer.sign_now()?;
        if asks_witnesses {
            signer.ask_witnesses();
        }
    }
    Ok(publisher)
}
