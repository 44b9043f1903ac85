//! API tokens: `smt_` and 256 random bits in lower-case base32. Only their
//! digests are stored.

use std::fmt;
use std::io;

use serde::{Deserialize, Serialize};

use super::{Scopes, TokenPrefix};
use crate::names::{Digest, Handle};
use crate::public::Id;
use crate::random::random_base32;
use crate::time::Timestamp;

/// The text of a token. It is shown once, and `Debug` hides it.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    const PREFIX: &'static str = "smt_";

    const JOB_PREFIX: &'static str = "smj_";

    /// A new random token.
    ///
    /// Errors: the system has no random numbers.
    pub fn generate() -> io::Result<Self> {
        Ok(Self(format!("{}{}", Self::PREFIX, random_base32::<32>()?)))
    }

    /// A new random token of a job.
    ///
    /// Errors: the system has no random numbers.
    pub fn generate_for_job() -> io::Result<Self> {
        Ok(Self(format!("{}{}", Self::JOB_PREFIX, random_base32::<32>()?)))
    }

    /// Whether a text may be a token of a job, which the local data have, and not the journal.
    pub fn is_of_job(text: &str) -> bool {
        text.starts_with(Self::JOB_PREFIX)
    }

    /// The text itself, to be shown once.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The digest to store. A plain sha256 suffices for 256 random bits.
    pub fn digest(&self) -> Digest {
        Digest::of(self.0.as_bytes())
    }

    /// The first characters, by which people tell their tokens apart.
    pub fn prefix(&self) -> TokenPrefix {
        TokenPrefix::of(&self.0)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// The fields of a token that its row has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IssuedToken {
    /// The owner.
    pub handle: Handle,
    /// The name that the owner gave it.
    pub name: String,
    /// The first characters of its text.
    pub prefix: TokenPrefix,
    /// The sha256 of its text.
    pub digest: Digest,
    /// The uses it allows.
    pub scopes: Scopes,
    /// The end of its validity, if any.
    pub expires_at: Option<Timestamp>,
}

/// A token that may be used, unless it has expired.
#[derive(Debug, Clone)]
pub struct Token {
    /// The revision of the row that issued it.
    pub id: Id,
    /// The time of the row that issued it.
    pub created_at: Timestamp,
    /// The fields of the row. Its end is at most that of its parent.
    pub issued: IssuedToken,
    /// The token that it was made with. If that is revoked, so is this one.
    pub parent: Option<Id>,
    /// The public id of the session that it, or its first ancestor, was made in. The
    /// token ends with it.
    pub session: Option<String>,
}

impl Token {
    /// Whether it has expired at `now`.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.issued.expires_at.is_some_and(|end| end <= now)
    }
}
