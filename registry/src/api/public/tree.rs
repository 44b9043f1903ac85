//! Records that are about a registry's tree as a whole.

use std::borrow::Cow;

use data_encoding::BASE64;
use serde::{Deserialize, Serialize};

use crate::names::Digest;
use crate::public::{Epoch, Revision};
use crate::time::Timestamp;
use crate::transparency_log::{LogIndex, VerifierKey};

/// The base path of the API.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Discovery {
    pub api_base: String,
    /// The credential that reads need; left out if everyone may read.
    #[serde(default, skip_serializing_if = "RequiredCredential::is_none")]
    pub reads: RequiredCredential,
}

/// The credential without which a registry answers no read but health and discovery.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum RequiredCredential {
    /// Everyone may read.
    #[default]
    None,
    /// A token with the scope `read`, a session or a read key.
    Token,
}

impl RequiredCredential {
    /// Whether everyone may read.
    pub fn is_none(&self) -> bool {
        *self == Self::None
    }
}

/// The revision up to which the tree is complete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct Head {
    /// Identifies the history. Revisions of different epochs cannot be compared.
    pub epoch: Epoch,
    pub revision: Revision,
    pub at: Timestamp,
    /// The number of pages of the feed.
    pub pages: u64,
    /// The sha256 of the last page.
    pub sha256: Option<Digest>,
    pub counters: CountersHead,
    /// The sha256 of the settings document.
    pub settings: Digest,
    pub log: LogHead,
    /// The format version in which this release writes documents.
    pub format: u32,
}

/// The published counters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct CountersHead {
    pub generation: u64,
    /// The sha256 over the digests of all shards, in order.
    pub sha256: Digest,
}

/// The transparency log of the rows up to the head.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct LogHead {
    /// The number of its leaves.
    pub size: u64,
    /// The root of its Merkle tree, in base64.
    pub root: String,
}

impl LogHead {
    /// The record of a log.
    pub fn of(log: &LogIndex) -> Self {
        Self { size: log.size(), root: BASE64.encode(&log.root().0) }
    }
}

/// The keys that sign the registry's checkpoints.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct RegistryKeys<'a> {
    /// The name of the registry in its checkpoints; null if it does not sign.
    pub name: Option<Cow<'a, str>>,
    pub keys: Vec<RegistryKeyRecord<'a>>,
}

/// A key that signs or has signed the registry's checkpoints.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct RegistryKeyRecord<'a> {
    /// The verifier key, as in C2SP signed-note.
    #[cfg_attr(feature = "openapi", schemars(with = "String"))]
    pub key: Cow<'a, VerifierKey>,
    /// The time since which it signs no more; null while it signs.
    pub retired: Option<Timestamp>,
}
