//! The path of a request, decoded.

use percent_encoding::percent_decode_str;

/// A path of a request.
///
/// Each segment is percent-decoded once, after splitting, so an encoded slash never
/// separates segments. An ambiguous path matches nothing: one with an empty segment,
/// with `.` or `..`, with an invalid escape, or with a segment that decodes to `/`,
/// NUL or invalid UTF-8. `*` (of `OPTIONS *`) and the empty path (of `CONNECT`) match
/// nothing either. A trailing slash matches no route, but addresses of pages end in one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    raw: String,
    segments: Option<Vec<String>>,
}

impl Path {
    /// Parses the path of a request.
    pub fn parse(raw: &str) -> Self {
        Self { raw: raw.to_owned(), segments: segments(raw) }
    }

    /// The path as it was sent.
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// The decoded segments, empty for `/`. `None` for a path that no route can have.
    pub fn segments(&self) -> Option<&[String]> {
        self.segments.as_deref()
    }

    /// The decoded path. One trailing slash is allowed, because addresses of pages end
    /// in one. `None` if the path is ambiguous.
    pub fn decoded(&self) -> Option<String> {
        if let Some(segments) = &self.segments {
            return Some(format!("/{}", segments.join("/")));
        }
        let folder = segments(self.raw.strip_suffix('/')?).filter(|folder| !folder.is_empty())?;
        Some(format!("/{}/", folder.join("/")))
    }
}

fn segments(raw: &str) -> Option<Vec<String>> {
    match raw.strip_prefix('/')? {
        "" => Some(Vec::new()),
        rest => rest.split('/').map(segment).collect(),
    }
}

fn segment(raw: &str) -> Option<String> {
    let escapes_are_whole = raw.split('%').skip(1).all(|after| {
        let digits = after.as_bytes();
        digits.len() >= 2 && digits[..2].iter().all(u8::is_ascii_hexdigit)
    });
    let text = percent_decode_str(raw).decode_utf8().ok()?;
    let is_unambiguous =
        escapes_are_whole && !matches!(&*text, "" | "." | "..") && !text.contains(['/', '\0']);
    is_unambiguous.then(|| text.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

    fn segments_of(raw: &str) -> Option<Vec<String>> {
        Path::parse(raw).segments().map(<[String]>::to_vec)
    }

    #[test]
    fn segments_are_decoded_once() {
        assert_eq!(segments_of("/"), Some(vec![]));
        assert_eq!(segments_of("/a/b"), Some(vec!["a".into(), "b".into()]));
        assert_eq!(segments_of("/%61/%2541"), Some(vec!["a".into(), "%41".into()]));
        assert_eq!(segments_of("/%C3%A4+x"), Some(vec!["ä+x".into()]));
    }

    proptest::proptest! {
        #[test]
        fn encoded_segments_are_read_back(segments in proptest::collection::vec("[^/\0]{1,9}", 1..4)) {
            let encode = |s: &String| utf8_percent_encode(s, NON_ALPHANUMERIC).to_string();
            let raw = format!("/{}", segments.iter().map(encode).collect::<Vec<_>>().join("/"));
            let is_unambiguous = !segments.iter().any(|s| s == "." || s == "..");
            assert_eq!(segments_of(&raw), is_unambiguous.then_some(segments));
        }
    }

    #[test]
    fn trailing_slash_is_kept_for_pages() {
        for (raw, decoded) in [("/", "/"), ("/%61/b/", "/a/b/"), ("/a", "/a"), ("/_page/2/", "/_page/2/")] {
            assert_eq!(Path::parse(raw).decoded().as_deref(), Some(decoded));
        }
    }

    #[test]
    fn ambiguous_paths_match_nothing() {
        for raw in [
            "",
            "*",
            "a",
            "//",
            "/a/",
            "/a//b",
            "/a%2Fb",
            "/a%00",
            "/%ff",
            "/%",
            "/%4",
            "/%zz",
            "/.",
            "/a/..",
            "/%2e%2e/b",
            "/%2E",
        ] {
            assert_eq!(segments_of(raw), None, "{raw}");
            assert_eq!(Path::parse(raw).raw(), raw);
            assert_eq!(Path::parse(raw).decoded().is_some(), raw == "/a/", "{raw}");
        }
    }
}
