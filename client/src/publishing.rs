//! Publishing: a form with a package and what is said about it.

use registry::names::{Digest, Version};
use registry::package::Finding;
use serde_json::Value;

use crate::account::no_server;
use crate::http::{Answer, Http, Progress, Upload};
use crate::read::json;
use crate::{ClientError, RegistryAddress, Token};

/// What is published.
pub struct Publication<'a> {
    /// The package.
    pub zip: &'a [u8],
    /// What it is called, which names a skill that does not say its name.
    pub name: &'a str,
    /// The fields of the form that are given: `namespace`, `slug`, `version`,
    /// `changelog`, `tags`, `dryRun`.
    pub fields: &'a [(&'static str, String)],
}

/// What became of it.
#[derive(Debug, Clone, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Published {
    /// The namespace it is in.
    pub namespace: String,
    /// Its full name.
    pub canonical_slug: registry::names::Coordinate,
    /// The version it has become.
    pub version: Version,
    /// `published` or `pending_review`.
    pub status: String,
    /// Of the package as the registry keeps it.
    pub sha256: Digest,
    /// How many files it has.
    pub file_count: u64,
    /// Bytes of the package as the registry keeps it.
    pub package_size: u64,
    /// The review that decides about it, where one does.
    pub review_id: Option<String>,
    /// What its publisher should know.
    pub warnings: Vec<Finding>,
}

/// What became of it, as the registry said it.
pub struct Receipt {
    /// What is shown.
    pub published: Published,
    /// All of it.
    pub json: Value,
    /// Whether it is new: else the registry had it already.
    pub is_new: bool,
}

/// Publishes a package. It may be sent more than once, where no answer comes: a
/// registry that has it already says so.
pub fn publish(
    http: &Http,
    registry: &RegistryAddress,
    token: &Token,
    publication: &Publication<'_>,
    progress: Progress<'_>,
) -> Result<Receipt, ClientError> {
    let Some(url) = registry.below("/api/v1/publish") else {
        return Err(no_server(registry, "takes no publications"));
    };
    // No archive holds its own digest.
    let digest = Digest::of(publication.zip).to_string();
    let boundary = format!("----skillmirror{}", digest.get(..48).unwrap_or(&digest));
    let body = form(publication, &boundary);
    let content_type = format!("multipart/form-data; boundary={boundary}");
    let answer = http.post(&url, token, &Upload { content_type: &content_type, body: &body }, progress)?;
    match answer.status {
        200..=299 => receipt(&answer, registry),
        status => Err(match (status, answer.refusal()) {
            (404 | 405 | 501, ClientError::Status { .. }) => no_server(registry, "takes no publications"),
            (_, why) => why,
        }),
    }
}

fn receipt(answer: &Answer, registry: &RegistryAddress) -> Result<Receipt, ClientError> {
    let (url, kind) = (answer.url.as_str(), Some(answer.content_type.as_str()));
    let published = json(&answer.body, url, kind, registry)?;
    Ok(Receipt { published, json: json(&answer.body, url, kind, registry)?, is_new: answer.status == 201 })
}

/// A form as browsers send it (RFC 7578), whole, so that it has a length and can be
/// sent again.
fn form(publication: &Publication<'_>, boundary: &str) -> Vec<u8> {
    let mut body = Vec::with_capacity(publication.zip.len() + 1024);
    for (name, value) in publication.fields {
        let head = format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(value.as_bytes());
        body.extend_from_slice(b"\r\n");
    }
    let quoted = |c: char| if c.is_control() || matches!(c, '"' | '\\') { '_' } else { c };
    let name: String = publication.name.chars().map(quoted).collect();
    let head = format!(
        "--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}.zip\"\r\n\
         Content-Type: application/zip\r\n\r\n"
    );
    body.extend_from_slice(head.as_bytes());
    body.extend_from_slice(publication.zip);
    body.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_written_as_browsers_do() {
        let fields = [("version", "1.0.0".to_owned())];
        let publication = Publication { zip: b"PK", name: "a\"b\r\n", fields: &fields };
        let expected = "--X\r\nContent-Disposition: form-data; name=\"version\"\r\n\r\n1.0.0\r\n\
                        --X\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a_b__.zip\"\r\n\
                        Content-Type: application/zip\r\n\r\nPK\r\n--X--\r\n";
        assert_eq!(String::from_utf8_lossy(&form(&publication, "X")), expected);
    }
}
