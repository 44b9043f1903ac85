//! Finds the document that a request asks for: the inverse of [`Document::request`] and
//! [`Document::file`].

use std::sync::LazyLock;

use super::path::GZIP;
use super::pattern::Pattern;
use super::{Document, QueryError};
use crate::documents::kind::Kind;
use crate::documents::{QUESTIONS, Question, kinds};

/// Paths of one sort, by their number of segments. The last are those with any number.
struct Paths<T: 'static>(Vec<Vec<(Pattern, &'static T)>>);

/// More segments than any path has.
const MAX_SEGMENTS: usize = 10;

impl<T> Paths<T> {
    fn new(paths: impl Iterator<Item = (&'static str, &'static T)>) -> Self {
        let mut all: Vec<_> = (0..=MAX_SEGMENTS).map(|_| Vec::new()).collect();
        for (path, of) in paths {
            let pattern = Pattern::new(path);
            all[pattern.length().unwrap_or(MAX_SEGMENTS).min(MAX_SEGMENTS)].push((pattern, of));
        }
        Self(all)
    }

    /// Those that may have this path.
    fn near(&self, path: &str) -> impl Iterator<Item = &(Pattern, &'static T)> {
        let length = path.bytes().filter(|byte| *byte == b'/').count() + 1;
        let own = self.0.get(length).filter(|_| length < MAX_SEGMENTS).into_iter().flatten();
        own.chain(&self.0[MAX_SEGMENTS])
    }
}

static FILES: LazyLock<Paths<Kind>> = LazyLock::new(|| Paths::new(with_file().map(|kind| (kind.file, kind))));

/// Requests that leave out the end of the file's name, or have another path.
static REQUESTS: LazyLock<Paths<Kind>> = LazyLock::new(|| {
    let short = with_file().filter(|kind| !kind.hidden.is_empty());
    let aliases = with_file().filter(|kind| !kind.alias.is_empty()).map(|kind| (kind.alias, kind));
    Paths::new(short.map(|kind| (kind.request(), kind)).chain(aliases))
});

static ASKED: LazyLock<Paths<Question>> =
    LazyLock::new(|| Paths::new(QUESTIONS.iter().map(|question| (question.path, question))));

fn with_file() -> impl Iterator<Item = &'static Kind> {
    kinds().filter(|kind| !kind.file.is_empty())
}

/// Finds the document that a request asks for. `path` is percent-decoded and begins with `/`;
/// `query` is raw.
///
/// Returns `None` if no document has that address. The document may still not exist in a registry.
/// Unknown parameters are ignored. Empty ones are too, except `version` and `tag`, which must not be
/// empty. Of repeated parameters the first counts. The path of a file (with its suffix) ignores the
/// query, as a static host does.
pub fn locate(path: &str, query: &str) -> Result<Option<Document>, QueryError> {
    let Some(path) = path.strip_prefix('/') else { return Ok(None) };
    if let Some(document) = at_file(path) {
        return Ok(Some(document));
    }
    let asked = ASKED.near(path).find_map(|(pattern, question)| Some((pattern.values(path)?, question)));
    match asked {
        Some((values, question)) => (question.ask)(values.as_slice(), query),
        None => Ok(at_request(path)),
    }
}

/// The document of a file.
fn at_file(path: &str) -> Option<Document> {
    let mut documents =
        FILES.near(path).filter_map(|(pattern, kind)| kind.at(pattern.values(path)?.as_slice()));
    documents.find(|document| document.file().as_deref() == Some(path))
}

/// The document of a request without a query.
fn at_request(path: &str) -> Option<Document> {
    let mut documents =
        REQUESTS.near(path).filter_map(|(pattern, kind)| kind.at(pattern.values(path)?.as_slice()));
    // Paths with `_` segments have only one spelling.
    let is_exact = |document: &Document| {
        let hidden = document.kind().hidden;
        document.file().as_deref().and_then(|file| file.strip_suffix(hidden)) == Some(path)
    };
    documents.next().filter(|document| !path.contains("/_") || is_exact(document))
}

/// How a file encodes its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Uncompressed.
    Plain,
    /// Compressed with gzip.
    Gzip,
}

/// The document that a file of the tree belongs to, and the file's encoding. Gzip siblings have no
/// address of their own, so [`locate`] does not find them.
pub fn of_file(relative: &str) -> Option<(Document, Form)> {
    if let Some(document) = at_file(relative) {
        return Some((document, Form::Plain));
    }
    let document = at_file(relative.strip_suffix(GZIP)?)?;
    (document.gzip_file().as_deref() == Some(relative)).then_some((document, Form::Gzip))
}

/// If a path is the address of a page without its slash: the page, and its address relative to the
/// path. Being relative, it works below any base path.
pub fn lacks_slash(path: &str) -> Option<(Document, String)> {
    let last = path.rsplit('/').next().filter(|last| !last.is_empty())?;
    let page = at_request(&format!("{}/", path.strip_prefix('/')?))?;
    // A valid name needs no encoding.
    Some((page, format!("{last}/")))
}
