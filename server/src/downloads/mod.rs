//! Packages that were downloaded from this server, counted beside the requests.
//!
//! A download is counted by the same rule as a line of an access log: a GET that
//! was answered with all of a package, or with a part that begins with byte 0,
//! when the last byte has been handed over; once for a client, version and day.
//! What was counted in the last second is lost in a crash.

mod sent;
mod writer;

use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

use generator::address::Document;
use hyper::header::{CONTENT_LENGTH, CONTENT_RANGE};
use hyper::{Method, StatusCode};
use registry::Registry;
use registry::local::LocalStore;
use registry::time::{Day, Timestamp};

use self::writer::{Message, Served, Writer};
use crate::Response;

/// How many downloads may wait for the thread that counts them. Past it they are
/// not counted: no answer waits for that, and memory has an end.
const MOST_WAITING: usize = 4096;

/// The handle of the thread that counts. It writes what it has and ends when this
/// is dropped.
pub struct Downloads {
    sender: SyncSender<Message>,
    thread: Option<JoinHandle<()>>,
}

impl Downloads {
    /// Starts counting.
    ///
    /// Errors: the system cannot start a thread.
    pub fn start(registry: Arc<Registry>, local: Arc<LocalStore>) -> io::Result<Self> {
        let (sender, receiver) = sync_channel(MOST_WAITING);
        let writer = Writer::new(registry, local);
        let thread = std::thread::Builder::new().name("downloads".into());
        let thread = thread.spawn(move || writer.run(&receiver))?;
        Ok(Self { sender, thread: Some(thread) })
    }

    /// The answer to a request for a package, which counts when it has been sent.
    /// `package` is the package's document at its immutable address, `client`
    /// whose request it is: one whose address is not known could not be told from
    /// others, and does not count.
    pub fn watch(
        &self,
        response: Response,
        method: &Method,
        package: Document,
        client: Option<IpAddr>,
    ) -> Response {
        let (Some(client), Some(length)) = (client, body_from_the_first_byte(&response, method)) else {
            return response;
        };
        let sender = self.sender.clone();
        sent::when_sent(response, length, move || {
            let day = Day::from(Timestamp::now());
            // Nothing is to be done where too many wait or the thread has ended.
            let _ = sender.try_send(Message::Served(Served { package, client, day }));
        })
    }
}

impl Drop for Downloads {
    fn drop(&mut self) {
        // Bodies that are still being sent have senders of their own, so that the
        // thread would wait for them: it is told.
        let _ = self.sender.send(Message::End);
        if let Some(thread) = self.thread.take() {
            // It has logged whatever went wrong.
            let _ = thread.join();
        }
    }
}

/// How many bytes the body has, where it begins with the package's first byte.
fn body_from_the_first_byte(response: &Response, method: &Method) -> Option<u64> {
    let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
    let begins = match response.status() {
        StatusCode::OK => true,
        StatusCode::PARTIAL_CONTENT => header(CONTENT_RANGE)?.starts_with("bytes 0-"),
        _ => false,
    };
    let length = header(CONTENT_LENGTH)?.parse().ok()?;
    (begins && *method == Method::GET).then_some(length)
}
