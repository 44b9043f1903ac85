//! Uploads of single files: a client announces each file, sends its bytes, and then publishes all of
//! them with one request.

use std::sync::Arc;

use registry::fair_share::Owner;
use registry::local::{UPLOAD_TTL, UploadLimits};
use registry::names::{Digest, Handle};
use registry::package::LooseFile;
use registry::time::Timestamp;
use serde_json::json;

use super::super::super::prelude::*;
use super::super::body;
use super::loose;
use crate::app::{App, Settings};
use crate::request::multipart::bare;

/// The limits on files that wait.
fn limits(settings: &Settings) -> UploadLimits {
    let package = &settings.package;
    // One publication, and as much again for the next one.
    let of_person = 2 * (package.unpacked + package.files as u64 * UploadLimits::OVERHEAD);
    UploadLimits { of_person, of_all: (settings.http.uploads_total as u64).max(of_person) }
}

#[derive(Deserialize)]
struct Announcement {
    path: String,
    size: u64,
}

/// Says where to send a file. The registry needs no ticket: it knows a file by its person and digest.
pub(super) async fn announce(mut call: Call) -> Result<Response, Problem> {
    let Settings { http, package, public_url, .. } = &call.app.settings;
    let (limit, max, url) =
        (http.json, package.file, format!("{public_url}/clawhub/api/v1/skills/-/uploads"));
    let Announcement { path, size } = body::read(&mut call, limit).await?;
    if size > max {
        let detail = format!("The file {path} has more than {max} bytes: shorten it or leave it out.");
        return Err(Problem::too_large(detail));
    }
    json(StatusCode::OK, &json!({ "uploadUrl": url, "uploadTicket": "none" }))
}

/// Keeps the bytes of a file.
pub(super) async fn keep(mut call: Call) -> Result<Response, Problem> {
    let app = Arc::clone(&call.app);
    let person = call.caller()?.handle()?.clone();
    let _place = app.upload_places.take(&person)?;
    let limit = usize::try_from(app.settings.package.file).unwrap_or(usize::MAX);
    let bytes = bare(&mut call.request, limit, &app.uploads, &Owner::of_person(&person)).await?;
    let kept = blocking(move || {
        let limits = limits(&app.settings);
        Ok(app.local.keep_upload(&person, &bytes, limits, Timestamp::now())?)
    });
    let sha256 = kept.await?.ok_or_else(|| {
        Problem::unavailable("Too many uploads wait to be published: try again later.", UPLOAD_TTL)
    })?;
    json(StatusCode::OK, &json!({ "storageId": sha256 }))
}

/// A file of a publication.
#[derive(Deserialize)]
pub(super) struct FileEntry {
    path: String,
    sha256: Digest,
}

/// Reads the files of a publication from the local data.
///
/// Errors: 400 for a file that is not there. 413 for more than a package may have.
pub(super) fn read(app: &App, person: &Handle, files: Vec<FileEntry>) -> Result<Vec<LooseFile>, Problem> {
    let package = &app.settings.package;
    let (max_files, max_bytes) = (package.files, package.unpacked);
    if files.len() > max_files {
        return Err(Problem::too_large(format!(
            "A skill may have at most {max_files} files: leave some out."
        )));
    }
    let mut left = max_bytes;
    let mut content = |FileEntry { path, sha256 }| {
        let content = app.local.upload(person, &sha256)?.ok_or_else(|| {
            Problem::invalid(format!(
                "The file {path} was not uploaded, or its upload has expired: publish again."
            ))
        })?;
        left = left.checked_sub(content.len() as u64).ok_or_else(|| {
            let detail = format!("The files may have at most {max_bytes} bytes together: leave some out.");
            Problem::too_large(detail)
        })?;
        Ok(loose(path, content))
    };
    files.into_iter().map(&mut content).collect()
}
