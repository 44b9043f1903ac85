//! Sends the requests of the store's client through `ureq`, which the rest of the program uses too:
//! one HTTP client, one TLS, one list of authorities.

use std::io::Read;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use bytes::Bytes;
use http_body::{Body, Frame};
use http_body_util::BodyExt;
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpResponseBody,
    HttpService,
};
use parking_lot::Mutex;
use tokio::sync::mpsc;
use ureq::Error;
use ureq::http::{Method, Response, header};

use super::agents::Agents;

/// The longest pause that a store can ask for.
const MAX_PAUSE: Duration = Duration::from_secs(120);

/// Bytes of an answer that are read at once, and how many such parts wait for their reader.
const PART: usize = 64 * 1024;
const PARTS: usize = 4;

/// The longest code of an error.
const MAX_CODE: usize = 64;

/// What the store has said last.
#[derive(Debug, Default)]
pub struct StoreStatus {
    last_failure: Mutex<Option<u16>>,
    /// No request is sent before.
    until: Mutex<Option<Instant>>,
}

impl StoreStatus {
    /// The status of the last answer, if that was a failure.
    pub fn last_failure(&self) -> Option<u16> {
        *self.last_failure.lock()
    }

    fn note<T>(&self, answer: &Response<T>) {
        let status = answer.status();
        // The client asks for these: an object that exists already, or does not exist.
        let is_expected = [404, 409, 412, 304].contains(&status.as_u16());
        let is_failure = !status.is_success() && !is_expected;
        *self.last_failure.lock() = is_failure.then_some(status.as_u16());
        if !is_failure {
            return;
        }
        let after = answer.headers().get(header::RETRY_AFTER).and_then(|value| value.to_str().ok());
        if let Some(pause) = after.and_then(retry_after) {
            *self.until.lock() = Some(Instant::now() + pause.min(MAX_PAUSE));
        }
    }

    fn pause(&self) -> Option<Instant> {
        *self.until.lock()
    }
}

/// The pause that `Retry-After` asks for: seconds or a date.
fn retry_after(value: &str) -> Option<Duration> {
    if let Ok(seconds) = value.trim().parse() {
        return Some(Duration::from_secs(seconds));
    }
    httpdate::parse_http_date(value).ok()?.duration_since(std::time::SystemTime::now()).ok()
}

/// Gives the store's client the agents.
#[derive(Debug)]
pub struct AgentConnector {
    service: AgentService,
}

#[derive(Debug, Clone)]
struct AgentService {
    agents: Agents,
    status: Arc<StoreStatus>,
}

impl AgentConnector {
    /// Sends all requests through `agents`.
    pub fn new(agents: Agents, status: Arc<StoreStatus>) -> Self {
        Self { service: AgentService { agents, status } }
    }
}

impl HttpConnector for AgentConnector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.service.clone()))
    }
}

#[async_trait]
impl HttpService for AgentService {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        if let Some(until) = self.status.pause() {
            tokio::time::sleep_until(until.into()).await;
        }
        let (head, body) = request.into_parts();
        let body = body.collect().await?.to_bytes();
        let unusable = |why: String| HttpError::new(HttpErrorKind::Connect, Error::Other(why.into()));
        let agent = self.agents.of(&head.uri).map_err(unusable)?;
        let (parts, received) = mpsc::channel(PARTS);
        let (answer, answered) = tokio::sync::oneshot::channel();
        tokio::task::spawn_blocking(move || {
            let has_body = [Method::PUT, Method::POST].contains(&head.method);
            let called = if has_body {
                agent.run(ureq::http::Request::from_parts(head, &body[..]))
            } else {
                agent.run(ureq::http::Request::from_parts(head, ()))
            };
            match called {
                Ok(called) => {
                    let (head, body) = called.into_parts();
                    let is_error = head.status.is_client_error() || head.status.is_server_error();
                    if answer.send(Ok(head)).is_err() {
                    } else if is_error {
                        read(&*code_of(body.into_reader()), &parts);
                    } else {
                        read(body.into_reader(), &parts);
                    }
                }
                Err(why) => drop(answer.send(Err(failure(why)))),
            }
        });
        let cut = |why| HttpError::new(HttpErrorKind::Interrupted, why);
        let head = answered.await.map_err(cut)??;
        let answer = Response::from_parts(head, HttpResponseBody::new(Parts(received)));
        self.status.note(&answer);
        Ok(answer)
    }
}

