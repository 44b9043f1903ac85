//! Public reads: finds the document of a request and answers with it.

pub(crate) mod clawhub_address;
pub mod document_cache;
pub(crate) mod downloads;
pub(crate) mod git;
mod markdown;
pub(crate) mod not_found_page;
pub(crate) mod package_reads;
pub mod representation;
pub(crate) mod tree_reader;
pub(crate) mod version_file;

use std::sync::Arc;

use generator::address::{ClawhubDocument, Document, Format, locate};
use hyper::header::{AUTHORIZATION, COOKIE, HeaderValue, RANGE, VARY};
use hyper::{HeaderMap, Method, Uri};
use registry::names::Version;
use registry::ops::{self, OpError};
use registry::public::{Skill, VersionStatus};

use self::document_cache::DocumentCache;
use self::downloads::Downloads;
use self::package_reads::package;
use self::representation::{Prepared, Representation, accepts_gzip};
use self::tree_reader::TreeReader;
use crate::Response;
use crate::blocking::blocking;
use crate::min_revision;
use crate::problem::Problem;
use crate::request::Request;

/// Answers a GET or HEAD of a public document, or a client of git. `None` if no
/// document can have that address. Counts downloads, unless there is nobody to
/// count them.
pub(crate) async fn answer(
    reader: &Arc<TreeReader>,
    downloads: Option<&Downloads>,
    request: &mut Request,
) -> Result<Option<Response>, Problem> {
    let is_read = matches!(request.method, Method::GET | Method::HEAD);
    if !is_read && !Document::is_in_repository(request.path.raw()) {
        return Ok(None);
    }
    let Some(path) = request.path.decoded() else { return Ok(None) };
    let Some(document) = locate(&path, &request.query)? else {
        if is_read && let Some(response) = version_file::answer(reader, request).await? {
            return Ok(Some(response));
        }
        if Document::is_wanted_by_git(&path, &request.query) {
            return Err(git::no_repository());
        }
        return not_found_page::redirect_to_slash(reader, &path, &request.query).await;
    };
    if let Document::Git(name, file) = document {
        return git::answer(reader, name, file, request).await.map_err(Problem::public);
    }
    if !is_read {
        return Ok(None);
    }
    // What is missing is said of the page.
    if let Some(markdown) = markdown::preferred(&document, &request.headers)
        && let Ok(mut response) = self::document(reader, downloads, request, markdown).await
    {
        response.headers_mut().append(VARY, HeaderValue::from_static("Accept"));
        return Ok(Some(response));
    }
    self::document(reader, downloads, request, document).await.map(Some)
}

/// Answers a GET or HEAD of a document, whichever address the request has.
pub(crate) async fn document(
    reader: &Arc<TreeReader>,
    downloads: Option<&Downloads>,
    request: &Request,
    document: Document,
) -> Result<Response, Problem> {
    let Request { method, headers, .. } = request;
    let (reading, target) = (Arc::clone(reader), request.target());
    // A range is one of the plain bytes.
    let accepts_gzip = accepts_gzip(headers) && !headers.contains_key(RANGE);
    let found = blocking(move || {
        let found = find(&reading, &document, &target, accepts_gzip)?;
        found
            .ok_or_else(|| absent(&reading, &document, target.split('?').next().unwrap_or_default()).public())
    });
    let response = match found.await? {
        Found::Document(document) => document.answer(method, headers),
        Found::Package(representation, address) => {
            representation.into_response(method, headers).map(|response| match downloads {
                Some(downloads) => downloads.watch(response, request, address),
                None => response,
            })
        }
    };
    response.map_err(Problem::public)
}

/// Answers a request from memory, without authentication or the route table.
/// `None` if the document is not in memory, or if the request has a credential, names
/// a revision or accepts Markdown.
pub fn at_once(
    documents: &DocumentCache,
    method: &Method,
    target: &Uri,
    headers: &HeaderMap,
) -> Option<Response> {
    let has_credential = headers.contains_key(AUTHORIZATION) || headers.contains_key(COOKIE);
    if has_credential { None } else { from_memory(documents, method, target, headers) }
}

/// Like [`at_once`], whatever credential the request has.
pub(crate) fn from_memory(
    documents: &DocumentCache,
    method: &Method,
    target: &Uri,
    headers: &HeaderMap,
) -> Option<Response> {
    let is_read = matches!(*method, Method::GET | Method::HEAD);
    if !is_read || min_revision::is_named(headers) || markdown::is_accepted(headers) {
        return None;
    }
    let document = documents.find(target.path_and_query()?.as_str())?;
    // `answer` makes the problem of a range that cannot be satisfied.
    document.answer(method, headers).ok()
}

enum Found {
    Document(Arc<Prepared>),
    /// With the address of the package that contains its version.
    Package(Box<Representation>, Document),
}

fn find(
    reader: &TreeReader,
    document: &Document,
    target: &str,
    accepts_gzip: bool,
) -> Result<Option<Found>, Problem> {
    Ok(match document.format() {
        Format::Zip => {
            package(reader, document)?.map(|(package, address)| Found::Package(Box::new(package), address))
        }
        _ => reader.document(document, target, accepts_gzip)?.map(Found::Document),
    })
}

/// Says why a document is missing: 410 for a removed skill, otherwise 404.
fn absent(reader: &TreeReader, document: &Document, path: &str) -> Problem {
    if let Document::SearchPiece(_) = document {
        return Problem::not_found(
            "This piece of the search index has expired or never existed: read the manifest again.",
        );
    }
    let needs_url =
        matches!(document, Document::Marketplace(_) | Document::FoundSkills(_) | Document::Atom(_));
    if needs_url && reader.settings.public_url.is_none() {
        return Problem::not_found(
            "The registry does not know its public URL, which this document would show: set `public_url` in config.toml.",
        );
    }
    let nothing =
        || Problem::not_found(format!("There is nothing at {path}: check the names, or list the skills."));
    if let Document::Clawhub(ClawhubDocument::Skill(_)) = document {
        return Problem::no_such_skill();
    }
    let Some(coordinate) = document.coordinate() else { return nothing() };
    match ops::public_skill(&reader.public.read(), coordinate) {
        Err(why @ OpError::Gone(_)) => why.into(),
        Ok(skill) => document.version().and_then(|version| yanked(skill, version)).unwrap_or_else(nothing),
        Err(_) => nothing(),
    }
}

/// The problem for a yanked version that was asked for by name.
fn yanked(skill: &Skill, version: &Version) -> Option<Problem> {
    let VersionStatus::Yanked { reason } = &skill.version(version)?.status else { return None };
    let reason = reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
    Some(Problem::not_found(format!(
        "Version {version} was yanked{reason}: nothing resolves to it, but its exact download still works."
    )))
}
