//! The name of a site's marketplace in Claude Code and other clients.

use registry::names::PublicUrl;
use serde::{Deserialize, Serialize};

/// The longest name that an operator may choose. Those of namespaces are longer.
const MAX_CHARS: usize = 64;

/// Names that Claude Code keeps for its vendor. (It also refuses what begins like its own name.)
const RESERVED: [&str; 6] = [
    "agent-skills",
    "financial-services-plugins",
    "first-party-plugins",
    "healthcare",
    "knowledge-work-plugins",
    "life-sciences",
];

/// A name that an operator chose: lower-case letters and digits, with single hyphens between them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(try_from = "String")]
pub struct MarketplaceName(String);

impl MarketplaceName {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name for a site whose operator chose none: host, port and path, with `-` for all but letters and digits.
    pub fn of_site(url: &PublicUrl) -> Self {
        let words = url.without_scheme().to_ascii_lowercase();
        let words: Vec<_> =
            words.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
        Self(words.join("-"))
    }
}

impl TryFrom<String> for MarketplaceName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let is_word = |word: &str| {
            !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        };
        if text.len() > MAX_CHARS || !text.split('-').all(is_word) {
            return Err(format!(
                "write at most {MAX_CHARS} lower-case letters and digits with single hyphens between them"
            ));
        }
        let is_vendors = ["claude", "anthropic"].iter().any(|vendor| text.contains(vendor));
        if is_vendors || RESERVED.contains(&&*text) {
            return Err("Claude Code refuses names that look like its vendor's: choose another one".into());
        }
        Ok(Self(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_of_a_site_is_kebab_case() {
        for (url, name) in [
            ("https://skills.example.org", "skills-example-org"),
            ("https://Skills.Example.org:8443/~ann/my_skills", "skills-example-org-8443-ann-my-skills"),
            ("http://[::1]:8080", "1-8080"),
        ] {
            assert_eq!(MarketplaceName::of_site(&url.parse().unwrap()).as_str(), name);
        }
    }

    #[test]
    fn chosen_name_that_a_client_refuses_is_refused() {
        for good in ["company", "acme-skills-2", "a"] {
            assert!(MarketplaceName::try_from(good.to_owned()).is_ok(), "{good}");
        }
        let long = "x".repeat(MAX_CHARS + 1);
        for bad in
            ["", "Acme", "a--b", "-a", "a b", "../a", "claude-skills", "my-anthropic", "agent-skills", &long]
        {
            assert!(MarketplaceName::try_from(bad.to_owned()).is_err(), "{bad}");
        }
    }
}
