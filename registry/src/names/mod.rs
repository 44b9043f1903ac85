//! Names as newtypes. A value can only be made by parsing, so it is always valid.
//!
//! The rules are those of docs/api.md ("Names", "Versions", "Coordinates").

mod coordinate;
mod date_version;
mod digest;
mod identifiers;
mod look_alikes;
mod public_url;
mod reserved;
mod similar;
mod version;

pub use coordinate::Coordinate;
pub use digest::{Digest, DigestBuilder, copy_with_digest};
pub use identifiers::{Handle, Namespace, Slug, TagName};
pub use look_alikes::{reserved_namespace, skeleton, typing_errors};
pub use public_url::PublicUrl;
pub(crate) use reserved::is_windows_device;
pub use similar::{did_you_mean, nearest};
pub use version::{TolerantVersion, Version};

/// Why a text is not a valid name, as a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NameError(pub(crate) String);

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
