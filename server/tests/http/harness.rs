//! A server on a free port, and a client that sends raw bytes.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use server::Response;
use server::connection::http_service::{self, Dispatch};
use server::problem::Problem;
use server::request::Request;
use server::request::http_limits::HttpLimits;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// Limits small enough to exceed.
pub(crate) fn limits() -> HttpLimits {
    HttpLimits { json: 1 << 10, zip: 64 << 10, ..HttpLimits::default() }
}

/// A timeout that tests wait for.
pub(crate) const SOON: Duration = Duration::from_millis(50);

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    running: JoinHandle<()>,
}

pub(crate) fn start<F, A>(limits: HttpLimits, handler: F) -> Server
where
    F: Fn(Request) -> A + Send + Sync + 'static,
    A: Future<Output = Result<Response, Problem>> + Send + 'static,
{
    let dispatch: Arc<dyn Dispatch> = Arc::new(handler);
    let listener = server::connection::accept::bind(([127, 0, 0, 1], 0).into()).unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let running = tokio::spawn(async move {
        http_service::serve(listener, dispatch, &limits, async { drop(stopped.await) }).await;
    });
    Server { address, stop: Some(stop), running }
}

impl Server {
    pub(crate) async fn connect(&self) -> Client {
        Client(BufReader::new(TcpStream::connect(self.address).await.unwrap()))
    }

    /// Connects from 127.0.0.`last`.
    pub(crate) async fn connect_from(&self, last: u8) -> Client {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(([127, 0, 0, last], 0).into()).unwrap();
        Client(BufReader::new(socket.connect(self.address).await.unwrap()))
    }

    /// Sends one request on a new connection.
    pub(crate) async fn ask(&self, request: &str) -> Answer {
        let mut client = self.connect().await;
        client.send(request).await;
        client.answer(request.starts_with("HEAD")).await.unwrap()
    }

    pub(crate) fn stop(&mut self) {
        drop(self.stop.take());
    }

    /// Waits for the end of a stopped server.
    pub(crate) async fn ended(self) {
        self.running.await.unwrap();
    }
}

pub(crate) struct Client(pub(crate) BufReader<TcpStream>);

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HashMap<String, String>,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    /// The code of a problem, after checking the fields that every problem has.
    pub(crate) fn problem(&self) -> String {
        assert_eq!(self.header("content-type"), "application/problem+json", "{self:?}");
        let document: serde_json::Value = serde_json::from_str(&self.body).unwrap();
        assert_eq!(document["status"], self.status);
        assert_eq!(document["requestId"], self.header("x-request-id"));
        assert_eq!(
            document["type"],
            format!("urn:skillmirror:problem:{}", document["code"].as_str().unwrap())
        );
        assert!(
            !document["title"].as_str().unwrap().is_empty()
                && !document["detail"].as_str().unwrap().is_empty()
        );
        document["code"].as_str().unwrap().to_owned()
    }
}

impl Client {
    pub(crate) async fn send(&mut self, text: impl AsRef<[u8]>) {
        self.0.get_mut().write_all(text.as_ref()).await.unwrap();
    }

    /// The next answer; `None` if the connection is closed instead.
    pub(crate) async fn answer(&mut self, to_head: bool) -> Option<Answer> {
        let status = self.line().await?.split(' ').nth(1).unwrap().parse().unwrap();
        let mut headers = HashMap::new();
        while let Some(line) = self.line().await.filter(|line| !line.is_empty()) {
            let (name, value) = line.split_once(": ").unwrap();
            headers.insert(name.to_owned(), value.to_owned());
        }
        let mut body = vec![0; headers.get("content-length").map_or(0, |length| length.parse().unwrap())];
        if !to_head {
            self.0.read_exact(&mut body).await.ok()?;
        }
        let body = if to_head { String::new() } else { String::from_utf8(body).unwrap() };
        Some(Answer { status, headers, body })
    }

    async fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = self.0.read_line(&mut line).await.unwrap_or(0);
        (read > 0).then(|| line.trim_end().to_owned())
    }

    /// The bytes that the server sends until it closes.
    pub(crate) async fn rest(mut self) -> String {
        let mut rest = Vec::new();
        // A reset is an end too.
        let _ = self.0.read_to_end(&mut rest).await;
        String::from_utf8_lossy(&rest).into_owned()
    }
}
