//! How a mirror follows its source.

use generator::follower::{FollowOptions, SourceLimits};
use generator::selection::Selection;
use registry::time::Timestamp;

use super::Config;

impl Config {
    /// How a mirror follows its source, signed or not.
    pub fn follow_options(&self, accepts_new_history: bool) -> FollowOptions {
        let mirror = &self.mirror;
        FollowOptions {
            retention: self.search_retention(),
            public_url: self.public_url.clone(),
            site: self.look.clone(),
            names_source_look: false,
            limits: SourceLimits {
                package: mirror.feed_max_package,
                total: mirror.feed_max_total,
                rows: mirror.feed_max_rows,
                files: Some(mirror.feed_max_files).filter(|files| *files > 0),
            },
            accepts_new_history,
            keys: Vec::new(),
            policy: None,
            selection: Selection::default(),
            now: Timestamp::now,
        }
    }
}
