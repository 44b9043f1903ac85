//! The options that make a mirror a partial one.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use generator::follower::FollowOptions;
use generator::selection::{Denied, Selection};
use registry::journal::Revision;
use registry::names::Namespace;

use crate::arguments::duration_arg::duration;
use crate::config::Config;

/// The most bytes of a file of names: 4 MiB.
const MAX_DENY: u64 = 4 << 20;

/// What the tree shows of its source.
#[derive(Debug, Clone, Args)]
pub struct SelectionArguments {
    /// Only the skills of this namespace (repeatable). Replaces `mirror.feed_namespaces`
    #[arg(long = "namespace", value_name = "NAMESPACE", requires = "feed")]
    namespaces: Vec<Namespace>,
    /// Only versions that were published after this revision. Replaces `mirror.feed_since`
    #[arg(long, value_name = "REVISION", requires = "feed")]
    since: Option<Revision>,
    /// Only versions that are this old, such as 3d: new ones wait. Replaces `mirror.feed_min_age`
    #[arg(long, value_name = "DURATION", value_parser = duration, requires = "feed")]
    min_age: Option<Duration>,
    /// Without the skills and versions in this file: @namespace/skill or @namespace/skill@version, one a
    /// line, comments after #. Replaces `mirror.feed_deny`
    #[arg(long, value_name = "FILE", requires = "feed")]
    deny: Option<PathBuf>,
}

impl SelectionArguments {
    /// Adds the selection to `options`.
    pub fn add_to(&self, options: FollowOptions, config: &Config) -> Result<FollowOptions, String> {
        let configured = &config.mirror;
        let namespaces =
            if self.namespaces.is_empty() { &configured.feed_namespaces } else { &self.namespaces };
        let deny = self.deny.as_ref().or(configured.feed_deny.as_ref());
        let selection = Selection {
            namespaces: namespaces.iter().cloned().collect(),
            since: self.since.unwrap_or(configured.feed_since),
            min_age: self.min_age.unwrap_or(configured.feed_min_age).as_secs(),
            deny: deny.map(|file| read_names(file)).transpose()?.unwrap_or_default().into_iter().collect(),
        };
        Ok(FollowOptions { selection, ..options })
    }
}

/// Reads a file of names.
fn read_names(file: &Path) -> Result<Vec<Denied>, String> {
    let shown = file.display();
    let size = fs::metadata(file).map_err(|why| format!("{shown}: {why}"))?.len();
    if size > MAX_DENY {
        return Err(format!("{shown} is larger than 4 MiB: a file of names has one name a line"));
    }
    let text = fs::read_to_string(file).map_err(|why| format!("{shown}: {why}"))?;
    let mut names = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let name = line.split('#').next().unwrap_or_default().trim();
        if !name.is_empty() {
            names.push(name.parse().map_err(|why| format!("{shown}, line {}: {why}", number + 1))?);
        }
    }
    Ok(names)
}
