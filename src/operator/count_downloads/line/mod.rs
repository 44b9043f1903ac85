//! Parses lines of access logs.

mod byte_range;
mod json;
mod plain;
mod time;

use std::net::{IpAddr, SocketAddr};

use registry::time::Timestamp;
use registry::user_agent::{NOT_A_DOWNLOAD, NOT_A_DOWNLOAD_ENCODED};

use super::tally::Skipped;

pub use byte_range::ByteRange;

/// A logged request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedRequest {
    /// The address of the client, if the log has it.
    pub client: Option<IpAddr>,
    /// The time of the request.
    pub at: Timestamp,
    /// The HTTP method.
    pub method: String,
    /// The requested path and query, or a whole URL.
    pub target: String,
    /// The status code of the answer.
    pub status: u16,
    /// The bytes sent, if the log says.
    pub sent: Option<u64>,
    /// The sent or requested part of the document.
    pub part: Option<ByteRange>,
}

/// Parses a line without its line feed. Invalid UTF-8 is replaced. Logs have the user agent in many forms,
/// so a request is not a download if any part of its line says so.
pub fn read(line: &[u8]) -> Result<LoggedRequest, Skipped> {
    let text = String::from_utf8_lossy(line);
    let text = text.trim();
    if [NOT_A_DOWNLOAD, NOT_A_DOWNLOAD_ENCODED].iter().any(|mark| text.contains(mark)) {
        return Err(Skipped::Other);
    }
    if text.starts_with('{') {
        return json::read(text);
    }
    plain::read(text).ok_or(Skipped::Unreadable)
}

/// Splits a request line (`GET /path HTTP/1.1`) into method and target. The target of an invalid
/// request, which is logged too, is empty.
fn request_line(text: &str) -> (String, String) {
    let request = text.rsplit_once(" HTTP/").map_or(text, |(request, _)| request);
    let (method, target) = request.split_once(' ').unwrap_or((request, ""));
    (method.to_owned(), target.to_owned())
}

/// Parses a status code.
fn status(text: &str) -> Option<u16> {
    text.parse().ok().filter(|status| (100..1000).contains(status))
}

/// Parses an address with or without a port. None for anything else, such as a host name.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    bare.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()))
}

#[cfg(test)]
mod tests;
