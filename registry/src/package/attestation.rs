//! Attestations: Sigstore bundles that say who built a package.

use data_encoding::BASE64;
use serde::Deserialize;

use crate::names::Digest;

/// The size limit of an attestation in bytes.
pub const MAX_ATTESTATION: usize = 64 << 10;

/// The form of the bundles that are known, without its version.
const MEDIA_TYPE: &str = "application/vnd.dev.sigstore.bundle";

/// The type of their payload, and of its statement, without its version.
const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";
const STATEMENT_TYPE: &str = "https://in-toto.io/Statement/v";

/// A Sigstore bundle whose shape was checked. Its signature and certificate were not: tools of Sigstore check them.
#[derive(Debug, Clone)]
pub struct Attestation {
    text: String,
    subjects: Vec<Digest>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Bundle {
    media_type: String,
    #[serde(rename = "verificationMaterial")]
    _material: serde_json::Map<String, serde_json::Value>,
    dsse_envelope: Envelope,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Envelope {
    payload: String,
    payload_type: String,
    signatures: Vec<serde_json::Value>,
}

#[derive(Deserialize)]
struct Statement {
    #[serde(rename = "_type")]
    kind: String,
    subject: Vec<Subject>,
}

#[derive(Deserialize)]
struct Subject {
    digest: SubjectDigest,
}

#[derive(Deserialize)]
struct SubjectDigest {
    sha256: Option<Digest>,
}

impl Attestation {
    /// Reads a bundle. The error says what is wrong with it.
    pub fn parse(text: String) -> Result<Self, String> {
        if text.len() > MAX_ATTESTATION {
            return Err(format!("it has {} bytes, and may have {MAX_ATTESTATION}", text.len()));
        }
        let no_bundle = "it must be a Sigstore bundle: one JSON object with `mediaType`, `verificationMaterial` and \
                         `dsseEnvelope`, as `actions/attest` writes it";
        let bundle: Bundle = serde_json::from_str(&text).map_err(|_| no_bundle)?;
        let envelope = bundle.dsse_envelope;
        if !bundle.media_type.starts_with(MEDIA_TYPE) || envelope.signatures.is_empty() {
            return Err(no_bundle.into());
        }
        let no_statement = "its payload must be an in-toto statement";
        let payload = BASE64.decode(envelope.payload.as_bytes()).map_err(|_| no_statement)?;
        let statement: Statement = serde_json::from_slice(&payload).map_err(|_| no_statement)?;
        if envelope.payload_type != PAYLOAD_TYPE || !statement.kind.starts_with(STATEMENT_TYPE) {
            return Err(no_statement.into());
        }
        let subjects = statement.subject.into_iter().filter_map(|subject| subject.digest.sha256).collect();
        Ok(Self { text, subjects })
    }

    /// Checks that it is about the package with this digest.
    pub fn check_subject(&self, package: &Digest) -> Result<(), String> {
        if self.subjects.contains(package) {
            return Ok(());
        }
        let found: Vec<String> = self.subjects.iter().take(3).map(Digest::to_string).collect();
        Err(format!(
            "its subject has the sha256 {}, but the package has {package}: attest the zip that `skillmirror pack` makes",
            if found.is_empty() { "of nothing".to_owned() } else { found.join(", ") }
        ))
    }

    /// The bundle as it was sent.
    pub fn text(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn bundle(statement: &Value) -> Value {
        let payload = BASE64.encode(statement.to_string().as_bytes());
        json!({
            "mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json",
            "verificationMaterial": { "certificate": { "rawBytes": "AA==" } },
            "dsseEnvelope": {
                "payload": payload, "payloadType": PAYLOAD_TYPE, "signatures": [{ "sig": "AA==" }],
            },
        })
    }

    #[test]
    fn attestation_is_a_bundle_about_the_package() {
        let package = Digest::of(b"zip");
        let statement = json!({
            "_type": "https://in-toto.io/Statement/v1",
            "subject": [{ "name": "hello.zip", "digest": { "sha256": package.to_string() } }],
            "predicateType": "https://slsa.dev/provenance/v1",
        });
        let good = bundle(&statement);
        let read = Attestation::parse(good.to_string()).unwrap();
        read.check_subject(&package).unwrap();
        let why = read.check_subject(&Digest::of(b"other")).unwrap_err();
        assert!(why.contains(&package.to_string()) && why.contains("skillmirror pack"), "{why}");

        let without = |pointer: &str, value: Value| {
            let mut bad = good.clone();
            *bad.pointer_mut(pointer).unwrap() = value;
            Attestation::parse(bad.to_string()).unwrap_err()
        };
        assert!(without("/mediaType", json!("application/json")).contains("Sigstore bundle"));
        assert!(without("/dsseEnvelope/signatures", json!([])).contains("Sigstore bundle"));
        assert!(without("/dsseEnvelope/payload", json!("e30=")).contains("in-toto"));
        assert!(without("/dsseEnvelope/payloadType", json!("text/plain")).contains("in-toto"));
        assert!(without("/mediaType", json!("x".repeat(MAX_ATTESTATION))).contains("bytes"));
        assert!(Attestation::parse("[".into()).unwrap_err().contains("Sigstore bundle"));
    }
}
