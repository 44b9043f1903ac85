//! Public reads: locate the document, then the tree's file, else render it.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::SystemTime;

use bytes::Bytes;
use generator::address::{Document, Format, Lifetime, locate};
use generator::render::{RenderContext, Rendered, render};
use generator::settings::TreeSettings;
use hyper::header::{AUTHORIZATION, COOKIE};
use hyper::{HeaderMap, Method, Uri};
use registry::names::Version;
use registry::ops::{self, OpError};
use registry::public::{Skill, VersionStatus};

use crate::Response;
use crate::cache_control::CacheClass;
use crate::document_cache::keys;
use crate::not_found_page;
use crate::package_reads::package;
use crate::problem::Problem;
use crate::reply::blocking;
use crate::representation::{DocumentMeta, Prepared, Reader, Representation};
use crate::request::{Path, Request};
use crate::state::App;

/// The parts of a request that a read looks at. (A body cannot be shared
/// between threads, so the request as a whole cannot be lent out.)
pub struct ReadRequest<'a> {
    method: &'a Method,
    path: &'a Path,
    query: &'a str,
    headers: &'a HeaderMap,
    client: Option<IpAddr>,
}

impl<'a> From<&'a Request> for ReadRequest<'a> {
    fn from(request: &'a Request) -> Self {
        let Request { method, path, query, headers, client, .. } = request;
        Self { method, path, query, headers, client: client.known() }
    }
}

impl ReadRequest<'_> {
    /// Path and query as they were sent.
    fn target(&self) -> String {
        let separator = if self.query.is_empty() { "" } else { "?" };
        format!("{}{separator}{}", self.path.raw(), self.query)
    }
}

/// Answers a GET or HEAD of a public document. None where no document has that
/// address.
pub async fn answer(app: &Arc<App>, request: ReadRequest<'_>) -> Result<Option<Response>, Problem> {
    if !matches!(*request.method, Method::GET | Method::HEAD) {
        return Ok(None);
    }
    let Some(path) = request.path.decoded() else { return Ok(None) };
    let Some(document) = locate(&path, request.query).map_err(Problem::from)? else {
        return not_found_page::with_slash(app, &path, request.query).await;
    };
    let target = request.target();
    let (reading, asked) = (Arc::clone(app), document);
    let found = blocking(move || {
        let found = find(&reading, &asked, &target)?;
        found.ok_or_else(|| absent(&reading, &asked, target.split('?').next().unwrap_or_default()).public())
    });
    found.await?.answer(app, &request).map(Some).map_err(Problem::public)
}

/// Answers a request at once where its document is in memory: in front of all
/// that finds out what a request is. One with a credential goes the long way.
pub fn at_once(app: &App, method: &Method, target: &Uri, headers: &HeaderMap) -> Option<Response> {
    let is_read = matches!(*method, Method::GET | Method::HEAD);
    if !is_read || headers.contains_key(AUTHORIZATION) || headers.contains_key(COOKIE) {
        return None;
    }
    let document = app.documents.find(target.path_and_query()?.as_str())?;
    // A range that does not fit is a problem, and its answer is made elsewhere.
    document.answer(method, headers).ok()
}

/// What there is to answer with.
enum Answer {
    Document(Arc<Prepared>),
    /// With its immutable address.
    Package(Box<Representation>, Document),
}

impl Answer {
    fn answer(self, app: &App, request: &ReadRequest<'_>) -> Result<Response, Problem> {
        let ReadRequest { method, headers, client, .. } = *request;
        match self {
            Self::Document(document) => document.answer(method, headers),
            Self::Package(representation, home) => {
                let response = representation.into_response(method, headers)?;
                Ok(app.downloads.watch(response, method, home, client))
            }
        }
    }
}

/// Why there is nothing: what was removed is told from what never was.
fn absent(app: &App, document: &Document, path: &str) -> Problem {
    if let Document::SearchPiece(_) = document {
        let message = "This piece of the search index is not here (any more): read the manifest again.";
        return Problem::not_found(message);
    }
    let nothing =
        || Problem::not_found(format!("There is nothing at {path}: check the names, or list the skills."));
    let Some(coordinate) = document.coordinate() else { return nothing() };
    app.registry.read(|catalog| match ops::skill(catalog, coordinate) {
        Err(why @ OpError::Gone(_)) => why.into(),
        Ok(skill) => document.version().and_then(|version| yanked(skill, version)).unwrap_or_else(nothing),
        Err(_) => nothing(),
    })
}

