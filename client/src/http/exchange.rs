//! One attempt: a request, the redirects behind it, and the answer's body.

use std::io::{Cursor, Read};
use std::time::SystemTime;

use ureq::http::{Request, Response, header};
use ureq::{Body, SendBody};
use url::Url;

use crate::{ClientError, Token};

use super::agents::Agents;
use super::failure::Failure;
use super::redirect::{self, Sends};
use super::retry::retry_after;
use super::{Answer, Progress, Upload, body};

/// What is asked, and of whom.
pub(super) struct Exchange<'a> {
    pub agents: &'a Agents,
    pub url: &'a Url,
    pub token: Option<&'a Token>,
    pub upload: Option<&'a Upload<'a>>,
    /// How many bytes an answer may have.
    pub most: u64,
}

impl Exchange<'_> {
    /// Tries it once.
    pub(super) fn run(&self, progress: Progress<'_>) -> Result<Answer, Failure> {
        let mut url = self.url.clone();
        let mut token = self.token;
        for _ in 0..=redirect::MOST {
            let response = self.send(&url, token, progress)?;
            let status = response.status().as_u16();
            let location =
                response.headers().get(header::LOCATION).and_then(|location| location.to_str().ok());
            match location.filter(|_| redirect::is_redirect(status)) {
                Some(location) => {
                    let sends = if self.upload.is_some() { Sends::Package } else { Sends::Nothing };
                    let step = redirect::follow(&url, status, location, sends)?;
                    token = token.filter(|_| step.stays);
                    url = step.to;
                }
                None => return self.answer(url, token.is_none() && self.token.is_some(), response, progress),
            }
        }
        Err(ClientError::Redirect(format!(
            "{} redirects more than {} times, at last to {url}: the host is set up wrongly, or it is not the \
             address of a registry",
            self.url,
            redirect::MOST
        ))
        .into())
    }

    fn send(
        &self,
        url: &Url,
        token: Option<&Token>,
        progress: Progress<'_>,
    ) -> Result<Response<Body>, Failure> {
        // A redirect may lead another way.
        let agent = self.agents.of(url)?;
        let method = if self.upload.is_some() { "POST" } else { "GET" };
        let mut request = Request::builder().method(method).uri(url.as_str());
        if let Some(token) = token {
            request = request.header(header::AUTHORIZATION, token.header());
        }
        let malformed =
            |why: ureq::http::Error| ClientError::Unreachable { url: url.to_string(), why: why.to_string() };
        let response = match self.upload {
            None => agent.run(request.body(()).map_err(malformed)?),
            Some(upload) => {
                let size = upload.body.len() as u64;
                let mut body = Told { rest: Cursor::new(upload.body), size, progress };
                let request = request
                    .header(header::CONTENT_TYPE, upload.content_type)
                    .header(header::CONTENT_LENGTH, size)
                    // A registry that refuses says so before all of it is sent.
                    .header(header::EXPECT, "100-continue")
                    .body(SendBody::from_reader(&mut body))
                    .map_err(malformed)?;
                agent.run(request)
            }
        };
        response.map_err(|why| Failure::before_the_answer(url, &why))
    }

    fn answer(
        &self,
        url: Url,
        token_left_behind: bool,
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
            let why = ClientError::Busy { url: url.to_string(), status, after: seconds };
            return Err(Failure::Passing { why, after });
        }
        let body = match status {
            200..=299 => body::read(&url, response, self.most, progress)?,
            _ => body::read_refusal(response),
        };
        Ok(Answer { url, status, content_type, token_left_behind, body })
    }
}

/// A body that is sent, and told of.
struct Told<'a, 'p> {
    rest: Cursor<&'a [u8]>,
    size: u64,
    progress: &'p mut dyn FnMut(u64, Option<u64>),
}

impl Read for Told<'_, '_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let read = self.rest.read(into)?;
        (self.progress)(self.rest.position(), Some(self.size));
        Ok(read)
    }
}
