//! The load: connections that stay open, each with one request at a time.

use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::LocalSet;

use crate::Failure;
use crate::http::extent;

/// Connections at once.
const CONNECTIONS: usize = 64;

/// The settings of the load.
pub struct Load<'a> {
    /// The server.
    pub address: SocketAddr,
    /// The requests, repeated from the beginning.
    pub urls: &'a [String],
    /// A further header with its line end, or nothing.
    pub header: &'a str,
    /// How long.
    pub lasts: Duration,
}

impl Load<'_> {
    /// Reads, in one thread, so that a server on two processors has most of
    /// them. Returns how many answers came in which time.
    ///
    /// Errors: an answer is not 200.
    pub fn run(&self) -> Result<(u64, Duration), Failure> {
        let requests: Rc<[Vec<u8>]> = self.urls.iter().map(|url| self.request(url)).collect();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        let start = Instant::now();
        let end = start + self.lasts;
        let answers = LocalSet::new().block_on(&runtime, async {
            let connection = |number: usize| {
                let first = number * requests.len() / CONNECTIONS;
                tokio::task::spawn_local(read(self.address, Rc::clone(&requests), first, end))
            };
            let running: Vec<_> = (0..CONNECTIONS).map(connection).collect();
            let mut answers = 0;
            for connection in running {
                answers += connection.await??;
            }
            Ok::<_, Failure>(answers)
        })?;
        Ok((answers, start.elapsed()))
    }

    fn request(&self, url: &str) -> Vec<u8> {
        format!(
            "GET {url} HTTP/1.1\r\nHost: {}\r\nUser-Agent: bench\r\nAccept: */*\r\n{}\r\n",
            self.address, self.header
        )
        .into_bytes()
    }
}

/// Reads on one connection until `end`, beginning with the request `at`.
async fn read(
    address: SocketAddr,
    requests: Rc<[Vec<u8>]>,
    mut at: usize,
    end: Instant,
) -> Result<u64, Failure> {
    let mut stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let mut received = Vec::with_capacity(16 * 1024);
    let mut answers = 0;
    while Instant::now() < end {
        let request = requests.get(at % requests.len().max(1)).ok_or("there is nothing to ask for")?;
        at += 1;
        stream.write_all(request).await?;
        received.clear();
        let found = loop {
            if stream.read_buf(&mut received).await? == 0 {
                return Err("the server closed the connection".into());
            }
            if let Some(found) = extent(&received)?.filter(|found| found.whole <= received.len()) {
                break found;
            }
        };
        if found.status != 200 {
            return Err(format!("{}: {}", String::from_utf8_lossy(request), found.status).into());
        }
        answers += 1;
    }
    Ok(answers)
}
