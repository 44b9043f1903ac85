//! One attempt at a request, with its redirects and the body of the answer.

use std::io::{Cursor, Read};
use std::time::SystemTime;

use registry::user_agent::INSPECTING_USER_AGENT;
use ureq::http::{HeaderMap, HeaderName, Method, Request, header};
use ureq::{Body, SendBody};
use url::Url;

use crate::{ClientError, Problem, Token, notice};

use super::connections::Way;
use super::failure::Failure;
use super::redirect;
use super::retry::retry_after;
use super::revisions::MIN_REVISION;
use super::{Answer, Http, JSON_LIMIT, Progress, Purpose, Upload, body};

/// Asks the server to answer a change when its whole tree shows it, or after some seconds (RFC 7240).
const WAIT: &str = "wait=3";
/// Says that the tree does not show a change yet.
const MIRROR_LAG: &str = "X-Mirror-Lag";
/// The code of a host whose server is down. A read is not tried again for some seconds. A write is, because the
/// server may only be starting again.
const READ_ONLY: &str = "read_only";

/// What every attempt at a request needs.
pub(super) struct Attempt<'a> {
    pub http: &'a Http,
    pub url: &'a Url,
    pub token: Option<&'a Token>,
    pub method: Method,
    pub upload: Option<&'a Upload<'a>>,
    /// The ETag of the answer that the caller already has.
    pub etag: Option<&'a str>,
    pub purpose: Purpose,
    /// The size limit of the answer.
    pub most: u64,
}

/// An answer after all redirects, whose body is not read yet.
pub(super) struct Response {
    /// The address it came from.
    pub url: Url,
    /// Whether a redirect led to another origin, which gets no token and no credential.
    pub left_origin: bool,
    /// Whether the request was sent with the credential for reads.
    pub was_authorized: bool,
    /// Head and body.
    pub answer: ureq::http::Response<Body>,
}

impl<'a> Attempt<'a> {
    /// A read of a JSON document, without a token.
    pub(super) fn get(http: &'a Http, url: &'a Url) -> Self {
        let (token, upload, etag) = (None, None, None);
        let (method, purpose, most) = (Method::GET, Purpose::Download, JSON_LIMIT);
        Self { http, url, token, method, upload, etag, purpose, most }
    }

    /// Sends the request once, follows redirects, and reads the answer.
    pub(super) fn run(&self, progress: Progress<'_>) -> Result<Answer, Failure> {
        let response = self.response(progress)?;
        self.read(response, progress)
    }

    /// Sends the request once, and follows redirects. A read that the registry refuses with 401 is sent again with the
    /// credential for reads.
    pub(super) fn response(&self, progress: Progress<'_>) -> Result<Response, Failure> {
        let access = &self.http.access;
        let credential = access.at_once(self.token.is_some())?;
        let response = self.follow(credential.as_ref(), progress)?;
        if self.token.is_some() || response.left_origin || response.answer.status().as_u16() != 401 {
            return Ok(response);
        }
        let Some(credential) = access.after_401(credential.as_ref())? else { return Ok(response) };
        let response = self.follow(Some(&credential), progress)?;
        if !matches!(response.answer.status().as_u16(), 401 | 403) {
            access.note_accepted();
        }
        Ok(response)
    }

    fn follow(&self, credential: Option<&HeaderMap>, progress: Progress<'_>) -> Result<Response, Failure> {
        let mut url = self.url.clone();
        let (mut token, mut sent, mut left_origin) = (self.token, credential, false);
        for _ in 0..=redirect::MAX_REDIRECTS {
            let answer = self.send(&url, token, sent, progress)?;
            let status = answer.status().as_u16();
            let location = answer.headers().get(header::LOCATION).and_then(|location| location.to_str().ok());
            // Registries redirect no deletion, so that is an answer like any other.
            let is_followed = redirect::is_redirect(status) && self.method != Method::DELETE;
            match location.filter(|_| is_followed) {
                Some(location) => {
                    let to = redirect::follow(&url, status, location, &self.method)?;
                    if to.origin() != url.origin() {
                        (token, sent, left_origin) = (None, None, true);
                    }
                    url = to;
                }
                None => {
                    return Ok(Response { url, left_origin, was_authorized: sent.is_some(), answer });
                }
            }
        }
        Err(ClientError::Redirect(format!(
            "{} redirects more than {} times, last to {url}: the host is misconfigured, or it is not the \
             address of a registry",
            self.url,
            redirect::MAX_REDIRECTS
        ))
        .into())
    }

