//! One file of a version, in bytes that no browser runs.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use bytes::Bytes;
use generator::address::{Format, Lifetime, Pointer, parameter};
use generator::render::file_of;
use hyper::header::{CONTENT_SECURITY_POLICY, HeaderValue};
use registry::names::{Coordinate, Digest, Namespace, Slug, TagName, Version};
use registry::ops;
use registry::package::archived_file;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::representation::{Coding, Payload, Representation};
use super::tree_reader::TreeReader;
use crate::Response;
use crate::blocking::blocking;
use crate::problem::Problem;
use crate::request::Request;
use crate::response_headers::cache_control::CacheClass;

/// The largest file that is sent, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// Files that are sent at once take at most this many KiB of memory together.
const MAX_KIB_AT_ONCE: usize = 128 << 10;

static MEMORY: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(MAX_KIB_AT_ONCE)));

/// Bytes with their share of the memory, which is free again when they are sent.
struct Held {
    bytes: Vec<u8>,
    _memory: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// A file of a version.
pub(crate) struct VersionFile {
    pub(crate) bytes: Bytes,
    sha256: Digest,
    /// Browsers must not guess or run it: the response comes from the registry's own origin.
    pub(crate) format: Format,
}

/// Reads the file at `path` of a version. `None` if there is no such version. Waits for a disk.
pub(crate) fn read(
    reader: &TreeReader,
    skill: &Coordinate,
    pointer: &Pointer,
    path: &str,
) -> Result<Option<VersionFile>, Problem> {
    let Some((archive, file)) = reader.read(|context| file_of(context, skill, pointer, path))? else {
        return Ok(None);
    };
    let no_file = || Problem::not_found(format!("There is no file {path} in this version: list its files."));
    let file = file.ok_or_else(no_file)?;
    let size = file.size;
    if size > MAX_BYTES {
        return Err(Problem::too_large(format!("The file has {size} bytes: install the skill to read it.")));
    }
    let kib = u32::try_from(size.div_ceil(1024)).unwrap_or(u32::MAX);
    let memory = Arc::clone(&MEMORY).try_acquire_many_owned(kib).map_err(|_| {
        Problem::unavailable("Too many files are being sent at once: try again.", Duration::from_secs(1))
    })?;
    let archive = reader.store.open_blob(archive)?;
    let archive =
        archive.ok_or_else(|| Problem::internal("the blob of a package is not in the data folder"))?;
    let bytes = archived_file(archive, path, size).map_err(Problem::internal)?.ok_or_else(no_file)?;
    let format = if str::from_utf8(&bytes).is_ok() { Format::Text } else { Format::Binary };
    let bytes = Bytes::from_owner(Held { bytes, _memory: memory });
    Ok(Some(VersionFile { bytes, sha256: file.sha256, format }))
}

/// The file that a request asks for.
struct Asked {
    skill: Coordinate,
    pointer: Pointer,
    path: String,
    cache: CacheClass,
}

impl Asked {
    /// Reads `…/versions/{version}/file?path=`, and the addresses of files that the indexes for OpenCode name: those of
    /// the latest version. `None` for other addresses.
    fn of(request: &Request) -> Result<Option<Self>, Problem> {
        let Some(segments) = request.path.segments() else { return Ok(None) };
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        let (namespace, slug, version, path) = match segments.as_slice() {
            ["api", "v1", "skills", namespace, slug, "versions", version, "file"] => {
                (namespace, slug, Some(version.parse::<Version>()), &[][..])
            }
            [namespace, ".well-known", "skills", slug, path @ ..] => (namespace, slug, None, path),
            [namespace, slug, ".well-known", "skills", name, path @ ..] if name == slug => {
                (namespace, slug, None, path)
            }
            _ => return Ok(None),
        };
        let (Ok(namespace), Ok(slug)) = (namespace.parse::<Namespace>(), slug.parse::<Slug>()) else {
            return Ok(None);
        };
        let skill = Coordinate::new(namespace, slug);
        Ok(match version {
            Some(Ok(version)) => {
                let path = parameter(&request.query, "path")
                    .ok_or_else(|| Problem::missing_field("path", "say which file you want"))?;
                Some(Self { skill, pointer: Pointer::Version(version), path, cache: CacheClass::Immutable })
            }
            None if !path.is_empty() => {
                let (pointer, cache) = (Pointer::Tag(TagName::latest()), Lifetime::Short.into());
                Some(Self { skill, pointer, path: path.join("/"), cache })
            }
            _ => None,
        })
    }
}

/// Answers a request for a file of a version. `None` for other addresses.
pub(super) async fn answer(reader: &Arc<TreeReader>, request: &Request) -> Result<Option<Response>, Problem> {
    let Some(Asked { skill, pointer, path, cache }) = Asked::of(request)? else { return Ok(None) };
    let filename = path.rsplit('/').next().map(ToOwned::to_owned);
    let reader = Arc::clone(reader);
    let file = blocking(move || {
        ops::public_skill(&reader.public.read(), &skill)?;
        let unknown = || Problem::not_found(format!("There is no version {pointer}: list the versions."));
        read(&reader, &skill, &pointer, &path)?.ok_or_else(unknown)
    });
    let VersionFile { bytes, sha256, format } = file.await.map_err(Problem::public)?;
    let representation = Representation {
        body: Payload::Bytes(bytes),
        format,
        etag: sha256,
        last_modified: None,
        cache,
        filename: filename.filter(|_| format == Format::Binary),
        repr_digest: Some(sha256),
        coding: Coding::Fixed,
    };
    let mut response = representation.into_response(&request.method, &request.headers)?;
    let policy = HeaderValue::from_static("sandbox; default-src 'none'");
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    Ok(Some(response))
}
