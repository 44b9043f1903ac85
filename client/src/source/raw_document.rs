//! A document as it was read, and whether it is JSON or a web page.

use serde::de::DeserializeOwned;
use serde_json::error::Category;

use crate::http::Answer;
use crate::{ClientError, RegistryAddress};

/// The bytes of a document, and where they came from.
pub(crate) struct RawDocument {
    /// The URL or path, for messages.
    pub from: String,
    /// The whole document.
    pub bytes: Vec<u8>,
    /// The `Content-Type`. None for a file.
    pub content_type: Option<String>,
}

impl RawDocument {
    /// Whether it is a web page.
    pub(crate) fn is_page(&self) -> bool {
        is_page(&self.bytes, self.content_type.as_deref())
    }

    /// Parses a JSON document of `registry`. The error distinguishes a web page from invalid
    /// JSON.
    pub(crate) fn parse<T: DeserializeOwned>(&self, registry: &RegistryAddress) -> Result<T, ClientError> {
        serde_json::from_slice(&self.bytes).map_err(|why| {
            let (url, registry) = (self.from.clone(), registry.to_string());
            if self.is_page() {
                ClientError::WebPage { url, registry }
            } else {
                ClientError::NotTheDocument { url, registry, why: json_problem(&why) }
            }
        })
    }
}

impl From<Answer> for RawDocument {
    fn from(answer: Answer) -> Self {
        Self { from: answer.url.to_string(), content_type: Some(answer.content_type), bytes: answer.body }
    }
}

/// What is wrong with a document. The parser's own text is for programmers, and quotes the document.
pub(crate) fn json_problem(why: &serde_json::Error) -> String {
    match why.classify() {
        Category::Data => "it lacks something, or has it in another form".to_owned(),
        Category::Syntax | Category::Eof | Category::Io => {
            format!("it is not JSON (line {}, column {})", why.line(), why.column())
        }
    }
}

/// Whether these bytes are a web page, such as a host's answer to any request, or the login
/// form of a network. No document and no package starts like one.
pub(crate) fn is_page(bytes: &[u8], content_type: Option<&str>) -> bool {
    content_type.is_some_and(|kind| kind.contains("html")) || bytes.trim_ascii_start().starts_with(b"<")
}
