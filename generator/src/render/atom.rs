//! Atom feeds of new versions (RFC 4287).

use registry::public::{Skill, VersionEntry};
use registry::time::Timestamp;
use serde_json::json;

use super::RenderContext;
use super::pages::Page;
use crate::address::{AtomFeed, Document, WebPage};
use crate::documents::client_lists::live;

/// The most entries of a feed.
const MAX_ENTRIES: usize = 50;

/// Collects the content of a feed, last published first. `None` if there is nothing of that name, or if the registry
/// does not know its public URL.
pub(crate) fn feed(context: RenderContext<'_>, feed: &AtomFeed) -> Option<Page> {
    let RenderContext { catalog, settings, .. } = context;
    let url = settings.public_url.as_ref()?;
    let (site, place) = (url.as_str(), url.without_scheme());
    let (of, page, mut versions): (_, _, Vec<(&Skill, &VersionEntry)>) = match feed {
        AtomFeed::Registry => (String::new(), WebPage::Home, live(catalog, None, MAX_ENTRIES)),
        // It has a content of its own.
        AtomFeed::Advisories => return super::advisories::feed(context),
        AtomFeed::Namespace(name) => {
            catalog.namespace(name)?;
            (format!("@{name} at "), WebPage::Namespace(name.clone()), live(catalog, Some(name), MAX_ENTRIES))
        }
        AtomFeed::Skill(c) => {
            let skill = catalog.skill(c)?;
            let offered =
                skill.versions.iter().filter(|entry| !entry.is_yanked()).map(|entry| (skill, entry));
            (format!("{} at ", c.scoped()), WebPage::Skill(c.clone()), offered.collect())
        }
    };
    versions.sort_by_key(|(_, entry)| std::cmp::Reverse(entry.revision));
    let entries = versions.iter().take(MAX_ENTRIES).map(|(skill, entry)| {
        let c = &skill.coordinate;
        let page = WebPage::Version(c.clone(), entry.version.clone());
        let text = if entry.changelog.is_empty() { &entry.description } else { &entry.changelog };
        json!({
            "title": format!("{} {}", c.scoped(), entry.version),
            "url": format!("{site}{}", Document::Page(page).request()),
            "updated": entry.published_at,
            "author": entry.published_by,
            "text": text,
        })
    });
    let content = json!({
        "site": site,
        "title": format!("New versions of {of}{}", place),
        "address": format!("{site}{}", Document::Atom(feed.clone()).request()),
        "page": format!("{site}{}", Document::Page(page).request()),
        "updated": versions.first().map_or(Timestamp::default(), |(_, entry)| entry.published_at),
        "entries": entries.collect::<Vec<_>>(),
    });
    Some(Page::of(&settings.site, "feed.xml", content))
}