    fn send(
        &self,
        url: &Url,
        token: Option<&Token>,
        credential: Option<&HeaderMap>,
        progress: Progress<'_>,
    ) -> Result<ureq::http::Response<Body>, Failure> {
        // A redirect may need another proxy.
        let Way { agent, proxy } = self.http.connections.way(url)?;
        let mut request = Request::builder().method(&self.method).uri(url.as_str());
        if self.purpose == Purpose::Inspection {
            request = request.header(header::USER_AGENT, INSPECTING_USER_AGENT);
        }
        if let Some(token) = token {
            request = request.header(header::AUTHORIZATION, token.header());
        }
        // The token of a person takes the place of a credential in the same header.
        let is_free = |name: &HeaderName| token.is_none() || name != header::AUTHORIZATION;
        for (name, value) in credential.into_iter().flatten().filter(|(name, _)| is_free(name)) {
            request = request.header(name, value);
        }
        if let Some(etag) = self.etag {
            request = request.header(header::IF_NONE_MATCH, etag);
        }
        if let Some(revision) = self.http.revisions.of(url) {
            request = request.header(MIN_REVISION, revision);
        }
        if self.method != Method::GET {
            // So that the next command finds the change in lists and search, too.
            request = request.header("Prefer", WAIT);
        }
        let malformed =
            |why: ureq::http::Error| ClientError::Unreachable { url: url.to_string(), why: why.to_string() };
        let response = match self.upload {
            None => agent.run(request.body(()).map_err(malformed)?),
            Some(upload) => {
                let size = upload.body.len() as u64;
                let mut body = ProgressReader { rest: Cursor::new(upload.body), size, progress };
                let request = request
                    .header(header::CONTENT_TYPE, upload.content_type)
                    .header(header::CONTENT_LENGTH, size)
                    // So that a registry can refuse before the whole body is sent.
                    .header(header::EXPECT, "100-continue")
                    .body(SendBody::from_reader(&mut body))
                    .map_err(malformed)?;
                agent.run(request)
            }
        };
        let response = response.map_err(|why| Failure::before_answer(url, &why, proxy))?;
        self.http.revisions.note(url, response.headers());
        Ok(response)
    }

    /// The remedy, if the answer refuses a token or a credential, or wants one.
    pub(super) fn login_advice(&self, response: &Response) -> Option<String> {
        let Response { url, left_origin, was_authorized, answer } = response;
        match answer.status().as_u16() {
            401 if *left_origin => Some(format!(
                "A token was not sent to {0}, because those for {1} go nowhere else. If {0} is the registry, log in \
                 there",
                url.origin().ascii_serialization(),
                self.url.origin().ascii_serialization()
            )),
            401 if self.token.is_some() => Some("Log in again with `skillmirror login`".to_owned()),
            401 => Some(self.http.access.advice(*was_authorized)),
            403 if self.token.is_none() && *was_authorized => Some(self.http.access.advice(true)),
            _ => None,
        }
    }

    fn read(&self, response: Response, progress: Progress<'_>) -> Result<Answer, Failure> {
        let login_advice = self.login_advice(&response);
        let Response { url, left_origin, answer, .. } = response;
        let status = answer.status().as_u16();
        let text = |name: header::HeaderName| {
            answer.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
        };
        let content_type = text(header::CONTENT_TYPE).unwrap_or_default();
        let after = text(header::RETRY_AFTER).and_then(|text| retry_after(&text, SystemTime::now()));
        let is_behind = self.method != Method::GET && answer.headers().contains_key(MIRROR_LAG);
        if matches!(status, 429 | 502 | 503 | 504) {
            let seconds = after.map(|after| after.as_secs());
            let problem = Problem::read(&body::read_refusal(&url, answer));
            let is_down = problem.as_ref().is_some_and(|problem| problem.code() == READ_ONLY);
            let detail = problem.map(|problem| problem.to_string());
            let why = ClientError::Busy { url: url.to_string(), status, detail, after: seconds };
            if is_down && self.method == Method::GET {
                return Err(why.into());
            }
            // A gateway does not know what the server behind it has done.
            let may_be_done = is_down || matches!(status, 502 | 504);
            return Err(Failure::Transient { why, retry_after: after, may_be_done });
        }
        let body = match status {
            // The bar of an upload has ended before its answer.
            200..=299 if self.upload.is_some() => body::read(&url, answer, self.most, &mut |_, _| {})?,
            200..=299 => body::read(&url, answer, self.most, progress)?,
            _ => body::read_refusal(&url, answer),
        };
        if is_behind {
            notice::show("the change is done; lists and search show it in a moment");
        }
        Ok(Answer { url, status, content_type, left_origin, login_advice, body })
    }
}

/// A request body that reports its progress.
struct ProgressReader<'a, 'p> {
    rest: Cursor<&'a [u8]>,
    size: u64,
    progress: &'p mut dyn FnMut(u64, Option<u64>),
}

impl Read for ProgressReader<'_, '_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let read = self.rest.read(into)?;
        (self.progress)(self.rest.position(), Some(self.size));
        Ok(read)
    }
}
