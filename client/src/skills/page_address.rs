//! Addresses of pages and documents, given where the name of a skill is expected.

use generator::address::{Document, WebPage, locate};
use registry::names::{Coordinate, Namespace, Version};
use url::Url;

use super::SkillReference;

/// Says what to write instead of an address. None if the text is not the address of a host or a file.
///
/// No request goes to that address: the user decides which registry is used and gets a token.
pub(super) fn advice(text: &str) -> Option<String> {
    let (scheme, _) = text.split_once("://")?;
    if !["http", "https", "file"].contains(&scheme.to_ascii_lowercase().as_str()) {
        return None;
    }
    let mut url = Url::parse(text).ok().filter(|url| url.username().is_empty() && url.password().is_none());
    let found = url.as_mut().and_then(|url| Some((named(url)?, url.as_str().trim_end_matches('/'))));
    Some(match found {
        Some((Named::Skill(skill, version), base)) => {
            let version = version.map(|version| format!("@{version}")).unwrap_or_default();
            let name = SkillReference::argument(&skill);
            format!("it is an address. Write `{name}{version} --registry {base}` instead")
        }
        Some((Named::Namespace(namespace), base)) => format!(
            "it is the address of a namespace. `skillmirror search \"\" --namespace {namespace} --registry {base}` \
             lists its skills"
        ),
        None => {
            "it is an address, and not that of a skill. Write the name of the skill, and the address of its \
                 registry after `--registry`"
                .to_owned()
        }
    })
}

/// What an address is about.
enum Named {
    Skill(Coordinate, Option<Version>),
    Namespace(Namespace),
}

/// What a URL is about: the longest end of its path that is an address in a tree. Leaves the URL of the
/// registry.
fn named(url: &mut Url) -> Option<Named> {
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
        Document::Page(WebPage::Namespace(name, _)) | Document::Namespace(name) => {
            Some(Named::Namespace(name))
        }
        other => Some(Named::Skill(other.coordinate()?.clone(), other.version().cloned())),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn address_says_what_to_write() {
        for (text, expected) in [
            ("http://h/global/a/", "`a --registry http://h` "),
            ("http://h/global/a", "`a --registry http://h` "),
            ("HTTPS://H:8443/tools/a/?q=1#versions", "`@tools/a --registry https://h:8443` "),
            ("https://h/skills/global/a/", "`a --registry https://h/skills` "),
            ("https://h/x/y/tools/a/index.html", "`@tools/a --registry https://h/x/y` "),
            ("https://h/tools/a/index.md", "`@tools/a --registry https://h` "),
            ("https://h/tools/a.git", "`@tools/a --registry https://h` "),
            ("https://h/api/v1/skills/tools/a", "`@tools/a --registry https://h` "),
            (
                "https://h/x/api/v1/skills/tools/a/versions/1.2.0.json",
                "`@tools/a@1.2.0 --registry https://h/x` ",
            ),
            ("https://h/api/v1/download/tools--a/1.2.0.zip", "`@tools/a@1.2.0 --registry https://h` "),
            ("file:///srv/tree/global/a/index.html", "`a --registry file:///srv/tree` "),
            ("http://h/tools/", "--namespace tools --registry http://h`"),
            ("http://h/", "not that of a skill"),
            ("http://h/search/?q=pdf", "not that of a skill"),
            ("http://u:secret@h/global/a/", "not that of a skill"),
            ("http://", "not that of a skill"),
        ] {
            let shown = advice(text).unwrap();
            assert!(shown.contains(expected) && !shown.contains("secret"), "{text}: {shown}");
        }
        for name in ["a", "@tools/a", "tools/a@1.0.0", "x://y", ""] {
            assert!(advice(name).is_none(), "{name}");
        }
    }
}
