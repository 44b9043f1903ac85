//! Files for search engines, and for the search boxes of browsers.

use registry::names::PublicUrl;
use serde_json::json;

use super::RenderContext;
use crate::address::{CrawlerFile, Document, Initial, WebPage};
use crate::documents::list_pages::in_sitemap;
use crate::pages::PageError;

/// The most addresses in a sitemap, by its protocol. Pages lead to the others.
const MAX_ADDRESSES: usize = 50_000;

/// Fills the template of a file. Returns `None` if the file needs a public URL and the registry has none.
pub(crate) fn file(context: RenderContext<'_>, file: &CrawlerFile) -> Result<Option<Vec<u8>>, PageError> {
    let RenderContext { catalog, settings, .. } = context;
    let site = settings.public_url.as_ref().map(PublicUrl::as_str);
    match file {
        CrawlerFile::Robots => {
            let content = json!({ "site": site, "path": settings.path(), "closed": settings.is_closed() });
            settings.site.fill("robots.txt", &content).map(Some)
        }
        CrawlerFile::OpenSearch => {
            let Some(site) = site else { return Ok(None) };
            settings.site.fill("opensearch.xml", &json!({ "site": site })).map(Some)
        }
        CrawlerFile::Sitemaps => {
            let Some(site) = site else { return Ok(None) };
            let initials = Initial::all().filter(|initial| in_sitemap(catalog, *initial).next().is_some());
            let files = initials.map(|initial| Document::Crawlers(CrawlerFile::Sitemap(initial)).request());
            settings
                .site
                .fill("sitemaps.xml", &json!({ "site": site, "paths": files.collect::<Vec<_>>() }))
                .map(Some)
        }
        CrawlerFile::Sitemap(initial) => {
            let Some(site) = site else { return Ok(None) };
            let pages = in_sitemap(catalog, *initial).flat_map(|entry| {
                let skills = entry.skills().map(|c| WebPage::Skill(c.clone()));
                [WebPage::Namespace(entry.state.slug.clone())].into_iter().chain(skills)
            });
            let paths = pages.take(MAX_ADDRESSES).map(|page| Document::Page(page).request());
            settings
                .site
                .fill("sitemap.xml", &json!({ "site": site, "paths": paths.collect::<Vec<_>>() }))
                .map(Some)
        }
    }
}
