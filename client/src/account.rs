//! Who a token is.

use serde::{Deserialize, Serialize};

use crate::http::{Http, JSON_LIMIT};
use crate::read::json;
use crate::{ClientError, RegistryAddress, Token};

/// Whom a registry takes the caller for.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Who {
    /// The name that never changes.
    pub handle: String,
    /// The name for people.
    pub display_name: String,
    /// `user`, `moderator` or `admin`.
    pub role: String,
}

/// Asks a registry whose token it is.
pub fn whoami(http: &Http, registry: &RegistryAddress, token: &Token) -> Result<Who, ClientError> {
    let Some(url) = registry.below("/api/v1/whoami") else {
        return Err(no_server(registry, "knows no users"));
    };
    let Some(answer) = http.get(&url, Some(token), JSON_LIMIT, &mut |_, _| {})?.found()? else {
        return Err(no_server(registry, "knows no users"));
    };
    json(&answer.body, answer.url.as_str(), Some(&answer.content_type), registry)
}

/// What to say where no login is saved for a registry: that it has none at all, where it is
/// a folder or answers no question about users. `what` says so of it, as in "knows no users".
pub fn without_login(http: &Http, registry: &RegistryAddress, what: &str) -> ClientError {
    let Some(url) = registry.below("/api/v1/whoami") else { return no_server(registry, what) };
    match http.get(&url, None, JSON_LIMIT, &mut |_, _| {}) {
        // A server says 401. Stores of files say 403 of what they do not have, other hosts show a page.
        Ok(answer) if matches!(answer.status, 200..=299 | 403 | 404 | 405 | 410) => no_server(registry, what),
        _ => ClientError::NoLogin(registry.to_string()),
    }
}

/// What is said to who asks a mirror for what only a write server can do.
pub(crate) fn no_server(registry: &RegistryAddress, what: &str) -> ClientError {
    ClientError::Unsupported(format!(
        "{registry} {what}: it is a static mirror, or no registry; name the write server with --registry"
    ))
}
