//! Asks a registry for the user of a token.

use registry::api::private::{Account, Whoami};

use crate::http::{Http, JSON_LIMIT};
use crate::source::RawDocument;
use crate::{ClientError, RegistryAddress, Token};

/// Asks a registry for the user of a token.
pub fn whoami(http: &Http, registry: &RegistryAddress, token: &Token) -> Result<Whoami, ClientError> {
    let no_users = || not_a_server(registry, "has no users");
    let url = registry.url_of("/api/v1/whoami").ok_or_else(no_users)?;
    let answer = http.get(&url, Some(token), JSON_LIMIT, &mut |_, _| {})?.found()?.ok_or_else(no_users)?;
    RawDocument::from(answer).parse(registry)
}

/// Revokes a token at its registry, and all tokens that were made with it. A token that no
/// longer works counts as revoked.
pub fn revoke(http: &Http, registry: &RegistryAddress, token: &Token) -> Result<(), ClientError> {
    let no_users = || not_a_server(registry, "has no users");
    let url = registry.url_of("/api/v1/auth/me").ok_or_else(no_users)?;
    let answer = http.get(&url, Some(token), JSON_LIMIT, &mut |_, _| {})?;
    if answer.status == 401 && !answer.left_origin {
        return Ok(());
    }
    let account: Account = RawDocument::from(answer.found()?.ok_or_else(no_users)?).parse(registry)?;
    // A token always sees itself in the account.
    let Some(own) = account.token else { return Ok(()) };
    let path = format!("/api/v1/tokens/{}", own.id);
    let answer = http.delete(&registry.url_of(&path).ok_or_else(no_users)?, token)?;
    match answer.status {
        // 401: an earlier attempt revoked it, but its answer was lost.
        200..=299 | 401 | 404 => Ok(()),
        _ => Err(answer.refusal()),
    }
}

/// The error if no login is saved for a registry. A folder or static host has no logins at
/// all. `lack` names its lack, as in "has no users".
pub fn missing_login(http: &Http, registry: &RegistryAddress, lack: &str) -> ClientError {
    let Some(url) = registry.url_of("/api/v1/whoami") else { return not_a_server(registry, lack) };
    match http.get(&url, None, JSON_LIMIT, &mut |_, _| {}) {
        // The credential for reads is a token, too.
        Ok(answer) if serde_json::from_slice::<Whoami>(&answer.body).is_ok() => {
            ClientError::NoLogin(registry.to_string())
        }
        // A server answers 401. Object stores answer 403 for missing files, other hosts a page.
        Ok(answer) if matches!(answer.status, 200..=299 | 403 | 404 | 405 | 410) => {
            not_a_server(registry, lack)
        }
        _ => ClientError::NoLogin(registry.to_string()),
    }
}

/// The error for a request that only a server can answer.
pub(crate) fn not_a_server(registry: &RegistryAddress, lack: &str) -> ClientError {
    ClientError::Unsupported(format!(
        "{registry} {lack}: it is a static mirror, or not a registry. Name the server with --registry"
    ))
}
