//! What a tree depends on besides the public rows and counters.

use registry::names::{Digest, PublicUrl};
use registry::public::Sort;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::address::Document;

/// Every configuration value that a document shows, or that decides which
/// documents exist. It is published as a document of its own, so that a mirror
/// can make the same tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TreeSettings {
    /// How many pages of each list are documents, of those by downloads, stars and
    /// rating a third of that, rounded up; 0 is all of them.
    pub list_depth: u64,
    /// Whether documents over 1 KiB have a compressed sibling.
    pub gzip: bool,
    /// How many words, of those that most skills have, are queries whose answers
    /// are documents; slugs are too, unless it is 0.
    pub precompute: u64,
    /// The address under which people reach this tree, without a slash at its
    /// end; null where nobody knows it.
    pub public_url: Option<PublicUrl>,
}

impl Default for TreeSettings {
    fn default() -> Self {
        Self { list_depth: 10, gzip: true, precompute: 20_000, public_url: None }
    }
}

impl TreeSettings {
    /// How many pages of a list of skills are documents at most; 0 is all of them.
    ///
    /// Every page of a list has its total, so that each new skill writes them all:
    /// the tenth page of the most popular ones is what fewest ask for.
    pub fn depth_of(&self, sort: Sort) -> u64 {
        match sort {
            Sort::Updated | Sort::Created | Sort::Name => self.list_depth,
            Sort::Downloads | Sort::Stars | Sort::Rating => self.list_depth.div_ceil(3),
        }
    }

    /// The path of the public URL, with a slash at its end: `/` where that is not
    /// known.
    pub fn base_path(&self) -> String {
        format!("{}/", self.public_url.as_ref().map_or("", PublicUrl::path))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_from_the_origin_lead_below_the_path() {
        for (url, path) in [
            (None, "/"),
            (Some("https://skills.example.org"), "/"),
            (Some("http://[::1]:8080"), "/"),
            (Some("https://skills.example.org/below"), "/below/"),
            (Some("https://skills.example.org:8443/~ann/my.skills"), "/~ann/my.skills/"),
        ] {
            let public_url = url.map(|url| url.parse().unwrap());
            let settings = TreeSettings { public_url, ..TreeSettings::default() };
            assert_eq!(settings.base_path(), path, "{url:?}");
        }
    }
}
