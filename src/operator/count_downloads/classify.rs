//! Whether a logged request was a complete download of a package, and of which.

use generator::address::{Document, Pointer, locate};
use registry::local::Download;
use registry::public::{PublicCatalog, Skill, VersionEntry};
use registry::time::Day;
use server::request::Path;

use super::line::LoggedRequest;

/// What a request was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// A complete download.
    Download(Download),
    /// The same, of a client that is not named.
    Unnamed,
    /// One that was broken off, or of a part that does not begin with byte 0.
    Incomplete,
    /// One of a skill or version that is not in the catalog.
    Unknown,
    /// Something else.
    Other,
}

/// Judges a request. What an address without a version meant is what it would
/// mean now: for the latest version among those that were public by then, for a
/// tag as it points today.
pub fn classify(logged: &LoggedRequest, catalog: &PublicCatalog) -> Verdict {
    if logged.method != "GET" || !matches!(logged.status, 200 | 206) {
        return Verdict::Other;
    }
    let Some(document) = document(&logged.target) else { return Verdict::Other };
    let found = match &document {
        Document::Package(c, v) => catalog.skill(c).and_then(|skill| Some((skill, skill.version(v)?))),
        Document::LatestPackage(c) => catalog.skill(c).and_then(|skill| latest(skill, logged)),
        Document::CompatPackage(c, pointer) => catalog.skill(c).and_then(|skill| match pointer {
            Pointer::Version(version) => Some((skill, skill.version(version)?)),
            Pointer::Tag(tag) if tag.is_latest() => latest(skill, logged),
            Pointer::Tag(tag) => Some((skill, skill.tagged(tag)?)),
        }),
        _ => return Verdict::Other,
    };
    let Some((skill, version)) = found else { return Verdict::Unknown };
    if !is_complete(logged, version.package_size) {
        return Verdict::Incomplete;
    }
    let Some(client) = logged.client else { return Verdict::Unnamed };
    Verdict::Download(Download { skill: skill.id, version: version.id, day: Day::from(logged.at), client })
}

/// The latest version at the time of the request. The host's clock may be late:
/// then it is the latest one now.
fn latest<'a>(skill: &'a Skill, logged: &LoggedRequest) -> Option<(&'a Skill, &'a VersionEntry)> {
    Some((skill, skill.latest_at(logged.at).or_else(|| skill.latest())?))
}

/// The document that was asked for, by a path or by a whole URL (as proxies are).
fn document(target: &str) -> Option<Document> {
    let path = match target.split_once("://") {
        Some((scheme, rest)) if scheme.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
            &rest[rest.find('/')?..]
        }
        _ => target,
    };
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let path = Path::parse(path);
    locate(&format!("/{}", path.segments()?.join("/")), query).ok().flatten()
}

/// Whether a package of `size` bytes was sent whole, or a part of it that begins
/// with byte 0. How much was sent is believed where it is not known.
fn is_complete(logged: &LoggedRequest, size: u64) -> bool {
    let has_sent = |bytes: u64| logged.sent.is_none_or(|sent| sent >= bytes);
    if logged.status == 200 {
        return has_sent(size);
    }
    // All of it can only be a part that begins with byte 0.
    let is_all = logged.sent.is_some_and(|sent| sent >= size);
    is_all
        || logged
            .part
            .is_some_and(|part| part.start == Some(0) && has_sent(part.length.unwrap_or(size).min(size)))
}

#[cfg(test)]
mod tests;
