//! The URIs of skills and their files: `skill://{namespace}/{slug}/{path}`.
//!
//! The extension wants the last segment of a skill's path to be the `name` of its front matter. Where
//! that is not the slug, the path is `{namespace}/{slug}/{name}`.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use registry::names::Coordinate;

/// Everything but the unreserved characters of RFC 3986.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The URI of a skill's folder.
pub(crate) fn folder(coordinate: &Coordinate, name: Option<&str>) -> String {
    let Coordinate { namespace, slug } = coordinate;
    match name.filter(|name| *name != slug.as_str()) {
        None => format!("skill://{namespace}/{slug}"),
        Some(name) => format!("skill://{namespace}/{slug}/{name}"),
    }
}

/// The URI of a file in a skill's folder.
pub(crate) fn file(folder: &str, path: &str) -> String {
    let mut uri = folder.to_owned();
    for segment in path.split('/') {
        uri.push('/');
        uri.extend(utf8_percent_encode(segment, ESCAPED));
    }
    uri
}

/// The skill that a URI is about. `None` if no URI of a skill has this form.
pub(crate) fn coordinate(uri: &str) -> Option<Coordinate> {
    let mut segments = uri.strip_prefix("skill://")?.splitn(3, '/');
    let coordinate = Coordinate::new(segments.next()?.parse().ok()?, segments.next()?.parse().ok()?);
    segments.next().map(|_| coordinate)
}

/// The path of the file that `uri` names in the folder of a skill.
pub(crate) fn path_in(folder: &str, uri: &str) -> Option<String> {
    let path = uri.strip_prefix(folder)?.strip_prefix('/')?;
    Some(percent_decode_str(path).decode_utf8().ok()?.into_owned())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn path_of_a_file_is_read_back_from_its_uri() {
        let hello: Coordinate = "tools--hello".parse().unwrap();
        for (name, folder_uri) in [
            (None, "skill://tools/hello"),
            (Some("hello"), "skill://tools/hello"),
            (Some("hi"), "skill://tools/hello/hi"),
        ] {
            let folder = folder(&hello, name);
            assert_eq!(folder, folder_uri);
            for path in ["SKILL.md", "a b/ü%41?#.md", "a/b/c"] {
                let uri = file(&folder, path);
                assert_eq!(path_in(&folder, &uri).as_deref(), Some(path), "{uri}");
                assert_eq!(coordinate(&uri), Some(hello.clone()));
                assert!(uri.bytes().all(|byte| byte.is_ascii_graphic()), "{uri}");
            }
        }
    }

    #[test]
    fn uri_of_another_form_names_no_skill() {
        for uri in [
            "",
            "skill://",
            "skill://tools",
            "skill://tools/hello",
            "skill://api/hello/SKILL.md",
            "skill://Tools/hello/SKILL.md",
            "file:///etc/passwd",
            "skill://../hello/SKILL.md",
        ] {
            assert_eq!(coordinate(uri), None, "{uri}");
        }
        assert_eq!(path_in("skill://a/b", "skill://a/bc/SKILL.md"), None);
    }
}
