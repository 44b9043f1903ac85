//! Requests of the server to the issuers of identities.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use client::http::Connections;
use server::identity::{MAX_ANSWER_BYTES, Outbound, TIMEOUT};
use ureq::http::{Request, Response};

/// The connections of the environment: its proxies, and its root certificates.
pub struct IssuerConnections(Connections);

impl IssuerConnections {
    /// Connects only when an issuer is asked.
    pub fn of_environment() -> Self {
        Self(Connections::of_environment(|config| config.timeout_global(Some(TIMEOUT))))
    }
}

impl Outbound for IssuerConnections {
    fn send(&self, request: Request<Vec<u8>>) -> Result<Response<Vec<u8>>, String> {
        let (head, body) = self.0.send(request).map_err(|why| why.to_string())?.into_parts();
        let mut bytes = Vec::new();
        let read = body.into_reader().take(MAX_ANSWER_BYTES + 1).read_to_end(&mut bytes);
        read.map_err(|why| format!("its answer is cut off: {why}"))?;
        if bytes.len() as u64 > MAX_ANSWER_BYTES {
            return Err("its answer is too long".to_owned());
        }
        Ok(Response::from_parts(head, bytes))
    }

    fn read(&self, file: &Path) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        let read = File::open(file).and_then(|file| file.take(MAX_ANSWER_BYTES).read_to_end(&mut bytes));
        read.map(|_| bytes).map_err(|why| format!("{}: {why}", file.display()))
    }
}

impl fmt::Debug for IssuerConnections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IssuerConnections").finish_non_exhaustive()
    }
}
