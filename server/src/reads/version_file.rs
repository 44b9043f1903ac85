//! One file of a version, in bytes that no browser runs.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use bytes::Bytes;
use generator::address::{Format, Pointer, parameter};
use generator::render::file_of;
use hyper::header::{CONTENT_SECURITY_POLICY, HeaderValue};
use registry::names::{Coordinate, Digest, Namespace, Slug, Version};
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

/// Answers `GET …/versions/{version}/file?path=`. `None` for other addresses.
pub(super) async fn answer(reader: &Arc<TreeReader>, request: &Request) -> Result<Option<Response>, Problem> {
    let Some([api, v1, skills, namespace, slug, versions, version, file]) = request.path.segments() else {
        return Ok(None);
    };
    if [api, v1, skills, versions, file] != ["api", "v1", "skills", "versions", "file"] {
        return Ok(None);
    }
    let (Ok(namespace), Ok(slug), Ok(version)) =
        (namespace.parse::<Namespace>(), slug.parse::<Slug>(), version.parse::<Version>())
    else {
        return Ok(None);
    };
    let path = parameter(&request.query, "path")
        .ok_or_else(|| Problem::missing_field("path", "say which file you want"))?;
    let filename = path.rsplit('/').next().map(ToOwned::to_owned);
    let (reader, skill) = (Arc::clone(reader), Coordinate::new(namespace, slug));
    let file = blocking(move || {
        ops::public_skill(&reader.public.read(), &skill)?;
        let unknown = || Problem::not_found(format!("There is no version {version}: list the versions."));
        read(&reader, &skill, &Pointer::Version(version.clone()), &path)?.ok_or_else(unknown)
    });
    let VersionFile { bytes, sha256, format } = file.await.map_err(Problem::public)?;
    let representation = Representation {
        body: Payload::Bytes(bytes),
        format,
        etag: sha256,
        last_modified: None,
        cache: CacheClass::Immutable,
        filename: filename.filter(|_| format == Format::Binary),
        repr_digest: Some(sha256),
        coding: Coding::Fixed,
    };
    let mut response = representation.into_response(&request.method, &request.headers)?;
    let policy = HeaderValue::from_static("sandbox; default-src 'none'");
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    Ok(Some(response))
}
