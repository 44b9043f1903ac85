//! The settings that a tree depends on.

pub use registry::api::public::RequiredCredential;
use registry::names::{Digest, Namespace, PublicUrl};
use registry::public::Sort;
use registry::time::Timestamp;
use registry::transparency_log::VerifierKey;
use serde::{Deserialize, Serialize};

use crate::address::Document;
use crate::marketplace_name::MarketplaceName;
use crate::pages::Site;
use crate::selection::Selection;

/// The largest depth of lists that are not by update, unless all pages are wanted.
const MAX_TOP_PAGES: u64 = 1;

/// The configuration values that a document shows, or that decide which documents exist.
///
/// The tree publishes them as a document, so that a mirror can make the same tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TreeSettings {
    /// How many pages of each list are documents; 0 means all. Lists of skills that are not by update have
    /// one page unless it is 0.
    pub list_depth: u64,
    /// Whether documents over 16 KiB have a gzip sibling, except lists.
    pub gzip: bool,
    /// Whether each skill and each small namespace has a git repository. (Servers answer for it in any case.)
    pub git: bool,
    /// The largest namespaces that are one git repository. Left out if they are the default ones.
    #[serde(default, skip_serializing_if = "NamespaceRepositories::is_default")]
    pub namespace_repositories: NamespaceRepositories,
    /// How many of the words found in the most live skills have their search results precomputed as
    /// documents.
    pub precompute: u64,
    /// The tree's public address, without a slash at its end; null if unknown.
    pub public_url: Option<PublicUrl>,
    /// The keys that sign the checkpoints of the log, and those that did.
    pub keys: Vec<RegistryKey>,
    /// What the tree has of its source, if it is that of a partial mirror.
    pub partial: Option<Selection>,
    /// The credential that reads need. Left out if everyone may read.
    #[serde(default, skip_serializing_if = "RequiredCredential::is_none")]
    pub reads: RequiredCredential,
    /// The name that the operator chose for the marketplace. Without one, it is made from the public URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marketplace: Option<MarketplaceName>,
    /// The sha256 of what the operator has chosen for the look of pages. Left out if that is nothing.
    #[serde(default, skip_serializing_if = "Site::is_default")]
    #[cfg_attr(feature = "openapi", schemars(with = "String"))]
    pub site: Site,
}

/// The largest namespaces that are one git repository, because each change writes all of it again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NamespaceRepositories {
    /// The most skills. 0 means that no namespace is one.
    pub skills: u64,
    /// The most bytes of their latest packages together.
    pub bytes: u64,
}

impl NamespaceRepositories {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Default for NamespaceRepositories {
    fn default() -> Self {
        Self { skills: 100, bytes: 32 << 20 }
    }
}

/// A public key of a registry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RegistryKey {
    /// The verifier key.
    #[cfg_attr(feature = "openapi", schemars(with = "String"))]
    pub key: VerifierKey,
    /// The time since which it signs no more.
    pub retired: Option<Timestamp>,
}

impl Default for TreeSettings {
    fn default() -> Self {
        Self {
            list_depth: 2,
            gzip: true,
            git: false,
            namespace_repositories: NamespaceRepositories::default(),
            precompute: 250,
            public_url: None,
            keys: Vec::new(),
            partial: None,
            reads: RequiredCredential::None,
            marketplace: None,
            site: Site::default(),
        }
    }
}

impl TreeSettings {
    /// The orders in which the skills of one namespace, or of all, are listed in documents. The
    /// server answers the others. (Most namespaces have few skills, which readers sort themselves.)
    pub fn orders(namespace: Option<&Namespace>) -> &'static [Sort] {
        if namespace.is_some() { &[Sort::Updated] } else { &Sort::ALL }
    }

    /// The number of pages of a list of skills that are documents; 0 means all.
    ///
    /// Every page shows the list's total, so each new skill rewrites them all. Readers of files follow what
    /// changed last, and read only the top of other lists.
    pub fn depth_of(&self, sort: Sort) -> u64 {
        match sort {
            Sort::Updated => self.list_depth,
            Sort::Name | Sort::Created | Sort::Downloads | Sort::Stars | Sort::Rating => {
                self.list_depth.min(MAX_TOP_PAGES)
            }
        }
    }

    /// The path of the public URL: empty if it has none or is unknown, otherwise with a slash at its
    /// start and none at its end. Every path on the origin that a document shows begins with it.
    pub fn path(&self) -> &str {
        self.public_url.as_ref().map_or("", PublicUrl::path)
    }

    /// The name of the registry's marketplace.
    pub fn marketplace_name(&self) -> String {
        let of_site = || self.public_url.as_ref().map(MarketplaceName::of_site);
        let name = self.marketplace.clone().or_else(of_site);
        name.map_or_else(|| "skillmirror".to_owned(), |name| name.as_str().to_owned())
    }

    /// Whether reads need a credential.
    pub fn is_closed(&self) -> bool {
        self.reads == RequiredCredential::Token
    }

    /// Encodes the settings as their document.
    pub fn to_json(&self) -> Vec<u8> {
        crate::json::json(self)
    }

    /// Whether a document of `length` bytes has a gzip sibling.
    pub fn compresses(&self, document: &Document, length: u64) -> bool {
        self.gzip && document.has_sibling(length)
    }

    /// The sha256 of the settings document.
    pub fn digest(&self) -> Digest {
        Digest::of(&self.to_json())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lists_by_update_have_more_than_one_page() {
        for (list_depth, top) in [(0, 0), (1, 1), (2, 1), (100, 1)] {
            let settings = TreeSettings { list_depth, ..TreeSettings::default() };
            assert_eq!(Sort::ALL.map(|sort| settings.depth_of(sort)).iter().max(), Some(&list_depth));
            for sort in [Sort::Name, Sort::Created, Sort::Downloads, Sort::Stars, Sort::Rating] {
                assert_eq!(settings.depth_of(sort), top, "{list_depth} {sort:?}");
            }
        }
    }

    #[test]
    fn path_is_that_of_the_public_url() {
        for (url, path) in [
            (None, ""),
            (Some("https://skills.example.org"), ""),
            (Some("http://[::1]:8080"), ""),
            (Some("https://skills.example.org/below"), "/below"),
            (Some("https://skills.example.org:8443/~ann/my.skills"), "/~ann/my.skills"),
        ] {
            let public_url = url.map(|url| url.parse().unwrap());
            let settings = TreeSettings { public_url, ..TreeSettings::default() };
            assert_eq!(settings.path(), path, "{url:?}");
        }
    }
}
