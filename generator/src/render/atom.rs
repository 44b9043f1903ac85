//! Atom feeds of new versions and advisories (RFC 4287).

use registry::public::{Skill, VersionEntry};
use registry::time::Timestamp;
use serde_json::{Value, json};

use super::RenderContext;
use super::pages::Page;
use crate::address::{AtomFeed, Document, WebPage};
use crate::documents::client_lists::live;

/// The most entries of a feed.
const MAX_ENTRIES: usize = 50;

/// Collects the content of a feed, last published or changed first. `None` if there is nothing of that name, or if the registry
/// does not know its public URL.
pub(crate) fn feed(context: RenderContext<'_>, feed: &AtomFeed) -> Option<Page> {
    let RenderContext { catalog, settings, .. } = context;
    let url = settings.public_url.as_ref()?;
    let (site, place) = (url.as_str(), url.without_scheme());
    let versions = |of: &str, page: WebPage, mut versions: Vec<(&Skill, &VersionEntry)>| {
        versions.sort_by_key(|(_, entry)| std::cmp::Reverse(entry.revision));
        let entries = versions.iter().take(MAX_ENTRIES).map(|(skill, entry)| entry_of(site, skill, entry));
        (format!("New versions of {of}{place}"), page, entries.collect())
    };
    let (title, page, entries): (_, _, Vec<Value>) = match feed {
        AtomFeed::Registry => versions("", WebPage::Home, live(catalog, None, MAX_ENTRIES)),
        AtomFeed::Advisories => {
            (format!("Advisories of {place}"), WebPage::Advisories, super::advisories::entries(catalog, url))
        }
        AtomFeed::Namespace(name) => {
            catalog.namespace(name)?;
            let page = WebPage::Namespace(name.clone());
            versions(&format!("@{name} at "), page, live(catalog, Some(name), MAX_ENTRIES))
        }
        AtomFeed::Skill(c) => {
            let skill = catalog.skill(c)?;
            let offered =
                skill.versions.iter().filter(|entry| !entry.is_yanked()).map(|entry| (skill, entry));
            versions(&format!("{} at ", c.scoped()), WebPage::Skill(c.clone()), offered.collect())
        }
    };
    let updated = entries.first().map_or(json!(Timestamp::default()), |last| last["updated"].clone());
    let content = json!({
        "site": site,
        "title": title,
        "address": format!("{site}{}", Document::Atom(feed.clone()).request()),
        "page": format!("{site}{}", Document::Page(page).request()),
        "updated": updated,
        "entries": entries,
    });
    Some(Page::of(&settings.site, "feed.xml", content))
}

fn entry_of(site: &str, skill: &Skill, entry: &VersionEntry) -> Value {
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
}
