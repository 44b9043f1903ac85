//! Files for search engines, and for the search boxes of browsers.

use registry::names::PublicUrl;
use serde_json::json;

use super::RenderContext;
use crate::address::CrawlerFile;
use crate::pages::{PageError, fill};

/// Fills the template of a file. `None` if the file needs a public URL, and there is none.
pub(crate) fn file(context: RenderContext<'_>, file: &CrawlerFile) -> Result<Option<Vec<u8>>, PageError> {
    let settings = context.settings;
    let site = settings.public_url.as_ref().map(PublicUrl::as_str);
    match file {
        CrawlerFile::Robots => {
            let content = json!({ "site": site, "path": settings.path() });
            fill("robots.txt", &content).map(Some)
        }
        CrawlerFile::OpenSearch => {
            let Some(site) = site else { return Ok(None) };
            fill("opensearch.xml", &json!({ "site": site })).map(Some)
        }
    }
}
