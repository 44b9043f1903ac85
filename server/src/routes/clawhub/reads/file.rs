//! One file of a version.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use bytes::Bytes;
use generator::address::Pointer;
use generator::render::clawhub::file_of;
use registry::names::TagName;
use registry::package::archived_file;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::super::super::prelude::*;
use super::question::{Answer, Question, no_such_version};

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

/// `?path=` and `version=` or `tag=`: the bytes of a file.
pub(super) fn show(question: &Question<'_>) -> Result<Answer, Problem> {
    let skill = question.skill()?;
    let pointer = question.pointer()?.unwrap_or_else(|| Pointer::Tag(TagName::latest()));
    let Some(path) = question.parameter("path") else {
        return Err(Problem::missing_field("path", "say which file you want"));
    };
    let found = question.reader.read(|context| {
        context.catalog.skill(&skill).ok_or_else(Problem::no_such_skill)?;
        file_of(context, &skill, &pointer, &path).map_err(Problem::from)
    })?;
    let (sha256, file) = found.ok_or_else(|| no_such_version(&pointer.to_string()))?;
    let no_file =
        || Problem::not_found(format!("There is no file {path} in this version: inspect it with --files."));
    let size = file.ok_or_else(no_file)?;
    if size > MAX_BYTES {
        return Err(Problem::too_large(format!("The file has {size} bytes: install the skill to read it.")));
    }
    let kib = u32::try_from(size.div_ceil(1024)).unwrap_or(u32::MAX);
    let memory = Arc::clone(&MEMORY).try_acquire_many_owned(kib).map_err(|_| {
        Problem::unavailable("Too many files are being sent at once: try again.", Duration::from_secs(1))
    })?;
    let archive = question.reader.store.open_blob(sha256)?;
    let archive =
        archive.ok_or_else(|| Problem::internal("the blob of a package is not in the data folder"))?;
    let bytes = archived_file(archive, &path, size).map_err(Problem::internal)?.ok_or_else(no_file)?;
    Ok(Answer::File(Bytes::from_owner(Held { bytes, _memory: memory })))
}
