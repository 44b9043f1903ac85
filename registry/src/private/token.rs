//! API tokens: `smt_` and 256 random bits in lower-case base32. Only their
//! digest is kept.

use std::fmt;

use data_encoding::{BASE32_NOPAD, Encoding};
use serde::{Deserialize, Serialize};

use super::Scopes;
use crate::names::{Digest, Handle};
use crate::public::Id;
use crate::time::Timestamp;

/// A token's text, which is shown once and never printed by accident.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    const PREFIX: &'static str = "smt_";

    /// A new random token.
    ///
    /// Errors: when the system has no random numbers to give.
    pub fn generate() -> Result<Self, getrandom::Error> {
        let mut random = [0u8; 32];
        getrandom::fill(&mut random)?;
        let encoding: &Encoding = &BASE32_NOPAD;
        Ok(Self(format!("{}{}", Self::PREFIX, encoding.encode(&random).to_ascii_lowercase())))
    }

    /// The token itself, for its one showing.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What is kept of it: a plain sha256 suffices for 256 random bits.
    pub fn digest(&self) -> Digest {
        Digest::of(self.0.as_bytes())
    }

    /// The beginning, by which people tell their tokens apart.
    pub fn prefix(&self) -> TokenPrefix {
        TokenPrefix(self.0.chars().take(Self::PREFIX.len() + 6).collect())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// The first ten characters of a token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenPrefix(String);

/// A token that may be used, unless it has expired.
#[derive(Debug, Clone)]
pub struct Token {
    /// Its id.
    pub id: Id,
    /// Whose it is.
    pub handle: Handle,
    /// What its owner calls it.
    pub name: String,
    /// How it begins.
    pub prefix: TokenPrefix,
    /// What is kept of it.
    pub digest: Digest,
    /// What it may be used for.
    pub scopes: Scopes,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends.
    pub expires_at: Option<Timestamp>,
}

impl Token {
    /// Whether its time is over.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }
}
