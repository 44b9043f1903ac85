//! Counting the downloads of packages from this server.
//!
//! The rule is that of `count-downloads` for access logs. A download is a GET that
//! was answered with all of a package, or with a part from byte 0, and whose last
//! byte was sent. A client whose user agent says that it is not a download is not counted, nor a
//! script of the registry's own pages, which shows the files of a package.
//! Each client, version and day counts once. A crash loses at most the downloads of the
//! last second.

mod body_end;
mod writer;

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

use generator::address::Document;
use hyper::header::{CONTENT_LENGTH, CONTENT_RANGE, USER_AGENT};
use hyper::{Method, StatusCode};
use registry::Registry;
use registry::local::LocalStore;
use registry::time::{Day, Timestamp};
use registry::user_agent::NOT_A_DOWNLOAD;

use self::writer::{Served, Writer};
use crate::Response;
use crate::request::Request;

/// The most downloads that wait for the thread. More are not counted, because no
/// response waits for the thread and memory is limited.
const MAX_QUEUED: usize = 4096;

const SEC_FETCH_SITE: &str = "sec-fetch-site";
const SEC_FETCH_MODE: &str = "sec-fetch-mode";

/// The handle of the thread that counts. When it is dropped, the thread writes
/// what is queued and ends.
pub struct Downloads {
    /// Takes packages that were sent. `None` ends the thread.
    sender: SyncSender<Option<Served>>,
    thread: Option<JoinHandle<()>>,
}

impl Downloads {
    /// Starts the thread.
    ///
    /// Errors: the operating system cannot start a thread.
    pub fn start(registry: Arc<Registry>, local: Arc<LocalStore>) -> io::Result<Self> {
        let (sender, receiver) = sync_channel(MAX_QUEUED);
        let writer = Writer::new(registry, local);
        let thread = std::thread::Builder::new().name("downloads".into());
        let thread = thread.spawn(move || writer.run(&receiver))?;
        Ok(Self { sender, thread: Some(thread) })
    }

    /// Counts the response to a request with a package once it is sent. `package` is the
    /// immutable address of the package. Clients without a known address are not counted,
    /// because they cannot be told apart.
    pub fn watch(&self, response: Response, request: &Request, package: Document) -> Response {
        let length = length_from_first_byte(&response, &request.method);
        let (Some(client), Some(length), false) = (request.client.known(), length, is_inspection(request))
        else {
            return response;
        };
        let sender = self.sender.clone();
        body_end::when_sent(response, length, move || {
            let day = Day::from(Timestamp::now());
            // Not counted if the queue is full or the thread has ended.
            let _ = sender.try_send(Some(Served { package, client, day }));
        })
    }
}

impl Drop for Downloads {
    fn drop(&mut self) {
        // Responses that are still being sent have senders of their own, so the
        // channel stays open: the thread has to be told.
        let _ = self.sender.send(None);
        if let Some(thread) = self.thread.take() {
            // The thread has logged its failures.
            let _ = thread.join();
        }
    }
}

/// Whether the client says that it does not download. Browsers say so of scripts: a link to a package
/// has the mode `navigate`.
fn is_inspection(request: &Request) -> bool {
    let header =
        |name| request.headers.get(name).map_or("".into(), |value| String::from_utf8_lossy(value.as_bytes()));
    let is_of_page = header(SEC_FETCH_SITE) == "same-origin" && header(SEC_FETCH_MODE) == "cors";
    is_of_page || header(USER_AGENT.as_str()).contains(NOT_A_DOWNLOAD)
}

/// The length of the body if it begins with the first byte of the package.
fn length_from_first_byte(response: &Response, method: &Method) -> Option<u64> {
    let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
    let begins = match response.status() {
        StatusCode::OK => true,
        StatusCode::PARTIAL_CONTENT => header(CONTENT_RANGE)?.starts_with("bytes 0-"),
        _ => false,
    };
    let length = header(CONTENT_LENGTH)?.parse().ok()?;
    (begins && *method == Method::GET).then_some(length)
}
