//! Files for search engines, and for the search boxes of browsers.

use registry::names::PublicUrl;
use registry::public::NamespaceEntry;
use serde_json::json;

use super::RenderContext;
use crate::address::{CrawlerFile, Document, WebPage};
use crate::documents::list_pages::has_sitemap;
use crate::pages::{PageError, fill};

/// The most addresses in a sitemap, by its protocol. Pages lead to the others.
const MAX_ADDRESSES: usize = 50_000;

/// Fills the template of a file. `None` if the file needs a public URL, and there is none.
pub(crate) fn file(context: RenderContext<'_>, file: &CrawlerFile) -> Result<Option<Vec<u8>>, PageError> {
    let RenderContext { catalog, settings, .. } = context;
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
        CrawlerFile::Sitemaps => {
            let Some(site) = site else { return Ok(None) };
            let names = catalog.namespaces().map(|entry| &entry.state.slug);
            let names = names.filter(|name| has_sitemap(catalog, name)).take(MAX_ADDRESSES);
            let files = names.map(|name| Document::Crawlers(CrawlerFile::Sitemap(name.clone())).request());
            fill("sitemaps.xml", &json!({ "site": site, "paths": files.collect::<Vec<_>>() })).map(Some)
        }
        CrawlerFile::Sitemap(name) => {
            let Some(site) = site.filter(|_| has_sitemap(catalog, name)) else { return Ok(None) };
            let first = WebPage::Namespace(name.clone());
            let skills = catalog.namespace(name).into_iter().flat_map(NamespaceEntry::skills);
            let pages = [first].into_iter().chain(skills.map(|c| WebPage::Skill(c.clone())));
            let paths = pages.take(MAX_ADDRESSES).map(|page| Document::Page(page).request());
            fill("sitemap.xml", &json!({ "site": site, "paths": paths.collect::<Vec<_>>() })).map(Some)
        }
    }
}
