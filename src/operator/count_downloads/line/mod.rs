//! Parses lines of access logs.

mod address;
mod byte_range;
mod json;
mod plain;
mod time;

use std::net::IpAddr;

use registry::time::Timestamp;

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

/// A parsed line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// A request.
    Request(LoggedRequest),
    /// JSON about something else. Some programs write all events to one log.
    Other,
    /// The line cannot be parsed.
    Unreadable,
}

/// Parses a line without its line feed. Invalid UTF-8 is replaced.
pub fn read(line: &[u8]) -> Line {
    let text = String::from_utf8_lossy(line);
    let text = text.trim();
    if text.starts_with('{') {
        return json::read(text);
    }
    plain::read(text).map_or(Line::Unreadable, Line::Request)
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

#[cfg(test)]
mod tests;
