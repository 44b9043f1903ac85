//! Paths, decoded once.

use percent_encoding::percent_decode_str;

/// A path of a request.
///
/// Each segment is percent-decoded once, after splitting, so an encoded slash
/// never makes a segment. A path that has no honest reading matches nothing:
/// one with an empty segment (a trailing slash too), with `.` or `..`, with a
/// broken escape, or with a segment that decodes to something that contains
/// `/`, NUL or is not UTF-8. `*` (of `OPTIONS *`) and the empty path (of
/// `CONNECT`) match nothing either.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    raw: String,
    segments: Option<Vec<String>>,
}

impl Path {
    /// Reads a path as it stands in a request.
    pub fn parse(raw: &str) -> Self {
        Self { raw: raw.to_owned(), segments: segments(raw) }
    }

    /// The path as it was sent, undecoded.
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// The decoded segments; none for `/`. `None` if the path matches nothing.
    pub fn segments(&self) -> Option<&[String]> {
        self.segments.as_deref()
    }

    /// The path as documents have it, decoded: one that would match something but
    /// for a slash at its end may be that of a page. `None` if it has no honest
    /// reading.
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
    let honest = escapes_are_whole && !matches!(&*text, "" | "." | "..") && !text.contains(['/', '\0']);
    honest.then(|| text.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

    fn read(raw: &str) -> Option<Vec<String>> {
        Path::parse(raw).segments().map(<[String]>::to_vec)
    }

    #[test]
    fn decodes_each_segment_once() {
        assert_eq!(read("/"), Some(vec![]));
        assert_eq!(read("/a/b"), Some(vec!["a".into(), "b".into()]));
        assert_eq!(read("/%61/%2541"), Some(vec!["a".into(), "%41".into()]));
        assert_eq!(read("/%C3%A4+x"), Some(vec!["ä+x".into()]));
    }

    proptest::proptest! {
        #[test]
        fn what_was_encoded_is_read_back(segments in proptest::collection::vec("[^/\0]{1,9}", 1..4)) {
            let encode = |s: &String| utf8_percent_encode(s, NON_ALPHANUMERIC).to_string();
            let raw = format!("/{}", segments.iter().map(encode).collect::<Vec<_>>().join("/"));
            let honest = !segments.iter().any(|s| s == "." || s == "..");
            assert_eq!(read(&raw), honest.then_some(segments));
        }
    }

    #[test]
    fn pages_have_a_slash_at_their_end() {
        for (raw, decoded) in [("/", "/"), ("/%61/b/", "/a/b/"), ("/a", "/a"), ("/_page/2/", "/_page/2/")] {
            assert_eq!(Path::parse(raw).decoded().as_deref(), Some(decoded));
        }
    }

    #[test]
    fn dishonest_paths_match_nothing() {
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
            assert_eq!(read(raw), None, "{raw}");
            assert_eq!(Path::parse(raw).raw(), raw);
            assert_eq!(Path::parse(raw).decoded().is_some(), raw == "/a/", "{raw}");
        }
    }
}
