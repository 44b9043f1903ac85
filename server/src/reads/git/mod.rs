//! git's smart HTTP protocol (gitprotocol-http(5)) for clients that clone a skill: version 0,
//! reading only. The tree may have both responses as files; otherwise they are made from the
//! package.
//!
//! git prints the text of an error, unless it answers a POST: that has to be a pkt-line.

mod absence;
pub(crate) mod repositories;
mod upload_request;

use std::fs::File;
use std::io::Read;
use std::sync::Arc;
use std::time::SystemTime;

use bytes::{Bytes, BytesMut};
use flate2::read::GzDecoder;
use futures_util::StreamExt;
use generator::address::{Document, Format, GitFile, Lifetime, RepositoryName, parameter};
use generator::git::{self, ObjectId, Repository};
use generator::render::Rendered;
use hyper::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue,
};
use hyper::{HeaderMap, Method};
use registry::names::Digest;

pub use self::absence::no_repository;
use self::absence::nothing_to_clone;
use self::repositories::{Asker, Pack};
use self::upload_request::{Answer, UploadRequest};
use super::representation::{Coding, Content, Payload, Prepared, Representation, after};
use super::tree_reader::TreeReader;
use crate::Response;
use crate::blocking::blocking;
use crate::problem::Problem;
use crate::request::Request;
use crate::response_headers::cache_control::CacheClass;
use crate::security::cors::open_to_any_origin;

/// The largest request: a client names about 5,000 commits that it has.
const MAX_REQUEST_BYTES: usize = 256 << 10;

/// Answers a request for a file of a repository. `None` for other methods.
pub async fn answer(
    reader: &Arc<TreeReader>,
    name: RepositoryName,
    file: GitFile,
    request: &mut Request,
) -> Result<Option<Response>, Problem> {
    let asker = Asker { owner: request.client.owner(), disconnect: request.disconnect.clone() };
    let Request { method, headers, query, .. } = &*request;
    let response = match (method, file) {
        (&Method::GET | &Method::HEAD, GitFile::Refs) => {
            require_reading(query)?;
            refs(reader, &name, &asker).await?.document.answer(method, headers)?
        }
        (&Method::GET | &Method::HEAD, GitFile::Pack) => {
            match pack_document(reader, &name, *method == Method::HEAD, &asker).await? {
                Some(pack) => pack.into_response(method, headers)?,
                None => head_of_unmade_pack(),
            }
        }
        (&Method::POST, GitFile::Pack) => {
            let body = body(request).await?;
            let asked = UploadRequest::parse(&body)
                .map_err(|why| Problem::invalid(format!("This is no request of a git client: {why}.")))?;
            upload_pack(reader, &name, &asked, &asker).await?
        }
        _ => return Ok(None),
    };
    Ok(Some(response))
}

/// Refuses pushes, and clients that ask for files of a repository ("dumb HTTP").
fn require_reading(query: &str) -> Result<(), Problem> {
    match parameter(query, "service").as_deref() {
        Some("git-upload-pack") => Ok(()),
        Some("git-receive-pack") => Err(Problem::forbidden(
            "A registry takes no pushes: publish a version instead, for example with `skillmirror publish`.",
        )),
        _ => Err(Problem::invalid(
            "This repository can only be read with git's smart HTTP protocol: clone it with git 1.6.6 or newer.",
        )),
    }
}

/// Answers a POST: negotiates, or sends the pack.
async fn upload_pack(
    reader: &Arc<TreeReader>,
    name: &RepositoryName,
    asked: &UploadRequest,
    asker: &Asker,
) -> Result<Response, Problem> {
    let start = match asked.answer() {
        Answer::Whole(bytes) => {
            repository(reader, name, GitFile::Pack).await?;
            return Ok(result(Response::new(Bytes::from_static(bytes).into()), bytes.len()));
        }
        Answer::Pack(start) => start,
    };
    let refs = refs(reader, name, asker).await?;
    if asked.wants.iter().any(|want| Some(*want) != refs.commit) {
        let message = format!("{} has another version since a moment ago: try again", name.shown());
        let message = Bytes::from(git::error(&message));
        let length = message.len();
        return Ok(result(Response::new(message.into()), length));
    }
    let body = pack(reader, name, refs.repository, asker).await?;
    let length = start.len() + usize::try_from(body.size()).unwrap_or_default();
    Ok(result(after(start, body)?, length))
}

/// A response of `git-upload-pack`, which no cache stores.
fn result(mut response: Response, length: usize) -> Response {
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(Format::GitPack.content_type()));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
    response
}

/// The refs of a repository.
struct Refs {
    document: Arc<Prepared>,
    /// The commit that they name.
    commit: Option<ObjectId>,
    /// What they were made from. `None` if they are a file of the tree.
    repository: Option<Box<Repository>>,
}

async fn refs(reader: &Arc<TreeReader>, name: &RepositoryName, asker: &Asker) -> Result<Refs, Problem> {
    let document = Document::Git(name.clone(), GitFile::Refs);
    let (reading, asked) = (Arc::clone(reader), document.clone());
    let found = blocking(move || reading.in_tree(&asked, &asked.request())).await?;
    if let Some(document) = found {
        let commit = Repository::commit_of(&document.bytes());
        return Ok(Refs { document, commit, repository: None });
    }
    let repository = repository(reader, name, GitFile::Refs).await?;
    let commit = reader.repositories.commit(&repository, &reader.store, asker).await?;
    let content = Content { bytes: repository.refs(commit).into(), gzip: None, modified: None };
    let document = Arc::new(Prepared::new(&document, content, false));
    Ok(Refs { document, commit: Some(commit), repository: Some(repository) })
}

