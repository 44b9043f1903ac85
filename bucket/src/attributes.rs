//! What the store sends with an object: as the server does, from the address book.

use generator::address::{Document, Pointer, SkillList, WebPage};
use object_store::{Attribute, Attributes};
use registry::names::{Coordinate, Namespace};

/// The user metadata with the cache tags of a document, separated by commas. A CDN that purges by
/// tags takes them from there.
const CACHE_TAG: &str = "cache-tag";

/// The attributes of a document's objects.
pub fn of(document: &Document) -> Attributes {
    let mut attributes = Attributes::new();
    attributes.insert(Attribute::ContentType, document.format().content_type().into());
    attributes.insert(Attribute::CacheControl, document.lifetime().cache_control().into());
    if let Some(name) = filename(document) {
        let disposition = format!("attachment; filename=\"{name}\"");
        attributes.insert(Attribute::ContentDisposition, disposition.into());
    }
    if let Some(tags) = tags(document) {
        attributes.insert(Attribute::Metadata(CACHE_TAG.into()), tags.into());
    }
    attributes
}

/// The name under which a browser saves a package. An address without a version has a name without
/// one, because the bucket would have to be written again to change it.
fn filename(document: &Document) -> Option<String> {
    match document {
        Document::Package(Coordinate { slug, .. }, version) => Some(format!("{slug}-{version}.zip")),
        Document::CompatPackage(coordinate, Pointer::Version(version)) => {
            Some(format!("{coordinate}-{version}.zip"))
        }
        Document::CompatPackage(coordinate, Pointer::Tag(_)) => Some(format!("{coordinate}.zip")),
        Document::LatestPackage(Coordinate { slug, .. }) => Some(format!("{slug}.zip")),
        _ => None,
    }
}

/// The tags of the namespace of a document, and of its skill.
fn tags(document: &Document) -> Option<String> {
    let of_skill = |c: &Coordinate| format!("namespace-{},skill-{}--{}", c.namespace, c.namespace, c.slug);
    let of_namespace = |namespace: &Namespace| format!("namespace-{namespace}");
    match document {
        Document::Page(WebPage::Skill(c)) => Some(of_skill(c)),
        Document::Namespace(namespace)
        | Document::Page(WebPage::Namespace(namespace, _))
        | Document::AgentSkills(namespace)
        | Document::Marketplace(Some(namespace))
        | Document::SkillList(SkillList { namespace: Some(namespace), .. }) => Some(of_namespace(namespace)),
        _ => document.coordinate().map(of_skill),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use generator::address::of_file;

    use super::*;

    fn shown(file: &str) -> Vec<String> {
        let attributes = of(&of_file(file).unwrap().0);
        let mut shown: Vec<_> =
            attributes.iter().map(|(name, value)| format!("{name:?}: {}", &**value)).collect();
        shown.sort();
        shown
    }

    #[test]
    fn objects_have_type_lifetime_name_and_tags() {
        assert_eq!(
            shown("api/v1/skills/team/hello/versions/1.0.0/download.zip"),
            [
                "CacheControl: public, max-age=31536000, immutable",
                "ContentDisposition: attachment; filename=\"hello-1.0.0.zip\"",
                "ContentType: application/zip",
                "Metadata(\"cache-tag\"): namespace-team,skill-team--hello",
            ]
        );
        assert_eq!(
            shown("team/index.html"),
            [
                "CacheControl: public, max-age=60, must-revalidate",
                "ContentType: text/html; charset=utf-8",
                "Metadata(\"cache-tag\"): namespace-team",
            ]
        );
        assert_eq!(
            shown("api/v1/mirror/head.json"),
            ["CacheControl: public, max-age=60, must-revalidate", "ContentType: application/json"]
        );
    }
}
