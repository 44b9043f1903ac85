//! Yanks of versions.

use std::fmt;

use registry::api::public::VersionRecord;
use registry::sanitize::blank_unsafe;
use serde::Serialize;

/// The yank of a version. As JSON it is the reason, which is empty if none was given. As text it is the
/// reason in quotes and parentheses, as messages append it to "is yanked".
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Yank(String);

impl Yank {
    /// The yank of a version. `None` if it is not yanked.
    pub(crate) fn of(version: &VersionRecord<'_>) -> Option<Self> {
        version.is_yanked().then(|| Self(version.yank_reason.as_deref().unwrap_or_default().to_owned()))
    }
}

impl fmt::Display for Yank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_str() {
            "" => Ok(()),
            reason => write!(f, " (\"{}\")", blank_unsafe(reason)),
        }
    }
}
