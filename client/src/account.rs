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

/// What is said to who asks a mirror for what only a write server can do.
pub(crate) fn no_server(registry: &RegistryAddress, what: &str) -> ClientError {
    ClientError::Unsupported(format!(
        "{registry} {what}: it is a static mirror, or no registry; name the write server with --registry"
    ))
}
