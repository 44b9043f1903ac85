//! What the store sends with an object: as the server does, from the table of documents.

use generator::address::{Document, MISSING_CACHE_CONTROL, Pointer, WebPage};
use object_store::{Attribute, Attributes};
use registry::names::Coordinate;

/// Names what [`of`] returns. Raise it when that changes for a document: then each bucket is written again as a whole,
/// because nothing else shows how an object was put.
pub const VERSION: u32 = 1;

/// The attributes of a document's objects.
pub fn of(document: &Document) -> Attributes {
    let mut attributes = Attributes::new();
    attributes.insert(Attribute::ContentType, document.format().content_type().into());
    // The store sends this page with status 404.
    let is_missing = *document == Document::Page(WebPage::Missing);
    let cache_control = if is_missing { MISSING_CACHE_CONTROL } else { document.lifetime().cache_control() };
    attributes.insert(Attribute::CacheControl, cache_control.into());
    if let Some(name) = filename(document) {
        let disposition = format!("attachment; filename=\"{name}\"");
        attributes.insert(Attribute::ContentDisposition, disposition.into());
    }
    attributes
}

/// Whether an object has the type and the lifetime that [`of`] gives it. Programs that copy files give others.
pub fn are_of(found: &Attributes, document: &Document) -> bool {
    let expected = of(document);
    let kinds = [Attribute::ContentType, Attribute::CacheControl];
    kinds.iter().all(|kind| found.get(kind) == expected.get(kind))
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
    fn objects_have_type_lifetime_and_name() {
        assert_eq!(
            shown("api/v1/skills/team/hello/versions/1.0.0/download.zip"),
            [
                "CacheControl: public, max-age=31536000, immutable",
                "ContentDisposition: attachment; filename=\"hello-1.0.0.zip\"",
                "ContentType: application/zip",
            ]
        );
        assert_eq!(
            shown("team/index.html"),
            ["CacheControl: public, max-age=60, must-revalidate", "ContentType: text/html; charset=utf-8",]
        );
        assert_eq!(
            shown("api/v1/mirror/head.json"),
            ["CacheControl: public, max-age=60, must-revalidate", "ContentType: application/json",]
        );
        assert!(shown("404.html").contains(&"CacheControl: public, max-age=10".to_owned()));
    }
}
