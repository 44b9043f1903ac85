//! Classifies logged requests: which were complete downloads, and of which package.

use generator::address::{ClawhubDocument, Document, Pointer, locate};
use registry::local::Download;
use registry::public::{PublicCatalog, Skill, VersionEntry};
use registry::time::Day;
use server::request::Path;

use super::line::LoggedRequest;
use super::tally::Skipped;

/// Classifies a request. An address without a version stands for the latest version that was
/// public then; a tag stands for the version it points to today.
pub fn classify(logged: &LoggedRequest, catalog: &PublicCatalog) -> Result<Download, Skipped> {
    if logged.method != "GET" || !matches!(logged.status, 200 | 206) {
        return Err(Skipped::Other);
    }
    let document = document(&logged.target).ok_or(Skipped::Other)?;
    let found = match &document {
        Document::Package(c, v) => catalog.skill(c).and_then(|skill| Some((skill, skill.version(v)?))),
        Document::LatestPackage(c) => catalog.skill(c).and_then(|skill| latest(skill, logged)),
        Document::CompatPackage(c, pointer) => catalog.skill(c).and_then(|skill| match pointer {
            Pointer::Version(version) => Some((skill, skill.version(version)?)),
            Pointer::Tag(tag) if tag.is_latest() => latest(skill, logged),
            Pointer::Tag(tag) => Some((skill, skill.tagged(tag)?)),
        }),
        _ => return Err(Skipped::Other),
    };
    let (skill, version) = found.ok_or(Skipped::Unknown)?;
    if !is_complete(logged, version.package_size) {
        return Err(Skipped::Incomplete);
    }
    let client = logged.client.ok_or(Skipped::WithoutAddress)?;
    Ok(Download { skill: skill.id, version: version.id, day: Day::from(logged.at), client })
}

/// The latest version at the time of the request, or today's if there was none: the clock of
/// the host may be slow.
fn latest<'a>(skill: &'a Skill, logged: &LoggedRequest) -> Option<(&'a Skill, &'a VersionEntry)> {
    Some((skill, skill.latest_at(logged.at).or_else(|| skill.latest())?))
}

/// The requested document, from a path or a whole URL (as proxies get).
fn document(target: &str) -> Option<Document> {
    let path = match target.split_once("://") {
        Some((scheme, rest)) if scheme.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
            &rest[rest.find('/')?..]
        }
        _ => target,
    };
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let path = Path::parse(path);
    let path = format!("/{}", path.segments()?.join("/"));
    locate(&path, query).ok().flatten().or_else(|| ClawhubDocument::package(&path, query))
}

/// Whether a package of `size` bytes was sent completely, or a requested part of it that starts
/// with byte 0. If the log does not say how much was sent, the answer counts as complete.
fn is_complete(logged: &LoggedRequest, size: u64) -> bool {
    let has_sent = |bytes: u64| logged.sent.is_none_or(|sent| sent >= bytes);
    if logged.status == 200 {
        return has_sent(size);
    }
    // Only a part that starts with byte 0 can contain the whole package.
    let is_all = logged.sent.is_some_and(|sent| sent >= size);
    is_all
        || logged
            .part
            .is_some_and(|part| part.start == Some(0) && has_sent(part.length.unwrap_or(size).min(size)))
}

#[cfg(test)]
mod tests;
