//! Witnesses in the settings.

use std::fmt;
use std::str::FromStr;

use registry::transparency_log::WitnessKey;
use registry::with_causes;
use serde::{Deserialize, Deserializer};

/// A witness: its address and its public key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WitnessAddress {
    /// Without a slash at its end.
    pub url: String,
    /// The public key.
    pub key: WitnessKey,
}

impl FromStr for WitnessAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((url, key)) = text.trim().split_once(char::is_whitespace) else {
            return Err("expected a URL and a public key, like `https://witness.example NAME+ID+KEY`".into());
        };
        let host = url.strip_prefix("https://").or(url.strip_prefix("http://")).unwrap_or_default();
        if host.is_empty() || host.contains(['?', '#', '@']) {
            return Err("expected the http(s) URL of a witness, without user name and query".into());
        }
        let key = key.trim_start().parse().map_err(|why| with_causes(&why))?;
        Ok(Self { url: url.trim_end_matches('/').to_owned(), key })
    }
}

impl<'de> Deserialize<'de> for WitnessAddress {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

impl fmt::Display for WitnessAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.url, self.key.short())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "witness.example+3c436f90+BIqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c";

    #[test]
    fn address_of_a_witness_needs_url_and_key() {
        for (text, why) in [
            ("https://witness.example", "a URL and a public key"),
            (KEY, "a URL and a public key"),
            (&format!("witness.example {KEY}"), "http(s) URL"),
            (&format!("https://u:p@witness.example {KEY}"), "without user name"),
            (&format!("https://witness.example {}", &KEY[1..]), "not the public key of a witness"),
        ] {
            let refused = text.parse::<WitnessAddress>().unwrap_err();
            assert!(refused.contains(why) && !refused.contains("u:p"), "{text}: {refused}");
        }
        let address: WitnessAddress = format!("https://witness.example/w/  {KEY}").parse().unwrap();
        assert_eq!(address.to_string(), "https://witness.example/w (witness.example+3c436f90)");
    }
}
