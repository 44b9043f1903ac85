//! Reads from a source over HTTP. The source is not trusted, and may lead anywhere.

use std::cell::Cell;
use std::io::{ErrorKind, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use client::http::{Connections, MAX_REDIRECTS, NotPublic, follow_redirect, is_public_address, is_redirect};
use registry::connection_fault::io_fault;
use serde::de::DeserializeOwned;
use ureq::http::{HeaderMap, Method, Request, Response, header};
use ureq::{Body, Error};
use url::{Host, Url};

use crate::config::source::{SourceAddress, SourceSection};

/// The most bytes of a JSON document.
const MAX_JSON: u64 = 16 << 20;

/// What refuses an address that is not public.
pub const ALLOW_PRIVATE: &str = "`private_network = true` in the settings of the source allows it";

/// The end of a check.
#[derive(Clone)]
pub struct Deadline {
    end: Instant,
    time: Duration,
    is_stopped: Arc<AtomicBool>,
}

impl Deadline {
    /// A check that begins now. It also ends when `is_stopped` is set.
    pub fn after(time: Duration, is_stopped: Arc<AtomicBool>) -> Self {
        Self { end: Instant::now() + time, time, is_stopped }
    }

    /// The time that is left. The error is the reason for the end.
    pub fn left(&self) -> Result<Duration, String> {
        if self.is_stopped.load(Ordering::Relaxed) {
            return Err("the server stops".into());
        }
        let left = self.end.saturating_duration_since(Instant::now());
        match left.is_zero() {
            false => Ok(left),
            true => Err(format!("the check takes longer than {} seconds (max_time)", self.time.as_secs())),
        }
    }
}

/// Reads what a source has at its addresses, within the limits of its settings.
pub struct Fetcher {
    connections: Connections,
    /// The headers with the credential, for the origin only.
    credential: HeaderMap,
    origin: Option<url::Origin>,
    allows_private: bool,
    deadline: Deadline,
    max_bytes: u64,
    read: Cell<u64>,
}

impl Fetcher {
    /// Connects when the first address is read. The error is about the credential.
    pub fn new(source: &SourceSection, deadline: Deadline) -> Result<Self, String> {
        let origin = match &source.address {
            SourceAddress::Web(url) => Some(url.origin()),
            SourceAddress::Folder(_) => None,
        };
        let connections = Connections::of_environment(|config| config);
        let credential = source.credential().map(|credential| credential.headers()).transpose();
        let credential = credential.map_err(|why| format!("its credential cannot be read: {why}"))?;
        Ok(Self {
            connections: connections.only_to_public_addresses(!source.private_network),
            credential: credential.unwrap_or_default(),
            origin,
            allows_private: source.private_network,
            deadline,
            max_bytes: source.max_bytes,
            read: Cell::new(0),
        })
    }

    /// Reads a JSON document.
    pub fn json<T: DeserializeOwned>(&self, url: &Url) -> Result<T, String> {
        let bytes = self.get(url, MAX_JSON)?;
        serde_json::from_slice(&bytes).map_err(|why| {
            let is_page = bytes.trim_ascii_start().starts_with(b"<");
            let why = if is_page { "it is a web page".to_owned() } else { why.to_string() };
            format!("{}: this is not the JSON document of such a source: {why}", shown(url))
        })
    }

    /// Reads at most `most` bytes. Each redirect is checked like the first address.
    pub fn get(&self, url: &Url, most: u64) -> Result<Vec<u8>, String> {
        let mut url = url.clone();
        for _ in 0..=MAX_REDIRECTS {
            let response = self.send(&url).map_err(|why| format!("{}: {why}", shown(&url)))?;
            let status = response.status().as_u16();
            if is_redirect(status) {
                let location = response.headers().get(header::LOCATION).and_then(|to| to.to_str().ok());
                url = follow_redirect(&url, status, location.unwrap_or_default(), &Method::GET)
                    .map_err(|why| why.to_string())?;
                continue;
            }
            if status != 200 {
                return Err(format!("{} answered with status {status}", shown(&url)));
            }
            return self.body(response, most).map_err(|why| format!("{}: {why}", shown(&url)));
        }
        Err(format!("{} redirects more than {MAX_REDIRECTS} times", shown(&url)))
    }

    fn send(&self, url: &Url) -> Result<Response<Body>, String> {
        // Behind a proxy nobody resolves the name here.
        let literal = match url.host() {
            Some(Host::Ipv4(ip)) => Some(ip.into()),
            Some(Host::Ipv6(ip)) => Some(ip.into()),
            _ => None,
        };
        if let Some(ip) = literal.filter(|ip| !self.allows_private && !is_public_address(*ip)) {
            return Err(format!(
                "{ip} is an address of this machine or of a private network: {ALLOW_PRIVATE}"
            ));
        }
        let mut request = Request::get(url.as_str());
        if self.origin == Some(url.origin()) {
            for (name, value) in &self.credential {
                request = request.header(name, value);
            }
        }
        let request = request.body(()).map_err(|why| why.to_string())?;
        let agent = self.connections.agent(url.as_str()).map_err(|why| why.to_string())?;
        let left = self.deadline.left()?;
        let request = agent.configure_request(request).timeout_global(Some(left)).build();
        agent.run(request).map_err(|why| self.told(&why))
    }

    fn told(&self, why: &Error) -> String {
        match why {
            Error::Other(other) if other.downcast_ref::<NotPublic>().is_some() => {
                format!("{other}: {ALLOW_PRIVATE}")
            }
            Error::HostNotFound => "there is no such host".to_owned(),
            Error::Io(why) if why.kind() != ErrorKind::TimedOut => io_fault(why),
            other => self.deadline.left().err().unwrap_or_else(|| other.to_string()),
        }
    }

    fn body(&self, response: Response<Body>, most: u64) -> Result<Vec<u8>, String> {
        let left = self.max_bytes.saturating_sub(self.read.get());
        let mut bytes = Vec::new();
        let read = response.into_body().into_reader().take(most.min(left) + 1).read_to_end(&mut bytes);
        self.read.set(self.read.get() + bytes.len() as u64);
        if bytes.len() as u64 > most {
            return Err(format!("the answer is longer than {most} bytes"));
        }
        if self.read.get() > self.max_bytes {
            return Err(format!("the check would read more than {} bytes (max_bytes)", self.max_bytes));
        }
        match read {
            Ok(_) => Ok(bytes),
            Err(why) => {
                Err(self.deadline.left().err().unwrap_or_else(|| format!("the answer is cut off: {why}")))
            }
        }
    }
}

/// An address without its query, which may be a credential.
pub fn shown(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    url.into()
}
