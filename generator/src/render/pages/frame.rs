//! The data that every page shares.

use registry::names::PublicUrl;
use serde::Serialize;

use crate::address::{AssetPath, Document, WebPage};
use crate::settings::TreeSettings;

/// The address in a page's commands if the public URL is unknown. The pages' script replaces it
/// with the address of the site.
const PLACEHOLDER_URL: &str = "https://registry.example";

/// The data that every page shares.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Frame {
    /// The relative path to the site's root.
    root: String,
    /// The path to the folder of the assets.
    assets: String,
    /// The public URL, without a slash at its end. Only pages that depend on it have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    site: Option<String>,
}

impl Frame {
    pub(super) fn new(page: &WebPage, settings: &TreeSettings) -> Self {
        let root = match page {
            // Hosts show this page at any depth, so its links start at the origin.
            WebPage::Missing => settings.base_path(),
            page => page.root(),
        };
        let site = || settings.public_url.as_ref().map_or(PLACEHOLDER_URL, PublicUrl::as_str).to_owned();
        let site = Document::Page(page.clone()).is_site_bound().then(site);
        Self { assets: format!("{root}{}", AssetPath::set()), root, site }
    }

    /// The link from the page to a document: to a page's address, or to any other document's file,
    /// because static hosts know only files.
    pub(super) fn href(&self, document: &Document) -> String {
        format!("{}{}", self.root, path_from_root(document))
    }
}

/// A document's path from the site's root.
pub(super) fn path_from_root(document: &Document) -> String {
    let address = match document {
        Document::Page(_) => document.request(),
        _ => document.name(),
    };
    address.trim_start_matches('/').to_owned()
}
