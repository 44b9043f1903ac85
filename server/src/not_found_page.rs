//! What browsers are answered besides documents: the slash that an address lacks,
//! and the page that says that nothing is there.

use std::sync::Arc;

use bytes::Bytes;
use generator::address::{Document, WebPage, exists, lacks_slash, locate};
use generator::render::RenderContext;
use hyper::header::{ACCEPT, CACHE_CONTROL, HeaderMap, HeaderValue, LOCATION, VARY};
use hyper::{Method, StatusCode};

use crate::Response;
use crate::cache_control::CacheClass;
use crate::problem::{Code, Problem};
use crate::reads::prepared;
use crate::reply::blocking;
use crate::request::{Path, Request, RequestId};
use crate::state::App;

/// Leads from a page's address without its slash to the right one, as static
/// hosts do: 308, and relative, so that it stays below a base path that a proxy has taken
/// off. None where there is no such page.
pub async fn with_slash(app: &Arc<App>, path: &str, query: &str) -> Result<Option<Response>, Problem> {
    let Some((page, mut location)) = lacks_slash(path) else { return Ok(None) };
    if !is_there(app, page).await? {
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

/// The problem with a method that is known at none of our addresses: pages, and
/// what they load, are for reading alone; elsewhere nothing is.
pub async fn not_read(app: &Arc<App>, path: &Path) -> Result<Problem, Problem> {
    let nothing =
        || Problem::not_found("There is nothing at this address: docs/api.md lists those there are.");
    let path = path.decoded().unwrap_or_default();
    let located = locate(&path, "").ok().flatten();
    let page = located.or_else(|| lacks_slash(&path).map(|(page, _)| page));
    let Some(page) = page.filter(|page| matches!(page, Document::Page(_) | Document::Asset(_))) else {
        return Ok(nothing());
    };
    Ok(if is_there(app, page).await? { Problem::method_not_allowed("GET, HEAD") } else { nothing() })
}

/// Whether a document is there. The catalog may have to be waited for.
async fn is_there(app: &Arc<App>, document: Document) -> Result<bool, Problem> {
    let app = Arc::clone(app);
    blocking(move || {
        let public = app.registry.public();
        let catalog = public.read();
        let (search, store) = (&*app.search, &*app.store);
        Ok(exists(
            RenderContext { catalog: &catalog, search, store, settings: &app.settings.tree },
            &document,
        ))
    })
    .await
}

/// Who asks for an address, as far as an absence is told to browsers in another
/// way than to programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visitor {
    /// Someone who asks for nothing that may be a page.
    Program,
    /// Someone who asks for what may be a page, but would not show one.
    Reader,
    /// A browser that would show one.
    Browser,
}

impl Visitor {
    /// Who sends a request.
    pub fn of(request: &Request) -> Self {
        let first = request.path.raw().split('/').nth(1).unwrap_or_default();
        let is_read = matches!(request.method, Method::GET | Method::HEAD);
        match is_read && !matches!(first, "api" | ".well-known" | "healthz" | "readyz") {
            true if shows_pages(&request.headers) => Self::Browser,
            true => Self::Reader,
            false => Self::Program,
        }
    }

    /// A problem in the form that he understands.
    pub async fn map_error(self, app: &Arc<App>, problem: Problem, id: &RequestId) -> Response {
        if self == Self::Program || problem.code() != Code::NotFound {
            return problem.into_response(id);
        }
        let page = match self {
            Self::Browser => missing(app).await,
            _ => None,
        };
        let mut response = match page {
            Some(page) => problem.into_page(id, page),
            None => problem.into_response(id),
        };
        response.headers_mut().insert(VARY, HeaderValue::from_static("Accept"));
        response
    }
}

/// Whether a page is named among what a request takes. (What takes anything is a
/// program, or asks for something to load.)
fn shows_pages(headers: &HeaderMap) -> bool {
    let values = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|part| {
        let mut pieces = part.split(';').map(str::trim);
        let is_html = pieces.next().is_some_and(|kind| kind.eq_ignore_ascii_case("text/html"));
        let refused = |weight: &str| weight.chars().all(|c| matches!(c, '0' | '.'));
        is_html && !pieces.any(|piece| piece.strip_prefix("q=").is_some_and(refused))
    })
}

/// The page that says that nothing is there. None where it cannot be had: then the
/// problem is told as it is to programs.
async fn missing(app: &Arc<App>) -> Option<Bytes> {
    let app = Arc::clone(app);
    let page = blocking(move || {
        let document = Document::Page(WebPage::Missing);
        prepared(&app, &document, &document.request())
    });
    match page.await {
        Ok(page) => page.map(|page| page.bytes()),
        Err(problem) => {
            tracing::warn!(detail = problem.detail(), "the page for what is not there cannot be read");
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_name_pages() {
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
            assert_eq!(shows_pages(&headers), expected, "{accept}");
        }
        assert!(!shows_pages(&HeaderMap::new()));
    }
}
