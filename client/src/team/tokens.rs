//! The caller's tokens.

use std::fmt;

use registry::public::Id;
use registry::roles::Scope;
use registry::time::Timestamp;
use serde::Deserialize;
use serde_json::json;

use super::records::{Ignored, TokenRecord};
use super::signed_in::given;
use super::{PageRequest, Reply, SignedIn};
use crate::ClientError;
use crate::source::records::List;

/// A new token with its text, which the registry shows this once.
#[derive(Deserialize)]
pub struct NewToken {
    /// The token.
    #[serde(flatten)]
    pub record: TokenRecord,
    /// Its text. Print it on standard output only.
    #[serde(rename = "token")]
    pub text: String,
}

impl fmt::Debug for NewToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewToken").field("record", &self.record).finish_non_exhaustive()
    }
}

/// The caller's tokens that were not revoked.
pub fn list(of: &SignedIn, page: PageRequest) -> Result<Reply<List<TokenRecord>>, ClientError> {
    of.list("/api/v1/tokens", page)
}

/// Creates a token. By default it has the scopes and the end of the token in use.
pub fn create(
    of: &SignedIn,
    name: &str,
    scopes: Option<&[Scope]>,
    expires_at: Option<Timestamp>,
) -> Result<Reply<NewToken>, ClientError> {
    of.post("/api/v1/tokens", &given(json!({"name": name, "scopes": scopes, "expiresAt": expires_at})))
}

/// Revokes a token, and all tokens that were made with it.
pub fn revoke(of: &SignedIn, id: Id) -> Result<Reply<Ignored>, ClientError> {
    of.delete(&format!("/api/v1/tokens/{id}"))
}
