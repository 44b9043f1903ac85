//! Addresses of pages and documents, given where the name of a skill is expected.

use generator::address::{Document, WebPage, locate};
use registry::names::{Coordinate, Namespace, Version};
use url::Url;

/// What an address is about.
pub(super) enum Named {
    Skill(Coordinate, Option<Version>),
    Namespace(Namespace),
}

/// Whether a text is the address of a host or a file.
pub(super) fn is_address(text: &str) -> bool {
    text.split_once("://")
        .is_some_and(|(scheme, _)| ["http", "https", "file"].contains(&scheme.to_ascii_lowercase().as_str()))
}

/// What an address is about, and the address of the registry that has it. None if it is not that of a skill or
/// a namespace.
pub(super) fn named(address: &str) -> Option<(Named, String)> {
    let mut url = Url::parse(address).ok()?;
    let has_login = !url.username().is_empty() || url.password().is_some();
    let named = named_by_path(&mut url).filter(|_| !has_login)?;
    Some((named, url.as_str().trim_end_matches('/').to_owned()))
}

/// What a URL is about: the longest end of its path that is an address in a tree. Leaves the URL of the
/// registry.
fn named_by_path(url: &mut Url) -> Option<Named> {
    let path = url.path().trim_end_matches('/').to_owned();
    let ends = path.match_indices('/').map(|(at, _)| path.split_at(at));
    let mut found: Vec<_> = ends.filter_map(|(base, end)| Some((base, at(end)?))).collect();
    // A namespace is one segment, so the end of every address could be one.
    found.sort_by_key(|(_, named)| matches!(named, Named::Namespace(_)));
    let (base, named) = found.into_iter().next()?;
    url.set_path(base);
    url.set_query(None);
    url.set_fragment(None);
    Some(named)
}

/// What a path in a tree is about: that of a document, of a page or of a git repository.
fn at(path: &str) -> Option<Named> {
    ["", "/", "/info/refs"].iter().find_map(|end| match locate(&format!("{path}{end}"), "").ok()?? {
        Document::Page(WebPage::Skill(skill)) => Some(Named::Skill(skill, None)),
        Document::Page(WebPage::Version(skill, version)) => Some(Named::Skill(skill, Some(version))),
        Document::Page(WebPage::Namespace(name) | WebPage::Group(name, _)) | Document::Namespace(name) => {
            Some(Named::Namespace(name))
        }
        other => Some(Named::Skill(other.coordinate()?.clone(), other.version().cloned())),
    })
}
