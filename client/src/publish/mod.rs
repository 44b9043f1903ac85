//! Publishes a package as an HTML form.

mod folder;
mod folder_content;
pub mod job_token;
mod local_error;
pub mod local_package;

use registry::api::private::PublishReply;
use registry::names::Digest;
use serde_json::Value;

use crate::http::{Http, Progress, Upload};
use crate::login::not_a_server;
use crate::source::RawDocument;
use crate::{ClientError, RegistryAddress, Token};

/// A package to publish.
pub struct Publication<'a> {
    /// The package.
    pub zip: &'a [u8],
    /// The file name without `.zip`. It names a skill that does not contain its name.
    pub name: &'a str,
    /// The other fields of the form: `namespace`, `slug`, `version`, `changelog`, `tags`,
    /// `dryRun`, `allowFile`.
    pub fields: &'a [(&'static str, String)],
}

/// The registry's answer to a publication.
pub struct Receipt {
    /// The fields for people.
    pub published: PublishReply,
    /// The whole answer.
    pub json: Value,
    /// Whether the version is new. If not, the registry already had it.
    pub is_new: bool,
}

/// Publishes a package. Retries may send it more than once; a registry that already has it
/// says so.
pub fn publish(
    http: &Http,
    registry: &RegistryAddress,
    token: &Token,
    publication: &Publication<'_>,
    progress: Progress<'_>,
) -> Result<Receipt, ClientError> {
    let Some(url) = registry.url_of("/api/v1/publish") else {
        return Err(not_a_server(registry, "does not accept packages"));
    };
    // A file cannot contain its own digest, so the boundary is unique.
    let digest = Digest::of(publication.zip).to_string();
    let boundary = format!("----skillmirror{}", digest.get(..48).unwrap_or(&digest));
    let body = form(publication, &boundary);
    let content_type = format!("multipart/form-data; boundary={boundary}");
    let answer = http.upload(&url, token, &Upload { content_type: &content_type, body: &body }, progress)?;
    match answer.status {
        200..=299 => {
            let is_new = answer.status == 201;
            let receipt = RawDocument::from(answer);
            Ok(Receipt { published: receipt.parse(registry)?, json: receipt.parse(registry)?, is_new })
        }
        status => Err(match (status, answer.refusal()) {
            (404 | 405 | 501, ClientError::Status { .. }) => {
                not_a_server(registry, "does not accept packages")
            }
            (413, ClientError::Status { url, status, .. }) => {
                // A registry explains its own limit.
                let size = body.len().div_ceil(100_000) as f64 / 10.0;
                let advice = format!(
                    "a proxy before the registry does not let {size} MB through. Ask its operator to raise the limit \
                     (nginx: client_max_body_size)"
                );
                ClientError::Status { url, status, advice }
            }
            (_, why) => why,
        }),
    }
}

/// The form as browsers encode it (RFC 7578). It is built in memory, so that its length is
/// known and it can be sent again.
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
    fn form_is_encoded_like_browsers_do() {
        let fields = [("version", "1.0.0".to_owned())];
        let publication = Publication { zip: b"PK", name: "a\"b\r\n", fields: &fields };
        let expected = "--X\r\nContent-Disposition: form-data; name=\"version\"\r\n\r\n1.0.0\r\n\
                        --X\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a_b__.zip\"\r\n\
                        Content-Type: application/zip\r\n\r\nPK\r\n--X--\r\n";
        assert_eq!(String::from_utf8_lossy(&form(&publication, "X")), expected);
    }
}
