//! Names as newtypes. A value can only be made by parsing, so it is always valid.
//!
//! The rules are those of docs/api.md ("Names", "Versions").

mod bundle_name;
mod coordinate;
mod date_version;
mod digest;
mod identifiers;
mod look_alikes;
mod public_url;
mod required;
mod requirement;
mod reserved;
mod similar;
mod suggestion;
mod version;
mod version_range;

use std::fmt;

pub use bundle_name::BundleName;
pub use coordinate::Coordinate;
pub use digest::{Digest, DigestBuilder, copy_with_digest};
pub use identifiers::{Handle, Namespace, Slug, TagName};
pub use look_alikes::{reserved_like, reserved_namespace, skeleton, typing_errors};
pub use public_url::PublicUrl;
pub use required::{MAX_REQUIRED, Required, WrittenRequired, check_required};
pub use requirement::Requirement;
pub(crate) use reserved::is_windows_device;
pub use similar::{did_you_mean, nearest};
pub(crate) use suggestion::hyphenated;
pub use version::{TolerantVersion, Version};
pub use version_range::{UpperBound, VersionRange};

/// Why a text is not a valid name, as a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameError {
    why: String,
    remedy: Remedy,
}

/// What to do about an invalid name.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Remedy {
    /// The problem says it.
    Said,
    /// No valid name is close.
    Choose(&'static str),
    /// Write this name.
    Write(String),
}

impl NameError {
    pub(crate) fn new(why: impl Into<String>) -> Self {
        Self { why: why.into(), remedy: Remedy::Said }
    }

    /// The problem, without a remedy that names or asks for another name.
    pub(crate) fn why(&self) -> &str {
        &self.why
    }

    /// Whether the message names a valid name.
    pub(crate) fn has_suggestion(&self) -> bool {
        matches!(self.remedy, Remedy::Write(_))
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)?;
        match &self.remedy {
            Remedy::Said => Ok(()),
            Remedy::Choose(how) => write!(f, ": {how}"),
            Remedy::Write(name) => write!(f, ": write `{name}`"),
        }
    }
}

impl std::error::Error for NameError {}

/// The start of an invalid name, to quote in a message.
fn quoted(text: &str) -> String {
    let start: String = text.chars().take(80).collect();
    format!("`{}`", start.escape_debug())
}

/// Implements `Debug` by `Display`, and JSON as a string that is parsed when it is read.
macro_rules! text_forms {
    ($name:ident) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(from)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{self}")
            }
        }
    };
}
pub(crate) use text_forms;
