//! One attempt at a request, with its redirects and the body of the answer.

use std::io::{Cursor, Read};
use std::time::SystemTime;

use registry::user_agent::INSPECTING_USER_AGENT;
use ureq::http::{Method, Request, Response, header};
use ureq::{Body, SendBody};
use url::Url;

use crate::{ClientError, Problem, Token};

use super::connections::Connections;
use super::failure::Failure;
use super::redirect;
use super::retry::retry_after;
use super::revisions::MIN_REVISION;
use super::{Answer, Progress, Purpose, Upload, body};

/// What every attempt at a request needs.
pub(super) struct Attempt<'a> {
    pub connections: &'a Connections,
    pub url: &'a Url,
    pub token: Option<&'a Token>,
    pub method: Method,
    pub upload: Option<&'a Upload<'a>>,
    pub purpose: Purpose,
    /// The size limit of the answer.
    pub most: u64,
}

impl Attempt<'_> {
    /// Sends the request once, and follows redirects.
    pub(super) fn run(&self, progress: Progress<'_>) -> Result<Answer, Failure> {
        let mut url = self.url.clone();
        let mut token = self.token;
        for _ in 0..=redirect::MAX_REDIRECTS {
            let response = self.send(&url, token, progress)?;
            let status = response.status().as_u16();
            let location =
                response.headers().get(header::LOCATION).and_then(|location| location.to_str().ok());
            // Registries redirect no deletion, so that is an answer like any other.
            let is_followed = redirect::is_redirect(status) && self.method != Method::DELETE;
            match location.filter(|_| is_followed) {
                Some(location) => {
                    let to = redirect::follow(&url, status, location, &self.method)?;
                    token = token.filter(|_| to.origin() == url.origin());
                    url = to;
                }
                None => return self.answer(url, token.is_none() && self.token.is_some(), response, progress),
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
        progress: Progress<'_>,
    ) -> Result<Response<Body>, Failure> {
        // A redirect may need another proxy.
        let agent = self.connections.of(url)?;
        let mut request = Request::builder().method(&self.method).uri(url.as_str());
        if self.purpose == Purpose::Inspection {
            request = request.header(header::USER_AGENT, INSPECTING_USER_AGENT);
        }
        if let Some(token) = token {
            request = request.header(header::AUTHORIZATION, token.header());
        }
        if let Some(revision) = self.connections.revisions.of(url) {
            request = request.header(MIN_REVISION, revision);
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
        let response = response.map_err(|why| Failure::before_answer(url, &why))?;
        self.connections.revisions.note(url, response.headers());
        Ok(response)
    }

    fn answer(
        &self,
        url: Url,
        token_withheld: bool,
        response: Response<Body>,
        progress: Progress<'_>,
    ) -> Result<Answer, Failure> {
        let status = response.status().as_u16();
        let text = |name: header::HeaderName| {
            response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
        };
        let content_type = text(header::CONTENT_TYPE).unwrap_or_default();
        let after = text(header::RETRY_AFTER).and_then(|text| retry_after(&text, SystemTime::now()));
        if matches!(status, 429 | 502 | 503 | 504) {
            let seconds = after.map(|after| after.as_secs());
            let detail = Problem::read(&body::read_refusal(response)).map(|problem| problem.to_string());
            let why = ClientError::Busy { url: url.to_string(), status, detail, after: seconds };
            // A gateway does not know what the server behind it has done.
            let may_be_done = matches!(status, 502 | 504);
            return Err(Failure::Transient { why, retry_after: after, may_be_done });
        }
        let body = match status {
            // The bar of an upload has ended before its answer.
            200..=299 if self.upload.is_some() => body::read(&url, response, self.most, &mut |_, _| {})?,
            200..=299 => body::read(&url, response, self.most, progress)?,
            _ => body::read_refusal(response),
        };
        Ok(Answer { url, status, content_type, token_withheld, body })
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
