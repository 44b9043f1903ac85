//! What has been read of a registry, and whether it is a document.

use serde::de::DeserializeOwned;

use crate::http::Answer;
use crate::{ClientError, RegistryAddress};

/// What has been read: a document's bytes, and where they were found.
pub(crate) struct Read {
    /// The address or path, for messages.
    pub from: String,
    /// All of it.
    pub bytes: Vec<u8>,
    /// What the host says that it is; None of a file.
    pub content_type: Option<String>,
}

impl Read {
    /// Whether it is a web page: what many hosts answer to any request.
    pub(crate) fn is_page(&self) -> bool {
        is_page(&self.bytes, self.content_type.as_deref())
    }
}

impl From<Answer> for Read {
    fn from(answer: Answer) -> Self {
        Self { from: answer.url.to_string(), content_type: Some(answer.content_type), bytes: answer.body }
    }
}

/// Whether these bytes, of that type where it is known, are a web page: the page of a
/// host that answers everything with one, or the form of a network that wants a login.
/// No document and no package begins as one does.
pub(crate) fn is_page(bytes: &[u8], content_type: Option<&str>) -> bool {
    content_type.is_some_and(|kind| kind.contains("html")) || bytes.trim_ascii_start().starts_with(b"<")
}

/// Reads a JSON document that came from `url`; hosts that answer everything with
/// a page of their own are told from registries.
pub(crate) fn json<T: DeserializeOwned>(
    bytes: &[u8],
    url: &str,
    content_type: Option<&str>,
    registry: &RegistryAddress,
) -> Result<T, ClientError> {
    serde_json::from_slice(bytes).map_err(|why| {
        let (url, registry) = (url.to_owned(), registry.to_string());
        if is_page(bytes, content_type) {
            ClientError::WebPage { url, registry }
        } else {
            ClientError::NotTheDocument { url, registry, why: why.to_string() }
        }
    })
}
