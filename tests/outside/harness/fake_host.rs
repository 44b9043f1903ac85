//! A host that answers as a test wants, and records its requests.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// A recorded request.
#[derive(Debug, Clone)]
pub struct ReceivedRequest {
    /// `GET` or another.
    pub method: String,
    /// Path and query, unchanged.
    pub path: String,
    /// The headers. Names are in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, up to its `Content-Length`.
    pub body: Vec<u8>,
}

impl ReceivedRequest {
    /// The first header named `name`.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// The response of a fake host.
#[derive(Debug, Clone)]
pub struct Reply {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    length: Option<usize>,
    is_endless: bool,
}

impl Reply {
    /// An empty response.
    pub fn status(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: Vec::new(), length: None, is_endless: false }
    }

    /// 200 with a body.
    pub fn bytes(bytes: impl Into<Vec<u8>>) -> Self {
        Self { body: bytes.into(), ..Self::status(200) }
    }

    /// 200 with a JSON document.
    pub fn json(json: &serde_json::Value) -> Self {
        Self::bytes(json.to_string()).header("Content-Type", "application/json")
    }

    /// The resolution of `hello` to its version 1.0.0.
    pub fn resolved() -> Self {
        Self::json(&serde_json::json!({
            "namespace": "global", "slug": "hello", "version": "1.0.0", "tag": null,
            "sha256": "0".repeat(64), "fingerprint": "1".repeat(64), "downloadUrl": "/x",
        }))
    }

    /// 200 with a web page.
    pub fn page() -> Self {
        Self::bytes("<!doctype html><title>Welcome</title>")
            .header("Content-Type", "text/html; charset=utf-8")
    }

    /// A redirect.
    pub fn redirect(status: u16, to: &str) -> Self {
        Self::status(status).header("Location", to)
    }

    /// Changes the status.
    pub fn with_status(self, status: u16) -> Self {
        Self { status, ..self }
    }

    /// Adds a header.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Sends a false `Content-Length`.
    pub fn announcing(self, length: usize) -> Self {
        Self { length: Some(length), ..self }
    }

    /// Repeats the body for as long as the client reads.
    pub fn endless(self) -> Self {
        Self { is_endless: true, ..self }
    }

    fn send(&self, stream: &mut TcpStream) -> std::io::Result<()> {
        let mut head = format!("HTTP/1.1 {} Status\r\nConnection: close\r\n", self.status);
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        if !self.is_endless {
            head += &format!("Content-Length: {}\r\n", self.length.unwrap_or(self.body.len()));
        }
        stream.write_all(format!("{head}\r\n").as_bytes())?;
        stream.write_all(&self.body)?;
        if !self.is_endless {
            return Ok(());
        }
        loop {
            stream.write_all(&self.body)?;
        }
    }
}

type Answers = dyn Fn(&ReceivedRequest) -> Reply + Send + Sync;

/// A running host. Dropping it ends it.
pub struct FakeHost {
    /// `http://127.0.0.1:port`.
    pub base: String,
    address: SocketAddr,
    asked: Arc<Mutex<Vec<ReceivedRequest>>>,
    ends: Arc<AtomicBool>,
}

impl FakeHost {
    /// Starts a host that answers each request with what `answers` returns.
    pub fn answering(answers: impl Fn(&ReceivedRequest) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let (asked, ends) = (Arc::new(Mutex::default()), Arc::new(AtomicBool::new(false)));
        let answers: Arc<Answers> = Arc::new(answers);
        let host = Self { base: format!("http://{address}"), address, asked, ends };
        let (asked, ends) = (Arc::clone(&host.asked), Arc::clone(&host.ends));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if ends.load(Ordering::SeqCst) {
                    return;
                }
                let (asked, answers) = (Arc::clone(&asked), Arc::clone(&answers));
                // A client may close its connection early.
                std::thread::spawn(move || serve(stream, &asked, &*answers).ok());
            }
        });
        host
    }

    /// All requests so far.
    pub fn asked(&self) -> Vec<ReceivedRequest> {
        self.asked.lock().unwrap().clone()
    }

    /// The paths of all requests so far.
    pub fn paths(&self) -> Vec<String> {
        self.asked().into_iter().map(|asked| asked.path).collect()
    }
}

fn serve(mut stream: TcpStream, all: &Mutex<Vec<ReceivedRequest>>, answers: &Answers) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split_whitespace();
    let (Some(method), Some(path)) = (words.next(), words.next()) else { return Ok(()) };
    let mut asked = ReceivedRequest {
        method: method.to_owned(),
        path: path.to_owned(),
        headers: Vec::new(),
        body: Vec::new(),
    };
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        asked.headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
    if asked.header("expect").is_some() {
        stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    let length = asked.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    (&mut reader).take(length).read_to_end(&mut asked.body)?;
    let reply = answers(&asked);
    all.lock().unwrap().push(asked);
    reply.send(&mut stream)
}

impl Drop for FakeHost {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::SeqCst);
        // Wakes the thread that accepts connections.
        let _ = TcpStream::connect(self.address);
    }
}
