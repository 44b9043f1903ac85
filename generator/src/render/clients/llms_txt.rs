//! The text that tells agents what this site is and how to use it (llmstxt.org).

use registry::names::PublicUrl;
use serde::Serialize;

use super::marketplace::MAX_PLUGINS;

use crate::pages::PageError;
use crate::settings::TreeSettings;

#[derive(Serialize)]
struct Content<'a> {
    /// The address of the site; `None` if it is unknown.
    site: Option<&'a str>,
    /// Whether common words have precomputed results.
    has_words: bool,
    /// The most skills of the registry's marketplace.
    max_plugins: usize,
}

/// Fills the template.
pub(crate) fn llms_txt(settings: &TreeSettings) -> Result<Vec<u8>, PageError> {
    let site = settings.public_url.as_ref().map(PublicUrl::as_str);
    let content = Content { site, has_words: settings.precompute > 0, max_plugins: MAX_PLUGINS };
    settings.site.fill("llms.txt", &content)
}
