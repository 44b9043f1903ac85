//! How a source is followed: the options of commands that keep a mirror.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use generator::follower::{FeedSource, FollowOptions, Follower};
use generator::tree::LockedTree;
use registry::transparency_log::{MAX_POLICY, Policy, VerifierKey};

use super::selected::SelectionArguments;
use crate::Failure;
use crate::config::Config;
use crate::tree::output_tree::TakeOver;

/// The options of commands that follow a source.
#[derive(Debug, Clone, Args)]
pub struct FollowArguments {
    /// Follow the source even if it has another history than the tree, as after the restore of a
    /// backup. A later one is refused again
    #[arg(long, requires = "feed")]
    accept_new_history: bool,
    /// Take only what this public key of the source has signed (repeatable: one of them must have
    /// signed). `skillmirror key show` prints it at the source. Replaces `mirror.feed_keys`
    #[arg(long = "vkey", value_name = "KEY", requires = "feed")]
    keys: Vec<VerifierKey>,
    /// Take only what the witnesses of this policy have cosigned (C2SP tlog-policy). Its logs are the
    /// keys, unless --vkey or `mirror.feed_keys` names others
    #[arg(long, value_name = "FILE", requires = "feed")]
    policy: Option<PathBuf>,
    #[command(flatten)]
    selection: SelectionArguments,
}

impl FollowArguments {
    /// Opens the follower that makes `tree` from `source`.
    pub fn open(
        &self,
        config: &Config,
        source: Arc<dyn FeedSource>,
        tree: LockedTree,
        take_over: TakeOver,
    ) -> Result<Follower, Failure> {
        // A tree that is replaced has no history to keep.
        let options = config.follow_options(self.accept_new_history || take_over.replace_tree);
        let options = self.with_keys(options, &config.mirror.feed_keys)?;
        Ok(Follower::open(source, tree, self.selection.add_to(options, config)?)?)
    }

    /// Adds the keys and the policy to `options`. `configured` are the keys of the settings.
    fn with_keys(&self, options: FollowOptions, configured: &[VerifierKey]) -> Result<FollowOptions, String> {
        let policy = self.policy.as_deref().map(read_policy).transpose()?;
        let of_policy = policy.iter().flat_map(|policy| policy.logs().to_vec()).collect();
        let given = [self.keys.clone(), configured.to_vec(), of_policy];
        let keys = given.into_iter().find(|keys| !keys.is_empty()).unwrap_or_default();
        if let (Some(file), true) = (&self.policy, keys.is_empty()) {
            return Err(format!("{} names no log: give the key of the source with --vkey", file.display()));
        }
        Ok(FollowOptions { keys: of_one_registry(keys)?, policy, ..options })
    }
}

fn read_policy(file: &Path) -> Result<Policy, String> {
    let failed = |why: &dyn std::fmt::Display| format!("{}: {why}", file.display());
    let mut bytes = Vec::new();
    let opened = File::open(file).map_err(|why| failed(&why))?;
    opened.take(MAX_POLICY as u64 + 1).read_to_end(&mut bytes).map_err(|why| failed(&why))?;
    Policy::parse(&bytes).map_err(|why| failed(&why))
}

/// Refuses keys of several registries.
fn of_one_registry(keys: Vec<VerifierKey>) -> Result<Vec<VerifierKey>, String> {
    let other = keys.iter().find(|key| key.name() != keys[0].name());
    match other {
        Some(other) => Err(format!(
            "the keys {} and {} are of two registries: a mirror has one source",
            keys[0].short(),
            other.short()
        )),
        None => Ok(keys),
    }
}
