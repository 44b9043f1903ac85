//! A line of an access log.

mod address;
mod byte_range;
mod json;
mod plain;
mod time;

use std::net::IpAddr;

use registry::time::Timestamp;

pub use byte_range::ByteRange;

/// A request, as a log tells of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedRequest {
    /// Who asked, where the log says so with an address.
    pub client: Option<IpAddr>,
    /// When.
    pub at: Timestamp,
    /// The method.
    pub method: String,
    /// What was asked for: a path with its query, or a whole URL.
    pub target: String,
    /// The status of the answer.
    pub status: u16,
    /// How many bytes of the answer were sent.
    pub sent: Option<u64>,
    /// Which part of a document was sent or asked for.
    pub part: Option<ByteRange>,
}

/// What a line is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// A request.
    Request(LoggedRequest),
    /// JSON that tells of something else: some programs write all they have to
    /// say into one log.
    Other,
    /// Nothing that this program understands.
    Unreadable,
}

/// Reads a line, which has no line feed. What is not UTF-8 in it stands for
/// nothing.
pub fn read(line: &[u8]) -> Line {
    let text = String::from_utf8_lossy(line);
    let text = text.trim();
    if text.starts_with('{') {
        return json::read(text);
    }
    plain::read(text).map_or(Line::Unreadable, Line::Request)
}

/// A request line (`GET /path HTTP/1.1`) as method and target. What is no such
/// thing asks for nothing: logs also have what could not be understood.
fn request_line(text: &str) -> (String, String) {
    let request = text.rsplit_once(" HTTP/").map_or(text, |(request, _)| request);
    let (method, target) = request.split_once(' ').unwrap_or((request, ""));
    (method.to_owned(), target.to_owned())
}

/// A status code.
fn status(text: &str) -> Option<u16> {
    text.parse().ok().filter(|status| (100..1000).contains(status))
}

#[cfg(test)]
mod tests;
