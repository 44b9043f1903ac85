//! What the tree of a partial mirror shows, and since when.

use std::time::Duration;

use super::replica::Replica;
use super::{FollowError, FollowOptions, Follower};
use crate::address::Document;
use crate::selection::Selection;
use crate::settings::TreeSettings;

/// How long versions that are old enough may wait for others.
const MAX_DUE_PAUSE: Duration = Duration::from_secs(60 * 60);

impl Follower {
    /// What the tree shows of a source with these settings. A mirror of a partial mirror is partial in
    /// the same way.
    pub(super) fn selection_of(&self, settings: &TreeSettings) -> Result<Selection, FollowError> {
        let own = &self.options.selection;
        let refused = |why: &str| Err(self.replica.feed.refused(&Document::Settings, why));
        match &settings.partial {
            None => Ok(own.clone()),
            Some(_) if !own.is_all() => {
                refused("is that of a partial mirror: select from the registry that it follows")
            }
            Some(partial) if partial.min_age > 0 => {
                refused("is that of a mirror that waits with new versions: follow its own source")
            }
            Some(partial) => Ok(partial.clone()),
        }
    }

    /// Whether versions are old enough now to be shown. The tree is compared with all rows then, so
    /// this is not done for each version by itself.
    pub(super) fn is_due(&self) -> bool {
        let chosen = &self.replica.chosen;
        let pause = MAX_DUE_PAUSE.min(Duration::from_secs(chosen.selection.min_age));
        let now = (self.options.now)();
        self.replica.due.is_some_and(|due| due <= now && chosen.at.plus(pause) <= now)
    }
}

/// The settings of the follower's tree: the source's, except for the address, the look and what is selected.
pub(super) fn settings_of(replica: &Replica, options: &FollowOptions) -> TreeSettings {
    let settings = replica.settings.clone();
    let public_url = options.public_url.clone().or(settings.public_url);
    let is_own = !options.names_source_look || settings.site == options.site;
    let site = if is_own { options.site.clone() } else { settings.site };
    let partial = Some(&replica.chosen.selection).filter(|selection| !selection.is_all()).cloned();
    TreeSettings { public_url, site, partial, ..settings }
}
