//! The answer to a request.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::source::RawDocument;
use crate::{ClientError, RegistryAddress};

/// The answer to a request. It has no `Debug`, because it may have the text of a token.
pub struct Reply<T> {
    /// The fields that the client uses.
    pub record: T,
    /// The whole answer. `{}` if the registry sent no body.
    pub json: Value,
}

impl<T: DeserializeOwned> Reply<T> {
    /// Parses an answer. An empty body counts as `{}`.
    pub(super) fn parse(raw: &RawDocument, registry: &RegistryAddress) -> Result<Self, ClientError> {
        if raw.bytes.is_empty() {
            let empty = RawDocument { bytes: b"{}".to_vec(), from: raw.from.clone(), content_type: None };
            return Ok(Self { record: empty.parse(registry)?, json: empty.parse(registry)? });
        }
        Ok(Self { record: raw.parse(registry)?, json: raw.parse(registry)? })
    }
}
