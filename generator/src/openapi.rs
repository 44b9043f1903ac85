//! The OpenAPI description, a document of every tree.
//!
//! The server generates it from its route table, which this crate cannot see. A test of `server`
//! compares the stored file with what the table generates. Because trees hold the file, a test here
//! requires that a release with another description has another [`FORMAT`](crate::FORMAT).

use crate::settings::TreeSettings;

/// OpenAPI 3.1 in JSON, of a registry at the root of its origin.
pub const DOCUMENT: &str = include_str!("../assets/openapi.json");

/// The line of that document that says where the paths begin.
const SERVER: &str = "\"url\": \"/\"";

/// The description of a registry.
pub(crate) fn document(settings: &TreeSettings) -> Vec<u8> {
    match settings.path() {
        "" => DOCUMENT.into(),
        path => DOCUMENT.replacen(SERVER, &format!("\"url\": \"{path}\""), 1).into_bytes(),
    }
}

#[cfg(test)]
mod tests {
    use registry::names::Digest;

    use super::*;
    use crate::FORMAT;

    /// The sha256 of the description, for each format that changed it. Released lines never change.
    const DOCUMENTS: &[(u32, &str)] = &[
        (3, "ed9b261efd21ab8656eea656c87304a4d43ab949e27f4039860f7dd7cd67ba7f"),
        (4, "bf7fe6d2f1728a66ba210b2270dc6c3730cacf667856ad2152333eab2f059ddc"),
        (5, "c067a5ca0b4f36fcfb25adf0ab08b265040639212d72f2d5c7c9bc67448de63f"),
        (6, "47558eaaef1d150a88260b7f78c8d051172b9f9b0b7b064fcc66ec54824d0cfd"),
        (8, "0d87c16d7d6962d48d09785eed44848023b76aaeb1b3310d7a8bbbdc34c1acbc"),
        (9, "4ea54a896244c1a767b9c2ff8bf67a819e23a6e29edf8aa4ff3f21e1179ef834"),
    ];

    #[test]
    fn server_has_the_path_of_the_public_url() {
        assert_eq!(DOCUMENT.matches(SERVER).count(), 1);
        for (url, server) in [("https://a.example", "/"), ("https://a.example/skills", "/skills")] {
            let settings = TreeSettings { public_url: Some(url.parse().unwrap()), ..TreeSettings::default() };
            let document: serde_json::Value = serde_json::from_slice(&document(&settings)).unwrap();
            assert_eq!(document["servers"], serde_json::json!([{ "url": server }]));
        }
    }

    #[test]
    fn changed_document_needs_a_new_format() {
        let is = Digest::of(DOCUMENT.as_bytes()).to_string();
        assert!(DOCUMENTS.is_sorted_by(|a, b| a.0 < b.0), "formats must be in ascending order");
        let last = DOCUMENTS.iter().rev().find(|(format, _)| *format <= FORMAT);
        let last = last.map(|(_, digest)| *digest);
        assert_eq!(
            Some(&*is),
            last,
            "the description changed: raise FORMAT unless it was raised since the last release, then put this \
             digest into the line of FORMAT in DOCUMENTS, or add that line"
        );
    }
}