/// The code in the body of an error. The client puts bodies of errors into its messages, and a body may
/// repeat the request with its credentials. So the rest is left out.
fn code_of(body: impl Read) -> Vec<u8> {
    let mut text = Vec::new();
    // A part of it is as good.
    let _ = body.take(PART as u64).read_to_end(&mut text);
    let text = String::from_utf8_lossy(&text);
    let code = text.split_once("<Code>").and_then(|(_, rest)| rest.split_once("</Code>"));
    let code = code.map_or("", |(code, _)| code.trim());
    let is_plain = code.len() <= MAX_CODE && code.chars().all(|c| c.is_ascii_alphabetic());
    if is_plain { code.into() } else { Vec::new() }
}

/// Reads the body of an answer, as fast as it is taken.
fn read(mut body: impl Read, parts: &mpsc::Sender<Result<Bytes, HttpError>>) {
    loop {
        let mut part = Vec::with_capacity(PART);
        let read = body.by_ref().take(PART as u64).read_to_end(&mut part);
        let next = match read {
            Ok(0) => return,
            Ok(_) => Ok(part.into()),
            Err(why) => Err(HttpError::new(HttpErrorKind::Interrupted, why)),
        };
        let is_last = next.is_err();
        if parts.blocking_send(next).is_err() || is_last {
            return;
        }
    }
}

/// The body of an answer.
struct Parts(mpsc::Receiver<Result<Bytes, HttpError>>);

impl Body for Parts {
    type Data = Bytes;
    type Error = HttpError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, HttpError>>> {
        self.0.poll_recv(context).map(|part| part.map(|part| part.map(Frame::data)))
    }
}

fn failure(why: Error) -> HttpError {
    let kind = match &why {
        Error::Timeout(_) => HttpErrorKind::Timeout,
        Error::ConnectionFailed | Error::HostNotFound => HttpErrorKind::Connect,
        Error::Io(why) if why.kind() == std::io::ErrorKind::ConnectionRefused => HttpErrorKind::Connect,
        Error::Io(_) => HttpErrorKind::Interrupted,
        _ => HttpErrorKind::Unknown,
    };
    HttpError::new(kind, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_code_of_an_error_is_passed_on() {
        for (body, code) in [
            ("<?xml?><Error><Code>NoSuchBucket</Code><Message>x</Message></Error>", "NoSuchBucket"),
            ("<Error>\n  <Code> AuthenticationFailed\n</Code></Error>", "AuthenticationFailed"),
            ("<Code>AKID1: a signature</Code>", ""),
            ("{\"authorization\":\"Bearer secret\"}", ""),
            ("<Code>", ""),
            ("", ""),
        ] {
            assert_eq!(String::from_utf8(code_of(body.as_bytes())).as_deref(), Ok(code), "{body}");
        }
        assert_eq!(code_of(format!("<Code>{}</Code>", "a".repeat(65)).as_bytes()), b"");
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        assert_eq!(retry_after(" 7"), Some(Duration::from_secs(7)));
        assert_eq!(retry_after("Wed, 21 Oct 2015 07:28:00 GMT"), None);
        assert_eq!(retry_after("soon"), None);
        let later = httpdate::fmt_http_date(std::time::SystemTime::now() + Duration::from_secs(600));
        assert!(retry_after(&later).is_some_and(|pause| pause > Duration::from_secs(500)));
    }
}
