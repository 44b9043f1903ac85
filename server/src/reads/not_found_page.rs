//! Responses for addresses that browsers ask for and that are no documents: the
//! redirect to an address with a slash, and the page for a 404.

use std::sync::Arc;

use bytes::Bytes;
use generator::address::{Document, GitFile, WebPage, lacks_slash, locate};
use hyper::header::{ACCEPT, CACHE_CONTROL, HeaderMap, HeaderValue, LOCATION, VARY};
use hyper::{Method, StatusCode};

use crate::Response;
use crate::blocking::blocking;
use crate::problem::{Code, Problem};
use crate::reads::clawhub_address;
use crate::reads::representation::{Coding, accepts_gzip, quality_values};
use crate::reads::tree_reader::TreeReader;
use crate::request::{Path, Request};
use crate::response_headers::cache_control::CacheClass;
use crate::response_headers::request_id::RequestId;

/// Redirects from a page's address without its slash to the address with it, as
/// static hosts do. The location is relative, so that a base path which a proxy
/// has removed stays. `None` if there is no such page.
pub async fn redirect_to_slash(
    reader: &Arc<TreeReader>,
    path: &str,
    query: &str,
) -> Result<Option<Response>, Problem> {
    let Some((page, mut location)) = lacks_slash(path) else { return Ok(None) };
    if !exists(reader, page).await? {
        return Ok(None);
    }
    if !query.is_empty() {
        location = format!("{location}?{query}");
    }
    let mut response = Response::default();
    *response.status_mut() = StatusCode::PERMANENT_REDIRECT;
    let headers = response.headers_mut();
    headers.insert(LOCATION, HeaderValue::try_from(location).map_err(Problem::internal)?);
    headers.insert(CACHE_CONTROL, CacheClass::Fresh.header());
    Ok(Some(response))
}

/// The problem for a path that no route has: 405 for pages and their assets,
/// which can only be read, otherwise 404.
pub async fn unknown_address(reader: &Arc<TreeReader>, path: &Path) -> Result<Problem, Problem> {
    if clawhub_address::is_mounted(path) && path.segments().is_none() {
        return Ok(clawhub_address::unreadable());
    }
    let path = path.decoded().unwrap_or_default();
    let located = locate(&path, "").ok().flatten();
    let page = located.or_else(|| lacks_slash(&path).map(|(page, _)| page));
    if let Some(Document::Git(_, file)) = page {
        let allow = if file == GitFile::Pack { "GET, HEAD, POST" } else { "GET, HEAD" };
        return Ok(Problem::method_not_allowed(allow));
    }
    let page = page.filter(|page| matches!(page, Document::Page(_) | Document::Asset(_)));
    let Some(page) = page else {
        let hint = clawhub_address::hint(&path, reader.settings.public_url.as_ref());
        return Ok(hint.unwrap_or_else(Problem::nothing_here));
    };
    let is_page = exists(reader, page).await?;
    Ok(if is_page { Problem::method_not_allowed("GET, HEAD") } else { Problem::nothing_here() })
}

async fn exists(reader: &Arc<TreeReader>, document: Document) -> Result<bool, Problem> {
    let reader = Arc::clone(reader);
    blocking(move || Ok(reader.exists(&document))).await
}

/// How to show an error to the sender of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visitor {
    /// As JSON: the address cannot be that of a page.
    Program,
    /// As JSON: the address may be that of a page, but the sender does not ask
    /// for HTML.
    Reader,
    /// A 404 as a page.
    Browser {
        /// Whether the page may be compressed.
        accepts_gzip: bool,
    },
    /// As a sentence, which git prints.
    Git,
}

impl Visitor {
    /// The sender of a request.
    pub fn of(request: &Request) -> Self {
        let path = request.path.raw();
        let first = path.split('/').nth(1).unwrap_or_default();
        if Document::is_in_repository(path) || Document::is_wanted_by_git(path, &request.query) {
            return Self::Git;
        }
        let is_read = matches!(request.method, Method::GET | Method::HEAD);
        match is_read && !matches!(first, "api" | ".well-known" | "clawhub" | "healthz" | "readyz") {
            true if accepts_html(&request.headers) => {
                Self::Browser { accepts_gzip: accepts_gzip(&request.headers) }
            }
            true => Self::Reader,
            false => Self::Program,
        }
    }

    /// The response for a problem.
    pub async fn map_error(self, reader: &Arc<TreeReader>, problem: Problem, id: &RequestId) -> Response {
        if self == Self::Git {
            return problem.into_text(id);
        }
        if self == Self::Program || problem.code() != Code::NotFound {
            return problem.into_response(id);
        }
        let page = match self {
            Self::Browser { accepts_gzip } => not_found_page(reader, accepts_gzip).await,
            _ => None,
        };
        let mut response = match page {
            Some((page, coding)) => problem.into_page(id, page, coding),
            None => problem.into_response(id),
        };
        response.headers_mut().append(VARY, HeaderValue::from_static("Accept"));
        response
    }
}

/// Whether a request names HTML among the types that it accepts. (`*/*` alone
/// comes from programs, and from browsers that load something for a page.)
fn accepts_html(headers: &HeaderMap) -> bool {
    quality_values(headers, ACCEPT)
        .any(|named| named.value.eq_ignore_ascii_case("text/html") && named.weight != Some(0))
}

/// The page for a 404. `None` if it cannot be read.
async fn not_found_page(reader: &Arc<TreeReader>, accepts_gzip: bool) -> Option<(Bytes, Coding)> {
    let reader = Arc::clone(reader);
    let page = blocking(move || {
        let document = Document::Page(WebPage::Missing);
        reader.document(&document, &document.request(), accepts_gzip)
    });
    match page.await {
        Ok(page) => page.map(|page| page.coded(accepts_gzip)),
        Err(problem) => {
            tracing::warn!(detail = problem.detail(), "cannot read the page for missing addresses");
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accept_with_html_is_a_browser() {
        let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
        for (accept, expected) in [
            (browser, true),
            ("Text/HTML ; q=0.5", true),
            ("*/*", false),
            ("application/json", false),
            ("text/html;q=0", false),
            ("text/html;q=0.000, */*", false),
            ("text/html;level=1;q=0.3", true),
            ("", false),
        ] {
            let headers = [(ACCEPT, accept.parse().unwrap())].into_iter().collect();
            assert_eq!(accepts_html(&headers), expected, "{accept}");
        }
        assert!(!accepts_html(&HeaderMap::new()));
    }
}
