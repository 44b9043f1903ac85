//! What every page has.

use registry::names::PublicUrl;
use serde::Serialize;

use crate::address::{AssetPath, Document, WebPage};
use crate::settings::TreeSettings;

/// What a page shows of the registry's address where nobody knows it. The script
/// of the pages puts in the one under which they are read.
const UNKNOWN: &str = "https://registry.example";

/// What every page has.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Frame {
    /// What leads from the page to the root of the site.
    root: String,
    /// What leads to the folder with the files that pages load.
    assets: String,
    /// The public URL, without a slash at its end. Only for pages that may depend on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    site: Option<String>,
}

impl Frame {
    pub(super) fn new(page: &WebPage, settings: &TreeSettings) -> Self {
        let root = match page {
            // Shown at any depth, so that only an address from the origin leads anywhere.
            WebPage::Missing => settings.base_path(),
            page => page.root(),
        };
        let site = || settings.public_url.as_ref().map_or(UNKNOWN, PublicUrl::as_str).to_owned();
        let site = Document::Page(page.clone()).is_site_bound().then(site);
        Self { assets: format!("{root}{}", AssetPath::set()), root, site }
    }

    /// What leads from the page to a document: to the address of a page, and to
    /// the file of anything else, which every host has under its name.
    pub(super) fn href(&self, document: &Document) -> String {
        format!("{}{}", self.root, place(document))
    }
}

/// Where a document is, from the root of the site.
pub(super) fn place(document: &Document) -> String {
    let address = match document {
        Document::Page(_) => document.request(),
        _ => document.name(),
    };
    address.trim_start_matches('/').to_owned()
}
