//! Public reads: locate the document, then the tree's file, else render it.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use generator::address::{Document, Format, Lifetime, locate};
use generator::render::{Rendered, View, render};
use hyper::{HeaderMap, Method};
use registry::names::Digest;

use crate::Response;
use crate::answer::blocking;
use crate::cache::CacheClass;
use crate::packages::package;
use crate::problem::Problem;
use crate::representation::{Payload, Representation};
use crate::request::{Path, Request};
use crate::state::App;

/// The parts of a request that a read looks at. (A body cannot be shared
/// between threads, so the request as a whole cannot be lent out.)
pub struct Asked<'a> {
    method: &'a Method,
    path: &'a Path,
    query: &'a str,
    headers: &'a HeaderMap,
}

impl<'a> From<&'a Request> for Asked<'a> {
    fn from(request: &'a Request) -> Self {
        let Request { method, path, query, headers, .. } = request;
        Self { method, path, query, headers }
    }
}

/// Answers a GET or HEAD of a public document. None where no document has that
/// address.
pub async fn answer(app: &Arc<App>, request: Asked<'_>) -> Result<Option<Response>, Problem> {
    if !matches!(*request.method, Method::GET | Method::HEAD) {
        return Ok(None);
    }
    let Some(segments) = request.path.segments() else { return Ok(None) };
    let path = format!("/{}", segments.join("/"));
    let Some(document) = locate(&path, request.query).map_err(Problem::from)? else { return Ok(None) };
    let app = Arc::clone(app);
    let found = blocking(move || find(&app, &document)).await?;
    let representation = found.ok_or_else(|| Problem::not_found(absent(request.path)).public())?;
    representation.into_response(request.method, request.headers).map(Some).map_err(Problem::public)
}

fn absent(path: &Path) -> String {
    format!("There is nothing at {}: check the names, or list the skills.", path.raw())
}

fn find(app: &App, document: &Document) -> Result<Option<Representation>, Problem> {
    match document.format() {
        Format::Json => json(app, document),
        Format::Zip => package(app, document),
    }
}

pub(crate) fn cache(document: &Document) -> CacheClass {
    match document.lifetime() {
        Lifetime::Immutable => CacheClass::Immutable,
        Lifetime::Short => CacheClass::Fresh,
    }
}

/// The tree's file of a document, where this server keeps a tree.
pub(crate) fn in_tree(app: &App, document: &Document) -> Result<Option<File>, Problem> {
    if !app.settings.mirror {
        return Ok(None);
    }
    app.tree.open(document).map_err(Problem::internal)
}

pub(crate) fn rendered(app: &App, document: &Document) -> Result<Option<Rendered>, Problem> {
    let public = app.registry.public();
    let catalog = public.read();
    let view = View { catalog: &catalog, store: &*app.store, settings: &app.settings.tree };
    render(view, document).map_err(Problem::from)
}

fn json(app: &App, document: &Document) -> Result<Option<Representation>, Problem> {
    let (bytes, last_modified) = match in_tree(app, document)? {
        Some(file) => {
            let modified = file.metadata().and_then(|meta| meta.modified()).ok();
            (whole(file).map_err(Problem::internal)?, modified)
        }
        None => match rendered(app, document)? {
            Some(Rendered::Bytes(bytes)) => (bytes, None),
            _ => return Ok(None),
        },
    };
    Ok(Some(Representation {
        etag: Digest::of(&bytes),
        body: Payload::Bytes(bytes.into()),
        content_type: document.format().content_type(),
        last_modified,
        cache: cache(document),
        filename: None,
        repr_digest: None,
    }))
}

fn whole(mut file: File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}
