//! Rows whose text was removed. Their digest stays, so the chain and the transparency log go on.

use serde::Deserialize;

use crate::names::Digest;

/// The sha256 of a half of a row. If its text was redacted, that of the text that it had.
///
/// A public half is then the row `redacted`, with the digest as `sha256`. A private half keeps what is
/// not removed, and has the digest as `redacted`. Nobody believes such a row alone: a later row
/// `row_redacted` must name it.
pub(crate) fn digest_of(json: &str) -> Digest {
    named_digest(json).unwrap_or_else(|| Digest::of(json.as_bytes()))
}

fn named_digest(json: &str) -> Option<Digest> {
    #[derive(Deserialize)]
    struct Stub {
        kind: Option<String>,
        sha256: Option<Digest>,
        redacted: Option<Digest>,
    }
    // Nearly no row has it: within a text, quotes have a backslash before them.
    if !json.contains("\"redacted\"") {
        return None;
    }
    let Stub { kind, sha256, redacted } = serde_json::from_str(json).ok()?;
    if kind.as_deref() == Some("redacted") { sha256 } else { redacted }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_stubs_name_their_digest() {
        let digest = Digest::of(b"text");
        for stub in [
            format!("{{\"revision\":1,\"kind\":\"redacted\",\"v\":1,\"sha256\":\"{digest}\"}}"),
            format!("{{\"actor\":null,\"changes\":[],\"redacted\":\"{digest}\"}}"),
        ] {
            assert_eq!(digest_of(&stub), digest, "{stub}");
        }
        for other in [
            format!("{{\"kind\":\"published\",\"sha256\":\"{digest}\"}}"),
            format!(
                "{{\"kind\":\"published\",\"metadata\":{{\"kind\":\"redacted\",\"redacted\":\"{digest}\"}}}}"
            ),
            format!(
                "{{\"kind\":\"yanked\",\"reason\":\"\\\"kind\\\":\\\"redacted\\\"\",\"sha256\":\"{digest}\"}}"
            ),
            "{\"kind\":\"redacted\"}".to_owned(),
        ] {
            assert_eq!(digest_of(&other), Digest::of(other.as_bytes()), "{other}");
        }
    }
}
