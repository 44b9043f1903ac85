//! Public reads: finds the document of a request and answers with it.

pub mod document_cache;
pub(crate) mod downloads;
pub(crate) mod not_found_page;
pub(crate) mod package_reads;
pub mod representation;
pub(crate) mod tree_reader;

use std::sync::Arc;

use generator::address::{Document, Format, locate};
use hyper::header::{AUTHORIZATION, COOKIE};
use hyper::{HeaderMap, Method, Uri};
use registry::names::Version;
use registry::ops::{self, OpError};
use registry::public::{Skill, VersionStatus};

use self::document_cache::DocumentCache;
use self::downloads::Downloads;
use self::package_reads::package;
use self::representation::{Prepared, Representation};
use self::tree_reader::TreeReader;
use crate::Response;
use crate::blocking::blocking;
use crate::problem::Problem;
use crate::request::Request;

/// Answers a GET or HEAD of a public document. `None` if no document can have
/// that address. Counts downloads, unless there is nobody to count them.
pub(crate) async fn answer(
    reader: &Arc<TreeReader>,
    downloads: Option<&Downloads>,
    request: &Request,
) -> Result<Option<Response>, Problem> {
    let Request { method, headers, client, .. } = request;
    if !matches!(*method, Method::GET | Method::HEAD) {
        return Ok(None);
    }
    let Some(path) = request.path.decoded() else { return Ok(None) };
    let Some(document) = locate(&path, &request.query)? else {
        return not_found_page::redirect_to_slash(reader, &path, &request.query).await;
    };
    let (reading, target) = (Arc::clone(reader), request.target());
    let found = blocking(move || {
        let found = find(&reading, &document, &target)?;
        found
            .ok_or_else(|| absent(&reading, &document, target.split('?').next().unwrap_or_default()).public())
    });
    let response = match found.await? {
        Found::Document(document) => document.answer(method, headers),
        Found::Package(representation, address) => {
            representation.into_response(method, headers).map(|response| match downloads {
                Some(downloads) => downloads.watch(response, method, address, client.known()),
                None => response,
            })
        }
    };
    response.map(Some).map_err(Problem::public)
}

/// Answers a request from memory, without authentication or the route table.
/// `None` if the document is not in memory or the request has a credential.
pub fn at_once(
    documents: &DocumentCache,
    method: &Method,
    target: &Uri,
    headers: &HeaderMap,
) -> Option<Response> {
    let is_read = matches!(*method, Method::GET | Method::HEAD);
    if !is_read || headers.contains_key(AUTHORIZATION) || headers.contains_key(COOKIE) {
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

fn find(reader: &TreeReader, document: &Document, target: &str) -> Result<Option<Found>, Problem> {
    Ok(match document.format() {
        Format::Zip => {
            package(reader, document)?.map(|(package, address)| Found::Package(Box::new(package), address))
        }
        _ => reader.document(document, target)?.map(Found::Document),
    })
}

/// Says why a document is missing: 410 for a removed skill, otherwise 404.
fn absent(reader: &TreeReader, document: &Document, path: &str) -> Problem {
    if let Document::SearchPiece(_) = document {
        return Problem::not_found(
            "This piece of the search index has expired or never existed: read the manifest again.",
        );
    }
    let nothing =
        || Problem::not_found(format!("There is nothing at {path}: check the names, or list the skills."));
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
