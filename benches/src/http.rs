//! A minimal HTTP client: one open connection, one request at a time.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use crate::Failure;

/// How long a read waits. No response takes that long.
const READ_TIMEOUT: Duration = Duration::from_secs(60);

/// The lengths of a response's head and body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// The status code.
    pub status: u16,
    /// Bytes of the head, its empty line counted.
    pub head: usize,
    /// Bytes of head and body.
    pub whole: usize,
}

/// Reads the head of a response with a `Content-Length`. `None` if the head is not complete yet.
pub fn extent(bytes: &[u8]) -> Result<Option<Extent>, Failure> {
    let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { return Ok(None) };
    let head = std::str::from_utf8(bytes.get(..end).unwrap_or_default())?;
    let mut lines = head.split("\r\n");
    let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok());
    let length = header(head, "content-length").map_or(Ok(0), str::parse::<usize>)?;
    let status = status.ok_or("an answer begins without a status")?;
    Ok(Some(Extent { status, head: end + 4, whole: end + 4 + length }))
}

/// The value of a header; `name` is in lower case.
pub fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.split("\r\n").find_map(|line| {
        let (found, value) = line.split_once(':')?;
        found.eq_ignore_ascii_case(name).then(|| value.trim())
    })
}

/// An open connection.
pub struct Connection {
    stream: TcpStream,
    received: Vec<u8>,
}

/// A response.
#[derive(Debug, Clone)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// Status line and headers.
    pub head: String,
    /// The body.
    pub body: Vec<u8>,
}

impl Connection {
    /// Connects to a server.
    pub fn to(address: SocketAddr) -> Result<Self, Failure> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(READ_TIMEOUT))?;
        Ok(Self { stream, received: Vec::new() })
    }

    /// Sends a whole request and waits for its answer.
    pub fn ask(&mut self, request: &[u8]) -> Result<Response, Failure> {
        self.stream.write_all(request)?;
        self.received.clear();
        let mut buffer = [0; 16 * 1024];
        loop {
            let found = extent(&self.received)?;
            if let Some(Extent { status, head, whole }) =
                found.filter(|found| found.whole <= self.received.len())
            {
                let body = self.received.get(head..whole).unwrap_or_default().to_vec();
                let head =
                    String::from_utf8_lossy(self.received.get(..head).unwrap_or_default()).into_owned();
                return Ok(Response { status, head, body });
            }
            match self.stream.read(&mut buffer)? {
                0 => return Err("the server closed the connection".into()),
                read => self.received.extend_from_slice(buffer.get(..read).unwrap_or_default()),
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_understood() {
        let response = b"HTTP/1.1 201 Created\r\nX-Revision: 7\r\nContent-Length: 2\r\n\r\n{}";
        assert_eq!(extent(response).unwrap(), Some(Extent { status: 201, head: 58, whole: 60 }));
        assert_eq!(extent(&response[..40]).unwrap(), None);
        assert_eq!(header(std::str::from_utf8(response).unwrap(), "x-revision"), Some("7"));
    }
}