/// What to say where a yanked version is asked for by name.
fn yanked(skill: &Skill, version: &Version) -> Option<Problem> {
    let VersionStatus::Yanked { reason } = &skill.version(version)?.status else { return None };
    let reason = reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
    Some(Problem::not_found(format!(
        "Version {version} was yanked{reason}: nothing resolves to it any more, though its exact download works."
    )))
}

fn find(app: &App, document: &Document, target: &str) -> Result<Option<Answer>, Problem> {
    match document.format() {
        Format::Zip => {
            Ok(package(app, document)?.map(|(package, home)| Answer::Package(Box::new(package), home)))
        }
        _ => Ok(prepared(app, document, target)?.map(Answer::Document)),
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
    let settings = settings(app, document);
    let public = app.registry.public();
    let catalog = public.read();
    let (search, store) = (&*app.search, &*app.store);
    let view = RenderContext { catalog: &catalog, search, store, settings: &settings };
    render(view, document).map_err(Problem::from)
}

/// What a document depends on besides. Where another process keeps the tree, and
/// nobody has told this one where people reach it, the tree says that.
fn settings<'a>(app: &'a App, document: &Document) -> Cow<'a, TreeSettings> {
    let own = &app.settings.tree;
    let shows_it = document.is_site_bound() || matches!(document, Document::Settings | Document::Head);
    if app.settings.mirror || own.public_url.is_some() || !shows_it {
        return Cow::Borrowed(own);
    }
    let public_url = app.tree.settings().and_then(|settings| settings.public_url);
    Cow::Owned(TreeSettings { public_url, ..own.clone() })
}

pub(crate) fn prepared(
    app: &App,
    document: &Document,
    target: &str,
) -> Result<Option<Arc<Prepared>>, Problem> {
    // What is spelt in another way is known by the usual one.
    let [usual, file] = keys(document);
    let key = if target == file { &file } else { &usual };
    if let Some(document) = app.documents.find_or(key, || from_tree(app, document))? {
        return Ok(Some(document));
    }
    // What no file holds stays out of memory: nobody tells when it changes.
    let bytes = match rendered(app, document)? {
        Some(Rendered::Bytes(bytes)) => Bytes::from(bytes),
        Some(Rendered::Page(page)) => Bytes::from(page.finish(&*app.store)?),
        Some(Rendered::Piece(bytes)) => Bytes::from_owner(bytes),
        Some(Rendered::Package(_)) | None => return Ok(None),
    };
    Ok(Some(Arc::new(match varies(app) {
        true => prepare(document, bytes, None, None),
        false => prepare_fixed(document, bytes, None),
    })))
}

/// Whether documents here may have compressed forms: else caches need not know.
fn varies(app: &App) -> bool {
    app.settings.mirror && app.settings.tree.gzip
}

fn from_tree(app: &App, document: &Document) -> Result<Option<Arc<Prepared>>, Problem> {
    let Some(file) = in_tree(app, document)? else { return Ok(None) };
    let modified = file.metadata().and_then(|meta| meta.modified()).ok();
    let bytes = Bytes::from(whole(file).map_err(Problem::internal)?);
    if !varies(app) {
        return Ok(Some(Arc::new(prepare_fixed(document, bytes, modified))));
    }
    let mut gzip = None;
    if app.settings.tree.compresses(document, bytes.len() as u64) {
        let file = app.tree.open_gzip(document).map_err(Problem::internal)?;
        gzip = file.map(whole).transpose().map_err(Problem::internal)?.map(Bytes::from);
    }
    Ok(Some(Arc::new(prepare(document, bytes, gzip, modified))))
}

/// A document of a tree whose documents may have compressed forms.
pub(crate) fn prepare(
    document: &Document,
    bytes: Bytes,
    gzip: Option<Bytes>,
    modified: Option<SystemTime>,
) -> Prepared {
    if document.format() == Format::Binary {
        return prepare_fixed(document, bytes, modified);
    }
    Prepared::varying(bytes, gzip, &meta(document, modified))
}

/// A document of a tree whose documents have no compressed forms.
pub(crate) fn prepare_fixed(document: &Document, bytes: Bytes, modified: Option<SystemTime>) -> Prepared {
    Prepared::fixed(bytes, &meta(document, modified))
}

fn meta(document: &Document, last_modified: Option<SystemTime>) -> DocumentMeta {
    let format = document.format();
    let reader = if format == Format::Html { Reader::Browser } else { Reader::Program };
    DocumentMeta { content_type: format.content_type(), reader, last_modified, cache: cache(document) }
}

fn whole(mut file: File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}
