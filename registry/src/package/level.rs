//! How much a finding matters.

use serde::{Deserialize, Serialize};

use crate::roles::words;

/// How much a finding of a rule or scanner matters, in the words of SARIF.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Readers may want to know it.
    Note,
    /// People should read the place before they install.
    Warning,
    /// A person should look at it before anybody installs.
    Error,
}

words!(Level, "level", Note = "note", Warning = "warning", Error = "error");
