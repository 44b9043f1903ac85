//! What a tree depends on besides the public rows and counters.

use registry::names::{Digest, PublicUrl};
use registry::public::Sort;
use serde::{Deserialize, Serialize};

use crate::address::Document;

/// As deep as that, in pages, every list goes that may.
const TOP: u64 = 3;

/// Every configuration value that a document shows, or that decides which
/// documents exist. It is published as a document of its own, so that a mirror
/// can make the same tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TreeSettings {
    /// How many pages of each list are documents, of those by creation, downloads,
    /// stars and rating a third of that, but at least 3 if there are as many; 0 is
    /// all of them.
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
    /// Every page of a list has its total, so that each new skill writes them all. By
    /// name and last change lists are gone through; of the others people ask for the top:
    /// a third of the depth is theirs, or [`TOP`] pages where that is more and they are allowed.
    pub fn depth_of(&self, sort: Sort) -> u64 {
        match sort {
            Sort::Updated | Sort::Name => self.list_depth,
            Sort::Created | Sort::Downloads | Sort::Stars | Sort::Rating => {
                self.list_depth.min(TOP.max(self.list_depth / 3))
            }
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
    fn tops_are_less_deep_where_lists_are_deep() {
        for (list_depth, top) in [(0, 0), (1, 1), (3, 3), (4, 3), (10, 3), (12, 4), (100, 33)] {
            let settings = TreeSettings { list_depth, ..TreeSettings::default() };
            assert_eq!(Sort::ALL.map(|sort| settings.depth_of(sort)).iter().max(), Some(&list_depth));
            for sort in [Sort::Created, Sort::Downloads, Sort::Stars, Sort::Rating] {
                assert_eq!(settings.depth_of(sort), top, "{list_depth} {sort:?}");
            }
        }
    }

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