/// The tree's file of a pack, and its length. None if it may lack an answered write.
async fn pack_file(reader: &Arc<TreeReader>, name: &RepositoryName) -> Result<Option<(File, u64)>, Problem> {
    let (reading, document) = (Arc::clone(reader), Document::Git(name.clone(), GitFile::Pack));
    blocking(move || {
        let file = if reading.documents.is_behind() { None } else { reading.open(&document)? };
        let Some(file) = file else { return Ok(None) };
        let size = file.metadata().map_err(Problem::internal)?.len();
        Ok(Some((file, size)))
    })
    .await
}

/// The pack of a skill's repository: of this one, or else the tree's file, or else of the latest
/// version.
async fn pack(
    reader: &Arc<TreeReader>,
    name: &RepositoryName,
    repository: Option<Box<Repository>>,
    asker: &Asker,
) -> Result<Payload, Problem> {
    let repository = match repository {
        Some(repository) => repository,
        None => match pack_file(reader, name).await? {
            Some((file, size)) => return Ok(Payload::File { file, size }),
            None => self::repository(reader, name, GitFile::Pack).await?,
        },
    };
    let pack = reader.repositories.pack(&repository, &reader.store, asker).await?;
    Ok(Payload::Bytes(pack.bytes))
}

/// The pack of a skill, for those who copy the tree. None if nobody needs its bytes (`is_head`) and they
/// would have to be made.
async fn pack_document(
    reader: &Arc<TreeReader>,
    name: &RepositoryName,
    is_head: bool,
    asker: &Asker,
) -> Result<Option<Representation>, Problem> {
    let repositories = &reader.repositories;
    if let Some((file, size)) = pack_file(reader, name).await? {
        let (etag, modified) = repositories.tag_of_file(name, &file, asker).await?;
        return Ok(Some(representation(Payload::File { file, size }, etag, Some(modified))));
    }
    let repository = repository(reader, name, GitFile::Pack).await?;
    let pack = match is_head {
        true => repositories.remembered(&repository),
        false => Some(repositories.pack(&repository, &reader.store, asker).await?),
    };
    Ok(pack.map(|Pack { bytes, etag }| representation(Payload::Bytes(bytes), etag, None)))
}

/// The header of a pack that was not made: without length and entity tag (RFC 9110, section 9.3.2).
fn head_of_unmade_pack() -> Response {
    let mut response = Response::default();
    let (headers, cache) = (response.headers_mut(), CacheClass::from(Lifetime::Short));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(Format::GitPack.content_type()));
    headers.insert(CACHE_CONTROL, cache.header());
    headers.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    open_to_any_origin(headers);
    response
}

/// The repository of a skill, as the catalog has it.
async fn repository(
    reader: &Arc<TreeReader>,
    name: &RepositoryName,
    file: GitFile,
) -> Result<Box<Repository>, Problem> {
    let (reading, name) = (Arc::clone(reader), name.clone());
    blocking(move || match reading.render(&Document::Git(name.clone(), file))? {
        Some(Rendered::Git(repository, _)) => Ok(repository),
        _ => Err(nothing_to_clone(&reading, &name)),
    })
    .await
}

fn representation(body: Payload, etag: Digest, last_modified: Option<SystemTime>) -> Representation {
    let (format, cache, coding) = (Format::GitPack, Lifetime::Short.into(), Coding::Fixed);
    let (filename, repr_digest) = (None, None);
    Representation { body, format, etag, last_modified, cache, filename, repr_digest, coding }
}

/// The body of a request, which clients compress if it is long.
async fn body(request: &mut Request) -> Result<Vec<u8>, Problem> {
    let too_large = || {
        Problem::too_large(
            "The request names too many commits: clone into an empty folder instead of fetching.",
        )
    };
    let mut sent = BytesMut::new();
    while let Some(chunk) = request.body.next().await {
        let chunk = chunk?;
        if sent.len() + chunk.len() > MAX_REQUEST_BYTES {
            return Err(too_large());
        }
        sent.extend_from_slice(&chunk);
    }
    if !is_gzip(&request.headers)? {
        return Ok(sent.into());
    }
    let mut body = Vec::new();
    let mut decoder = GzDecoder::new(&sent[..]).take(MAX_REQUEST_BYTES as u64 + 1);
    decoder
        .read_to_end(&mut body)
        .map_err(|_| Problem::invalid("The body is no valid gzip: send it again."))?;
    if body.len() > MAX_REQUEST_BYTES { Err(too_large()) } else { Ok(body) }
}

fn is_gzip(headers: &HeaderMap) -> Result<bool, Problem> {
    match headers.get(CONTENT_ENCODING).map(HeaderValue::as_bytes) {
        None => Ok(false),
        Some(coding) if coding.eq_ignore_ascii_case(b"identity") => Ok(false),
        Some(coding) if coding.eq_ignore_ascii_case(b"gzip") => Ok(true),
        Some(_) => {
            Err(Problem::unsupported_media_type("Send the body as gzip, or without a Content-Encoding."))
        }
    }
}
