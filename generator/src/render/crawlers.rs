//! Files for search engines, and for the search boxes of browsers.

use std::collections::BTreeSet;

use registry::names::PublicUrl;
use serde_json::json;

use super::RenderContext;
use super::pages::Page;
use crate::address::{CrawlerFile, Document, Initial, WebPage};
use crate::documents::list_pages::in_sitemaps;

/// The most addresses in a sitemap, by its protocol. Pages lead to the others.
const MAX_ADDRESSES: usize = 50_000;

/// Collects the content of a file. Returns `None` if the file needs a public URL and the registry has none.
pub(crate) fn file(context: RenderContext<'_>, file: &CrawlerFile) -> Option<Page> {
    let RenderContext { catalog, settings, .. } = context;
    let site = settings.public_url.as_ref().map(PublicUrl::as_str);
    let (template, content) = match file {
        CrawlerFile::Robots => {
            let content = json!({ "site": site, "path": settings.path(), "closed": settings.is_closed() });
            ("robots.txt", content)
        }
        CrawlerFile::OpenSearch => ("opensearch.xml", json!({ "site": site? })),
        CrawlerFile::Sitemaps => {
            let initials: BTreeSet<_> =
                in_sitemaps(catalog).filter_map(|entry| Initial::of(&entry.state.slug)).collect();
            let files = initials.into_iter().map(CrawlerFile::Sitemap).map(Document::Crawlers);
            let paths: Vec<_> = files.map(|document| document.request()).collect();
            ("sitemaps.xml", json!({ "site": site?, "paths": paths }))
        }
        CrawlerFile::Sitemap(initial) => {
            let named = in_sitemaps(catalog).filter(|entry| Initial::of(&entry.state.slug) == Some(*initial));
            let pages = named.flat_map(|entry| {
                let skills = entry.skills().map(|c| WebPage::Skill(c.clone()));
                [WebPage::Namespace(entry.state.slug.clone())].into_iter().chain(skills)
            });
            let paths = pages.take(MAX_ADDRESSES).map(|page| Document::Page(page).request());
            ("sitemap.xml", json!({ "site": site?, "paths": paths.collect::<Vec<_>>() }))
        }
    };
    Some(Page::of(&settings.site, template, content))
}
