//! What a tree depends on besides the public rows and counters.

use registry::names::Digest;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::address::Document;

/// Every configuration value that a document shows, or that decides which
/// documents exist. It is published as a document of its own, so that a mirror
/// can make the same tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TreeSettings {
    /// How many pages of each list are documents; 0 is all of them.
    pub list_depth: u64,
    /// Whether documents over 1 KiB have a compressed sibling.
    pub gzip: bool,
    /// How many words, of those that most skills have, are queries whose answers
    /// are documents; slugs are too, unless it is 0.
    pub precompute: u64,
    /// The address under which people reach this tree, without a slash at its
    /// end; null where nobody knows it.
    pub public_url: Option<String>,
}

impl Default for TreeSettings {
    fn default() -> Self {
        Self { list_depth: 10, gzip: true, precompute: 20_000, public_url: None }
    }
}

impl TreeSettings {
    /// The path of the public URL, with a slash at its end: `/` where that is not
    /// known.
    pub fn base_path(&self) -> String {
        let rest = self.public_url.as_deref().and_then(|url| url.split_once("://"));
        let path = rest.and_then(|(_, rest)| rest.split_once('/')).map_or("", |(_, path)| path);
        match path.trim_end_matches('/') {
            "" => "/".into(),
            path => format!("/{path}/"),
        }
    }

    /// The settings as their document has them.
    pub fn to_json(&self) -> Vec<u8> {
        crate::encoding::json(self)
    }

    /// Whether a document of that many bytes has a compressed sibling.
    pub fn compresses(&self, document: &Document, length: u64) -> bool {
        self.gzip && document.is_worth_compressing(length)
    }

    /// The sha256 of that document.
    pub fn digest(&self) -> Digest {
        Digest::of(&self.to_json())
    }
}
