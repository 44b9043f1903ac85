//! Requests to issuers.

use std::fmt::Debug;
use std::net::Ipv4Addr;
use std::path::Path;
use std::time::Duration;

use hyper::{Request, Response, Uri};

/// The longest answer that is read.
pub const MAX_ANSWER_BYTES: u64 = 1 << 20;

/// The time limit for a request with its answer.
pub const TIMEOUT: Duration = Duration::from_secs(10);

/// Sends requests to issuers. The program has the connections, because they need proxies and root
/// certificates of the environment.
pub trait Outbound: Debug + Send + Sync {
    /// Sends a request within [`TIMEOUT`], follows no redirect, and returns the whole answer. Blocks.
    ///
    /// Errors: a phrase that says why there is no answer of at most [`MAX_ANSWER_BYTES`].
    fn send(&self, request: Request<Vec<u8>>) -> Result<Response<Vec<u8>>, String>;

    /// Reads a file with the keys of an issuer that cannot be asked, of at most [`MAX_ANSWER_BYTES`].
    fn read(&self, file: &Path) -> Result<Vec<u8>, String>;
}

/// Checks the address of an issuer or of a document of one: `https`, or `http` on this machine, without name and
/// password. Others on the way could replace keys.
///
/// Errors: a phrase that says what is wrong.
pub fn check_address(text: &str) -> Result<Uri, String> {
    let wrong = || format!("{text:?} is not an https address");
    let uri: Uri = text.parse().map_err(|_| wrong())?;
    let host = uri.host().unwrap_or_default();
    let is_here = matches!(host, "localhost" | "[::1]")
        || host.parse::<Ipv4Addr>().is_ok_and(|address| address.is_loopback());
    let is_secret = uri.scheme_str() == Some("https") || (uri.scheme_str() == Some("http") && is_here);
    let has_user = uri.authority().is_some_and(|authority| authority.as_str().contains('@'));
    // `Uri` drops a fragment.
    if !is_secret || host.is_empty() || has_user || text.contains('#') { Err(wrong()) } else { Ok(uri) }
}
