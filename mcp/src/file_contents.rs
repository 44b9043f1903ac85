//! A file of a skill as the contents of a resource: text as text, anything else in base64.

use data_encoding::BASE64;
use rmcp::model::ResourceContents;

/// Makes the contents of a resource.
pub(crate) fn contents(uri: &str, media_type: &str, bytes: &[u8]) -> ResourceContents {
    let contents = match std::str::from_utf8(bytes) {
        Ok(text) => ResourceContents::text(text, uri),
        Err(_) => ResourceContents::blob(BASE64.encode(bytes), uri),
    };
    contents.with_mime_type(media_type)
}
